-- Notifies another workspace. A module that stores notifications replaces this function.
create function notify_workspace(tenant uuid, operator uuid, type text, subject text, message text) returns void
  language sql as '';
revoke all on function notify_workspace from public;

-- The audit chain has no foreign key.
create function workspace_leaves() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Waits for a job that is chaining entries of the workspace.
  insert into audit_head (tenant_id) values (old.id) on conflict do nothing;
  delete from audit_inbox where tenant_id = old.id;
  delete from audit_entry where tenant_id = old.id;
  delete from audit_head where tenant_id = old.id;
  return null;
end $$;

create trigger workspace_leaves after delete on workspace for each row execute function workspace_leaves();

alter table workspace enable row level security, force row level security;
create policy workspace_own on workspace to dpp_app using (id = app_tenant()) with check (id = app_tenant());
create policy workspace_limits on workspace for select to current_user using (true);
create policy workspace_lookup on workspace for select to dpp_lookup using (true);

alter table api_key enable row level security, force row level security;
create policy api_key_own on api_key to dpp_app using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());
create policy api_key_lookup on api_key for select to dpp_lookup using (true);

alter table idempotency_key enable row level security, force row level security;
create policy idempotency_key_own on idempotency_key to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

grant insert, select, update, delete on workspace to dpp_app;
grant select on workspace to dpp_lookup;
grant insert, select, update, delete on api_key to dpp_app;
grant select on api_key to dpp_lookup;
grant select on node_key to dpp_lookup;
grant insert on node_key to dpp_signer;
grant insert, select, update, delete on idempotency_key to dpp_app;
