-- Status lists of credentials (W3C Bitstring Status List 1.0).

-- One index per subject that was issued as a credential. It stays after the subject is deleted, so that no index is used
-- twice (W3C Bitstring Status List 1.0, 2.1).
create table status_entry (
  tenant_id uuid not null references workspace on delete cascade,
  index int not null check (index >= 0),
  subject_id uuid not null unique,
  revoked boolean not null,
  list int not null generated always as (index / 131072) stored,
  primary key (tenant_id, index)
);
create index status_entry_tenant_id_list_idx on status_entry (tenant_id, list) where revoked;
create index status_entry_tenant_id_list_index_idx on status_entry (tenant_id, list, index);

-- One row per changed bit until the list is signed again, so that writers do not wait for each other.
create table status_change (
  tenant_id uuid not null references workspace on delete cascade,
  list int not null,
  id bigint primary key generated always as identity
);
create index status_change_tenant_id_list_idx on status_change (tenant_id, list);

-- The signed list of each form. state names the key and the name that it was signed with.
create table signed_status_list (
  tenant_id uuid not null references workspace on delete cascade,
  list int not null,
  form text not null,
  state text not null,
  etag text not null,
  body text not null,
  signed_at timestamptz(3) not null,
  primary key (tenant_id, list, form)
);
