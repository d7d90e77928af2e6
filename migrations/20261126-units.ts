import { Migration } from '@mikro-orm/migrations'

/** Battery units, what is recorded of them, and the renditions of their documents (specification 2.5, 2.6). */
export default class Units extends Migration {
  override name = 'units'

  override up(): void {
    this.units()
    this.versions()
    this.events()
    this.partitions()
    this.counts()
    this.charges()
    this.statusEntries()
    this.renditions()
    this.grants()
  }

  /** Under one product there may be a million: its units are found by serial number, and listed, in an index alone. */
  private units(): void {
    // What was measured last stands beside the unit, so that nothing scans its record. Part of each page is left free, so
    // that a measurement writes no index.
    this.addSql(`
      create table battery_unit (
        id uuid primary key,
        tenant_id uuid not null,
        passport_id uuid not null references passport on delete cascade,
        operator_id uuid not null,
        serial_number text collate "C" not null,
        manufactured_at timestamptz(3),
        status text not null check (status in ('IN_SERVICE', 'DECOMMISSIONED', 'RECALLED', 'REPURPOSED', 'REMANUFACTURED',
          'REUSED', 'WASTE', 'RECYCLED')),
        ceased_at timestamptz(3),
        predecessor_unit_id uuid references battery_unit on delete set null,
        version int not null default 1,
        state_of_health double precision,
        cycle_count bigint,
        remaining_capacity_ah double precision,
        temperature_c double precision,
        measured_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (passport_id, serial_number)
      ) with (fillfactor = 80)`)
    this.addSql(`create index battery_unit_list on battery_unit (passport_id, created_at, id desc)
      include (tenant_id, operator_id)`)
    this.addSql(`create index on battery_unit (predecessor_unit_id) where predecessor_unit_id is not null`)
    this.isolate('battery_unit')
    // Units stand under passports of their own workspace, whose operator is theirs.
    this.addSql(`create policy battery_unit_see on battery_unit for select to dpp_app using (
      tenant_id = app_tenant()
      or operator_id in (select b.operator_id from operator_binding b where b.tenant_id = app_tenant()))`)
    this.addSql(`create policy battery_unit_add on battery_unit for insert to dpp_app with check (
      tenant_id = app_tenant() and exists (
        select 1 from passport p
        where p.id = passport_id and p.tenant_id = battery_unit.tenant_id and p.operator_id = battery_unit.operator_id))`)
    this.addSql(`create policy battery_unit_change on battery_unit for update to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    this.addSql(`create policy battery_unit_remove on battery_unit for delete to dpp_app
      using (tenant_id = app_tenant())`)
    // Which unit it is, and of which product, never changes.
    this.addSql(`grant select, insert, delete, update (status, ceased_at, state_of_health, cycle_count,
      remaining_capacity_ah, temperature_c, measured_at, updated_at) on battery_unit to dpp_app`)
    // What is public of a unit, and nothing of what was measured.
    this.addSql(`grant select (id, tenant_id, passport_id, operator_id, serial_number, manufactured_at, status, ceased_at,
      predecessor_unit_id, version, created_at, updated_at) on battery_unit to dpp_lookup`)
    this.addSql(`create policy battery_unit_lookup on battery_unit for select to dpp_lookup using (true)`)
    // The functions below work as the owner of the table.
    this.addSql(`create policy battery_unit_keep on battery_unit to current_user using (true) with check (true)`)
  }

  /**
   * The version of a unit moves with what the public can see of it, its successors included, and never with a measurement
   * alone: a statement that may change something of that names one of the columns below.
   */
  private versions(): void {
    this.addSql(`
      create function battery_unit_moves() returns trigger language plpgsql as $$
      begin
        new.version := old.version + 1;
        perform pg_notify('passport_changed', new.id::text);
        return new;
      end $$`)
    this.addSql(`create trigger battery_unit_moves
      before update of status, ceased_at, predecessor_unit_id, updated_at, version on battery_unit
      for each row execute function battery_unit_moves()`)
    this.addSql(`
      create function battery_unit_gone() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        update battery_unit set version = version where id = old.predecessor_unit_id;
        perform pg_notify('passport_changed', old.id::text);
        return null;
      end $$`)
    this.addSql(`create trigger battery_unit_gone after delete on battery_unit
      for each row execute function battery_unit_gone()`)
  }

  /** What is recorded of a unit stays as it is, and goes with the unit or when it is too old. */
  private events(): void {
    // Of events of the same time the later one has the higher place. Whose unit it is stands with each, so that row-level
    // security looks up no units.
    this.addSql(`create sequence battery_unit_event_place`)
    this.addSql(`
      create table battery_unit_event (
        id uuid not null,
        unit_id uuid not null references battery_unit on delete cascade,
        tenant_id uuid not null,
        operator_id uuid not null,
        event_type text not null check (event_type in ('SOH_MEASUREMENT', 'CHARGE_CYCLE', 'STATUS_CHANGE', 'NEGATIVE_EVENT',
          'OTHER')),
        state_of_health double precision check (state_of_health between 0 and 100),
        cycle_count bigint check (cycle_count between 0 and 9007199254740991),
        remaining_capacity_ah double precision check (remaining_capacity_ah between 0 and 9007199254740991),
        temperature_c double precision check (temperature_c between -273.15 and 10000),
        payload json,
        recorded_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        place bigint not null default nextval('battery_unit_event_place'),
        primary key (unit_id, recorded_at, place)
      ) partition by range (recorded_at)`)
    this.isolate('battery_unit_event')
    this.addSql(`create policy battery_unit_event_see on battery_unit_event for select to dpp_app using (
      tenant_id = app_tenant()
      or operator_id in (select b.operator_id from operator_binding b where b.tenant_id = app_tenant()))`)
    this.addSql(`create policy battery_unit_event_add on battery_unit_event for insert to dpp_app with check (
      tenant_id = app_tenant())`)
    this.addSql(`grant select, insert on battery_unit_event to dpp_app`)
    this.addSql(`grant usage on sequence battery_unit_event_place to dpp_app`)
    this.addSql(
      `create policy battery_unit_event_keep on battery_unit_event to current_user using (true) with check (true)`,
    )
    this.addSql(`
      create function battery_unit_event_stays() returns trigger language plpgsql as $$
      begin
        raise exception 'an event of a unit cannot be changed' using errcode = 'restrict_violation';
      end $$`)
    this.addSql(`create trigger battery_unit_event_stays before update on battery_unit_event
      for each row execute function battery_unit_event_stays()`)
  }

  /**
   * One partition for each month (UTC), and one on either side for everything before and after: a default partition would
   * keep the planner from reading the partitions in the order of their time, and so from stopping early.
   */
  private partitions(): void {
    this.addSql(`
      create function battery_unit_event_partition(name text, starts timestamp, ends timestamp) returns void
      language plpgsql as $$
      begin
        execute format('create table %I partition of battery_unit_event for values from (%s) to (%s)', name,
          coalesce(quote_literal(to_char(starts, 'YYYY-MM-DD+00')), 'minvalue'),
          coalesce(quote_literal(to_char(ends, 'YYYY-MM-DD+00')), 'maxvalue'));
        -- Nobody has a right to a partition; the table's policies are for whoever comes through the table.
        execute format('alter table %I enable row level security, force row level security', name);
        execute format('create policy %I on %I to current_user using (true) with check (true)', name || '_keep', name);
      end $$`)
    this.addSql(`
      create function battery_unit_event_months(first timestamp, next timestamp) returns void language plpgsql as $$
      begin
        perform battery_unit_event_partition('battery_unit_event_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month')
        from generate_series(first, next - interval '1 month', interval '1 month') as month;
        perform battery_unit_event_partition('battery_unit_event_later', next, null);
      end $$`)
    // Three months ahead, so that a gateway that stands still for a while finds them. What has come for later is moved.
    this.addSql(`
      create function battery_unit_event_turns(kept_months int) returns int
      language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '5s' as $$
      declare
        this_month constant timestamp := date_trunc('month', now() at time zone 'utc');
        months constant timestamp[] := array(
          select to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM')::timestamp from pg_inherits
          where inhparent = 'battery_unit_event'::regclass and inhrelid::regclass::text ~ '[0-9]{4}_[0-9]{2}$' order by 1);
        next constant timestamp := months[cardinality(months)] + interval '1 month';
        ahead constant timestamp := this_month + interval '${MONTHS_AHEAD + 1} months';
        oldest constant timestamp := this_month - kept_months * interval '1 month';
        month timestamp;
        dropped int := 0;
      begin
        if next < ahead then
          alter table battery_unit_event detach partition battery_unit_event_later;
          alter table battery_unit_event_later rename to battery_unit_event_moving;
          alter index battery_unit_event_later_pkey rename to battery_unit_event_moving_pkey;
          perform battery_unit_event_months(next, ahead);
          alter table battery_unit_event disable trigger battery_unit_event_insert_stores;
          insert into battery_unit_event select * from battery_unit_event_moving;
          alter table battery_unit_event enable trigger battery_unit_event_insert_stores;
          drop table battery_unit_event_moving;
        end if;
        perform workspace_stores(gone.tenant_id, -gone.bytes, 0) from (
          select tenant_id, sum(${EVENT_BYTES})::bigint as bytes from battery_unit_event
          where recorded_at < oldest at time zone 'utc' group by tenant_id order by tenant_id
        ) as gone;
        delete from battery_unit_event_earlier where recorded_at < oldest at time zone 'utc';
        if months[1] < oldest then
          alter table battery_unit_event detach partition battery_unit_event_earlier;
          foreach month in array months loop
            exit when month >= oldest;
            execute format('drop table %I', 'battery_unit_event_' || to_char(month, 'YYYY_MM'));
            dropped := dropped + 1;
          end loop;
          execute format('alter table battery_unit_event attach partition battery_unit_event_earlier
            for values from (minvalue) to (%L)', to_char(oldest, 'YYYY-MM-DD+00'));
        end if;
        return dropped;
      end $$`)
    this.addSql(`
      select battery_unit_event_partition('battery_unit_event_earlier', null, this_month - interval '12 months'),
        battery_unit_event_months(this_month - interval '12 months', this_month + interval '${MONTHS_AHEAD + 1} months')
      from date_trunc('month', now() at time zone 'utc') as this_month`)
    this.addSql(`revoke all on function battery_unit_event_turns, battery_unit_event_months, battery_unit_event_partition
      from public`)
    this.addSql(`grant execute on function battery_unit_event_turns to dpp_jobs`)
  }

  /** The sum over the slots is the count; slots keep writers that work side by side from waiting for each other. */
  private counts(): void {
    // No foreign key: rows of a passport that is gone count nothing.
    this.addSql(`
      create table battery_unit_count (
        passport_id uuid not null,
        slot int not null,
        total int not null,
        primary key (passport_id, slot)
      ) with (fillfactor = 50)`)
    this.isolate('battery_unit_count')
    this.addSql(`create policy battery_unit_count_see on battery_unit_count for select to dpp_app
      using (exists (select 1 from passport p where p.id = passport_id))`)
    this.addSql(`grant select on battery_unit_count to dpp_app`)
    this.addSql(
      `create policy battery_unit_count_keep on battery_unit_count to current_user using (true) with check (true)`,
    )
    for (const { event, rows, sign } of CHANGES) {
      this.addSql(`
        create function battery_unit_${event}_counts() returns trigger language plpgsql security definer
        set search_path = pg_catalog, public, pg_temp as $$
        begin
          insert into battery_unit_count as c
          select passport_id, pg_backend_pid() & 63, ${sign}count(*) from ${rows} group by passport_id order by passport_id
          on conflict on constraint battery_unit_count_pkey do update set total = c.total + excluded.total;
          return null;
        end $$`)
      this.addSql(`create trigger battery_unit_${event}_counts after ${event} on battery_unit
        referencing ${rows.slice(0, 3)} table as ${rows} for each statement execute function battery_unit_${event}_counts()`)
    }
  }

  /** Events are charged as bytes alone: a product in use has many, and they are small. */
  private charges(): void {
    for (const { table, bytes, counted } of [
      { table: 'battery_unit', bytes: 'octet_length(serial_number)', counted: 'count(*)' },
      { table: 'battery_unit_event', bytes: EVENT_BYTES, counted: '0' },
    ]) {
      for (const { event, rows, sign } of CHANGES) {
        this.addSql(`
          create function ${table}_${event}_stores() returns trigger language plpgsql security definer
          set search_path = pg_catalog, public, pg_temp as $$
          begin
            perform workspace_stores(charged.tenant_id, charged.bytes, charged.rows)
            from (
              select tenant_id, ${sign}sum(${bytes})::bigint as bytes, ${sign}${counted}::bigint as rows
              from ${rows} group by tenant_id order by tenant_id
            ) as charged;
            return null;
          end $$`)
        this.addSql(`create trigger ${table}_${event}_stores after ${event} on ${table}
          referencing ${rows.slice(0, 3)} table as ${rows} for each statement execute function ${table}_${event}_stores()`)
      }
    }
  }

  /** A unit has a place of its own in its workspace's status lists, as passports have. */
  private statusEntries(): void {
    this.addSql(`
      create function battery_unit_is_revoked(status text) returns boolean language sql immutable parallel safe
      as $$ select status in ('RECYCLED', 'RECALLED', 'DECOMMISSIONED', 'WASTE') $$`)
    this.addSql(`
      create function battery_unit_status_entry_follows() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        update status_entry set revoked = (tg_op = 'DELETE' or battery_unit_is_revoked(new.status)) where subject_id = old.id;
        return null;
      end $$`)
    this.addSql(`create trigger battery_unit_status_entry_follows after update of status on battery_unit for each row
      when (old.status is distinct from new.status) execute function battery_unit_status_entry_follows()`)
    this.addSql(`create trigger battery_unit_status_entry_stays after delete on battery_unit for each row
      execute function battery_unit_status_entry_follows()`)
  }

  /** A unit's document shows its product too, so that a rendition is of a version of each. */
  private renditions(): void {
    this.addSql(`
      create table unit_rendition (
        unit_id uuid not null references battery_unit on delete cascade,
        unit_version int not null,
        passport_version int not null,
        representation text not null,
        variant text not null,
        tier text not null check (tier in ('public', 'restricted', 'owner')),
        key_number int not null,
        generation text not null,
        etag text not null,
        content_type text not null,
        body text,
        bytes bytea,
        created_at timestamptz(3) not null default now(),
        primary key (unit_id, representation, variant, unit_version, passport_version, generation, tier, key_number),
        check ((body is null) <> (bytes is null))
      ) with (toast_tuple_target = 8160)`)
    // Compressing a body, and looking elsewhere for it, costs more time than the space is worth.
    this.addSql(
      `alter table unit_rendition alter column body set storage external, alter column bytes set storage external`,
    )
    this.isolate('unit_rendition')
    this.addSql(`create policy unit_rendition_own on unit_rendition to dpp_app
      using (exists (select 1 from battery_unit u where u.id = unit_id))
      with check (exists (select 1 from battery_unit u where u.id = unit_id))`)
    this.addSql(`grant select, insert, update, delete on unit_rendition to dpp_app`)
    this.addSql(`create policy unit_rendition_lookup on unit_rendition for select to dpp_lookup using (
      tier = 'public' and exists (
        select 1 from battery_unit u join passport p on p.id = u.passport_id where u.id = unit_id and p.status <> 'DRAFT'))`)
    this.addSql(`grant select on unit_rendition to dpp_lookup`)
  }

  /** A grant for a unit goes with it. */
  private grants(): void {
    this.addSql(`alter table access_grant add foreign key (battery_unit_id) references battery_unit on delete cascade`)
    this.addSql(`create index on access_grant (battery_unit_id) where battery_unit_id is not null`)
    this.addSql(`grant select (battery_unit_id) on access_grant to dpp_lookup`)
  }

  private isolate(table: string): void {
    this.addSql(`alter table ${table} enable row level security`)
    this.addSql(`alter table ${table} force row level security`)
  }
}

/** Months whose partitions are made before they begin. */
const MONTHS_AHEAD = 3

/** What an event takes up: about as much beside its payload as its columns do. */
const EVENT_BYTES = '128 + coalesce(octet_length(payload::text), 0)'

const CHANGES = [
  { event: 'insert', rows: 'new_rows', sign: '' },
  { event: 'delete', rows: 'old_rows', sign: '-' },
] as const
