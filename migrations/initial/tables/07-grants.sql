-- Access grants to restricted data (specification 5.10).

-- Rows are never deleted, and their subject never changes.
create table access_grant (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  status text not null check (status in ('PENDING', 'ACTIVE', 'DENIED', 'REVOKED')),
  kind text not null check (kind in ('LEGITIMATE_INTEREST', 'AUTHORITY')),
  grantee_name text not null,
  grantee_email text,
  organization text,
  purpose text,
  scope_type text not null check (scope_type in ('UNIT', 'PASSPORT', 'TENANT')),
  passport_id uuid references passport on delete cascade,
  battery_unit_id uuid references battery_unit on delete cascade,
  issuer_type text not null check (issuer_type in ('TENANT', 'REQUEST', 'PLATFORM')),
  issuer_email text,
  decided_at timestamptz(3),
  decided_by text,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  use_count bigint not null default 0,
  token_hash bytea unique,
  created_at timestamptz(3) not null default clock_timestamp(),
  operator_id uuid,
  language text,
  reference_hash bytea unique,
  actor_kind text,
  identifier_scheme text,
  identifier text,
  check ((scope_type = 'TENANT') = (passport_id is null)),
  check ((scope_type = 'UNIT') = (battery_unit_id is not null)),
  check ((identifier_scheme is null) = (identifier is null))
);
create index access_grant_battery_unit_id_idx on access_grant (battery_unit_id) where battery_unit_id is not null;
create index access_grant_passport_id_idx on access_grant (passport_id);
create unique index access_grant_request on access_grant (
  coalesce(battery_unit_id, passport_id),
  lower(grantee_email),
  md5(grantee_name || chr(31) || coalesce(organization, '') || chr(31) || coalesce(purpose, ''))
)
  where status = 'PENDING' and issuer_type = 'REQUEST';
create index access_grant_tenant_id_operator_id_status_created_at_id_idx on access_grant
  (tenant_id, operator_id, status, created_at desc, id);
create index access_grant_tenant_id_status_created_at_id_idx on access_grant (tenant_id, status, created_at desc, id);
create index access_grant_waiting on access_grant (passport_id, lower(grantee_email))
  where status = 'PENDING' and issuer_type = 'REQUEST';

-- Grants per operator, summed over slots.
create table grant_count (
  tenant_id uuid not null,
  operator_id uuid not null,
  slot int not null,
  total int not null,
  primary key (tenant_id, operator_id, slot)
);
