import { Migration } from '@mikro-orm/migrations'

/**
 * The archive of passports that were published, taken back to a draft and deleted: their versions and seals stay for the retention
 * period. The database archives them itself, so that no way of deleting a passport forgets it.
 */
export default class DeletedPassports extends Migration {
  override name = 'deleted-passports'

  override up(): void {
    this.passports()
    this.versions()
    this.deletions()
    this.views()
    this.charge()
  }

  /** The columns of the passport that its versions need. */
  private passports(): void {
    this.addSql(`
      create table deleted_passport (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        operator_id uuid not null references operator,
        product_id text not null,
        facility_id uuid,
        category text,
        metadata json not null,
        enrichment json,
        created_at timestamptz(3) not null,
        deleted_at timestamptz(3) not null,
        retention_until timestamptz(3) not null
      )`)
    this.addSql(`create index on deleted_passport (tenant_id)`)
    this.addSql(`create index on deleted_passport (operator_id)`)
    this.addSql(`create index on deleted_passport (retention_until)`)
    this.addSql(`alter table deleted_passport enable row level security`)
    this.addSql(`alter table deleted_passport force row level security`)
    this.addSql(`create policy deleted_passport_see on deleted_passport for select to dpp_app
      using (tenant_id = app_tenant()
        or operator_id in (select b.operator_id from operator_binding b where b.tenant_id = app_tenant()))`)
    this.addSql(`create policy deleted_passport_lookup on deleted_passport for select to dpp_lookup using (true)`)
    this.addSql(`create policy deleted_passport_expire on deleted_passport to dpp_jobs using (retention_until < now())`)
    this.addSql(
      `create policy deleted_passport_keep on deleted_passport to current_user using (true) with check (true)`,
    )
    this.addSql(`grant select on deleted_passport to dpp_app`)
    this.addSql(`grant select (id, tenant_id, operator_id, category) on deleted_passport to dpp_lookup`)
    this.addSql(`grant select, delete on deleted_passport to dpp_jobs`)
  }

  /** Versions and seals belong to a passport, or to a deleted one; triggers take the place of the foreign keys. */
  private versions(): void {
    for (const table of VERSION_TABLES) {
      this.addSql(`alter table ${table} drop constraint ${table}_passport_id_fkey`)
      this.addSql(`alter policy ${table}_see on ${table} using (exists (select from passport p where p.id = passport_id)
        or exists (select from deleted_passport d where d.id = passport_id))`)
      // The functions below work as the owner of the tables.
      if (table !== 'passport_facility') {
        this.addSql(`create policy ${table}_keep on ${table} to current_user using (true) with check (true)`)
      }
    }
    this.addSql(`create policy passport_keep on passport for select to current_user using (true)`)
  }

  private deletions(): void {
    this.addSql(`
      create function passport_archives() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        -- A workspace that is deleted takes its archive along.
        if not exists (select from workspace w where w.id = old.tenant_id) then
          return old;
        end if;
        -- The gateway deletes drafts only; what is published is a version too.
        if old.status <> 'DRAFT' then
          insert into passport_history (passport_id, tenant_id, version, metadata, changed_by, change_reason, created_at,
            status, seal_id, recall, archived_at, retention_until, schema_version)
          select old.id, old.tenant_id,
            coalesce((select max(h.version) from passport_history h where h.passport_id = old.id), 0) + 1,
            old.metadata, session_user, 'Deleted in the database', now(),
            old.status, old.seal_id, old.recall, old.archived_at, old.retention_until, old.schema_version;
        end if;
        insert into deleted_passport (id, tenant_id, operator_id, product_id, facility_id, category, metadata, enrichment,
          created_at, deleted_at, retention_until)
        select old.id, old.tenant_id, old.operator_id, old.product_id, old.facility_id, old.category, old.metadata,
          old.enrichment, old.created_at, now(),
          coalesce(nullif(current_setting('app.retention_until', true), '')::timestamptz, now() + interval '10 years')
        where exists (select from passport_history h where h.passport_id = old.id and h.status is distinct from 'DRAFT');
        return old;
      end $$`)
    this.addSql(`create trigger passport_archives before delete on passport
      for each row execute function passport_archives()`)
    this.addSql(`
      create function passport_versions_leave() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        if exists (select from passport where id = old.id) or exists (select from deleted_passport where id = old.id) then
          return null;
        end if;
        ${VERSION_TABLES.map((table) => `delete from ${table} where passport_id = old.id;`).join('\n        ')}
        return null;
      end $$`)
    for (const table of ['passport', 'deleted_passport']) {
      this.addSql(`create trigger passport_versions_leave after delete on ${table}
        for each row execute function passport_versions_leave()`)
    }
    // The import of a sealed environment may bring a deleted passport back under its id, with its versions.
    this.addSql(`
      create function passport_returns() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        if exists (select from deleted_passport d join new_rows n on n.id = d.id and n.tenant_id <> d.tenant_id) then
          raise unique_violation using constraint = 'passport_pkey';
        end if;
        delete from deleted_passport d using new_rows n where n.id = d.id;
        return null;
      end $$`)
    this.addSql(`create trigger passport_returns after insert on passport
      referencing new table as new_rows for each statement execute function passport_returns()`)
  }

  /** Passports and deleted ones, for whoever reads versions. */
  private views(): void {
    const common = 'id, tenant_id, operator_id, product_id, facility_id, category, metadata, enrichment, created_at'
    this.addSql(`
      create view known_passport with (security_invoker = true) as
      select ${common}, status, seal_id, false as is_deleted from passport
      union all
      select ${common}, 'DRAFT', null, true from deleted_passport`)
    this.addSql(`grant select on known_passport to dpp_app`)
    this.addSql(`
      create or replace view passport_version with (security_invoker = true) as
      select h.passport_id, h.version,
        coalesce(
          h.metadata,
          (
            select later.metadata from passport_history later
            where later.passport_id = h.passport_id and later.version > h.version and later.metadata is not null
            order by later.version limit 1
          ),
          p.metadata
        ) as metadata,
        h.changed_by, h.change_reason, h.created_at
      from passport_history h join known_passport p on p.id = h.passport_id`)
  }

  /** The archive is charged, and never refused: whoever is at a limit may still delete. */
  private charge(): void {
    for (const { event, rows, sign } of CHANGES) {
      this.addSql(`
        create function deleted_passport_${event}_stores() returns trigger language plpgsql security definer
        set search_path = pg_catalog, public, pg_temp as $$
        begin
          insert into workspace_usage as u (tenant_id, slot, bytes, rows)
          select tenant_id, 1 + (pg_backend_pid() & 63),
            ${sign}sum(octet_length(metadata::text) + coalesce(octet_length(enrichment::text), 0)), 0 from ${rows}
          group by tenant_id order by tenant_id
          on conflict on constraint workspace_usage_pkey do update set bytes = u.bytes + excluded.bytes;
          return null;
        end $$`)
      this.addSql(`create trigger deleted_passport_${event}_stores after ${event} on deleted_passport
        referencing ${rows.slice(0, 3)} table as ${rows} for each statement
        execute function deleted_passport_${event}_stores()`)
    }
  }
}

const VERSION_TABLES = ['sealed_version', 'passport_history', 'seal', 'passport_facility'] as const

const CHANGES = [
  { event: 'insert', rows: 'new_rows', sign: '' },
  { event: 'delete', rows: 'old_rows', sign: '-' },
] as const
