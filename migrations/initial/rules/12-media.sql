-- The brand shows in all passports of the workspace.
create function brand_moves() returns trigger language plpgsql as $$
begin
  update passport set version = version where tenant_id = new.id;
  return null;
end $$;

-- Every writer, foreign keys included: the object has to be deleted too.
create function media_file_gone() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into media_gone (key) values (old.tenant_id || '/' || old.media_id || '/' || old.name) on conflict do nothing;
  return null;
end $$;

-- Media show in the passport.
create function media_moves() returns trigger language plpgsql as $$
begin
  update passport set version = version where id = coalesce(new.passport_id, old.passport_id);
  return null;
end $$;

create trigger media_moves after insert or update or delete on media for each row execute function media_moves();

create trigger media_file_gone after delete on media_file for each row
  when (old.is_object)
  execute function media_file_gone();

create trigger brand_moves after update on workspace for each row
  when (old.accent is distinct from new.accent or old.logo_id is distinct from new.logo_id)
  execute function brand_moves();

alter table media enable row level security, force row level security;
create policy media_own on media to dpp_app using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());
create policy media_lookup on media for select to dpp_lookup
  using (passport_id is null or exists (select from passport p where p.id = media.passport_id and p.status <> 'DRAFT'));
create policy media_see on media for select to dpp_app using (exists (select from passport p where p.id = media.passport_id));

alter table media_file enable row level security, force row level security;
create policy media_file_add on media_file for insert to dpp_app with check (tenant_id = app_tenant());
create policy media_file_lookup on media_file for select to dpp_lookup
  using (exists (select from media m where m.id = media_file.media_id and m.audience = '{}'::text[]));
create policy media_file_remove on media_file for delete to dpp_app using (tenant_id = app_tenant());
create policy media_file_see on media_file for select to dpp_app
  using (exists (select from media m where m.id = media_file.media_id));

alter table media_piece enable row level security, force row level security;
create policy media_piece_add on media_piece for insert to dpp_app with check (tenant_id = app_tenant());
create policy media_piece_lookup on media_piece for select to dpp_lookup
  using (exists (select from media m where m.id = media_piece.media_id and m.audience = '{}'::text[]));
create policy media_piece_remove on media_piece for delete to dpp_app using (tenant_id = app_tenant());
create policy media_piece_see on media_piece for select to dpp_app
  using (exists (select from media m where m.id = media_piece.media_id));

grant insert, select, delete, update (title, position) on media to dpp_app;
grant select (id, passport_id, audience) on media to dpp_lookup;
grant insert, select, delete on media_file to dpp_app;
grant select on media_file to dpp_lookup;
grant insert, select, delete on media_piece to dpp_app;
grant select on media_piece to dpp_lookup;
grant select, delete on media_gone to dpp_jobs;
