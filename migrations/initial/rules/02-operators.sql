-- Every writer: an earlier state cannot be recovered later.
create function facility_archives() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into facility_version
    (facility_id, version, tenant_id, gln, name, activity, street_address, city, postal_code, country, shown_until)
  select old.id,
    coalesce((select max(version) from facility_version where facility_id = old.id), 0) + 1,
    old.tenant_id, old.gln, old.name, old.activity, old.street_address, old.city, old.postal_code, old.country,
    date_trunc('milliseconds', clock_timestamp())
  -- A workspace that is deleted takes all of it along.
  where exists (select from workspace w where w.id = old.tenant_id);
  return null;
end $$;

-- Every writer: the documents of all passports of the operator or facility change.
create function master_data_moves() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'facility' then
    update passport set version = version where facility_id = new.id;
  else
    update passport set version = version where operator_id = new.id;
  end if;
  return new;
end $$;

-- Every writer: an earlier state cannot be recovered later.
create function operator_archives() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into operator_version (operator_id, version, tenant_id, name, role, contact, shown_until)
  select old.id,
    coalesce((select max(version) from operator_version where operator_id = old.id), 0) + 1,
    old.tenant_id, old.name, old.role, old.contact, date_trunc('milliseconds', clock_timestamp())
  -- A workspace that is deleted takes all of it along.
  where exists (select from workspace w where w.id = old.tenant_id);
  return null;
end $$;

create trigger operator_archives after update on operator for each row
  when (old.name is distinct from new.name
    or old.role is distinct from new.role
    or old.contact::text is distinct from new.contact::text)
  execute function operator_archives();
create trigger operator_moves after update on operator for each row
  when (old.name is distinct from new.name
    or old.role is distinct from new.role
    or old.contact::text is distinct from new.contact::text)
  execute function master_data_moves();

create trigger facility_archives after update on facility for each row
  when (old.name is distinct from new.name
    or old.activity is distinct from new.activity
    or old.street_address is distinct from new.street_address
    or old.city is distinct from new.city
    or old.postal_code is distinct from new.postal_code
    or old.country is distinct from new.country)
  execute function facility_archives();
create trigger facility_leaves after delete on facility for each row execute function facility_archives();
create trigger facility_moves after update on facility for each row
  when (old.name is distinct from new.name
    or old.activity is distinct from new.activity
    or old.country is distinct from new.country
    or old.street_address is distinct from new.street_address
    or old.city is distinct from new.city
    or old.postal_code is distinct from new.postal_code)
  execute function master_data_moves();

alter table operator enable row level security, force row level security;
create policy operator_own on operator to dpp_app using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());
create policy operator_see on operator for select to dpp_app
  using (id = any ((select app_operators())::uuid[]));

alter table operator_binding enable row level security, force row level security;
create policy operator_binding_own on operator_binding to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());
create policy operator_binding_lookup on operator_binding for select to dpp_lookup using (true);

alter table facility enable row level security, force row level security;
create policy facility_own on facility to dpp_app using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());
create policy facility_see on facility for select to dpp_app
  using (exists (select from passport p where p.facility_id = facility.id));

alter table operator_version enable row level security, force row level security;
create policy operator_version_keep on operator_version to current_user using (true) with check (true);
create policy operator_version_see on operator_version for select to dpp_app
  using (tenant_id = app_tenant()
    or operator_id = any ((select app_operators())::uuid[]));

alter table facility_version enable row level security, force row level security;
create policy facility_version_keep on facility_version to current_user using (true) with check (true);
create policy facility_version_see on facility_version for select to dpp_app
  using (tenant_id = app_tenant()
    or exists (select from passport p where p.facility_id = facility_version.facility_id)
    or exists (select from passport_facility l where l.facility_id = facility_version.facility_id));

grant insert, select, update, delete on operator to dpp_app;
grant insert, select, update, delete on operator_binding to dpp_app;
grant select on operator_binding to dpp_lookup;
grant insert, select, update, delete on facility to dpp_app;
grant select on operator_version to dpp_app;
grant select on facility_version to dpp_app;
