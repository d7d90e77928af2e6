import { Migration } from '@mikro-orm/migrations'

/** Lists that find every filter in an index, counters of all that a request asks for, and writes that pay for what they change. */
export default class Counts extends Migration {
  override name = 'counts'

  override up(): void {
    this.keys()
    this.lists()
    this.counts()
    this.charges()
  }

  /**
   * What passports are listed and found by. As generated columns each read the whole metadata on its own, and again at
   * every update; a trigger reads it once, and only where it is new.
   */
  private keys(): void {
    for (const column of ['category', 'origin_country', 'gtin', 'grai']) {
      this.addSql(`alter table passport alter column ${column} drop expression`)
    }
    this.addSql(`create type passport_keys as (category text, "originCountry" text, gtin text, grai text)`)
    // Cut to 64 characters: an index row must stay below 2,704 bytes, whatever a draft holds.
    this.addSql(`
      create function passport_tells_keys() returns trigger language plpgsql as $$
      declare
        keys passport_keys;
      begin
        if json_typeof(new.metadata) = 'object' then
          keys := json_populate_record(null::passport_keys, new.metadata);
        end if;
        new.category := left(keys.category, 64);
        new.origin_country := left(keys."originCountry", 64);
        new.gtin := left(keys.gtin, 64);
        new.grai := left(keys.grai, 64);
        return new;
      end $$`)
    this.addSql(`create trigger passport_tells_keys before insert on passport
      for each row execute function passport_tells_keys()`)
    this.addSql(`create trigger passport_tells_other_keys before update of metadata on passport
      for each row when (old.metadata::text is distinct from new.metadata::text) execute function passport_tells_keys()`)
  }

  /**
   * A list by each filter is found in an index alone, newest last, so that what is new is put where the pages are full.
   * The tenant is what row-level security asks for.
   */
  private lists(): void {
    // It served to count what is counted below, and another held passports without a facility too.
    this.addSql(`drop index passport_tenant_id_idx, passport_facility_id_idx, passport_list`)
    this.addSql(`create index on passport (facility_id) where facility_id is not null`)
    // The archived ones too: whoever asks for all passports of an operator has no other index.
    this.addSql(`create index passport_list on passport (operator_id, (archived_at is null), created_at, id desc)
      include (tenant_id, archived_at)`)
    for (const [name, filters] of [
      ['category', 'category'],
      ['country', 'origin_country'],
      ['category_country', 'category, origin_country'],
    ]) {
      this.addSql(`create index passport_list_by_${name} on passport (operator_id, ${filters}, created_at, id desc)
        include (tenant_id) where archived_at is null`)
    }
  }

