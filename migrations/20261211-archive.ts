import { Migration } from '@mikro-orm/migrations'

/** What a passport, its operator and its facility said at any time (EN 18221, 4.2), and when a unit was placed on the market. */
export default class Archive extends Migration {
  override name = 'archive'

  override up(): void {
    // Of versions that were replaced before, none of it is known.
    this.addSql(`alter table passport_history add column recall json, add column archived_at timestamptz(3),
      add column retention_until timestamptz(3)`)
    this.masterData()
    this.links()
    this.isolation()
    this.charge()
    this.addSql(`alter table battery_unit add column placed_on_market_at timestamptz(3)`)
  }

  /**
   * A row says what was true until `shown_until`; what follows the last row is the operator, or the facility, itself. They are
   * written here and not in the services, so that no writer can forget one. A facility that is deleted leaves what it was.
   */
  private masterData(): void {
    this.addSql(`
      create table operator_version (
        operator_id uuid not null references operator on delete cascade,
        version int not null,
        tenant_id uuid not null,
        name text not null,
        role text not null,
        contact json,
        shown_until timestamptz(3) not null,
        primary key (operator_id, version)
      )`)
    this.addSql(`
      create table facility_version (
        facility_id uuid not null,
        version int not null,
        tenant_id uuid not null references workspace on delete cascade,
        gln text not null,
        name text not null,
        activity text,
        street_address text,
        city text,
        postal_code text,
        country text not null,
        shown_until timestamptz(3) not null,
        primary key (facility_id, version)
      )`)
    this.addSql(`create index on facility_version (tenant_id)`)
    for (const { table, columns, changes } of MASTER_DATA) {
      const old = columns.map((column) => `old.${column}`).join(', ')
      this.addSql(`
        create function ${table}_archives() returns trigger language plpgsql security definer
        set search_path = pg_catalog, public, pg_temp as $$
        begin
          insert into ${table}_version (${table}_id, version, tenant_id, ${columns.join(', ')}, shown_until)
          select old.id,
            coalesce((select max(version) from ${table}_version where ${table}_id = old.id), 0) + 1,
            old.tenant_id, ${old}, date_trunc('milliseconds', clock_timestamp())
          -- A workspace that is deleted takes all of it along.
          where exists (select from workspace w where w.id = old.tenant_id);
          return null;
        end $$`)
      const comparable = (row: string) => changes.map((column) => `${row}.${column}`).join(', ')
      this.addSql(`create trigger ${table}_archives after update on ${table} for each row
        when ((${comparable('old')}) is distinct from (${comparable('new')})) execute function ${table}_archives()`)
    }
    this.addSql(
      `create trigger facility_leaves after delete on facility for each row execute function facility_archives()`,
    )
  }

  /**
   * Which facility a passport named until shown_until; null is none. The database unlinks passports of a facility that is
   * deleted, without a version of theirs.
   */
  private links(): void {
    this.addSql(`
      create table passport_facility (
        passport_id uuid not null references passport on delete cascade,
        place int not null,
        facility_id uuid,
        shown_until timestamptz(3) not null,
        primary key (passport_id, place)
      )`)
    this.addSql(`create index on passport_facility (facility_id) where facility_id is not null`)
    this.addSql(`
      create function passport_facility_archives() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        insert into passport_facility (passport_id, place, facility_id, shown_until)
        values (
          old.id,
          coalesce((select max(place) from passport_facility where passport_id = old.id), 0) + 1,
          old.facility_id,
          case when new.updated_at > old.updated_at then new.updated_at
            else date_trunc('milliseconds', clock_timestamp()) end
        );
        return null;
      end $$`)
    this.addSql(`create trigger passport_facility_archives after update on passport for each row
      when (old.facility_id is distinct from new.facility_id) execute function passport_facility_archives()`)
  }

  /** Whoever may see the passport may see who answered for it then. Only the functions above write, as the owner of the tables. */
  private isolation(): void {
    const own = 'tenant_id = app_tenant()'
    const see = {
      operator_version: `(${own} or operator_id in (select b.operator_id from operator_binding b where b.tenant_id = app_tenant()))`,
      facility_version: `(${own} or exists (select from passport p where p.facility_id = facility_version.facility_id)
        or exists (select from passport_facility l where l.facility_id = facility_version.facility_id))`,
      passport_facility: 'exists (select from passport p where p.id = passport_id)',
    }
    for (const [table, using] of Object.entries(see)) {
      this.addSql(`alter table ${table} enable row level security`)
      this.addSql(`alter table ${table} force row level security`)
      this.addSql(`create policy ${table}_see on ${table} for select to dpp_app using (${using})`)
      this.addSql(`create policy ${table}_keep on ${table} to current_user using (true) with check (true)`)
      this.addSql(`grant select on ${table} to dpp_app`)
    }
  }

  /**
   * A caller decides how often and how long, and so it is counted. It is not refused: whoever is at a limit may still correct a
   * name, and delete a facility, and what was said is archived in any case.
   */
  private charge(): void {
    for (const { table, columns } of MASTER_DATA) {
      const bytes = columns.map((column) => `coalesce(octet_length(${column}::text), 0)`).join(' + ')
      for (const { event, rows, sign } of CHANGES) {
        this.addSql(`
          create function ${table}_version_${event}_stores() returns trigger language plpgsql security definer
          set search_path = pg_catalog, public, pg_temp as $$
          begin
            insert into workspace_usage as u (tenant_id, slot, bytes, rows)
            select tenant_id, 1 + (pg_backend_pid() & 63), ${sign}sum(${bytes}), 0 from ${rows}
            group by tenant_id order by tenant_id
            on conflict on constraint workspace_usage_pkey do update set bytes = u.bytes + excluded.bytes;
            return null;
          end $$`)
        this.addSql(`create trigger ${table}_version_${event}_stores after ${event} on ${table}_version
          referencing ${rows.slice(0, 3)} table as ${rows} for each statement
          execute function ${table}_version_${event}_stores()`)
      }
    }
  }
}

const FACILITY = ['name', 'activity', 'street_address', 'city', 'postal_code', 'country']

/** What is kept of each, and which changes make a version; json has no equality. */
const MASTER_DATA = [
  { table: 'operator', columns: ['name', 'role', 'contact'], changes: ['name', 'role', 'contact::text'] },
  { table: 'facility', columns: ['gln', ...FACILITY], changes: FACILITY },
] as const

const CHANGES = [
  { event: 'insert', rows: 'new_rows', sign: '' },
  { event: 'delete', rows: 'old_rows', sign: '-' },
] as const
