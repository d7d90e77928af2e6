import { Migration } from '@mikro-orm/migrations'
import { ACCESS_AUDIT_MONTHS } from '../src/jobs/month-partitions.ts'

/** An audit trail whose entries are chained, access audit entries by month, and what was resolved counted by the day. */
export default class Audit extends Migration {
  override name = 'audit'

  override up(): void {
    this.trail()
    this.chain()
    this.chained()
    this.months()
    this.accessAudit()
    this.resolutions()
  }

  /**
   * What a transaction records waits in the inbox until it is chained, see `jobs/audit-chaining.ts`.
   */
  private trail(): void {
    this.addSql(`
      create table audit_inbox (
        id bigint generated always as identity,
        tenant_id uuid not null default app_tenant(),
        action text not null,
        subject_id text not null,
        actor text not null,
        detail json,
        created_at timestamptz(3) not null default now()
      )`)
    this.own('audit_inbox')
    this.addSql(
      `create policy audit_inbox_add on audit_inbox for insert to dpp_app with check (tenant_id = app_tenant())`,
    )
    // Whose entry it is, and of when, is not for the writer to say.
    this.addSql(`grant insert (action, subject_id, actor, detail) on audit_inbox to dpp_app`)

    // Details were flat objects; their members are put into the order of RFC 8785.
    this.addSql(`alter table audit_entry no force row level security`)
    this.addSql(`
      insert into audit_inbox (tenant_id, action, subject_id, actor, detail, created_at)
      select tenant_id, action, subject_id, actor, case when detail is null then null else (
        select '{' || coalesce(string_agg(to_json(key)::text || ':' || value::text, ',' order by key collate "C"), '') || '}'
        from json_each(detail)
      )::json end, created_at
      from audit_entry order by id`)
    this.addSql(`drop table audit_entry`)

    // No foreign key, which would be checked for every row: see workspace_leaves.
    this.addSql(`
      create table audit_entry (
        tenant_id uuid not null,
        sequence bigint not null,
        action text collate "C" not null,
        subject_id text collate "C" not null,
        actor text not null,
        detail json,
        created_at timestamptz(3) not null,
        hash bytea not null,
        primary key (tenant_id, sequence)
      )`)
    this.addSql(`create index on audit_entry (tenant_id, action, sequence)`)
    this.addSql(`create index on audit_entry (tenant_id, subject_id, sequence)`)
    this.addSql(`create index on audit_entry (tenant_id, created_at)`)
    this.addSql(`
      create table audit_head (
        tenant_id uuid primary key,
        sequence bigint not null default 0,
        hash bytea not null default decode(repeat('00', 32), 'hex')
      ) with (fillfactor = 50)`)
    for (const table of ['audit_entry', 'audit_head']) {
      this.own(table)
      this.addSql(`create policy ${table}_see on ${table} for select to dpp_app using (tenant_id = app_tenant())`)
      this.addSql(`grant select on ${table} to dpp_app`)
    }
  }

  /** Only these functions write entries and heads, as the owner of the tables. */
  private chain(): void {
    // In PL/pgSQL, which calls it in half the time that a function in SQL takes within an aggregate.
    this.addSql(`
      create function audit_next_hash(hash bytea, head bytea, before text, after text) returns bytea
      language plpgsql immutable parallel safe as $$
      begin
        return sha256(convert_to(before || encode(coalesce(hash, head), 'hex') || after, 'UTF8'));
      end $$`)
    this.addSql(
      `create aggregate audit_hash (head bytea, before text, after text) (sfunc = audit_next_hash, stype = bytea)`,
    )
    // The content is written as RFC 8785 has it: to_json escapes a text as section 3.2.2.2 demands, and whoever records
    // gives the detail in that form. What has been committed by now comes next, whatever was begun earlier comes later:
    // so a number is never left out, and none is taken by what is rolled back.
    this.addSql(`
      create function audit_chain(workspace_id uuid, most int) returns int language plpgsql as $$
      declare
        head audit_head;
        chained int;
      begin
        if not exists (select from audit_inbox where tenant_id = workspace_id) then return 0; end if;
        insert into audit_head (tenant_id) values (workspace_id) on conflict do nothing;
        select * into head from audit_head where tenant_id = workspace_id for update;
        with taken as (
          delete from audit_inbox where ctid = any (array(
            select ctid from audit_inbox where tenant_id = workspace_id order by id limit most))
          returning *
        ), placed as (
          select *, head.sequence + row_number() over (order by id) as sequence from taken
        ), hashed as (
          select *, audit_hash(
            head.hash,
            concat('{"action":', to_json(action), ',"actor":', to_json(actor),
              ',"at":"', to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              '","detail":', coalesce(detail::text, 'null'), ',"previousHash":"'),
            concat('","sequence":', sequence, ',"subject":', to_json(subject_id), ',"tenantId":"', tenant_id, '"}')
          ) over (order by sequence) as hash
          from placed
        ), added as (
          insert into audit_entry (tenant_id, sequence, action, subject_id, actor, detail, created_at, hash)
          select tenant_id, sequence, action, subject_id, actor, detail, created_at, hash from hashed
          returning sequence, hash
        ), moved as (
          update audit_head h set sequence = last.sequence, hash = last.hash
          from (select sequence, hash from added order by sequence desc limit 1) as last
          where h.tenant_id = workspace_id
        )
        select count(*) into chained from added;
        return chained;
      end $$`)
    this.addSql(`
      create function audit_chain_own() returns int language sql security definer
      set search_path = pg_catalog, public, pg_temp as $$ select audit_chain(app_tenant(), ${CHAINED_AT_ONCE}) $$`)
    this.addSql(`
      create function audit_chain_all() returns int language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        -- One process at a time is enough.
        if not pg_try_advisory_xact_lock(7034) then return 0; end if;
        return coalesce(sum(audit_chain(waiting.tenant_id, ${CHAINED_AT_ONCE})), 0)
          from (select distinct tenant_id from audit_inbox) as waiting;
      end $$`)
    this.addSql(`revoke all on function audit_chain, audit_chain_own, audit_chain_all from public`)
    this.addSql(`grant execute on function audit_chain_own to dpp_app`)
    this.addSql(`grant execute on function audit_chain_all to dpp_jobs`)
    this.addSql(`
      create function workspace_leaves() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        delete from audit_inbox where tenant_id = old.id;
        delete from audit_entry where tenant_id = old.id;
        delete from audit_head where tenant_id = old.id;
        return null;
      end $$`)
    this.addSql(
      `create trigger workspace_leaves after delete on workspace for each row execute function workspace_leaves()`,
    )
  }

