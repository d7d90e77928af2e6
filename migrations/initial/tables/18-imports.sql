-- Files of passports that are imported after the response.

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
