import { Migration } from '@mikro-orm/migrations'

/** What a registry was told of a passport or of a unit, and what it answered; and by which version of its schema metadata was written. */
export default class Registry extends Migration {
  override name = 'registry'

  override up(): void {
    // Of a passport, or of one unit of its product. What the registry has given is null until it has given it; what it was told
    // last is `entry`, of the version `hash`.
    this.addSql(`
      create table registration (
        subject_id uuid primary key,
        passport_id uuid not null references passport on delete cascade,
        unit_id uuid references battery_unit on delete cascade,
        tenant_id uuid not null,
        state text not null check (state in ('PENDING', 'REGISTERED', 'FAILED')) default 'PENDING',
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
      )`)
    this.addSql(`create index on registration (tenant_id)`)
    this.addSql(`create index on registration (passport_id, unit_id)`)
    this.addSql(`create index on registration (unit_id) where unit_id is not null`)
    this.addSql(`alter table registration enable row level security`)
    this.addSql(`alter table registration force row level security`)
    this.addSql(`create policy registration_see on registration for select to dpp_app
      using (tenant_id = app_tenant() or exists (select from passport p where p.id = passport_id))`)
    this.addSql(`create policy registration_add on registration for insert to dpp_app
      with check (tenant_id = app_tenant() and exists (select from passport p where p.id = passport_id and p.tenant_id = app_tenant())
        and (unit_id is null or exists (
          select from battery_unit u where u.id = registration.unit_id and u.passport_id = registration.passport_id
        )))`)
    this.addSql(`create policy registration_change on registration for update to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    this.addSql(`grant select, insert, update on registration to dpp_app`)
    // Everybody may fetch the proof of what is published.
    this.addSql(`create policy registration_lookup on registration for select to dpp_lookup
      using (exists (select from passport p where p.id = passport_id and p.status <> 'DRAFT'))`)
    this.addSql(`grant select (subject_id, passport_id, unit_id, proof_type, proof) on registration to dpp_lookup`)
    // That of a passport shows in it. That there is one moves the passport too, and so does the first of its units, so that no
    // change of the passport overlooks them.
    this.addSql(`
      create function registration_moves() returns trigger language plpgsql as $$
      begin
        update passport set version = version where id = new.passport_id;
        return null;
      end $$`)
    this.addSql(`
      create function registration_begins() returns trigger language plpgsql as $$
      begin
        update passport set version = version where id = new.passport_id and (new.unit_id is null or not exists (
          select from registration r where r.passport_id = new.passport_id and r.subject_id <> new.subject_id
        ));
        return null;
      end $$`)
    this.addSql(`create trigger registration_begins after insert on registration for each row
      execute function registration_begins()`)
    this.addSql(`create trigger registration_moves after update on registration for each row
      when (new.unit_id is null
        and (old.registry, old.identifier, old.registered_at, old.version, old.hash, old.proof_type)
          is distinct from (new.registry, new.identifier, new.registered_at, new.version, new.hash, new.proof_type))
      execute function registration_moves()`)

    // By which version of the schema of its category metadata was checked as it was written; null where there was none, or
    // nobody kept it yet.
    for (const table of ['passport', 'passport_history']) {
      this.addSql(`alter table ${table} add column schema_version text check (schema_version ~ '^[0-9a-f]{12}$')`)
    }
    this.addSql(`grant update (schema_version) on passport to dpp_app`)
  }
}
