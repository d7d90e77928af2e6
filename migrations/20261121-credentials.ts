import { Migration } from '@mikro-orm/migrations'

/** Signed renditions, the places of passports in their workspace's status list, and the signed lists. */
export default class Credentials extends Migration {
  override name = 'credentials'

  override up(): void {
    this.renditions()
    this.statusEntries()
    this.statusLists()
    this.keys()
  }

  /** Signed forms depend on the key that signs, and SD-JWT on the tier. */
  private renditions(): void {
    // A variant is a language where the text depends on one, or the profile of a credential.
    this.addSql(`alter table rendition rename column language to variant`)
    this.addSql(`
      alter table rendition
        add column tier text not null default 'public' check (tier in ('public', 'restricted', 'owner')),
        add column key_number int not null default 0,
        drop constraint rendition_pkey,
        add primary key (passport_id, representation, variant, version, generation, tier, key_number)`)
    // What resolves for everybody cannot even read what is kept for others.
    this.addSql(`alter policy rendition_lookup on rendition
      using (tier = 'public' and exists (select 1 from passport p where p.id = passport_id and p.status <> 'DRAFT'))`)
  }

  /**
   * One place per passport (later: per unit) that was ever issued as a credential, kept when the passport is gone, so
   * that no index is ever given to another (W3C Bitstring Status List 1.0, section 2.1).
   */
  private statusEntries(): void {
    this.addSql(`
      create table status_entry (
        tenant_id uuid not null references workspace on delete cascade,
        index int not null check (index >= 0),
        subject_id uuid not null unique,
        revoked boolean not null,
        primary key (tenant_id, index)
      )`)
    this.addSql(`create index on status_entry (tenant_id, index) where revoked`)
    this.isolate('status_entry')
    this.addSql(`grant select, insert on status_entry to dpp_app`)
    this.addSql(`grant select on status_entry to dpp_lookup`)
    this.addSql(`create policy status_entry_lookup on status_entry for select to dpp_lookup using (true)`)
    // A status may be set by a workspace to which the operator is bound, so the function works as the table's owner.
    this.addSql(`create policy status_entry_keep on status_entry to current_user using (true) with check (true)`)
    this.addSql(`
      create function status_entry_follows() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        update status_entry set revoked = (tg_op = 'DELETE' or new.status <> 'ACTIVE') where subject_id = old.id;
        return null;
      end $$`)
    this.addSql(`create trigger status_entry_follows after update of status on passport for each row
      when (old.status is distinct from new.status) execute function status_entry_follows()`)
    this.addSql(`create trigger status_entry_stays after delete on passport for each row
      execute function status_entry_follows()`)
  }

  /** The signed list of each form; `state` names everything that it was made from. */
  private statusLists(): void {
    this.addSql(`
      create table status_list (
        tenant_id uuid not null references workspace on delete cascade,
        form text not null,
        state text not null,
        etag text not null,
        body text not null,
        signed_at timestamptz(3) not null default now(),
        primary key (tenant_id, form)
      )`)
    this.isolate('status_list')
    this.addSql(`grant select, insert, update on status_list to dpp_app`)
    this.addSql(`grant select on status_list to dpp_lookup`)
    this.addSql(`create policy status_list_lookup on status_list for select to dpp_lookup using (true)`)
  }

  /** Public keys are public; a new one changes what is signed for every passport of the workspace. */
  private keys(): void {
    this.addSql(`grant select (tenant_id, number, public_key_pem, created_at, retired_at) on tenant_key to dpp_lookup`)
    this.addSql(`create policy tenant_key_lookup on tenant_key for select to dpp_lookup using (true)`)
    this.addSql(`
      create function tenant_key_moves() returns trigger language plpgsql as $$
      begin
        perform pg_notify('passport_changed', '');
        return null;
      end $$`)
    this.addSql(`create trigger tenant_key_moves after insert on tenant_key for each row
      execute function tenant_key_moves()`)
  }

  private isolate(table: string): void {
    this.addSql(`alter table ${table} enable row level security`)
    this.addSql(`alter table ${table} force row level security`)
    this.addSql(`create policy ${table}_own on ${table} to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
  }
}
