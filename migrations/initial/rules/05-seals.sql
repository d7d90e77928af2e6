alter table sealed_version enable row level security, force row level security;
create policy sealed_version_add on sealed_version for insert to dpp_app
  with check (exists (select from passport p where p.id = sealed_version.passport_id));
create policy sealed_version_keep on sealed_version to current_user using (true) with check (true);
create policy sealed_version_see on sealed_version for select to dpp_app
  using (exists (select from passport p where p.id = sealed_version.passport_id)
    or exists (select from deleted_passport d where d.id = sealed_version.passport_id));

grant insert, select on sealed_version to dpp_app;
