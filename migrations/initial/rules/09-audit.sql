-- Adds the accesses before a time to the counts of their days, and deletes them: those in some blocks of the table, so that a
-- transaction is short. Returns their number, or null after the last block.
create function access_audit_roll_up(before timestamptz, first_block bigint, blocks int) returns bigint language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  rolled bigint;
begin
  if first_block >= pg_relation_size('access_audit') / current_setting('block_size')::int then return null; end if;
  with gone as (
    delete from access_audit
    where ctid >= format('(%s,0)', first_block)::tid and ctid < format('(%s,0)', first_block + blocks)::tid
      and accessed_at < before
    returning *
  ), counted as (
    insert into resolution_count as c (passport_id, day, representation, tier, resolutions)
    select passport_id, (accessed_at at time zone 'utc')::date, representation, tier, sum(accesses)
    from gone group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (passport_id, day, representation, tier) do update set resolutions = c.resolutions + excluded.resolutions
  )
  select count(*) into rolled from gone;
  return rolled;
end $$;
revoke all on function access_audit_roll_up from public;
grant execute on function access_audit_roll_up to dpp_jobs;

create function resolution_count_turns(kept_months int) returns int language plpgsql
  security definer set search_path = public, pg_temp set lock_timeout = '5s' as $$
begin
  return month_turns('resolution_count', 'day', kept_months);
end $$;
revoke all on function resolution_count_turns from public;
grant execute on function resolution_count_turns to dpp_jobs;

-- Moves entries from the inbox to the chain. Each hash covers the entry as RFC 8785 JSON: to_json escapes as section 3.2.2.2 demands,
-- and detail is stored in that form.
create function audit_chain(workspace_id uuid, most int) returns int language plpgsql as $$
declare
  head audit_head;
  chained int;
begin
  if not exists (select from audit_inbox where tenant_id = workspace_id) then return 0; end if;
  insert into audit_head (tenant_id) values (workspace_id) on conflict do nothing;
  select * into head from audit_head where tenant_id = workspace_id for update;
  if not exists (select from workspace where id = workspace_id) then
    delete from audit_inbox where tenant_id = workspace_id;
    delete from audit_head where tenant_id = workspace_id;
    return 0;
  end if;
  with taken as (
    delete from audit_inbox where tenant_id = workspace_id and id = any (array(
      select id from audit_inbox where tenant_id = workspace_id order by id limit most))
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
end $$;
revoke all on function audit_chain from public;

-- Workspaces with entries in the inbox, each found by one step in the index.
create function audit_waiting() returns setof uuid language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  with recursive waiting as (
    (select tenant_id from audit_inbox order by tenant_id limit 1)
    union all
    select (select i.tenant_id from audit_inbox i where i.tenant_id > w.tenant_id order by i.tenant_id limit 1)
    from waiting w where w.tenant_id is not null
  )
  select tenant_id from waiting where tenant_id is not null
$$;
revoke all on function audit_waiting from public;
grant execute on function audit_waiting to dpp_jobs;

-- Skips a chain that another process continues. Returns the number of chained entries.
create function audit_chain_of(workspace_id uuid, most int) returns int language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from audit_head where tenant_id = workspace_id for update skip locked;
  if not found and exists (select from audit_head where tenant_id = workspace_id) then return 0; end if;
  return audit_chain(workspace_id, most);
end $$;
revoke all on function audit_chain_of from public;
grant execute on function audit_chain_of to dpp_jobs;

create function audit_chain_own() returns int language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$ select audit_chain(app_tenant(), 10000) $$;
revoke all on function audit_chain_own from public;
grant execute on function audit_chain_own to dpp_app;

create function audit_next_hash(hash bytea, head bytea, before text, after text) returns bytea language plpgsql
  immutable parallel safe as $$
begin
  return sha256(convert_to(before || encode(coalesce(hash, head), 'hex') || after, 'UTF8'));
end $$;

create aggregate audit_hash (head bytea, before text, after text) (sfunc = audit_next_hash, stype = bytea);

alter table audit_entry enable row level security, force row level security;
create policy audit_entry_keep on audit_entry to current_user using (true) with check (true);
create policy audit_entry_see on audit_entry for select to dpp_app using (tenant_id = app_tenant());

alter table audit_head enable row level security, force row level security;
create policy audit_head_keep on audit_head to current_user using (true) with check (true);
create policy audit_head_see on audit_head for select to dpp_app using (tenant_id = app_tenant());

alter table audit_inbox enable row level security, force row level security;
create policy audit_inbox_add on audit_inbox for insert to dpp_app with check (tenant_id = app_tenant());
create policy audit_inbox_keep on audit_inbox to current_user using (true) with check (true);
create policy audit_inbox_reads on audit_inbox for insert to dpp_lookup
  with check (action in ('passport.read', 'passport.listed', 'batteryunit.read', 'media.read', 'reads.lost'));

alter table access_audit enable row level security, force row level security;
create policy access_audit_keep on access_audit to current_user using (true) with check (true);
create policy access_audit_lookup on access_audit for insert to dpp_lookup with check (true);
create policy access_audit_remove on access_audit for delete to dpp_app
  using (exists (select from passport p where p.id = access_audit.passport_id));
create policy access_audit_see on access_audit for select to dpp_app
  using (exists (select from passport p where p.id = access_audit.passport_id));

alter table resolution_count enable row level security, force row level security;
create policy resolution_count_keep on resolution_count to current_user using (true) with check (true);
create policy resolution_count_remove on resolution_count for delete to dpp_app
  using (exists (select from passport p where p.id = resolution_count.passport_id));
create policy resolution_count_see on resolution_count for select to dpp_app
  using (exists (select from passport p where p.id = resolution_count.passport_id));

grant select on audit_entry to dpp_app;
grant select on audit_head to dpp_app;
grant insert (action, subject_id, actor, detail) on audit_inbox to dpp_app;
grant insert (tenant_id, action, subject_id, actor, detail) on audit_inbox to dpp_lookup;
grant select, delete on access_audit to dpp_app;
grant insert on access_audit to dpp_lookup;
grant select, delete on resolution_count to dpp_app;
