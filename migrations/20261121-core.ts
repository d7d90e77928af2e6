import { Migration } from '@mikro-orm/migrations'

/**
 * Core tables. Two roles divide what the processes may touch, and neither may bypass row-level security. In migrations
 * these names stand for the roles of this database, which exist before (see `src/storage/database-roles.ts`):
 * - `dpp_app` does the work of one workspace inside a transaction that names it in `app.tenant`;
 * - `dpp_lookup` answers what must be known before a workspace is known: whose key this is, and what is public. It
 *   sees no metadata, no private column, and writes nothing but access audit entries.
 */
export default class Core extends Migration {
  override name = 'core'

  override up(): void {
    this.addSql(`
      create function app_tenant() returns uuid language sql stable parallel safe
      as $$ select nullif(current_setting('app.tenant', true), '')::uuid $$`)

    this.addSql(`
      create table workspace (
        id uuid primary key,
        name text not null,
        legal_name text not null,
        country text,
        subdomain text unique,
        plan text not null,
        subscription text not null default 'active' check (subscription in ('active', 'grace', 'lapsed')),
        passport_limit int check (passport_limit >= 0),
        require_mfa boolean not null default false,
        created_at timestamptz(3) not null default now()
      )`)
    this.addSql(`
      create table api_key (
        id text primary key,
        tenant_id uuid not null references workspace on delete cascade,
        secret_hash bytea not null,
        role text not null,
        permissions text[],
        operator_id uuid,
        name text,
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        created_at timestamptz(3) not null default now()
      )`)
    // Keys of the node itself, such as the one that signs session tokens; the private part is with the signer.
    this.addSql(`create table node_key (purpose text primary key, signer_key text not null, public_jwk jsonb not null)`)
    this.addSql(`
      create table operator (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        name text not null,
        reg_id text not null,
        reg_id_scheme text,
        role text not null,
        archived_at timestamptz(3),
        created_at timestamptz(3) not null,
        unique (tenant_id, reg_id)
      )`)
    this.addSql(`
      create table operator_binding (
        tenant_id uuid not null references workspace on delete cascade,
        operator_id uuid not null references operator on delete cascade,
        bound_at timestamptz(3) not null default clock_timestamp(),
        primary key (tenant_id, operator_id)
      )`)
    this.addSql(`create index on operator_binding (operator_id)`)
    this.addSql(`
      create table facility (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        operator_id uuid references operator on delete set null,
        gln text not null unique,
        name text not null,
        activity text,
        street_address text,
        city text,
        postal_code text,
        country text not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`)
    this.addSql(`create index on facility (tenant_id, created_at desc)`)
    this.addSql(`create index on facility (operator_id)`)
    // Cut to 64 characters, because a draft may hold anything and an index row must stay below 2,704 bytes.
    // metadata is json and not jsonb: the order and spelling that the issuer wrote are kept, and a seal covers them.
    this.addSql(`
      create table passport (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        operator_id uuid not null references operator,
        facility_id uuid references facility on delete set null,
        product_id text not null,
        status text not null check (status in ('DRAFT', 'ACTIVE', 'RECALLED', 'DECOMMISSIONED')),
        metadata json not null,
        enrichment json,
        version int not null default 1,
        seal_id uuid,
        archived_at timestamptz(3),
        retention_until timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        category text generated always as (left(metadata ->> 'category', 64)) stored,
        origin_country text generated always as (left(metadata ->> 'originCountry', 64)) stored,
        gtin text generated always as (left(metadata ->> 'gtin', 64)) stored,
        grai text generated always as (left(metadata ->> 'grai', 64)) stored,
        unique (product_id, operator_id)
      )`)
    this.addSql(
      `create index passport_list on passport (operator_id, created_at desc, id) include (category, origin_country) where archived_at is null`,
    )
    this.addSql(`create index on passport (tenant_id) where status <> 'DRAFT' and archived_at is null`)
    this.addSql(`create index on passport (gtin) where gtin is not null`)
    this.addSql(`create index on passport (grai) where grai is not null`)
    this.addSql(`create index on passport (facility_id)`)
    this.addSql(`
      create table passport_history (
        passport_id uuid not null references passport on delete cascade,
        version int not null,
        metadata json not null,
        changed_by text not null,
        change_reason text not null,
        created_at timestamptz(3) not null,
        primary key (passport_id, version)
      )`)
    this.addSql(`
      create table tenant_key (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        number int not null,
        signer_key text not null,
        public_key_pem text not null,
        fingerprint text not null unique,
        created_at timestamptz(3) not null,
        retired_at timestamptz(3),
        unique (tenant_id, number)
      )`)
    this.addSql(`create unique index on tenant_key (tenant_id) where retired_at is null`)
    this.addSql(`
      create table seal (
        id uuid primary key,
        passport_id uuid not null references passport on delete cascade,
        tenant_id uuid not null,
        operator_id uuid not null,
        key_id uuid not null references tenant_key,
        passport_version int not null,
        merkle_root text not null,
        signature text not null,
        public_key_pem text not null,
        leaves json not null,
        created_at timestamptz(3) not null
      )`)
    this.addSql(`create index on seal (passport_id)`)
    this.addSql(`alter table passport add foreign key (seal_id) references seal deferrable initially deferred`)
    this.addSql(`
      create table rendition (
        passport_id uuid not null references passport on delete cascade,
        representation text not null,
        language text not null,
        version int not null,
        generation text not null,
        etag text not null,
        content_type text not null,
        body text not null,
        created_at timestamptz(3) not null default now(),
        primary key (passport_id, representation, language, version, generation)
      )`)
    this.addSql(`
      create table audit_entry (
        id bigint generated always as identity primary key,
        tenant_id uuid not null references workspace on delete cascade,
        action text not null,
        subject_id text not null,
        actor text not null,
        detail json,
        created_at timestamptz(3) not null
      )`)
    this.addSql(`create index on audit_entry (tenant_id, created_at)`)
    this.addSql(`
      create table access_audit (
        id bigint generated always as identity primary key,
        passport_id uuid not null references passport on delete cascade,
        representation text not null,
        tier text not null,
        network text not null,
        accessed_at timestamptz(3) not null
      )`)
    this.addSql(`create index on access_audit (passport_id)`)

    this.versions()
    this.isolation()
  }

