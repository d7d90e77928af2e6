-- Economic operators and facilities (specification 2.3, 2.4), and their earlier states (EN 18221, 4.2).

create table operator (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  name text not null,
  reg_id text not null,
  reg_id_scheme text,
  role text not null,
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  contact json,
  unique (tenant_id, reg_id)
);

create table operator_binding (
  tenant_id uuid not null references workspace on delete cascade,
  operator_id uuid not null references operator on delete cascade,
  bound_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, operator_id)
);
create index operator_binding_operator_id_idx on operator_binding (operator_id);

create table facility (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  operator_id uuid references operator on delete set null,
  gln text not null unique,
  name text not null,
  activity text,
  street_address text,
  city text,
  postal_code text,
  country text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index facility_operator_id_idx on facility (operator_id);
create index facility_tenant_id_created_at_idx on facility (tenant_id, created_at desc);

-- The state of an operator until shown_until.
create table operator_version (
  operator_id uuid not null references operator on delete cascade,
  version int not null,
  tenant_id uuid not null,
  name text not null,
  role text not null,
  contact json,
  shown_until timestamptz(3) not null,
  primary key (operator_id, version)
);

-- The state of a facility until shown_until. A deleted facility keeps its versions.
create table facility_version (
  facility_id uuid not null,
  version int not null,
  tenant_id uuid not null references workspace on delete cascade,
  gln text not null,
  name text not null,
  activity text,
  street_address text,
  city text,
  postal_code text,
  country text not null,
  shown_until timestamptz(3) not null,
  primary key (facility_id, version)
);
create index facility_version_tenant_id_idx on facility_version (tenant_id);
