-- Counts a mail to this address, unless it had as many today.
create function mail_is_within_budget(hash bytea, most int) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  today date := (now() at time zone 'utc')::date;
begin
  delete from mail_count where day < today;
  insert into mail_count as c (address_hash, day, total) values (hash, today, 1)
  on conflict (day, address_hash) do update set total = c.total + 1 where c.total < most;
  return found;
end $$;
revoke all on function mail_is_within_budget from public;
grant execute on function mail_is_within_budget to dpp_app;

alter table notification enable row level security, force row level security;
create policy notification_crossing on notification for insert to current_user with check (current_user <> session_user);
create policy notification_expire on notification to dpp_jobs using (created_at < (now() - '90 days'::interval));
create policy notification_own on notification to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

grant insert, select, update (read_at) on notification to dpp_app;
grant select, delete on notification to dpp_jobs;
