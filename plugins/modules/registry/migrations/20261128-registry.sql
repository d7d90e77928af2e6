-- Registrations of passports and units in the registry.

do $module$
begin
  -- Databases of alpha versions have these tables already.
  if to_regclass('registration') is null then
    -- Registration of a passport, or of one unit of it.
    create table registration (
      subject_id uuid primary key,
      passport_id uuid not null references passport on delete cascade,
      unit_id uuid references battery_unit on delete cascade,
      tenant_id uuid not null,
      state text not null default 'PENDING' check (state in ('PENDING', 'REGISTERED', 'FAILED')),
      reason text,
      requested_at timestamptz(3) not null,
      registry text,
      identifier text,
      registered_at timestamptz(3),
      version int,
      hash text,
      entry json,
      proof_type text check (proof_type in ('application/pdf', 'application/xml', 'application/json')),
      proof bytea check (length(proof) <= 1048576),
      check (subject_id = coalesce(unit_id, passport_id)),
      check ((registry is null) = (identifier is null)),
      check ((proof is null) = (proof_type is null))
    );
    create index registration_passport_id_unit_id_idx on registration (passport_id, unit_id);
    create index registration_tenant_id_idx on registration (tenant_id);
    create index registration_unit_id_idx on registration (unit_id) where unit_id is not null;

    -- The document of a passport says that it is registered, or that a unit is.
    create function registration_begins() returns trigger language plpgsql as $$
    begin
      update passport set version = version where id = new.passport_id and (new.unit_id is null or not exists (
        select from registration r where r.passport_id = new.passport_id and r.subject_id <> new.subject_id
      ));
      return null;
    end $$;

    -- The registration shows in the passport.
    create function registration_moves() returns trigger language plpgsql as $$
    begin
      update passport set version = version where id = new.passport_id;
      return null;
    end $$;

    create trigger registration_begins after insert on registration for each row execute function registration_begins();
    create trigger registration_moves after update on registration for each row
      when (new.unit_id is null and (old.registry is distinct from new.registry
        or old.identifier is distinct from new.identifier
        or old.registered_at is distinct from new.registered_at
        or old.version is distinct from new.version
        or old.hash is distinct from new.hash
        or old.proof_type is distinct from new.proof_type))
      execute function registration_moves();

    alter table registration enable row level security, force row level security;
    create policy registration_add on registration for insert to dpp_app
      with check (tenant_id = app_tenant()
        and exists (select from passport p where p.id = registration.passport_id and p.tenant_id = app_tenant())
        and (unit_id is null
        or exists (select from battery_unit u where u.id = registration.unit_id and u.passport_id = registration.passport_id)));
    create policy registration_change on registration for update to dpp_app
      using (tenant_id = app_tenant())
      with check (tenant_id = app_tenant());
    create policy registration_lookup on registration for select to dpp_lookup
      using (exists (select from passport p where p.id = registration.passport_id and p.status <> 'DRAFT'));
    create policy registration_see on registration for select to dpp_app
      using (tenant_id = app_tenant() or exists (select from passport p where p.id = registration.passport_id));

    grant insert, select, update on registration to dpp_app;
    grant select (subject_id, passport_id, unit_id, proof_type, proof) on registration to dpp_lookup;
  end if;
end $module$;
