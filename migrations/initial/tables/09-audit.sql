-- The audit chain of a workspace, and access to public data.

-- The chain: each entry has the hash of the one before.
create table audit_entry (
  tenant_id uuid not null,
  sequence bigint not null,
  action text collate "C" not null,
  subject_id text collate "C" not null,
  actor text not null,
  detail json,
  created_at timestamptz(3) not null,
  hash bytea not null,
  primary key (tenant_id, sequence)
);
create index audit_entry_tenant_id_action_sequence_idx on audit_entry (tenant_id, action, sequence);
create index audit_entry_tenant_id_created_at_idx on audit_entry (tenant_id, created_at);
create index audit_entry_tenant_id_subject_id_sequence_idx on audit_entry (tenant_id, subject_id, sequence);

create table audit_head (
  tenant_id uuid primary key,
  sequence bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex')
) with (fillfactor = 50);

-- Entries that are not in the chain yet.
create table audit_inbox (
  id bigint not null generated always as identity,
  tenant_id uuid not null default app_tenant(),
  action text not null,
  subject_id text not null,
  actor text not null,
  detail json,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

-- Accesses since the last roll-up. Identical accesses of one second share a row.
create table access_audit (
  passport_id uuid not null,
  unit_id uuid,
  representation text not null,
  tier text not null,
  network text not null,
  accessed_at timestamp(0) with time zone not null,
  accesses int not null,
  check (accesses > 0)
);
create index access_audit_passport_id_idx on access_audit (passport_id);

-- Accesses of each day that has ended. The order of the columns leaves no gaps.
create table resolution_count (
  passport_id uuid not null,
  day date not null,
  resolutions int not null,
  representation text not null,
  tier text not null,
  primary key (passport_id, day, representation, tier)
) partition by range (day);

do $$ begin
  perform month_partition('resolution_count', 'resolution_count_earlier', null, month_away(-36));
  perform month_partitions('resolution_count', month_away(-36), month_away(4));
end $$;
