import { Migration } from '@mikro-orm/migrations'

/**
 * The private keys, each encrypted. Only the role `dpp_signer` may read them, and the signer alone logs in as it: a
 * query that somebody smuggles into the application finds nothing. There is no update and no delete, because the keys
 * of old seals and credentials are kept for ever; the owner alone encrypts them anew (`dpp key rewrap`).
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
    // Default privileges may have given the application's role a share.
    this.addSql('revoke all on local_signing_key from dpp_app')
    this.addSql('grant select, insert on local_signing_key to dpp_signer')
  }

  override down(): void {
    this.addSql('drop table local_signing_key')
  }
}
