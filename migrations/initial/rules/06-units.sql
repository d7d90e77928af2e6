-- Takes the place of a foreign key that would check each unit of a set by itself.
create function battery_unit_belongs() returns trigger language plpgsql as $$
declare
  product record;
begin
  for product in select distinct passport_id, tenant_id, operator_id from new_rows order by passport_id loop
    -- Held, so that it is not deleted until the units are there to be deleted with it.
    perform 1 from passport p
    where p.id = product.passport_id and p.tenant_id = product.tenant_id and p.operator_id = product.operator_id
    for key share;
    if not found then
      raise foreign_key_violation using message = 'The passport of a unit is not there, or another workspace''s.';
    end if;
  end loop;
  return null;
end $$;

-- Events are immutable.
create function battery_unit_event_stays() returns trigger language plpgsql as $$
begin
  raise exception 'an event of a unit cannot be changed' using errcode = 'restrict_violation';
end $$;

-- Drops partitions, and takes their bytes off the workspaces.
create function battery_unit_event_turns(kept_months int) returns int language plpgsql
  security definer set search_path = public, pg_temp set lock_timeout = '5s' as $$
begin
  perform workspace_stores(gone.tenant_id, -gone.bytes, 0) from (
  select tenant_id, sum(128 + coalesce(octet_length(payload::text), 0))::bigint as bytes from battery_unit_event
  where recorded_at < month_away(-kept_months) at time zone 'utc' group by tenant_id order by tenant_id
) as gone;
  return month_turns('battery_unit_event', 'recorded_at', kept_months);
end $$;
revoke all on function battery_unit_event_turns from public;
grant execute on function battery_unit_event_turns to dpp_jobs;

-- Takes the place of a foreign key, which a partitioned table would check per row.
create function battery_unit_events_go() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from battery_unit_event where unit_id = old.id;
  return null;
end $$;

-- The page of the predecessor links to this unit.
create function battery_unit_gone() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update battery_unit set version = version where id = old.predecessor_unit_id;
  perform tell_change(old.id::text);
  return null;
end $$;

-- Saves the round trip of a count.
create function battery_unit_counts() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into battery_unit_count as c select passport_id, own_slot(), count(*)
    from new_rows group by passport_id order by passport_id
    on conflict on constraint battery_unit_count_pkey do update set total = c.total + excluded.total;
  else
    insert into battery_unit_count as c select passport_id, own_slot(), -count(*)
    from old_rows group by passport_id order by passport_id
    on conflict on constraint battery_unit_count_pkey do update set total = c.total + excluded.total;
  end if;
  return null;
end $$;

-- Statuses in which a unit is out of use: its credentials are revoked.
create function battery_unit_is_revoked(status text) returns boolean language sql immutable parallel safe as $$
  select status in ('RECYCLED', 'RECALLED', 'DECOMMISSIONED', 'WASTE')
$$;

-- Every writer: a change of any visible value is a new version, and every process hears of it.
create function battery_unit_moves() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  perform tell_change(new.id::text);
  return new;
end $$;

-- A unit links to its predecessor and successor only if their product is published.
create function battery_unit_references_move() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  shown constant uuid[] := array(
    select u.predecessor_unit_id from battery_unit u
    where u.passport_id = new.id and u.predecessor_unit_id is not null
    union
    select s.id from battery_unit u join battery_unit s on s.predecessor_unit_id = u.id where u.passport_id = new.id);
begin
  -- Locks units in the common order, to prevent deadlocks.
  perform 1 from battery_unit where id = any(shown) order by id for no key update;
  update battery_unit set version = version where id = any(shown);
  return null;
end $$;

-- Every writer: the status list shows what happened to the unit.
create function battery_unit_status_entry_follows() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update status_entry set revoked = (tg_op = 'DELETE' or battery_unit_is_revoked(new.status)) where subject_id = old.id;
  return null;
end $$;

-- Takes the place of a foreign key: units are deleted with their events.
create function battery_units_go() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from battery_unit where passport_id = old.id;
  return null;
end $$;

-- Predecessor and successors of a unit, also of other workspaces, if their product is published.
create function unit_relatives(unit uuid, most int)
  returns table (id uuid, serial_number text, product_id text, is_predecessor boolean) language sql
  stable security definer set search_path = pg_catalog, public, pg_temp as $$
