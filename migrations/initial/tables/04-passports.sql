-- Passports, their versions and seals, the archive of deleted passports, and stored renditions.

create table seal (
  id uuid primary key,
  passport_id uuid not null,
  tenant_id uuid not null,
  operator_id uuid not null,
  key_id uuid not null references tenant_key,
  passport_version int not null,
  merkle_root text not null,
  signature text not null,
  public_key_pem text not null,
  leaves json not null,
  created_at timestamptz(3) not null,
  x5c json,
  rfc3161 json,
  subject json
) with (toast_tuple_target = 4080);
create index seal_passport_id_idx on seal (passport_id);
create index seal_tenant_id_merkle_root_idx on seal (tenant_id, merkle_root);

-- metadata is json, not jsonb: a seal covers the order and spelling of the issuer. Columns copied from it are cut to 64
-- characters, because an index row must stay below 2,704 bytes.
create table passport (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  operator_id uuid not null references operator,
  facility_id uuid references facility on delete set null,
  product_id text not null,
  status text not null check (status in ('DRAFT', 'ACTIVE', 'RECALLED', 'DECOMMISSIONED')),
  metadata json not null,
  enrichment json,
  version int not null default 1,
  seal_id uuid references seal deferrable initially deferred,
  archived_at timestamptz(3),
  retention_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  category text,
  origin_country text,
  gtin text,
  grai text,
  stored_bytes int not null generated always as (octet_length(metadata::text) + coalesce(octet_length(enrichment::text), 0)) stored,
  is_repeatable boolean not null default false,
  recall json,
  schema_version text check (schema_version ~ '^[0-9a-f]{12}$'),
  journey json,
  unique (product_id, operator_id)
);
create index passport_facility_id_idx on passport (facility_id) where facility_id is not null;
create index passport_grai_idx on passport (grai) where grai is not null;
create index passport_gtin_idx on passport (gtin) where gtin is not null;
create index passport_list on passport (operator_id, ((archived_at is null)), created_at, id desc)
  include (tenant_id, archived_at);
create index passport_list_by_category on passport (operator_id, category, created_at, id desc)
  include (tenant_id) where archived_at is null;
create index passport_list_by_category_country on passport (operator_id, category, origin_country, created_at, id desc)
  include (tenant_id) where archived_at is null;
create index passport_list_by_country on passport (operator_id, origin_country, created_at, id desc)
  include (tenant_id) where archived_at is null;

-- Versions that were replaced. metadata is stored once, with the last version that had it; see passport_version.
create table passport_history (
  passport_id uuid not null,
  version int not null,
  metadata json,
  changed_by text not null,
  change_reason text not null,
  created_at timestamptz(3) not null,
  tenant_id uuid not null,
  status text,
  seal_id uuid references seal on delete cascade,
  recall json,
  archived_at timestamptz(3),
  retention_until timestamptz(3),
  schema_version text check (schema_version ~ '^[0-9a-f]{12}$'),
  primary key (passport_id, version)
);
create index passport_history_passport_id_version_idx on passport_history (passport_id, version)
  where metadata is not null;
create index passport_history_seal_id_idx on passport_history (seal_id) where seal_id is not null;

-- The facility of a passport until shown_until; null means no facility.
create table passport_facility (
  passport_id uuid not null,
  place int not null,
  facility_id uuid,
  shown_until timestamptz(3) not null,
  primary key (passport_id, place)
);
create index passport_facility_facility_id_idx on passport_facility (facility_id) where facility_id is not null;

-- Passports that were published before they were deleted: versions and seals stay for the retention period.
create table deleted_passport (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  operator_id uuid not null references operator,
  product_id text not null,
  facility_id uuid,
  category text,
  metadata json not null,
  enrichment json,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3) not null,
  retention_until timestamptz(3) not null
);
create index deleted_passport_operator_id_idx on deleted_passport (operator_id);
create index deleted_passport_retention_until_idx on deleted_passport (retention_until);
create index deleted_passport_tenant_id_idx on deleted_passport (tenant_id);

-- Counts per operator and workspace, summed over slots. Half of each page stays free, so that an update writes no index.
create table passport_count (
  operator_id uuid not null,
  tenant_id uuid not null,
  slot int not null,
  ready int not null,
  not_ready int not null,
  published int not null,
  primary key (operator_id, tenant_id, slot)
) with (fillfactor = 50);
create index passport_count_tenant_id_idx on passport_count (tenant_id);

-- Stored forms of a passport: text of the default format, which PostgreSQL compresses, and Zstandard of the others.
create table rendition (
  passport_id uuid not null references passport on delete cascade,
  representation text not null,
  variant text not null,
  version int not null,
  generation text not null,
  etag text not null,
  content_type text not null,
  body text,
  created_at timestamptz(3) not null default now(),
  tier text not null default 'public' check (tier in ('public', 'legitimateInterest', 'authority', 'strictAuthority', 'owner')),
  key_number int not null default 0,
  bytes bytea,
  check ((body is null) <> (bytes is null)),
  primary key (passport_id, representation, variant, version, generation, tier, key_number)
) with (toast_tuple_target = 4080);
alter table rendition alter column bytes set storage external;

-- Passports, and deleted ones.
create view known_passport with (security_invoker = true) as
  select id, tenant_id, operator_id, product_id, facility_id, category, metadata, enrichment, created_at, status, seal_id,
    false as is_deleted
  from passport
  union all
  select id, tenant_id, operator_id, product_id, facility_id, category, metadata, enrichment, created_at, 'DRAFT', null::uuid,
    true
  from deleted_passport;

-- Versions with their metadata: that of the next version that stored some, else that of the passport.
create view passport_version with (security_invoker = true) as
  select h.passport_id, h.version,
    coalesce(
      h.metadata,
      (select later.metadata from passport_history later
        where later.passport_id = h.passport_id and later.version > h.version and later.metadata is not null
        order by later.version limit 1),
      p.metadata
    ) as metadata,
    h.changed_by, h.change_reason, h.created_at
  from passport_history h
  join known_passport p on p.id = h.passport_id;
