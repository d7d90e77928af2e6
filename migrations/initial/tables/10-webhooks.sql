-- Webhook subscriptions, events and deliveries.

create table webhook_subscription (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  url text not null,
  events text[] not null,
  is_active boolean not null default true,
  secret bytea not null,
  former_secret bytea,
  former_until timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp()
);
create index webhook_subscription_tenant_id_created_at_id_idx on webhook_subscription (tenant_id, created_at, id);

create table webhook_listener (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  expires_at timestamptz(3) not null
);
create index webhook_listener_tenant_id_idx on webhook_listener (tenant_id);

create table webhook_event (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  type text not null,
  body text not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index webhook_event_created_at_idx on webhook_event (created_at);
create index webhook_event_tenant_id_created_at_idx on webhook_event (tenant_id, created_at);

create table webhook_delivery (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  subscription_id uuid not null references webhook_subscription on delete cascade,
  event_id uuid not null references webhook_event on delete cascade,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempt_count int not null default 0,
  plan_start int not null default 0,
  last_attempt_at timestamptz(3),
  next_attempt_at timestamptz(3),
  error_message text,
  attempts jsonb not null default '[]'::jsonb,
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (event_id, subscription_id)
);
create index webhook_delivery_subscription_id_status_idx on webhook_delivery (subscription_id, status);
create index webhook_delivery_tenant_id_created_at_id_idx on webhook_delivery (tenant_id, created_at desc, id);
create index webhook_delivery_tenant_id_status_created_at_id_idx on webhook_delivery (tenant_id, status, created_at desc, id);
