-- Pictures and documents of passports, and logos of workspaces.

-- An empty audience is everyone. A logo has no passport.
create table media (
  id uuid primary key,
  passport_id uuid references passport on delete cascade,
  tenant_id uuid not null,
  kind text not null check (kind in ('picture', 'document')),
  media_type text not null,
  title json,
  file text not null,
  sizes json not null,
  bytes int not null check (bytes >= 0),
  position int not null,
  created_at timestamptz(3) not null,
  document_type text,
  language text,
  audience text[] not null default '{}'::text[] check (audience <@ array['legitimateInterest', 'authority']),
  check (kind = 'document' or (document_type is null and language is null and audience = '{}'::text[]))
);
create index media_passport_id_idx on media (passport_id);
create index media_tenant_id_idx on media (tenant_id);

-- The sizes of a picture, or the file of a document: in media_piece, or in the object store (is_object).
create table media_file (
  media_id uuid not null references media on delete cascade,
  name text not null,
  tenant_id uuid not null,
  media_type text not null,
  bytes int not null,
  sha256 bytea not null,
  is_object boolean not null,
  primary key (media_id, name)
);

create table media_piece (
  media_id uuid not null,
  name text not null,
  place int not null,
  tenant_id uuid not null,
  bytes bytea not null,
  foreign key (media_id, name) references media_file(media_id, name) on delete cascade,
  primary key (media_id, name, place)
);
alter table media_piece alter column bytes set storage external;

-- Objects to delete from the object store.
create table media_gone (
  key text primary key,
  gone_at timestamptz(3) not null default now()
);

alter table workspace add foreign key (logo_id) references media on delete set null;
