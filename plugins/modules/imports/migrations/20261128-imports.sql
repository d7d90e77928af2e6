-- Files of passports that are imported after the response.

do $$
begin
  -- Databases of alpha versions have these tables already.
  if to_regclass('import') is null then
    create table import (
      id uuid primary key,
      tenant_id uuid not null,
      operator_id uuid,
      actor text not null,
      role text not null,
      format text not null check (format in ('csv', 'xlsx', 'jsonl', 'aasx')),
      options json not null,
      file_hash bytea not null,
      bytes int not null,
      status text not null default 'waiting' check (status in ('waiting', 'working', 'done', 'failed')),
      attempt int not null default 0,
      rows_total int,
      rows_read int not null default 0,
      created int not null default 0,
      refused int not null default 0,
      error_bytes int not null default 0,
      headings json,
      errors json not null default '[]'::json,
      remarks json not null default '[]'::json,
      failure text,
      created_at timestamptz(3) not null,
      finished_at timestamptz(3),
      expires_at timestamptz(3) not null,
      begun smallint not null default 0
    );
    create index import_expires_at_idx on import (expires_at);
    create index import_tenant_id_created_at_idx on import (tenant_id, created_at);
    create index import_tenant_id_file_hash_idx on import (tenant_id, file_hash);

    create table import_piece (
      import_id uuid not null references import on delete cascade,
      tenant_id uuid not null,
      place int not null,
      bytes bytea not null,
      primary key (import_id, place)
    );

    -- Refused rows as CSV lines, by the number of their first row.
    create table import_error (
      import_id uuid not null references import on delete cascade,
      tenant_id uuid not null,
      place int not null,
      lines text not null,
      primary key (import_id, place)
    );

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
  end if;
end $$;