select u.id, u.serial_number, p.product_id, true
from battery_unit s join battery_unit u on u.id = s.predecessor_unit_id
  join passport p on p.id = u.passport_id and p.status <> 'DRAFT'
where s.id = unit
union all
(select u.id, u.serial_number, p.product_id, false
from battery_unit u join passport p on p.id = u.passport_id and p.status <> 'DRAFT'
where u.predecessor_unit_id = unit order by u.created_at, u.id limit most) $$;
revoke all on function unit_relatives from public;
grant execute on function unit_relatives to dpp_app;

create trigger battery_unit_belongs after insert on battery_unit referencing new table as new_rows for each statement
  execute function battery_unit_belongs();
create trigger battery_unit_delete_counts after delete on battery_unit referencing old table as old_rows for each statement
  execute function battery_unit_counts();
create trigger battery_unit_events_go after delete on battery_unit for each row
  execute function battery_unit_events_go();
create trigger battery_unit_gone after delete on battery_unit for each row execute function battery_unit_gone();
create trigger battery_unit_insert_counts after insert on battery_unit referencing new table as new_rows for each statement
  execute function battery_unit_counts();
create trigger battery_unit_moves before update of status, ceased_at, predecessor_unit_id, updated_at, version on battery_unit for each row
  execute function battery_unit_moves();
create trigger battery_unit_status_entry_follows after update of status on battery_unit for each row
  when (old.status is distinct from new.status)
  execute function battery_unit_status_entry_follows();
create trigger battery_unit_status_entry_stays after delete on battery_unit for each row
  execute function battery_unit_status_entry_follows();

create trigger battery_unit_event_stays before update on battery_unit_event for each row
  execute function battery_unit_event_stays();

create trigger battery_unit_references_move after update of status on passport for each row
  when ((old.status = 'DRAFT') is distinct from (new.status = 'DRAFT'))
  execute function battery_unit_references_move();
create trigger battery_units_go after delete on passport for each row execute function battery_units_go();

alter table battery_unit enable row level security, force row level security;
create policy battery_unit_own on battery_unit to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());
create policy battery_unit_keep on battery_unit to current_user using (true) with check (true);
create policy battery_unit_lookup on battery_unit for select to dpp_lookup using (true);
create policy battery_unit_see on battery_unit for select to dpp_app
  using (operator_id = any ((select app_operators())::uuid[]));

alter table battery_unit_event enable row level security, force row level security;
create policy battery_unit_event_add on battery_unit_event for insert to dpp_app with check (tenant_id = app_tenant());
create policy battery_unit_event_keep on battery_unit_event to current_user using (true) with check (true);
create policy battery_unit_event_see on battery_unit_event for select to dpp_app
  using (tenant_id = app_tenant()
    or operator_id = any ((select app_operators())::uuid[]));

alter table battery_unit_count enable row level security, force row level security;
create policy battery_unit_count_keep on battery_unit_count to current_user using (true) with check (true);
create policy battery_unit_count_see on battery_unit_count for select to dpp_app
  using (exists (select from passport p where p.id = battery_unit_count.passport_id));

alter table unit_rendition enable row level security, force row level security;
create policy unit_rendition_lookup on unit_rendition for select to dpp_lookup
  using (tier = 'public'
    and exists (select from battery_unit u join passport p on p.id = u.passport_id
      where u.id = unit_rendition.unit_id and p.status <> 'DRAFT'));
create policy unit_rendition_own on unit_rendition to dpp_app
  using (exists (select from battery_unit u where u.id = unit_rendition.unit_id))
  with check (exists (select from battery_unit u where u.id = unit_rendition.unit_id));

grant insert, select, delete, update (status, ceased_at, state_of_health, cycle_count, remaining_capacity_ah,
  temperature_c, measured_at, updated_at, condition, legal_status, status_changes) on battery_unit to dpp_app;
grant select (id, tenant_id, passport_id, operator_id, serial_number, manufactured_at, status, ceased_at,
  predecessor_unit_id, version, created_at, updated_at, batch_number) on battery_unit to dpp_lookup;
grant insert, select on battery_unit_event to dpp_app;
grant select on battery_unit_count to dpp_app;
grant insert, select, update, delete on unit_rendition to dpp_app;
grant select on unit_rendition to dpp_lookup;
grant usage on sequence battery_unit_event_place to dpp_app;
