-- GS1 company prefixes that workspaces have claimed.

-- No claimed prefix is the beginning of another.
create table company_prefix (
  prefix text collate "C" primary key check (prefix ~ '^[0-9]{4,12}$'),
  tenant_id uuid not null references workspace on delete cascade,
  claimed_at timestamptz(3) not null default now(),
  constraint company_prefix_int8range_excl exclude using gist
    (int8range(rpad(prefix, 12, '0')::bigint, rpad(prefix, 12, '9')::bigint, '[]') with &&)
);
