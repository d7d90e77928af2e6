import { Migration } from '@mikro-orm/migrations'

/** Access grants: who, beside the owner, may see the restricted values of a passport (specification 5.10). */
export default class Grants extends Migration {
  override name = 'grants'

  override up(): void {
    this.addSql(`
      create table access_grant (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        status text not null check (status in ('PENDING', 'ACTIVE', 'DENIED', 'REVOKED')),
        kind text not null check (kind in ('LEGITIMATE_INTEREST', 'AUTHORITY')),
        grantee_name text not null,
        grantee_email text,
        organization text,
        purpose text,
        scope_type text not null check (scope_type in ('UNIT', 'PASSPORT', 'TENANT')),
        passport_id uuid references passport on delete cascade,
        battery_unit_id uuid,
        issuer_type text not null check (issuer_type in ('TENANT', 'REQUEST', 'PLATFORM')),
        issuer_email text,
        decided_at timestamptz(3),
        decided_by text,
        expires_at timestamptz(3) not null,
        revoked_at timestamptz(3),
        last_used_at timestamptz(3),
        use_count bigint not null default 0,
        token_hash bytea unique,
        created_at timestamptz(3) not null default clock_timestamp(),
        check ((scope_type = 'TENANT') = (passport_id is null)),
        check ((scope_type = 'UNIT') = (battery_unit_id is not null))
      )`)
    this.addSql(`create index on access_grant (tenant_id, status, created_at desc, id)`)
    this.addSql(`create index on access_grant (passport_id)`)
    this.addSql(`alter table access_grant enable row level security`)
    this.addSql(`alter table access_grant force row level security`)
    this.addSql(`create policy access_grant_own on access_grant to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    // Rows are kept for good, and whom and what a grant is for never changes.
    this.addSql(`grant select, insert,
      update (status, decided_at, decided_by, expires_at, revoked_at, token_hash) on access_grant to dpp_app`)
    // Tokens come without a workspace. Who holds them, and why, is not seen here.
    this.addSql(`grant select (id, tenant_id, status, scope_type, passport_id, expires_at, token_hash, use_count, last_used_at),
      update (use_count, last_used_at) on access_grant to dpp_lookup`)
    this.addSql(`create policy access_grant_lookup on access_grant for select to dpp_lookup using (true)`)
    this.addSql(
      `create policy access_grant_count on access_grant for update to dpp_lookup using (true) with check (true)`,
    )
  }
}
