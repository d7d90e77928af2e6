-- Links between passports, and handovers to another workspace (Regulation (EU) 2023/1542, Article 77(7)).

-- Names of both sides are stored in the row: a reader of one passport need not see the other.
create table passport_link (
  id uuid primary key,
  tenant_id uuid not null,
  passport_id uuid not null references passport on delete cascade,
  product_id text not null,
  asked_by text not null,
  rel text not null check (rel in ('replaces', 'derivedFrom', 'hasPart', 'partOf')),
  target_tenant_id uuid,
  target_id uuid references passport on delete cascade,
  target_url text,
  identifier text not null,
  status text not null check (status in ('PENDING', 'ACCEPTED')),
  created_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  check ((target_id is null) = (target_tenant_id is null) and (target_id is null) <> (target_url is null)),
  check ((status = 'ACCEPTED') = (accepted_at is not null)),
  check (passport_id <> target_id)
);
create index passport_link_passport_id_idx on passport_link (passport_id);
create unique index passport_link_passport_id_rel_md5_idx on passport_link (passport_id, rel, md5(target_url))
  where target_url is not null;
create unique index passport_link_passport_id_rel_target_id_idx on passport_link (passport_id, rel, target_id)
  where target_id is not null;
create index passport_link_target_id_idx on passport_link (target_id) where target_id is not null;

-- Only the SHA-256 of the code is stored.
create table handover (
  id uuid primary key,
  tenant_id uuid not null,
  passport_id uuid not null references passport on delete cascade,
  unit_id uuid references battery_unit on delete cascade,
  code_hash bytea not null unique,
  for_tenant_id uuid,
  for_reg_id text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  withdrawn_at timestamptz(3),
  accepted_at timestamptz(3),
  accepted_by uuid
);
create unique index handover_open on handover (coalesce(unit_id, passport_id))
  where accepted_at is null and withdrawn_at is null;
create index handover_passport_id_idx on handover (passport_id);
create index handover_unit_id_idx on handover (unit_id) where unit_id is not null;