  /**
   * The version of a passport moves with everything that a reader can see, its operator and facility included. It is
   * counted here and not in the services, so that no writer can forget it. Every process listens to `passport_changed`.
   */
  private versions(): void {
    this.addSql(`
      create function passport_moves() returns trigger language plpgsql as $$
      begin
        new.version := old.version + 1;
        perform pg_notify('passport_changed', new.id::text);
        return new;
      end $$`)
    this.addSql(
      `create trigger passport_moves before update on passport for each row execute function passport_moves()`,
    )
    this.addSql(`
      create function passport_gone() returns trigger language plpgsql as $$
      begin
        perform pg_notify('passport_changed', old.id::text);
        return old;
      end $$`)
    this.addSql(`create trigger passport_gone after delete on passport for each row execute function passport_gone()`)
    this.addSql(`
      create function master_data_moves() returns trigger language plpgsql as $$
      begin
        if tg_table_name = 'facility' then
          update passport set version = version where facility_id = new.id;
        else
          update passport set version = version where operator_id = new.id;
        end if;
        return new;
      end $$`)
    this.addSql(`create trigger facility_moves after update on facility for each row
      when ((old.name, old.activity, old.country, old.street_address, old.city, old.postal_code)
        is distinct from (new.name, new.activity, new.country, new.street_address, new.city, new.postal_code))
      execute function master_data_moves()`)
    this.addSql(`create trigger operator_moves after update on operator for each row
      when ((old.name, old.role) is distinct from (new.name, new.role)) execute function master_data_moves()`)
  }

  private isolation(): void {
    const own = 'tenant_id = app_tenant()'
    // A workspace sees its own rows and those of operators that are bound to it (specification 4.1).
    const ofBoundOperator =
      'operator_id in (select b.operator_id from operator_binding b where b.tenant_id = app_tenant())'
    const ofPassport = 'exists (select 1 from passport p where p.id = passport_id)'
    const policies: Record<string, { see: string; write?: string; add?: string }> = {
      workspace: { see: 'id = app_tenant()' },
      api_key: { see: own },
      operator: {
        see: `(${own} or id in (select b.operator_id from operator_binding b where b.tenant_id = app_tenant()))`,
        write: own,
      },
      operator_binding: { see: own },
      facility: { see: `(${own} or exists (select 1 from passport p where p.facility_id = facility.id))`, write: own },
      // Passports are issued in the workspace's own name, for an operator that is bound to it.
      passport: { see: `(${own} or ${ofBoundOperator})`, add: `${own} and ${ofBoundOperator}` },
      passport_history: { see: ofPassport },
      tenant_key: { see: own },
      seal: { see: ofPassport },
      rendition: { see: ofPassport },
      audit_entry: { see: own },
      access_audit: { see: ofPassport },
    }
    for (const [table, { see, write = see, add = write }] of Object.entries(policies)) {
      this.addSql(`alter table ${table} enable row level security`)
      this.addSql(`alter table ${table} force row level security`)
      // For this role alone: policies add up, so that one for everybody would open what dpp_lookup may not see.
      this.addSql(`create policy ${table}_see on ${table} for select to dpp_app using (${see})`)
      this.addSql(`create policy ${table}_add on ${table} for insert to dpp_app with check (${add})`)
      this.addSql(
        `create policy ${table}_change on ${table} for update to dpp_app using (${write}) with check (${write})`,
      )
      this.addSql(`create policy ${table}_remove on ${table} for delete to dpp_app using (${write})`)
    }

    this.addSql(
      `grant select, insert, update, delete on workspace, api_key, operator, operator_binding, facility, rendition, tenant_key to dpp_app`,
    )
    // Whose passport it is, of whom and of what, never changes.
    this.addSql(`grant select, insert, delete,
      update (facility_id, status, metadata, enrichment, version, seal_id, archived_at, retention_until, updated_at)
      on passport to dpp_app`)
    // What has happened stays: history, seals and audit are append-only for the application. Deleting a draft removes
    // its history and seals through the foreign key, which needs no privilege here.
    this.addSql(`grant select, insert on passport_history, seal, audit_entry to dpp_app`)
    this.addSql(`grant usage on all sequences in schema public to dpp_app, dpp_lookup`)

    this.addSql(`grant select on workspace, api_key, node_key, rendition, operator_binding to dpp_lookup`)
    this.addSql(
      `grant select (id, tenant_id, operator_id, product_id, status, version, category, gtin, grai, created_at) on passport to dpp_lookup`,
    )
    this.addSql(`grant insert on access_audit to dpp_lookup`)
    for (const table of ['workspace', 'api_key', 'operator_binding', 'passport']) {
      this.addSql(`create policy ${table}_lookup on ${table} for select to dpp_lookup using (true)`)
    }
    this.addSql(`create policy rendition_lookup on rendition for select to dpp_lookup
      using (exists (select 1 from passport p where p.id = passport_id and p.status <> 'DRAFT'))`)
    this.addSql(`create policy access_audit_lookup on access_audit for insert to dpp_lookup with check (true)`)
  }
}
