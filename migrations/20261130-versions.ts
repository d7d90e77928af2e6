import { Migration } from '@mikro-orm/migrations'

/** What a version of a passport was besides its metadata, and what the world read of those that were sealed. */
export default class Versions extends Migration {
  override name = 'versions'

  override up(): void {
    // Of versions that were replaced before, neither is known.
    this.addSql(
      `alter table passport_history add column status text, add column seal_id uuid references seal on delete cascade`,
    )
    this.addSql(`create index on passport_history (seal_id) where seal_id is not null`)
    this.sealedVersions()
  }

  /**
   * A sealed state that was published and is no longer: between shown_from and shown_until it was what the world read of
   * this version. Whatever can change later without the history is kept here: names, status, which keys were masked. The
   * metadata is in the history. Enrichment is kept by the rule of metadata, with the last row that had it; JSON null is none.
   */
  private sealedVersions(): void {
    this.addSql(`
      create table sealed_version (
        passport_id uuid not null references passport on delete cascade,
        passport_version int not null,
        tenant_id uuid not null,
        version int not null,
        seal_id uuid not null references seal on delete cascade,
        status text not null check (status <> 'DRAFT'),
        operator json not null,
        facility json,
        masked text[] not null,
        enrichment json,
        archived_at timestamptz(3),
        retention_until timestamptz(3),
        shown_from timestamptz(3) not null,
        shown_until timestamptz(3) not null,
        primary key (passport_id, passport_version)
      )`)
    this.addSql(`create index on sealed_version (seal_id)`)
    this.addSql(`alter table sealed_version enable row level security`)
    this.addSql(`alter table sealed_version force row level security`)
    const ofPassport = 'exists (select 1 from passport p where p.id = passport_id)'
    this.addSql(`create policy sealed_version_see on sealed_version for select to dpp_app using (${ofPassport})`)
    this.addSql(`create policy sealed_version_add on sealed_version for insert to dpp_app with check (${ofPassport})`)
    // What has happened stays; a passport that is deleted takes it along.
    this.addSql(`grant select, insert on sealed_version to dpp_app`)
    this.charge()
  }

  /** As much as a caller decides on; a move of the status brings no enrichment, so that a recall is possible at the limit too. */
  private charge(): void {
    for (const { event, rows, sign } of CHANGES) {
      this.addSql(`
        create function sealed_version_${event}_stores() returns trigger language plpgsql security definer
        set search_path = pg_catalog, public, pg_temp as $$
        begin
          perform workspace_stores(charged.tenant_id, charged.bytes, 0)
          from (
            select tenant_id, ${sign}sum(coalesce(octet_length(enrichment::text), 0))::bigint as bytes
            from ${rows} group by tenant_id order by tenant_id
          ) as charged;
          return null;
        end $$`)
      this.addSql(`create trigger sealed_version_${event}_stores after ${event} on sealed_version
        referencing ${rows.slice(0, 3)} table as ${rows} for each statement execute function sealed_version_${event}_stores()`)
    }
  }
}

const CHANGES = [
  { event: 'insert', rows: 'new_rows', sign: '' },
  { event: 'delete', rows: 'old_rows', sign: '-' },
] as const
