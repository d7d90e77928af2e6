-- People of the console: a person may be a member of several workspaces. Secrets are stored as SHA-256.

create table console_person (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  created_at timestamptz(3) not null default now()
);

create table console_membership (
  tenant_id uuid not null references workspace on delete cascade,
  person_id uuid not null references console_person on delete cascade,
  role text not null check (role in ('owner', 'publisher', 'editor', 'reader')),
  -- Null: all permissions of the role.
  permissions text[],
  operator_id uuid references operator on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, person_id)
);
create index console_membership_person_id_idx on console_membership (person_id);

create table console_invitation (
  id uuid primary key,
  tenant_id uuid not null references workspace on delete cascade,
  email text not null check (email = lower(email)),
  name text not null,
  role text not null check (role in ('owner', 'publisher', 'editor', 'reader')),
  permissions text[],
  operator_id uuid references operator on delete cascade,
  secret_hash bytea not null unique,
  invited_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create unique index console_invitation_tenant_id_email_idx on console_invitation (tenant_id, email);

-- Sign-in links. A link holds once and is then deleted.
create table console_link (
  secret_hash bytea primary key,
  tenant_id uuid not null,
  person_id uuid not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  foreign key (tenant_id, person_id) references console_membership on delete cascade
);
create index console_link_tenant_id_person_id_idx on console_link (tenant_id, person_id);

create table console_session (
  id uuid primary key,
  secret_hash bytea not null unique,
  tenant_id uuid not null,
  person_id uuid not null,
  method text not null check (method in ('link', 'passkey', 'oidc')),
  mfa boolean not null,
  agent text not null,
  created_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  authenticated_at timestamptz(3) not null default now(),
  foreign key (tenant_id, person_id) references console_membership on delete cascade
);
create index console_session_tenant_id_person_id_idx on console_session (tenant_id, person_id);

create table console_passkey (
  id text primary key,
  person_id uuid not null references console_person on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3)
);
create index console_passkey_person_id_idx on console_passkey (person_id);

-- Person of an OpenID provider: never found by e-mail address.
create table console_identity (
  issuer text not null,
  subject text not null,
  person_id uuid not null references console_person on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (issuer, subject)
);
create index console_identity_person_id_idx on console_identity (person_id);

-- Begun ceremonies: a WebAuthn challenge, or the state of an OpenID request. Each holds once.
create table console_challenge (
  id_hash bytea primary key,
  data jsonb not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);

-- The person with this address, who may be a member of other workspaces only.
create function console_person_of(address text, named text, new_id uuid) returns uuid language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  found_id uuid;
begin
  insert into console_person (id, email, name) values (new_id, address, named) on conflict (email) do nothing;
  select id into found_id from console_person where email = address;
  return found_id;
end $$;
revoke all on function console_person_of from public;
grant execute on function console_person_of to dpp_app;

-- Deletes a person who is no longer a member of a workspace, with passkeys and identities.
create function console_person_forget(person uuid) returns void language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from console_person p where p.id = person and not exists (select from console_membership m where m.person_id = p.id);
$$;
revoke all on function console_person_forget from public;
grant execute on function console_person_forget to dpp_app;

-- Before sign-in no workspace is known.
create function console_challenge_put(hash bytea, content json, seconds int) returns void language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from console_challenge where expires_at < now() - interval '1 hour';
  insert into console_challenge (id_hash, data, expires_at) values (hash, content, now() + make_interval(secs => seconds));
$$;
revoke all on function console_challenge_put from public;
grant execute on function console_challenge_put to dpp_app;

create function console_challenge_take(hash bytea) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  content json;
begin
  delete from console_challenge where id_hash = hash and expires_at > now() returning data into content;
  return content;
end $$;
revoke all on function console_challenge_take from public;
grant execute on function console_challenge_take to dpp_app;

alter table console_person enable row level security, force row level security;
create policy console_person_own on console_person to dpp_app
  using (exists (select from console_membership m where m.person_id = console_person.id and m.tenant_id = app_tenant()));
create policy console_person_lookup on console_person for select to dpp_lookup using (true);
create policy console_person_keep on console_person to current_user using (true) with check (true);

alter table console_membership enable row level security, force row level security;
create policy console_membership_own on console_membership to dpp_app
  using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());
create policy console_membership_keep on console_membership for select to current_user using (true);
create policy console_membership_lookup on console_membership for select to dpp_lookup using (true);

alter table console_invitation enable row level security, force row level security;
create policy console_invitation_own on console_invitation to dpp_app
  using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());
create policy console_invitation_lookup on console_invitation for select to dpp_lookup using (true);

alter table console_link enable row level security, force row level security;
create policy console_link_own on console_link to dpp_app
  using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());
create policy console_link_lookup on console_link for select to dpp_lookup using (true);
create policy console_link_expire on console_link to dpp_jobs using (created_at < (now() - '1 day'::interval));

alter table console_session enable row level security, force row level security;
create policy console_session_own on console_session to dpp_app
  using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());
create policy console_session_lookup on console_session for select to dpp_lookup using (true);
create policy console_session_expire on console_session to dpp_jobs using (created_at < (now() - '1 day'::interval));

alter table console_passkey enable row level security, force row level security;
create policy console_passkey_own on console_passkey to dpp_app
  using (exists (select from console_membership m where m.person_id = console_passkey.person_id and m.tenant_id = app_tenant()))
  with check (exists (select from console_membership m where m.person_id = console_passkey.person_id and m.tenant_id = app_tenant()));
create policy console_passkey_lookup on console_passkey for select to dpp_lookup using (true);

alter table console_identity enable row level security, force row level security;
create policy console_identity_own on console_identity to dpp_app
  using (exists (select from console_membership m where m.person_id = console_identity.person_id and m.tenant_id = app_tenant()))
  with check (exists (select from console_membership m where m.person_id = console_identity.person_id and m.tenant_id = app_tenant()));
create policy console_identity_lookup on console_identity for select to dpp_lookup using (true);

alter table console_challenge enable row level security, force row level security;
create policy console_challenge_keep on console_challenge to current_user using (true) with check (true);

grant select, update (name) on console_person to dpp_app;
grant select on console_person to dpp_lookup;
grant insert, select, update, delete on console_membership to dpp_app;
grant select on console_membership to dpp_lookup;
grant insert, select, update, delete on console_invitation to dpp_app;
grant select on console_invitation to dpp_lookup;
grant insert, select, delete on console_link to dpp_app;
grant select on console_link to dpp_lookup;
grant select, delete on console_link to dpp_jobs;
grant insert, select, update (seen_at, authenticated_at, mfa), delete on console_session to dpp_app;
grant select on console_session to dpp_lookup;
grant select, delete on console_session to dpp_jobs;
grant insert, select, update (counter, used_at, name), delete on console_passkey to dpp_app;
grant select on console_passkey to dpp_lookup;
grant insert, select, delete on console_identity to dpp_app;
grant select on console_identity to dpp_lookup;
