alter table webhook_subscription enable row level security, force row level security;
create policy webhook_subscription_own on webhook_subscription to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

alter table webhook_listener enable row level security, force row level security;
create policy webhook_listener_expire on webhook_listener to dpp_jobs using (expires_at < (now() - '1 day'::interval));
create policy webhook_listener_own on webhook_listener to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

alter table webhook_event enable row level security, force row level security;
create policy webhook_event_expire on webhook_event to dpp_jobs using (created_at < (now() - '30 days'::interval));
create policy webhook_event_own on webhook_event to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

alter table webhook_delivery enable row level security, force row level security;
create policy webhook_delivery_lookup on webhook_delivery for select to dpp_lookup using (true);
create policy webhook_delivery_own on webhook_delivery to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

grant insert, select, delete, update (url, events, is_active, secret, former_secret, former_until, updated_at) on
  webhook_subscription to dpp_app;
grant insert, select, delete, update (expires_at) on webhook_listener to dpp_app;
grant select, delete on webhook_listener to dpp_jobs;
grant insert, select on webhook_event to dpp_app;
grant select, delete on webhook_event to dpp_jobs;
grant insert, select, update (status, attempt_count, plan_start, last_attempt_at, next_attempt_at, error_message,
  attempts) on webhook_delivery to dpp_app;
grant select (id, tenant_id) on webhook_delivery to dpp_lookup;
