-- Notifications of a workspace.

do $module$
begin
  -- Databases of alpha versions have the table already.
  if to_regclass('notification') is null then
    create table notification (
      id uuid primary key,
      tenant_id uuid not null references workspace on delete cascade,
      operator_id uuid,
      type text not null,
      subject_id text not null,
      message text not null,
      read_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    );
    create index notification_created_at_idx on notification (created_at);
    create index notification_tenant_id_created_at_id_idx on notification (tenant_id, created_at desc, id desc);
    create index notification_tenant_id_created_at_id_idx1 on notification (tenant_id, created_at desc, id desc)
      where read_at is null;

    alter table notification enable row level security, force row level security;
    create policy notification_crossing on notification for insert to current_user with check (current_user <> session_user);
    create policy notification_expire on notification to dpp_jobs using (created_at < (now() - '90 days'::interval));
    create policy notification_own on notification to dpp_app
      using (tenant_id = app_tenant())
      with check (tenant_id = app_tenant());

    grant insert, select, update (read_at) on notification to dpp_app;
    grant select, delete on notification to dpp_jobs;

    create or replace function notify_workspace(tenant uuid, operator uuid, type text, subject text, message text)
      returns void language sql as $$
    insert into notification (id, tenant_id, operator_id, type, subject_id, message)
    values (gen_random_uuid(), $1, $2, $3, $4, $5) $$;
  end if;
end $module$;
