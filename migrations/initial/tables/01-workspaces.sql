-- Workspaces (tenants), their API keys and plans, and keys of the node.

create table workspace (
  id uuid primary key,
  name text not null,
  legal_name text not null,
  country text,
  subdomain text unique,
  plan text not null,
  subscription text not null default 'active' check (subscription in ('active', 'grace', 'lapsed')),
  passport_limit int check (passport_limit >= 0),
  require_mfa boolean not null default false,
  created_at timestamptz(3) not null default now(),
  storage_limit bigint check (storage_limit >= 0),
  row_limit bigint check (row_limit >= 0),
  email text,
  strict_audiences boolean not null default false,
  suspended_at timestamptz(3),
  suspension_reason text,
  status_floor int not null default 0 check (status_floor >= 0),
  key_floor int not null default 0 check (key_floor >= 0),
  check (suspended_at is not null or suspension_reason is null)
);

create table api_key (
  id text primary key,
  tenant_id uuid not null references workspace on delete cascade,
  secret_hash bytea not null,
  role text not null,
  permissions text[],
  operator_id uuid,
  name text,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

-- Keys of the node, such as the one that signs session tokens. The signer has the private part.
create table node_key (
  purpose text primary key,
  signer_key text not null,
  public_jwk jsonb not null,
  certificate text
);

-- Limits of a plan; null is unlimited. Written at start.
create table plan (
  name text primary key,
  storage_limit bigint,
  row_limit bigint
);

-- Stored responses by Idempotency-Key, for 24 hours.
create table idempotency_key (
  tenant_id uuid not null references workspace on delete cascade,
  endpoint text not null,
  key text not null,
  request_hash text not null,
  status int,
  answer text,
  created_at timestamptz(3) not null default now(),
  caller text not null,
  primary key (tenant_id, endpoint, caller, key)
);
create index idempotency_key_tenant_id_created_at_idx on idempotency_key (tenant_id, created_at);

-- The schema of pg-boss, whose tables belong to the role of the jobs.
create schema if not exists pgboss;

grant usage, create on schema pgboss to dpp_jobs;
grant usage on schema pgboss to dpp_app;
