import { Migration } from '@mikro-orm/migrations'

/** Grants are counted as they come, by the operator whose passports they open, so that no list counts them. */
export default class GrantCounts extends Migration {
  override name = 'grant-counts'

  override up(): void {
    this.operators()
    this.counts()
  }

  /** The operator of the passport that a grant is for, which never changes; null for the whole workspace. */
  private operators(): void {
    this.addSql(`alter table access_grant add column operator_id uuid`)
    // Row-level security would hide the rows from their owner.
    for (const table of ['access_grant', 'passport']) this.addSql(`alter table ${table} no force row level security`)
    this.addSql(`update access_grant g set operator_id = p.operator_id from passport p where p.id = g.passport_id`)
    for (const table of ['access_grant', 'passport']) this.addSql(`alter table ${table} force row level security`)
    this.addSql(`
      create function access_grant_tells_operator() returns trigger language plpgsql as $$
      begin
        new.operator_id := (select p.operator_id from passport p where p.id = new.passport_id);
        return new;
      end $$`)
    this.addSql(`create trigger access_grant_tells_operator before insert on access_grant
      for each row execute function access_grant_tells_operator()`)
    this.addSql(`create index on access_grant (tenant_id, operator_id, status, created_at desc, id)`)
  }

  /** The sum over the slots is the count; slots keep writers that work side by side from waiting for each other. */
  private counts(): void {
    // No foreign keys: rows of a workspace that is gone count nothing.
    this.addSql(`
      create table grant_count (
        tenant_id uuid not null,
        operator_id uuid not null,
        slot int not null,
        total int not null,
        primary key (tenant_id, operator_id, slot)
      )`)
    this.addSql(`alter table access_grant no force row level security`)
    this.addSql(`insert into grant_count ${countOf('access_grant', '', '0')}`)
    this.addSql(`alter table access_grant force row level security`)
    this.addSql(`alter table grant_count enable row level security`)
    this.addSql(`alter table grant_count force row level security`)
    this.addSql(`create policy grant_count_see on grant_count for select to dpp_app using (tenant_id = app_tenant())`)
    this.addSql(`grant select on grant_count to dpp_app`)
    // Only the functions below write, as the owner of the table.
    this.addSql(`create policy grant_count_keep on grant_count to current_user using (true) with check (true)`)
    for (const [event, rows, sign] of [
      ['insert', 'new_rows', ''],
      ['delete', 'old_rows', '-'],
    ] as const) {
      this.addSql(`
        create function access_grant_${event}_counts() returns trigger language plpgsql security definer
        set search_path = pg_catalog, public, pg_temp as $$
        begin
          insert into grant_count as c ${countOf(rows, sign, 'pg_backend_pid() & 63')}
          on conflict on constraint grant_count_pkey do update set total = c.total + excluded.total;
          return null;
        end $$`)
      this.addSql(`create trigger access_grant_${event}_counts after ${event} on access_grant
        referencing ${rows.slice(0, 3)} table as ${rows} for each statement execute function access_grant_${event}_counts()`)
    }
  }
}

/** Grants for a whole workspace are counted under no operator. */
const countOf = (rows: string, sign: '' | '-', slot: string) => `
  select tenant_id, coalesce(operator_id, '00000000-0000-0000-0000-000000000000'), ${slot}, ${sign}count(*)
  from ${rows} group by 1, 2 order by 1, 2`
