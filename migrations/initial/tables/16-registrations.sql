-- Registrations of passports and units in the registry.

-- Registration of a passport, or of one unit of it.
create table registration (
  subject_id uuid primary key,
  passport_id uuid not null references passport on delete cascade,
  unit_id uuid references battery_unit on delete cascade,
  tenant_id uuid not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'REGISTERED', 'FAILED')),
  reason text,
  requested_at timestamptz(3) not null,
  registry text,
  identifier text,
  registered_at timestamptz(3),
  version int,
  hash text,
  entry json,
  proof_type text check (proof_type in ('application/pdf', 'application/xml', 'application/json')),
  proof bytea check (length(proof) <= 1048576),
  check (subject_id = coalesce(unit_id, passport_id)),
  check ((registry is null) = (identifier is null)),
  check ((proof is null) = (proof_type is null))
);
create index registration_passport_id_unit_id_idx on registration (passport_id, unit_id);
create index registration_tenant_id_idx on registration (tenant_id);
create index registration_unit_id_idx on registration (unit_id) where unit_id is not null;
