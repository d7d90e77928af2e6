-- Workspaces that hold the prefixes of GS1 keys, by the place of the key. A GTIN-14 has an indicator digit and a GRAI a filler
-- zero before the prefix (GS1 General Specifications 3.3.2, 3.9.3). Claims do not overlap: only the greatest one up to the key can match.
create function company_prefix_holders(keys text[]) returns table (place int, holder uuid) language plpgsql
  stable security definer rows 1 set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

-- The ids whose key, at the same place, has a prefix of another workspace.
create function company_prefix_refuses(keys text[], ids uuid[], operators uuid[]) returns uuid[] language plpgsql
  stable as $$
begin
  return array(
    select distinct ids[h.place] from company_prefix_holders(keys) as h
    where h.holder <> app_tenant()
      and h.holder is distinct from (select o.tenant_id from operator o where o.id = operators[h.place])
  );
end $$;

-- Every writer: no one publishes under the prefix of another workspace.
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
end $$;

create trigger passport_keeps_to_claims after update on passport for each row
  when (new.status <> 'DRAFT' and (old.status = 'DRAFT'
    or (old.gtin is distinct from new.gtin
    or old.grai is distinct from new.grai)))
  execute function passport_keeps_to_claims();

alter table company_prefix enable row level security, force row level security;
create policy company_prefix_keep on company_prefix for select to current_user using (true);
create policy company_prefix_lookup on company_prefix for select to dpp_lookup using (true);
create policy company_prefix_own on company_prefix to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

grant insert, select, delete on company_prefix to dpp_app;
grant select on company_prefix to dpp_lookup;
