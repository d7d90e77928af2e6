-- Charges a workspace, and fails (DP402) if that exceeds its limit. A workspace above its limit may still shrink.
-- is_archive: charged and never refused, because archives must be written.
create function workspace_stores(workspace_id uuid, grown bigint, added bigint, is_archive boolean default false) returns void
  language plpgsql as $$
declare
  most record;
  total record;
begin
  if grown = 0 and added = 0 then return; end if;
  select w.plan, coalesce(w.storage_limit, p.storage_limit) as bytes, coalesce(w.row_limit, p.row_limit) as rows into most
  from workspace w left join plan p on p.name = w.plan where w.id = workspace_id;
  insert into workspace_usage as u (tenant_id, slot, bytes, rows)
  values (
    workspace_id,
    case when is_archive or (most.bytes is null and most.rows is null) then 1 + own_slot() else 0 end,
    grown,
    added
  )
  on conflict on constraint workspace_usage_pkey
  do update set bytes = u.bytes + excluded.bytes, rows = u.rows + excluded.rows;
  if not is_archive and ((grown > 0 and most.bytes is not null) or (added > 0 and most.rows is not null)) then
    select sum(bytes) as bytes, sum(rows) as rows into total from workspace_usage where tenant_id = workspace_id;
    if (grown > 0 and total.bytes > most.bytes) or (added > 0 and total.rows > most.rows) then
      raise exception 'The workspace reaches its storage limit of % bytes and % rows.',
        coalesce(most.bytes::text, 'any number of'), coalesce(most.rows::text, 'any number of')
        using errcode = 'DP402', detail = json_build_object(
          'tier', most.plan, 'storedBytes', total.bytes - grown, 'storageLimit', most.bytes,
          'storedRows', total.rows - added, 'rowLimit', most.rows);
    end if;
  end if;
end $$;
revoke all on function workspace_stores from public;

-- Creates the triggers that charge the rows of a table: every writer, the cascades of foreign keys included. `bytes` and `rows` of one row
-- are expressions. Each trigger has a separate function, whose plan a connection keeps; dynamic SQL is planned by every statement.
create function charge_storage_of(charged text, bytes text, rows text, events text[], is_archive boolean default false) returns void
  language plpgsql as $$
declare
  added constant text := format('select tenant_id, %s as bytes, %s as rows from new_rows', bytes, rows);
  removed constant text := format('select tenant_id, -(%s) as bytes, -(%s) as rows from old_rows', bytes, rows);
  event text;
  stores text;
begin
  foreach event in array events loop
    stores := charged || '_' || event || '_stores';
    execute format(
      'create function %I() returns trigger language plpgsql
        security definer set search_path = pg_catalog, public, pg_temp as $body$
      begin
        perform workspace_stores(tenant_id, bytes, rows, %L) from (
          select tenant_id, sum(bytes)::bigint as bytes, sum(rows)::bigint as rows from (%s) as part
          group by tenant_id order by tenant_id
        ) as charged;
        return null;
      end $body$',
      stores, is_archive,
      case event when 'insert' then added when 'delete' then removed else removed || ' union all ' || added end);
    execute format('create trigger %I after %s on %I referencing %s for each statement execute function %1$I()',
      stores, event, charged,
      concat_ws(' ', case when event <> 'insert' then 'old table as old_rows' end,
        case when event <> 'delete' then 'new table as new_rows' end));
  end loop;
end $$;
revoke all on function charge_storage_of from public;

-- A passport that keeps its size is charged nothing. Metadata is replaced one passport at a time.
create function passport_update_stores() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform workspace_stores(new.tenant_id, new.stored_bytes - old.stored_bytes, 0);
  return null;
end $$;
create trigger passport_update_stores after update on passport for each row
  when (old.stored_bytes <> new.stored_bytes) execute function passport_update_stores();

-- Checks the units of events, which a foreign key of a partitioned table would do row by row, and charges the events.
create function battery_unit_event_insert_stores() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  named constant uuid[] := array(select distinct unit_id from new_rows);
  held int;
begin
  -- Locked, so that a unit is not deleted until its events are there to be deleted with it.
  select count(*) into held from (
    select from battery_unit u
    join (select distinct unit_id, tenant_id, operator_id from new_rows) as event
      on event.unit_id = u.id and event.tenant_id = u.tenant_id and event.operator_id = u.operator_id
    where u.id = any(named) order by u.id for key share of u
  ) as units;
  if held <> cardinality(named) then
    raise foreign_key_violation using message = 'The unit of an event is not there, or another workspace''s.';
  end if;
  perform workspace_stores(charged.tenant_id, charged.bytes, 0)
  from (
    select tenant_id, sum(128 + coalesce(octet_length(payload::text), 0))::bigint as bytes
    from new_rows group by tenant_id order by tenant_id
  ) as charged;
  return null;
end $$;
create trigger battery_unit_event_insert_stores after insert on battery_unit_event
  referencing new table as new_rows for each statement execute function battery_unit_event_insert_stores();

do $$
declare
  changes constant text[] := '{insert,delete}';
begin
  perform
    charge_storage_of('passport', 'stored_bytes', '1', changes),
    -- The reason of a status change is free: a recall must be possible at the limit.
    charge_storage_of('passport_history',
      'coalesce(octet_length(metadata::text), 0) + greatest(octet_length(change_reason) - 64, 0)', '0', changes),
    charge_storage_of('seal', 'octet_length(leaves::text) + octet_length(signature) + octet_length(public_key_pem)', '0', changes),
    charge_storage_of('sealed_version', 'coalesce(octet_length(enrichment::text), 0)', '0', changes),
    charge_storage_of('facility', 'octet_length(concat(name, activity, street_address, city, postal_code))', '1',
      '{insert,update,delete}'),
    charge_storage_of('operator', 'octet_length(reg_id)', '1', changes),
    charge_storage_of('battery_unit', 'octet_length(serial_number)', '1', changes),
    charge_storage_of('battery_unit_event', '128 + coalesce(octet_length(payload::text), 0)', '0', '{delete}'),
    -- Requests of anonymous callers have a separate limit and are not charged.
    charge_storage_of('access_grant',
      'case issuer_type when ''TENANT'' then octet_length(concat(grantee_name, grantee_email, organization, purpose)) else 0 end',
      'case issuer_type when ''TENANT'' then 1 else 0 end', changes),
    charge_storage_of('operator_version', 'octet_length(concat(name, role, contact))', '0', changes, true),
    charge_storage_of('facility_version',
      'octet_length(concat(gln, name, activity, street_address, city, postal_code, country))', '0', changes, true),
    charge_storage_of('deleted_passport',
      'octet_length(metadata::text) + coalesce(octet_length(enrichment::text), 0)', '0', changes, true);
end $$;

alter table workspace_usage enable row level security, force row level security;
create policy workspace_usage_keep on workspace_usage to current_user using (true) with check (true);
create policy workspace_usage_see on workspace_usage for select to dpp_app using (tenant_id = app_tenant());

grant select on workspace_usage to dpp_app;
