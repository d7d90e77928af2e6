-- Events are immutable.
create function trace_event_stays() returns trigger language plpgsql as $$
begin
  raise exception 'an event cannot be changed' using errcode = 'restrict_violation';
end $$;

create trigger trace_event_stays before update on trace_event for each row execute function trace_event_stays();

alter table trace_event enable row level security, force row level security;
create policy trace_event_add on trace_event for insert to dpp_app with check (tenant_id = app_tenant());
create policy trace_event_keep on trace_event to current_user using (true) with check (true);
create policy trace_event_see on trace_event for select to dpp_app using (tenant_id = app_tenant());

alter table trace_item enable row level security, force row level security;
create policy trace_item_add on trace_item for insert to dpp_app with check (tenant_id = app_tenant());
create policy trace_item_keep on trace_item to current_user using (true) with check (true);
create policy trace_item_see on trace_item for select to dpp_app using (tenant_id = app_tenant());

alter table capture_job enable row level security, force row level security;
create policy capture_job_expire on capture_job to dpp_jobs using (expires_at < now());
create policy capture_job_own on capture_job to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

alter table capture_piece enable row level security, force row level security;
create policy capture_piece_own on capture_piece to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

grant insert, select on trace_event to dpp_app;
grant insert, select on trace_item to dpp_app;
grant insert, select, delete, update (judged_count, attempt, is_success, errors, finished_at, begun) on capture_job to
  dpp_app;
grant select, delete on capture_job to dpp_jobs;
grant insert, select, delete on capture_piece to dpp_app;
