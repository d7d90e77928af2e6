alter table import enable row level security, force row level security;
create policy import_expire on import to dpp_jobs using (expires_at < now());
create policy import_own on import to dpp_app using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());

alter table import_piece enable row level security, force row level security;
create policy import_piece_own on import_piece to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

alter table import_error enable row level security, force row level security;
create policy import_error_own on import_error to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

grant insert, select, delete, update (status, attempt, rows_total, rows_read, created, refused, error_bytes, headings,
  errors, remarks, failure, finished_at, begun) on import to dpp_app;
grant select, delete on import to dpp_jobs;
grant insert, select, delete on import_piece to dpp_app;
grant insert, select, delete on import_error to dpp_app;
