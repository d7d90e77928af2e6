-- Members of metadata that have a column.
create type passport_keys as (category text, "originCountry" text, gtin text, grai text);

-- Every writer: a version that was published survives the deletion of its passport.
create function passport_archives() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- A workspace that is deleted takes its archive along.
  if not exists (select from workspace w where w.id = old.tenant_id) then
    return old;
  end if;
  -- The gateway deletes drafts only; what is published is a version too.
  if old.status <> 'DRAFT' then
    insert into passport_history (passport_id, tenant_id, version, metadata, changed_by, change_reason, created_at,
      status, seal_id, recall, archived_at, retention_until, schema_version)
    select old.id, old.tenant_id,
      coalesce((select max(h.version) from passport_history h where h.passport_id = old.id), 0) + 1,
      old.metadata, session_user, 'Deleted in the database', now(),
      old.status, old.seal_id, old.recall, old.archived_at, old.retention_until, old.schema_version;
  end if;
  insert into deleted_passport (id, tenant_id, operator_id, product_id, facility_id, category, metadata, enrichment,
    created_at, deleted_at, retention_until)
  select old.id, old.tenant_id, old.operator_id, old.product_id, old.facility_id, old.category, old.metadata,
    old.enrichment, old.created_at, now(),
    coalesce(nullif(current_setting('app.retention_until', true), '')::timestamptz, now() + interval '10 years')
  where exists (select from passport_history h where h.passport_id = old.id and h.status is distinct from 'DRAFT');
  return old;
end $$;

-- Every writer: the database unlinks passports of a deleted facility without a version.
create function passport_facility_archives() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into passport_facility (passport_id, place, facility_id, shown_until)
  values (
    old.id,
    coalesce((select max(place) from passport_facility where passport_id = old.id), 0) + 1,
    old.facility_id,
    case when new.updated_at > old.updated_at then new.updated_at
      else date_trunc('milliseconds', clock_timestamp()) end
  );
  return null;
end $$;

-- Saves the round trip of a count.
create function passport_counts() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    insert into passport_count as c (operator_id, tenant_id, slot, ready, not_ready, published)
    select operator_id, tenant_id, own_slot(), -count(facility_id), -count(*) filter (where facility_id is null),
      -count(*) filter (where status <> 'DRAFT')
    from old_rows where archived_at is null group by operator_id, tenant_id order by operator_id, tenant_id
    on conflict on constraint passport_count_pkey do update set ready = c.ready + excluded.ready,
      not_ready = c.not_ready + excluded.not_ready, published = c.published + excluded.published;
  end if;
  if tg_op <> 'DELETE' then
    insert into passport_count as c (operator_id, tenant_id, slot, ready, not_ready, published)
    select operator_id, tenant_id, own_slot(), count(facility_id), count(*) filter (where facility_id is null),
      count(*) filter (where status <> 'DRAFT')
    from new_rows where archived_at is null group by operator_id, tenant_id order by operator_id, tenant_id
    on conflict on constraint passport_count_pkey do update set ready = c.ready + excluded.ready,
      not_ready = c.not_ready + excluded.not_ready, published = c.published + excluded.published;
  end if;
  if tg_op = 'UPDATE' then
    perform set_config('app.passports_recount', 'off', true);
  end if;
  return null;
end $$;

-- Every process forgets its cached documents.
create function passport_gone() returns trigger language plpgsql as $$ begin perform tell_change(old.id::text); return old; end $$;

-- Every writer: a change of any visible value is a new version, and every process hears of it.
create function passport_moves() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  perform tell_change(new.id::text);
  return new;
end $$;

-- Most updates change no count, and only a row can tell: it sets a flag for the trigger of the statement.
create function passport_recounts() returns trigger language plpgsql as $$
begin
  perform set_config('app.passports_recount', 'on', true);
  return new;
end $$;

-- The import of a sealed AAS environment may restore a deleted passport under its id.
create function passport_returns() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from deleted_passport d join new_rows n on n.id = d.id) then
    return null;
  end if;
  if exists (select from deleted_passport d join new_rows n on n.id = d.id and n.tenant_id <> d.tenant_id) then
    raise unique_violation using constraint = 'passport_pkey';
  end if;
  delete from deleted_passport d using new_rows n where n.id = d.id;
  return null;
end $$;

-- Reads metadata once instead of once per generated column.
create function passport_tells_keys() returns trigger language plpgsql as $$
declare
  keys passport_keys;
begin
  if json_typeof(new.metadata) = 'object' then
    keys := json_populate_record(null::passport_keys, new.metadata);
  end if;
  new.category := left(keys.category, 64);
  new.origin_country := left(keys."originCountry", 64);
  new.gtin := left(keys.gtin, 64);
  new.grai := left(keys.grai, 64);
  return new;
end $$;

-- Takes the place of foreign keys: versions belong to a passport or to a deleted one.
create function passport_versions_leave() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from passport where id = old.id) or exists (select from deleted_passport where id = old.id) then
    return null;
  end if;
  delete from sealed_version where passport_id = old.id;
  delete from passport_history where passport_id = old.id;
  delete from seal where passport_id = old.id;
  delete from passport_facility where passport_id = old.id;
  return null;
end $$;

create trigger passport_archives before delete on passport for each row execute function passport_archives();
create trigger passport_delete_counts after delete on passport referencing old table as old_rows for each statement
  execute function passport_counts();
create trigger passport_facility_archives after update on passport for each row
  when (old.facility_id is distinct from new.facility_id)
  execute function passport_facility_archives();
create trigger passport_gone after delete on passport for each row execute function passport_gone();
create trigger passport_insert_counts after insert on passport referencing new table as new_rows for each statement
  execute function passport_counts();
