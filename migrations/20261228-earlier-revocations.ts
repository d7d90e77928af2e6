import { Migration } from '@mikro-orm/migrations'

/**
 * That a key was in other hands is often found before it is found since when: a certificate that is revoked again, from an earlier time on,
 * is revoked from then. Never from a later one. Nobody but the database moves it; what may be written is what it was.
 */
export default class EarlierRevocations extends Migration {
  override name = 'earlier-revocations'

  override up(): void {
    this.addSql(`
      create function seal_revocation_earlier() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        -- Two that revoke at once: the second sees what the first has written.
        perform pg_advisory_xact_lock(hashtext('seal_revocation'));
        update seal_revocation set revoked_at = new.revoked_at, reason = new.reason, created_at = clock_timestamp()
        where authority = new.authority and serial = new.serial and revoked_at > new.revoked_at;
        return new;
      end $$`)
    this.addSql(
      'create trigger seal_revocation_earlier before insert on seal_revocation for each row execute function seal_revocation_earlier()',
    )
  }

  override down(): void {
    this.addSql('drop trigger seal_revocation_earlier on seal_revocation')
    this.addSql('drop function seal_revocation_earlier')
  }
}
