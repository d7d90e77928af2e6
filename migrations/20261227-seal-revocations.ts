import { Migration } from '@mikro-orm/migrations'

/**
 * Certificates of seal keys that do not stand for their owner any more, for the lists that the seal CAs publish (RFC 5280 §5).
 * Nothing is taken back. The signer's role adds them, as it does the keys of the node, and nothing else of the application may.
 */
export default class SealRevocations extends Migration {
  override name = 'seal-revocations'

  override up(): void {
    this.addSql(`
      create table seal_revocation (
        authority text not null references node_key (purpose),
        serial text not null,
        fingerprint text not null,
        revoked_at timestamptz not null,
        reason text not null,
        created_at timestamptz not null default clock_timestamp(),
        primary key (authority, serial)
      )`)
    // Whoever verifies a seal has its key.
    this.addSql('create index seal_revocation_of_key on seal_revocation (fingerprint)')
    this.addSql('revoke all on seal_revocation from public, dpp_app')
    this.addSql('grant insert on seal_revocation to dpp_signer')
    this.addSql('grant select on seal_revocation to dpp_lookup')
  }

  override down(): void {
    this.addSql('drop table seal_revocation')
  }
}
