-- Storage that a workspace uses.

-- The sum over all slots is what a workspace uses. With a limit, all writers share slot 0, whose lock makes the limit exact.
create table workspace_usage (
  tenant_id uuid not null,
  slot int not null,
  bytes bigint not null,
  rows bigint not null,
  primary key (tenant_id, slot)
);