  /** What was recorded before there was a chain. */
  private chained(): void {
    this.addSql(`
      do $$ begin
        perform audit_chain(waiting.tenant_id, null) from (select distinct tenant_id from audit_inbox) as waiting;
      end $$`)
  }

  /** What events of units had for themselves, for every table that is kept by the month (UTC). */
  private months(): void {
    this.addSql(`drop function battery_unit_event_turns, battery_unit_event_months, battery_unit_event_partition`)
    this.addSql(`
      create function month_partition(parent text, name text, starts timestamp, ends timestamp) returns void
      language plpgsql as $$
      begin
        execute format('create table %I partition of %I for values from (%s) to (%s)', name, parent,
          coalesce(quote_literal(to_char(starts, 'YYYY-MM-DD+00')), 'minvalue'),
          coalesce(quote_literal(to_char(ends, 'YYYY-MM-DD+00')), 'maxvalue'));
        -- Nobody has a right to a partition; the table's policies are for whoever comes through the table.
        execute format('alter table %I enable row level security, force row level security', name);
        execute format('create policy %I on %I to current_user using (true) with check (true)', name || '_keep', name);
      end $$`)
    this.addSql(`
      create function month_partitions(parent text, first timestamp, next timestamp) returns void language plpgsql as $$
      begin
        perform month_partition(parent, parent || '_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month')
        from generate_series(first, next - interval '1 month', interval '1 month') as month;
        perform month_partition(parent, parent || '_later', next, null);
      end $$`)
    this.addSql(`
      create function month_away(months int) returns timestamp language sql stable
      as $$ select date_trunc('month', now() at time zone 'utc') + months * interval '1 month' $$`)
    // So many months ahead that a gateway that stands still for a while finds them. What has come for later is moved, which
    // counts as nothing: the triggers have seen it when it came.
    this.addSql(`
      create function month_turns(parent text, dated text, kept_months int) returns int language plpgsql as $$
      declare
        months constant timestamp[] := array(
          select to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM')::timestamp from pg_inherits
          where inhparent = parent::regclass and inhrelid::regclass::text ~ '[0-9]{4}_[0-9]{2}$' order by 1);
        next constant timestamp := months[cardinality(months)] + interval '1 month';
        ahead constant timestamp := month_away(${MONTHS_AHEAD + 1});
        oldest constant timestamp := month_away(-kept_months);
        month timestamp;
        dropped int := 0;
      begin
        if next < ahead then
          execute format('alter table %I detach partition %I', parent, parent || '_later');
          execute format('alter table %I rename to %I', parent || '_later', parent || '_moving');
          perform month_partitions(parent, next, ahead);
          execute format('alter table %I disable trigger user', parent);
          execute format('insert into %I select * from %I', parent, parent || '_moving');
          execute format('alter table %I enable trigger user', parent);
          execute format('drop table %I', parent || '_moving');
        end if;
        execute format('delete from %I where %I < %L', parent || '_earlier', dated, oldest at time zone 'utc');
        if months[1] < oldest then
          execute format('alter table %I detach partition %I', parent, parent || '_earlier');
          foreach month in array months loop
            exit when month >= oldest;
            execute format('drop table %I', parent || '_' || to_char(month, 'YYYY_MM'));
            dropped := dropped + 1;
          end loop;
          execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent,
            parent || '_earlier', to_char(oldest, 'YYYY-MM-DD+00'));
        end if;
        return dropped;
      end $$`)
    this.turns(
      'battery_unit_event',
      'recorded_at',
      `perform workspace_stores(gone.tenant_id, -gone.bytes, 0) from (
        select tenant_id, sum(${EVENT_BYTES})::bigint as bytes from battery_unit_event
        where recorded_at < month_away(-kept_months) at time zone 'utc' group by tenant_id order by tenant_id
      ) as gone;`,
    )
    this.turns('access_audit', 'accessed_at')
    this.addSql(`revoke all on function month_partition, month_partitions, month_turns from public`)
  }

