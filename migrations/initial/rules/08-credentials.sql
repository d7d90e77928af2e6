-- Every writer: the list has to be signed again.
create function status_entry_changes() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into status_change (tenant_id, list) values (new.tenant_id, new.list);
  return null;
end $$;

-- Every writer: the status list shows the status of the passport. It runs as the owner, because a bound workspace may change
-- the status.
create function status_entry_follows() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update status_entry set revoked = (tg_op = 'DELETE' or new.status <> 'ACTIVE') where subject_id = old.id;
  return null;
end $$;

create trigger status_entry_begins after insert on status_entry for each row
  when (new.revoked)
  execute function status_entry_changes();
create trigger status_entry_changes after update of revoked on status_entry for each row
  when (old.revoked is distinct from new.revoked)
  execute function status_entry_changes();

create trigger status_entry_follows after update of status on passport for each row
  when (old.status is distinct from new.status)
  execute function status_entry_follows();
create trigger status_entry_stays after delete on passport for each row execute function status_entry_follows();

alter table status_entry enable row level security, force row level security;
create policy status_entry_keep on status_entry to current_user using (true) with check (true);
create policy status_entry_lookup on status_entry for select to dpp_lookup using (true);
create policy status_entry_own on status_entry to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

alter table status_change enable row level security, force row level security;
create policy status_change_keep on status_change to current_user using (true) with check (true);
create policy status_change_lookup on status_change for select to dpp_lookup using (true);
create policy status_change_own on status_change to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

alter table signed_status_list enable row level security, force row level security;
create policy signed_status_list_lookup on signed_status_list for select to dpp_lookup using (true);
create policy signed_status_list_own on signed_status_list to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

grant insert, select on status_entry to dpp_app;
grant select on status_entry to dpp_lookup;
grant select, delete on status_change to dpp_app;
grant select on status_change to dpp_lookup;
grant insert, select, update, delete on signed_status_list to dpp_app;
grant select on signed_status_list to dpp_lookup;
