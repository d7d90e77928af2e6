-- Batches of products (Regulation (EU) 2024/1781, Article 9(2)(d); Regulation (EU) 2026/1778, Article 8(4) and (5)).

create table product_batch (
  id uuid primary key,
  tenant_id uuid not null,
  passport_id uuid not null references passport on delete cascade,
  operator_id uuid not null,
  batch_number text collate "C" not null,
  manufactured_at timestamptz(3),
  metadata json not null,
  created_at timestamptz(3) not null,
  unique (passport_id, batch_number)
);
create index product_batch_list on product_batch (passport_id, created_at desc, id);

create table batch_rendition (
  batch_id uuid not null references product_batch on delete cascade,
  passport_version int not null,
  representation text not null,
  variant text not null,
  tier text not null check (tier in ('public', 'legitimateInterest', 'authority', 'strictAuthority', 'owner')),
  key_number int not null,
  generation text not null,
  etag text not null,
  content_type text not null,
  body text,
  bytes bytea,
  created_at timestamptz(3) not null default now(),
  check ((body is null) <> (bytes is null)),
  primary key (batch_id, representation, variant, passport_version, generation, tier, key_number)
) with (toast_tuple_target = 8160);
alter table batch_rendition alter column body set storage external;
alter table batch_rendition alter column bytes set storage external;
