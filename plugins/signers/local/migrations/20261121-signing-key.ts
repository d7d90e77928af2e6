import { Migration } from '@mikro-orm/migrations'

/**
 * Creates the table of encrypted private keys. Only `dpp_signer`, the signer's role, may read it, so SQL injection into the application
 * finds nothing. No update or delete: keys of old seals are permanent; only the owner re-encrypts them (`dpp key rewrap`).
 */
export default class SigningKey extends Migration {
  override name = 'local-signing-key'

  override up(): void {
    this.addSql(`
      create table local_signing_key (
        id text primary key,
        label text not null,
        public_jwk jsonb not null,
        nonce bytea not null,
        ciphertext bytea not null,
        created_at timestamptz not null default now()
      )`)
    this.addSql(`
      comment on table local_signing_key is
        'PKCS#8 under AES-256-GCM: see plugins/signers/local. public_jwk is for people, the signer derives it.'`)
    this.addSql(`do $$ begin execute format('grant usage on schema %I to %I', current_schema(), 'dpp_signer'); end $$`)
    this.addSql('revoke all on local_signing_key from public')
    // Default privileges may have granted access.
    this.addSql('revoke all on local_signing_key from dpp_app')
    this.addSql('grant select, insert on local_signing_key to dpp_signer')
  }

  override down(): void {
    this.addSql('drop table local_signing_key')
  }
}