  /**
   * What is counted of the passports that are not archived, by operator and by the workspace that issued them: those that
   * can become credentials, those that cannot, and those that are published. The sum over the slots is the count; slots
   * keep writers that work side by side from waiting for each other.
   */
  private counts(): void {
    for (const event of EVENTS) this.addSql(`drop trigger passport_counts_${event} on passport`)
    this.addSql(`drop function passport_counts`)
    this.addSql(`drop table passport_count`)
    // No foreign keys: rows of an operator or a workspace that is gone count nothing. Half of each page is left free, so
    // that a new version of a row stays beside the old one and no index is written.
    this.addSql(`
      create table passport_count (
        operator_id uuid not null,
        tenant_id uuid not null,
        slot int not null,
        ready int not null,
        not_ready int not null,
        published int not null,
        primary key (operator_id, tenant_id, slot)
      ) with (fillfactor = 50)`)
    this.addSql(`create index on passport_count (tenant_id)`)
    // Row-level security would hide the passports from their owner.
    this.addSql(`alter table passport no force row level security`)
    this.addSql(`
      insert into passport_count
      select operator_id, tenant_id, 0, sum(ready), sum(not_ready), sum(published)
      from (${partOf('passport', '')}) as part group by operator_id, tenant_id`)
    this.addSql(`alter table passport force row level security`)
    this.addSql(`alter table passport_count enable row level security`)
    this.addSql(`alter table passport_count force row level security`)
    this.addSql(`create policy passport_count_see on passport_count for select to dpp_app
      using (tenant_id = app_tenant()
        or operator_id in (select b.operator_id from operator_binding b where b.tenant_id = app_tenant()))`)
    this.addSql(`grant select on passport_count to dpp_app`)
    // Only the functions below write, as the owner of the table.
    this.addSql(`create policy passport_count_keep on passport_count to current_user using (true) with check (true)`)
    this.recounts()
    for (const event of EVENTS) {
      const parts = PARTS[event].map(({ rowsOf, sign }) => partOf(rowsOf, sign)).join(' union all ')
      this.addSql(`
        create function passport_${event}_counts() returns trigger language plpgsql security definer
        set search_path = pg_catalog, public, pg_temp as $$
        begin
          insert into passport_count as c (operator_id, tenant_id, slot, ready, not_ready, published)
          select operator_id, tenant_id, pg_backend_pid() & 63, sum(ready), sum(not_ready), sum(published)
          from (${parts}) as part group by operator_id, tenant_id order by operator_id, tenant_id
          on conflict on constraint passport_count_pkey do update set ready = c.ready + excluded.ready,
            not_ready = c.not_ready + excluded.not_ready, published = c.published + excluded.published;
          ${event === 'update' ? `perform set_config('${RECOUNT}', 'off', true);` : ''}
          return null;
        end $$`)
      const tables = PARTS[event].map(({ rowsOf }) => `${rowsOf.slice(0, 3)} table as ${rowsOf}`).join(' ')
      const when = event === 'update' ? `when (current_setting('${RECOUNT}', true) = 'on')` : ''
      this.addSql(`create trigger passport_${event}_counts after ${event} on passport referencing ${tables}
        for each statement ${when} execute function passport_${event}_counts()`)
    }
  }

  /**
   * Most updates, a seal above all, change nothing that is counted. Only a row can tell, and only the statement as a whole
   * can be counted at once: a row that does change it says so, and the trigger of the statement asks whether one has.
   */
  private recounts(): void {
    const counted = (row: string) => `(${row}.facility_id is null, ${row}.status = 'DRAFT', ${row}.archived_at is null)`
    this.addSql(`
      create function passport_recounts() returns trigger language plpgsql as $$
      begin
        perform set_config('${RECOUNT}', 'on', true);
        return new;
      end $$`)
    this.addSql(`create trigger passport_recounts before update on passport for each row
      when (${counted('old')} is distinct from ${counted('new')}) execute function passport_recounts()`)
  }

  /** An update that leaves a passport as large as it was stores nothing new. Metadata is replaced one passport at a time. */
  private charges(): void {
    this.addSql(`drop trigger passport_update_stores on passport`)
    this.addSql(`
      create or replace function passport_update_stores() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        perform workspace_stores(new.tenant_id, new.stored_bytes - old.stored_bytes, 0);
        return null;
      end $$`)
    this.addSql(`create trigger passport_update_stores after update on passport for each row
      when (old.stored_bytes <> new.stored_bytes) execute function passport_update_stores()`)
  }
}

/** Says within a transaction that an update has changed what is counted. */
const RECOUNT = 'app.passports_recount'

const EVENTS = ['insert', 'update', 'delete'] as const

const PARTS: Readonly<
  Record<(typeof EVENTS)[number], readonly { readonly rowsOf: 'new_rows' | 'old_rows'; readonly sign: '' | '-' }[]>
> = {
  insert: [{ rowsOf: 'new_rows', sign: '' }],
  update: [
    { rowsOf: 'old_rows', sign: '-' },
    { rowsOf: 'new_rows', sign: '' },
  ],
  delete: [{ rowsOf: 'old_rows', sign: '-' }],
}

const partOf = (rows: string, sign: '' | '-') => `
  select operator_id, tenant_id, ${sign}(facility_id is not null)::int as ready,
    ${sign}(facility_id is null)::int as not_ready, ${sign}(status <> 'DRAFT')::int as published
  from ${rows} where archived_at is null`
