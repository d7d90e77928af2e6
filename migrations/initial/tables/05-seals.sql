-- Content of sealed versions.

-- The version that a seal covers.
create table sealed_version (
  passport_id uuid not null,
  passport_version int not null,
  tenant_id uuid not null,
  version int not null,
  seal_id uuid not null references seal on delete cascade,
  status text not null check (status <> 'DRAFT'),
  operator json not null,
  facility json,
  masked text[] not null,
  enrichment json,
  archived_at timestamptz(3),
  retention_until timestamptz(3),
  shown_from timestamptz(3) not null,
  shown_until timestamptz(3) not null,
  recall json,
  primary key (passport_id, passport_version)
);
create index sealed_version_seal_id_idx on sealed_version (seal_id);
