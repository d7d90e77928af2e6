-- Functions that tables and rules use.
--
-- dpp_app, dpp_lookup, dpp_signer and dpp_jobs stand for the roles of this database (src/storage/database-roles.ts), without
-- the right to bypass row-level security:
-- - dpp_app works for one workspace, in transactions that name it in app.tenant;
-- - dpp_lookup reads public data and finds the workspace of a credential; it writes access audit entries and nothing else;
-- - dpp_signer adds keys of the node;
-- - dpp_jobs runs queues and removes expired rows.
-- The owner of the tables is not a superuser; its policies end with _keep and serve the functions that run as the owner.

-- The workspace of the transaction.
create function app_tenant() returns uuid language sql stable parallel safe as $$
select nullif(current_setting('app.tenant', true), '')::uuid $$;

-- Operators to which the workspace is bound. Policies call it in a subselect: at most once per execution, not per row. With the query
-- itself, each of a hundred subplans of a statement would start with its own scans.
create function app_operators() returns uuid[] language plpgsql stable parallel safe as $$
begin
  return array(select b.operator_id from public.operator_binding b where b.tenant_id = public.app_tenant());
end $$;

-- Undoes the transaction with this SQLSTATE if a condition that it relies on does not hold.
create function expect(is_met boolean, code text) returns void language plpgsql as $$
begin
  if is_met is not true then
    raise exception 'a condition of the transaction does not hold' using errcode = code;
  end if;
end $$;

-- Start of the month (UTC) this number of months from now.
create function month_away(months int) returns timestamp language sql stable as $$
select date_trunc('month', now() at time zone 'utc') + months * interval '1 month' $$;

-- Creates one partition. The application reaches it through its parent table only.
create function month_partition(parent text, name text, starts timestamp, ends timestamp) returns void language plpgsql as $$
begin
  execute format('create table %I partition of %I for values from (%s) to (%s)', name, parent,
    coalesce(quote_literal(to_char(starts, 'YYYY-MM-DD+00')), 'minvalue'),
    coalesce(quote_literal(to_char(ends, 'YYYY-MM-DD+00')), 'maxvalue'));
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy %I on %I to current_user using (true) with check (true)', name || '_keep', name);
end $$;
revoke all on function month_partition from public;

-- Creates a partition per month, and one for everything later: a default partition would stop the planner from reading
-- partitions in order.
create function month_partitions(parent text, first timestamp, next timestamp) returns void language plpgsql as $$
begin
  perform month_partition(parent, parent || '_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month')
  from generate_series(first, next - interval '1 month', interval '1 month') as month;
  perform month_partition(parent, parent || '_later', next, null);
end $$;
revoke all on function month_partitions from public;

-- Creates partitions of the next months and drops those older than kept_months. Returns the number of dropped partitions.
create function month_turns(parent text, dated text, kept_months int) returns int language plpgsql as $$
declare
  months constant timestamp[] := array(
    select to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM')::timestamp from pg_inherits
    where inhparent = parent::regclass and inhrelid::regclass::text ~ '[0-9]{4}_[0-9]{2}$' order by 1);
  next constant timestamp := months[cardinality(months)] + interval '1 month';
  ahead constant timestamp := month_away(4);
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
end $$;
revoke all on function month_turns from public;

-- A slot of a counter that no other transaction writes, so that writers do not wait for each other. Beyond 64 writers, slots
-- are shared.
create function own_slot() returns int language plpgsql as $$
declare
  slot int := pg_backend_pid() & 63;
begin
  for tried in 1..64 loop
    if pg_try_advisory_xact_lock(7037, slot) then return slot; end if;
    slot := (slot + 1) & 63;
  end loop;
  return slot;
end $$;
revoke all on function own_slot from public;

-- Notifies all processes of a changed passport. If app.changed is set, the name is collected there for one notification after
-- the commit.
create function tell_change(name text) returns void language plpgsql as $$
declare
  changed constant text := current_setting('app.changed', true);
begin
  if coalesce(changed, '') = '' then
    perform pg_notify('passport_changed', name);
  elsif changed not like '%*' then
    perform set_config('app.changed', changed || ' ' || case when name = '' or length(changed) > 4000 then '*' else name end, true);
  end if;
end $$;
