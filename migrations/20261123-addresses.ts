import { Migration } from '@mikro-orm/migrations'

/** Whose an address is: GS1 company prefixes that workspaces have claimed, and what may stand under them. */
export default class Addresses extends Migration {
  override name = 'addresses'

  override up(): void {
    this.prefixes()
    this.enforcement()
    // Several passports at one address are told in an order to which seals belong; that there is one is public.
    this.addSql(`grant select (seal_id) on passport to dpp_lookup`)
  }

  /** No two claims overlap: neither is the beginning of the other, whoever is faster. */
  private prefixes(): void {
    this.addSql(`
      create table company_prefix (
        prefix text collate "C" primary key check (prefix ~ '^[0-9]{4,12}$'),
        tenant_id uuid not null references workspace on delete cascade,
        claimed_at timestamptz(3) not null default now(),
        exclude using gist (int8range(rpad(prefix, 12, '0')::bigint, rpad(prefix, 12, '9')::bigint, '[]') with &&)
      )`)
    this.addSql(`alter table company_prefix enable row level security`)
    this.addSql(`alter table company_prefix force row level security`)
    this.addSql(`create policy company_prefix_own on company_prefix to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    this.addSql(`create policy company_prefix_lookup on company_prefix for select to dpp_lookup using (true)`)
    this.addSql(`grant select, insert, delete on company_prefix to dpp_app`)
    this.addSql(`grant select on company_prefix to dpp_lookup`)
    // The function below works as the table's owner: a workspace has to respect claims that it cannot list.
    this.addSql(`create policy company_prefix_keep on company_prefix for select to current_user using (true)`)
  }

  /**
   * Which keys are another's is asked with every write, so it is asked at once for all rows, and costs next to nothing where
   * nobody has claimed anything.
   */
  private enforcement(): void {
    // The workspaces that hold the prefixes of GS1 keys, by the key's place in the list; a key nobody holds has no row. A
    // GTIN-14 has an indicator digit and a GRAI a filler zero before the prefix (GS1 General Specifications 3.3.2, 3.9.3).
    // As claims do not overlap, the greatest one up to the key is the only one that can be its beginning.
    this.addSql(`
      create function company_prefix_holders(keys text[]) returns table (place int, holder uuid)
      language plpgsql stable security definer rows 1 set search_path = pg_catalog, public, pg_temp as $$
      begin
        if exists (select 1 from company_prefix) then
          return query
            select k.place::int, nearest.tenant_id
            from unnest(keys) with ordinality as k (key, place)
              cross join lateral (
                select c.prefix, c.tenant_id from company_prefix c
                where c.prefix <= substr(k.key, 2, 12) order by c.prefix desc limit 1
              ) as nearest
            where starts_with(substr(k.key, 2), nearest.prefix);
        end if;
      end $$`)
    // The ids of those whose key, at the same place, another workspace holds. An operator's own workspace is no other.
    this.addSql(`
      create function company_prefix_refuses(keys text[], ids uuid[], operators uuid[]) returns uuid[]
      language plpgsql stable as $$
      begin
        return array(
          select distinct ids[h.place] from company_prefix_holders(keys) as h
          where h.holder <> app_tenant()
            and h.holder is distinct from (select o.tenant_id from operator o where o.id = operators[h.place])
        );
      end $$`)
    // Inserts are judged by the statement that makes them, row by row. Whatever changes the keys of a passport, or
    // publishes it, is judged here, so that no writer can forget it.
    this.addSql(`
      create function passport_keeps_to_claims() returns trigger language plpgsql as $$
      declare
        keys constant text[] := array(
          select key from unnest(array[new.product_id, new.gtin, new.grai]) as k (key)
          where key ~ '^[0-9]{14}[0-9A-Za-z]{0,16}$'
        );
      begin
        if company_prefix_refuses(keys, array_fill(new.id, array[cardinality(keys)]),
          array_fill(new.operator_id, array[cardinality(keys)])) <> '{}' then
          raise exception 'a GS1 key of passport % is under a claimed prefix', new.id using errcode = 'DP409';
        end if;
        return null;
      end $$`)
    this.addSql(`create trigger passport_keeps_to_claims after update on passport for each row
      when (new.status <> 'DRAFT'
        and (old.status = 'DRAFT' or (old.gtin, old.grai) is distinct from (new.gtin, new.grai)))
      execute function passport_keeps_to_claims()`)
  }
}