create trigger passport_moves before update on passport for each row execute function passport_moves();
create trigger passport_recounts before update on passport for each row
  when ((old.facility_id is null) is distinct from (new.facility_id is null)
    or (old.status = 'DRAFT') is distinct from (new.status = 'DRAFT')
    or (old.archived_at is null) is distinct from (new.archived_at is null))
  execute function passport_recounts();
create trigger passport_returns after insert on passport referencing new table as new_rows for each statement
  execute function passport_returns();
create trigger passport_tells_keys before insert on passport for each row execute function passport_tells_keys();
create trigger passport_tells_other_keys before update of metadata on passport for each row
  when (old.metadata::text is distinct from new.metadata::text)
  execute function passport_tells_keys();
create trigger passport_update_counts after update on passport
  referencing old table as old_rows new table as new_rows for each statement
  when (current_setting('app.passports_recount', true) = 'on')
  execute function passport_counts();
create trigger passport_versions_leave after delete on passport for each row execute function passport_versions_leave();

create trigger passport_versions_leave after delete on deleted_passport for each row
  execute function passport_versions_leave();

alter table seal enable row level security, force row level security;
create policy seal_add on seal for insert to dpp_app
  with check (exists (select from passport p
    where (p.id, p.tenant_id, p.operator_id) = (seal.passport_id, seal.tenant_id, seal.operator_id)));
create policy seal_keep on seal to current_user using (true) with check (true);
-- The workspace and the operator of its passport, which never change. Lists read many rows: a subselect runs once per statement.
create policy seal_see on seal for select to dpp_app
  using (tenant_id = (select app_tenant())
    or operator_id = any ((select app_operators())::uuid[]));

alter table passport enable row level security, force row level security;
create policy passport_add on passport for insert to dpp_app
  with check (tenant_id = app_tenant()
    and operator_id = any ((select app_operators())::uuid[]));
create policy passport_change on passport for update to dpp_app
  using (tenant_id = app_tenant()
    or operator_id = any ((select app_operators())::uuid[]))
  with check (tenant_id = app_tenant()
    or operator_id = any ((select app_operators())::uuid[]));
create policy passport_crossing_change on passport for update to current_user
  using (current_user <> session_user)
  with check (current_user <> session_user);
create policy passport_crossing_see on passport for select to current_user using (current_user <> session_user);
create policy passport_keep on passport for select to current_user using (true);
create policy passport_lookup on passport for select to dpp_lookup using (true);
create policy passport_remove on passport for delete to dpp_app
  using (tenant_id = app_tenant()
    or operator_id = any ((select app_operators())::uuid[]));
create policy passport_see on passport for select to dpp_app
  using (tenant_id = (select app_tenant())
    or operator_id = any ((select app_operators())::uuid[]));

alter table passport_history enable row level security, force row level security;
create policy passport_history_add on passport_history for insert to dpp_app
  with check (exists (select from passport p where p.id = passport_history.passport_id));
create policy passport_history_keep on passport_history to current_user using (true) with check (true);
create policy passport_history_see on passport_history for select to dpp_app
  using (exists (select from passport p where p.id = passport_history.passport_id)
    or exists (select from deleted_passport d where d.id = passport_history.passport_id));

alter table passport_facility enable row level security, force row level security;
create policy passport_facility_keep on passport_facility to current_user using (true) with check (true);
create policy passport_facility_see on passport_facility for select to dpp_app
  using (exists (select from passport p where p.id = passport_facility.passport_id)
    or exists (select from deleted_passport d where d.id = passport_facility.passport_id));

alter table deleted_passport enable row level security, force row level security;
create policy deleted_passport_expire on deleted_passport to dpp_jobs using (retention_until < now());
create policy deleted_passport_keep on deleted_passport to current_user using (true) with check (true);
create policy deleted_passport_lookup on deleted_passport for select to dpp_lookup using (true);
create policy deleted_passport_see on deleted_passport for select to dpp_app
  using (tenant_id = app_tenant()
    or operator_id = any ((select app_operators())::uuid[]));

alter table passport_count enable row level security, force row level security;
create policy passport_count_keep on passport_count to current_user using (true) with check (true);
create policy passport_count_see on passport_count for select to dpp_app
  using (tenant_id = app_tenant()
    or operator_id = any ((select app_operators())::uuid[]));

alter table rendition enable row level security, force row level security;
create policy rendition_lookup on rendition for select to dpp_lookup
  using (tier = 'public' and exists (select from passport p where p.id = rendition.passport_id and p.status <> 'DRAFT'));
create policy rendition_own on rendition to dpp_app
  using (exists (select from passport p where p.id = rendition.passport_id))
  with check (exists (select from passport p where p.id = rendition.passport_id));

grant insert, select on seal to dpp_app;
grant insert, select, delete, update (facility_id, status, metadata, enrichment, version, seal_id, archived_at,
  retention_until, updated_at, is_repeatable, recall, schema_version, journey) on passport to dpp_app;
grant select (id, tenant_id, operator_id, product_id, status, version, seal_id, created_at, category, gtin, grai)
  on passport to dpp_lookup;
grant insert, select on passport_history to dpp_app;
grant select on passport_facility to dpp_app;
grant select on deleted_passport to dpp_app;
grant select (id, tenant_id, operator_id, category) on deleted_passport to dpp_lookup;
grant select, delete on deleted_passport to dpp_jobs;
grant select on known_passport to dpp_app;
grant select on passport_version to dpp_app;
grant select on passport_count to dpp_app;
grant insert, select, update, delete on rendition to dpp_app;
grant select on rendition to dpp_lookup;
