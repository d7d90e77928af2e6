-- Jobs that draw labels.

do $$
begin
  -- Databases of alpha versions have these tables already.
  if to_regclass('label_job') is null then
    create table label_job (
      id uuid primary key,
      tenant_id uuid not null,
      operator_id uuid,
      subject text not null check (subject in ('passport', 'unit')),
      request json not null,
      status text not null default 'waiting' check (status in ('waiting', 'working', 'done', 'failed')),
      attempt int not null default 0,
      bytes bigint,
      included int,
      skipped json,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      begun smallint not null default 0
    );
    create index label_job_expires_at_idx on label_job (expires_at);
    create index label_job_tenant_id_created_at_idx on label_job (tenant_id, created_at);

    create table label_piece (
      job_id uuid not null references label_job on delete cascade,
      tenant_id uuid not null,
      place int not null,
      bytes bytea not null,
      primary key (job_id, place)
    );
    alter table label_piece alter column bytes set storage external;

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
  end if;
end $$;
