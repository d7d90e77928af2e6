-- Jobs that draw labels.

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
