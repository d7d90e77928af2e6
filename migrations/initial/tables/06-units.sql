-- Units of products, their events and renditions (specification 2.5, 2.6; Regulation (EU) 2023/1542, Annex XIII, 4).

create sequence battery_unit_event_place;

create table battery_unit (
  id uuid primary key,
  tenant_id uuid not null,
  passport_id uuid not null,
  operator_id uuid not null,
  serial_number text collate "C" not null,
  manufactured_at timestamptz(3),
  status text not null check (status in (
    'IN_SERVICE', 'DECOMMISSIONED', 'RECALLED', 'REPURPOSED', 'REMANUFACTURED', 'REUSED', 'WASTE', 'RECYCLED'
  )),
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
  condition json not null default '{}'::json,
  legal_status text not null default 'original' check (legal_status in ('original', 'repurposed', 're-used', 'remanufactured', 'waste')),
  status_changes json not null default '[]'::json,
  placed_on_market_at timestamptz(3),
  batch_number text collate "C",
  unique (passport_id, serial_number)
) with (fillfactor = 80);
create index battery_unit_list on battery_unit (passport_id, created_at, id desc) include (tenant_id, operator_id);
create index battery_unit_predecessor_unit_id_idx on battery_unit (predecessor_unit_id)
  where predecessor_unit_id is not null;
create index battery_unit_successors on battery_unit (passport_id) where predecessor_unit_id is not null;

create table battery_unit_event (
  id uuid not null,
  unit_id uuid not null,
  tenant_id uuid not null,
  operator_id uuid not null,
  event_type text not null check (event_type in ('SOH_MEASUREMENT', 'CHARGE_CYCLE', 'STATUS_CHANGE', 'NEGATIVE_EVENT', 'OTHER')),
  state_of_health double precision check (state_of_health >= 0 and state_of_health <= 100),
  cycle_count bigint check (cycle_count >= 0 and cycle_count <= 9007199254740991),
  remaining_capacity_ah double precision check (remaining_capacity_ah >= 0 and remaining_capacity_ah <= 9007199254740991),
  temperature_c double precision check (temperature_c >= -273.15 and temperature_c <= 10000),
  payload json,
  recorded_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  place bigint not null default nextval('battery_unit_event_place'::regclass),
  primary key (unit_id, recorded_at, place)
) partition by range (recorded_at);

create table battery_unit_count (
  passport_id uuid not null,
  slot int not null,
  total int not null,
  primary key (passport_id, slot)
) with (fillfactor = 50);

create table unit_rendition (
  unit_id uuid not null references battery_unit on delete cascade,
  unit_version int not null,
  passport_version int not null,
  representation text not null,
  variant text not null,
  tier text not null check (tier in ('public', 'legitimateInterest', 'authority', 'strictAuthority', 'owner')),
  key_number int not null,
  generation text not null,
  etag text not null,
  content_type text not null,
  body text,
  bytes bytea,
  created_at timestamptz(3) not null default now(),
  check ((body is null) <> (bytes is null)),
  primary key (unit_id, representation, variant, unit_version, passport_version, generation, tier, key_number)
) with (toast_tuple_target = 4080);
alter table unit_rendition alter column bytes set storage external;

do $$ begin
  perform month_partition('battery_unit_event', 'battery_unit_event_earlier', null, month_away(-12));
  perform month_partitions('battery_unit_event', month_away(-12), month_away(4));
end $$;
