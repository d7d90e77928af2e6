-- One narrow row per passport, to search and sort the list of the console: reading 50,000 json columns takes half a second.

create table console_passport (
  passport_id uuid primary key references passport on delete cascade,
  tenant_id uuid not null,
  operator_id uuid not null,
  version int not null,
  product_id text not null,
  title text not null,
  -- Lower case: product id, names, model, brand, numbers.
  search text not null,
  category text,
  status text not null,
  is_sealed boolean not null,
  is_archived boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index console_passport_updated on console_passport (operator_id, updated_at desc, passport_id) where not is_archived;
create index console_passport_created on console_passport (operator_id, created_at desc, passport_id) where not is_archived;
create index console_passport_title on console_passport (operator_id, lower(title), passport_id) where not is_archived;
create index console_passport_product on console_passport (operator_id, product_id, passport_id) where not is_archived;
create index console_passport_drafts on console_passport (operator_id) where status = 'DRAFT' and not is_archived;
create index console_passport_unsealed on console_passport (operator_id) where status = 'ACTIVE' and not is_sealed and not is_archived;

alter table console_passport enable row level security, force row level security;
create policy console_passport_bound on console_passport to dpp_app
  using (operator_id = any ((select app_operators())::uuid[]))
  with check (operator_id = any ((select app_operators())::uuid[]));
create policy console_passport_cascade on console_passport to current_user using (true) with check (true);
grant insert, select, update, delete on console_passport to dpp_app;

-- Form of a passport that a person filled in and has not saved.
create table console_entry (
  person_id uuid not null references console_person on delete cascade,
  passport_id uuid not null references passport on delete cascade,
  section text not null,
  tenant_id uuid not null references workspace on delete cascade,
  version int not null,
  entered jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (person_id, passport_id, section)
);
create index console_entry_passport_id_idx on console_entry (passport_id);
alter table console_entry enable row level security, force row level security;
create policy console_entry_own on console_entry to dpp_app
  using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());
create policy console_entry_expire on console_entry to dpp_jobs using (created_at < (now() - '7 days'::interval));
create policy console_entry_cascade on console_entry to current_user using (true) with check (true);
grant insert, select, update, delete on console_entry to dpp_app;
grant select, delete on console_entry to dpp_jobs;
