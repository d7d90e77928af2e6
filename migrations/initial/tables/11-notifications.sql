-- Notifications of a workspace, and the daily budget of mails per address.

create table notification (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  operator_id uuid,
  type text not null,
  subject_id text not null,
  message text not null,
  read_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index notification_created_at_idx on notification (created_at);
create index notification_tenant_id_created_at_id_idx on notification (tenant_id, created_at desc, id desc);
create index notification_tenant_id_created_at_id_idx1 on notification (tenant_id, created_at desc, id desc)
  where read_at is null;

create table mail_count (
  address_hash bytea not null,
  day date not null,
  total int not null,
  primary key (day, address_hash)
);
