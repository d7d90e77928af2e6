import { Migration } from '@mikro-orm/migrations'

/** Events of the supply chain (EPCIS 2.0), and the items that each took in and put out. */
export default class Trace extends Migration {
  override name = 'trace'

  override up(): void {
    // What is looked for is in columns, in the form of `indexed` (src/storage/trace.ts); the event itself is `event`.
    this.addSql(`
      create table trace_event (
        id uuid primary key,
        tenant_id uuid not null references workspace on delete cascade,
        place bigint not null generated always as identity,
        event_id text not null,
        hash text not null,
        type text not null check (type in ('ObjectEvent', 'AggregationEvent', 'AssociationEvent', 'TransactionEvent',
          'TransformationEvent')),
        event_time timestamptz(3) not null,
        recorded_at timestamptz(3) not null,
        action text check (action in ('ADD', 'OBSERVE', 'DELETE')),
        biz_step text,
        disposition text,
        read_point text,
        biz_location text,
        transformation_id text,
        corrected_at timestamptz(3),
        corrective_event_ids text[],
        is_untp boolean not null,
        issuer text,
        event json not null,
        item_count int not null
      )`)
    // The same event sent again is the one that is there; what withdraws it has its hash too (CBV 2.0, 8.9).
    this.addSql(`create unique index trace_event_once on trace_event (tenant_id, hash, (corrected_at is not null))`)
    this.addSql(`create index trace_event_pages on trace_event (tenant_id, place)`)
    this.addSql(`create index trace_event_ids on trace_event (tenant_id, event_id)`)
    this.addSql(`create index trace_event_transformations on trace_event (tenant_id, transformation_id)
      where transformation_id is not null`)
    this.addSql(`
      create table trace_item (
        trace_id uuid not null references trace_event on delete cascade,
        tenant_id uuid not null,
        event_time timestamptz(3) not null,
        field text not null,
        key text not null,
        level text not null check (level in ('instance', 'lot', 'class')),
        is_input boolean not null,
        is_output boolean not null
      )`)
    this.addSql(`create index trace_item_events on trace_item (trace_id)`)
    this.addSql(`create index trace_item_keys on trace_item (tenant_id, key collate "C", event_time desc)`)
    for (const table of ['trace_event', 'trace_item']) {
      this.addSql(`alter table ${table} enable row level security`)
      this.addSql(`alter table ${table} force row level security`)
      this.addSql(`create policy ${table}_see on ${table} for select to dpp_app using (tenant_id = app_tenant())`)
      this.addSql(`create policy ${table}_add on ${table} for insert to dpp_app with check (tenant_id = app_tenant())`)
      // What happened stays: nobody is granted to change or to delete it.
      this.addSql(`grant select, insert on ${table} to dpp_app`)
    }
    this.addSql(`create policy trace_event_keep on trace_event to current_user using (true) with check (true)`)
    this.addSql(`create policy trace_item_keep on trace_item to current_user using (true) with check (true)`)
    this.addSql(`
      create function trace_event_stays() returns trigger language plpgsql as $$
      begin
        raise exception 'an event cannot be changed' using errcode = 'restrict_violation';
      end $$`)
    this.addSql(`create trigger trace_event_stays before update on trace_event
      for each row execute function trace_event_stays()`)
    this.addSql(`
      create function trace_event_insert_stores() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        perform workspace_stores(charged.tenant_id, charged.bytes, charged.rows)
        from (
          select tenant_id, sum(${BYTES})::bigint as bytes, count(*) as rows
          from new_rows group by tenant_id order by tenant_id
        ) as charged;
        return null;
      end $$`)
    this.addSql(`create trigger trace_event_insert_stores after insert on trace_event
      referencing new table as new_rows for each statement execute function trace_event_insert_stores()`)
  }
}

/** What an event takes up: its columns and its items about as much as itself. */
const BYTES = '256 + 2 * octet_length(event::text)'
