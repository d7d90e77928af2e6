import { Migration } from '@mikro-orm/migrations'

/** What a registry was told of a passport, and what it answered. */
export default class Registry extends Migration {
  override name = 'registry'

  override up(): void {
    // What the registry has given is null until it has given it; what it was told last is `entry`, of the version `hash`.
    this.addSql(`
      create table registration (
        passport_id uuid primary key references passport on delete cascade,
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
        check ((registry is null) = (identifier is null)),
        check ((proof is null) = (proof_type is null))
      )`)
    this.addSql(`create index on registration (tenant_id)`)
    this.addSql(`alter table registration enable row level security`)
    this.addSql(`alter table registration force row level security`)
    this.addSql(`create policy registration_see on registration for select to dpp_app
      using (tenant_id = app_tenant() or exists (select from passport p where p.id = passport_id))`)
    this.addSql(`create policy registration_add on registration for insert to dpp_app
      with check (tenant_id = app_tenant() and exists (select from passport p where p.id = passport_id and p.tenant_id = app_tenant()))`)
    this.addSql(`create policy registration_change on registration for update to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    this.addSql(`grant select, insert, update on registration to dpp_app`)
    // Everybody may fetch the proof of what is published.
    this.addSql(`create policy registration_lookup on registration for select to dpp_lookup
      using (exists (select from passport p where p.id = passport_id and p.status <> 'DRAFT'))`)
    this.addSql(`grant select (passport_id, proof_type, proof) on registration to dpp_lookup`)
    // It shows in the passport. That there is one moves it too, so that no change of the passport overlooks it.
    this.addSql(`
      create function registration_moves() returns trigger language plpgsql as $$
      begin
        update passport set version = version where id = new.passport_id;
        return null;
      end $$`)
    this.addSql(`create trigger registration_begins after insert on registration for each row
      execute function registration_moves()`)
    this.addSql(`create trigger registration_moves after update on registration for each row
      when ((old.registry, old.identifier, old.registered_at, old.version, old.hash, old.proof_type)
        is distinct from (new.registry, new.identifier, new.registered_at, new.version, new.hash, new.proof_type))
      execute function registration_moves()`)
  }
}
