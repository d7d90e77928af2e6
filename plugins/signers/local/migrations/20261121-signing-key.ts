import { Migration } from '@mikro-orm/migrations'

/**
 * The private keys, each encrypted. Only the role `dpp_signer` may read them, and the signer alone takes that role: a
 * query that somebody smuggles into the application finds nothing. There is no update and no delete, because the keys
 * of old seals and credentials are kept for ever.
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
    // Roles belong to the whole cluster: another database may have made it, or is making it right now. From PostgreSQL
    // 16 on, making a role does not include the right to become it.
    this.addSql(`
      do $$
      declare
        may_become constant text := case when current_setting('server_version_num')::int >= 160000
          then 'SET' else 'MEMBER' end;
      begin
        if not exists (select from pg_roles where rolname = 'dpp_signer') then
          begin
            create role dpp_signer nologin;
          exception when duplicate_object or unique_violation then null;
          end;
        end if;
        if not pg_has_role(current_user, 'dpp_signer', may_become) then
          begin
            grant dpp_signer to current_user;
          exception when unique_violation or internal_error then
            -- "tuple concurrently updated": the same grant from another database
            if not pg_has_role(current_user, 'dpp_signer', may_become) then raise; end if;
          end;
        end if;
        execute format('grant usage on schema %I to dpp_signer', current_schema());
      end $$`)
    this.addSql('revoke all on local_signing_key from public')
    // Default privileges may have given the application role a share.
    this.addSql(`
      do $$
      begin
        if exists (select from pg_roles where rolname = 'dpp_app') then
          revoke all on local_signing_key from dpp_app;
        end if;
      end $$`)
    this.addSql('grant select, insert on local_signing_key to dpp_signer')
  }

  override down(): void {
    this.addSql('drop table local_signing_key')
  }
}
