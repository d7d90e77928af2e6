alter table label_job enable row level security, force row level security;
create policy label_job_expire on label_job to dpp_jobs using (expires_at < now());
create policy label_job_own on label_job to dpp_app using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());

alter table label_piece enable row level security, force row level security;
create policy label_piece_own on label_piece to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

grant insert, select, delete, update (status, attempt, bytes, included, skipped, begun) on label_job to dpp_app;
grant select, delete on label_job to dpp_jobs;
grant insert, select, delete on label_piece to dpp_app;
