-- Seal keys of workspaces, and revoked certificates (RFC 5280 §5).

create table tenant_key (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  number int not null,
  signer_key text not null,
  public_key_pem text not null,
  fingerprint text not null unique,
  created_at timestamptz(3) not null,
  retired_at timestamptz(3),
  certificate text,
  unique (tenant_id, number)
);
create unique index tenant_key_tenant_id_idx on tenant_key (tenant_id) where retired_at is null;

create table seal_revocation (
  authority text not null references node_key,
  serial text not null,
  fingerprint text not null,
  revoked_at timestamptz not null,
  reason text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (authority, serial)
);
create index seal_revocation_of_key on seal_revocation (fingerprint);
