-- Saves the round trip of a count.
create function access_grant_counts() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into grant_count as c select tenant_id, coalesce(operator_id, '00000000-0000-0000-0000-000000000000'), own_slot(), count(*)
    from new_rows group by 1, 2 order by 1, 2
    on conflict on constraint grant_count_pkey do update set total = c.total + excluded.total;
  else
    insert into grant_count as c select tenant_id, coalesce(operator_id, '00000000-0000-0000-0000-000000000000'), own_slot(), -count(*)
    from old_rows group by 1, 2 order by 1, 2
    on conflict on constraint grant_count_pkey do update set total = c.total + excluded.total;
  end if;
  return null;
end $$;

-- Saves the read of the passport.
create function access_grant_tells_operator() returns trigger language plpgsql as $$
begin
  new.operator_id := (select p.operator_id from passport p where p.id = new.passport_id);
  return new;
end $$;

create trigger access_grant_delete_counts after delete on access_grant referencing old table as old_rows for each statement
  execute function access_grant_counts();
create trigger access_grant_insert_counts after insert on access_grant referencing new table as new_rows for each statement
  execute function access_grant_counts();
create trigger access_grant_tells_operator before insert on access_grant for each row
  execute function access_grant_tells_operator();

alter table access_grant enable row level security, force row level security;
create policy access_grant_count on access_grant for update to dpp_lookup using (true) with check (true);
create policy access_grant_lookup on access_grant for select to dpp_lookup using (true);
create policy access_grant_own on access_grant to dpp_app
  using (tenant_id = app_tenant())
  with check (tenant_id = app_tenant());

alter table grant_count enable row level security, force row level security;
create policy grant_count_keep on grant_count to current_user using (true) with check (true);
create policy grant_count_see on grant_count for select to dpp_app using (tenant_id = app_tenant());

grant insert, select, update (status, decided_at, decided_by, expires_at, revoked_at, token_hash, language,
  reference_hash, actor_kind, identifier_scheme, identifier) on access_grant to dpp_app;
grant select (id, tenant_id, status, kind, scope_type, passport_id, battery_unit_id, expires_at, last_used_at, use_count,
  token_hash, reference_hash), update (last_used_at, use_count) on access_grant to dpp_lookup;
grant select on grant_count to dpp_app;