  /** The job's function of one table; `first` is what is done before its old months are dropped. */
  private turns(table: string, dated: string, first = ''): void {
    this.addSql(`
      create function ${table}_turns(kept_months int) returns int
      language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '5s' as $$
      begin
        ${first}
        return month_turns('${table}', '${dated}', kept_months);
      end $$`)
    this.addSql(`revoke all on function ${table}_turns from public`)
    this.addSql(`grant execute on function ${table}_turns to dpp_jobs`)
  }

  /** The same table in partitions: what is too old is dropped, and nothing is deleted row by row. */
  private accessAudit(): void {
    this.addSql(`alter table access_audit no force row level security`)
    this.addSql(`alter table access_audit rename to access_audit_whole`)
    this.addSql(`
      create table access_audit (
        passport_id uuid not null,
        unit_id uuid,
        representation text not null,
        tier text not null,
        network text not null,
        accessed_at timestamptz(0) not null,
        accesses int not null check (accesses > 0)
      ) partition by range (accessed_at)`)
    this.addSql(`
      select month_partition('access_audit', 'access_audit_earlier', null, month_away(-${ACCESS_AUDIT_MONTHS})),
        month_partitions('access_audit', month_away(-${ACCESS_AUDIT_MONTHS}), month_away(${MONTHS_AHEAD + 1}))`)
    this.own('access_audit')
    const ofPassport = 'exists (select 1 from passport p where p.id = passport_id)'
    this.addSql(`create policy access_audit_see on access_audit for select to dpp_app using (${ofPassport})`)
    this.addSql(`create policy access_audit_remove on access_audit for delete to dpp_app using (${ofPassport})`)
    this.addSql(`create policy access_audit_lookup on access_audit for insert to dpp_lookup with check (true)`)
    this.addSql(`
      insert into access_audit (passport_id, unit_id, representation, tier, network, accessed_at, accesses)
      select passport_id, unit_id, representation, tier, network, accessed_at, accesses from access_audit_whole`)
    this.addSql(`drop table access_audit_whole`)
    this.addSql(`create index on access_audit (passport_id)`)
    this.addSql(`grant select, delete on access_audit to dpp_app`)
    this.addSql(`grant insert on access_audit to dpp_lookup`)
  }

  /** How often a passport was resolved, its units included: kept when the entries with their networks are gone. */
  private resolutions(): void {
    // No foreign key, whose check would lock the passport's row.
    this.addSql(`
      create table resolution_count (
        passport_id uuid not null,
        day date not null,
        representation text not null,
        tier text not null,
        resolutions bigint not null,
        primary key (passport_id, day, representation, tier)
      ) with (fillfactor = 80)`)
    this.own('resolution_count')
    const ofPassport = 'exists (select 1 from passport p where p.id = passport_id)'
    this.addSql(`create policy resolution_count_see on resolution_count for select to dpp_app using (${ofPassport})`)
    this.addSql(`create policy resolution_count_remove on resolution_count for delete to dpp_app using (${ofPassport})`)
    this.addSql(`grant select, delete on resolution_count to dpp_app`)
    const counted = (rows: string) => `
      select passport_id, (accessed_at at time zone 'utc')::date, representation, tier, sum(accesses)
      from ${rows} group by 1, 2, 3, 4 order by 1, 2, 3, 4`
    this.addSql(`insert into resolution_count ${counted('access_audit')}`)
    // In one order, so that processes that count the same passports do not wait for each other in a circle.
    this.addSql(`
      create function access_audit_counts() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        insert into resolution_count as c ${counted('new_rows')}
        on conflict on constraint resolution_count_pkey do update set resolutions = c.resolutions + excluded.resolutions;
        return null;
      end $$`)
    this.addSql(`create trigger access_audit_counts after insert on access_audit referencing new table as new_rows
      for each statement execute function access_audit_counts()`)
  }

  /** Row-level security for everybody, and the owner's own way, which the functions above take. */
  private own(table: string): void {
    this.addSql(`alter table ${table} enable row level security`)
    this.addSql(`alter table ${table} force row level security`)
    this.addSql(`create policy ${table}_keep on ${table} to current_user using (true) with check (true)`)
  }
}

/** Entries of one workspace that are chained in one go. */
const CHAINED_AT_ONCE = 10_000

/** Months whose partitions are made before they begin. */
const MONTHS_AHEAD = 3

/** What an event of a unit takes up, as the migration `units` charges it. */
const EVENT_BYTES = '128 + coalesce(octet_length(payload::text), 0)'
