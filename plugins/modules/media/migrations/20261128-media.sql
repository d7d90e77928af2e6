-- Pictures and documents of passports, and brands of workspaces.

do $module$
begin
  -- Databases of alpha versions have these tables already.
  if to_regclass('media') is null then
    -- An empty audience is public. A logo has no passport.
    create table media (
      id uuid primary key,
      passport_id uuid references passport on delete cascade,
      tenant_id uuid not null,
      kind text not null check (kind in ('picture', 'document')),
      media_type text not null,
      title json,
      file text not null,
      sizes json not null,
      bytes int not null check (bytes >= 0),
      position int not null,
      created_at timestamptz(3) not null,
      document_type text,
      language text,
      audience text[] not null default '{}'::text[] check (audience <@ array['legitimateInterest', 'authority']),
      check (kind = 'document' or (document_type is null and language is null and audience = '{}'::text[]))
    );
    create index media_passport_id_idx on media (passport_id);
    create index media_tenant_id_idx on media (tenant_id);

    -- The sizes of a picture, or the file of a document: in media_piece, or in the object store (is_object).
    create table media_file (
      media_id uuid not null references media on delete cascade,
      name text not null,
      tenant_id uuid not null,
      media_type text not null,
      bytes int not null,
      sha256 bytea not null,
      is_object boolean not null,
      primary key (media_id, name)
    );

    create table media_piece (
      media_id uuid not null,
      name text not null,
      place int not null,
      tenant_id uuid not null,
      bytes bytea not null,
      foreign key (media_id, name) references media_file(media_id, name) on delete cascade,
      primary key (media_id, name, place)
    );
    alter table media_piece alter column bytes set storage external;

    -- Objects to delete from the object store.
    create table media_gone (
      key text primary key,
      gone_at timestamptz(3) not null default now()
    );

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

    perform charge_storage_of('media', 'bytes', '1', '{insert,delete}');
  end if;

  create table brand (
    tenant_id uuid primary key references workspace on delete cascade,
    accent text check (accent ~ '^#[0-9a-f]{6}$'),
    logo_id uuid references media on delete set null
  );

  -- Alpha versions stored brands with the workspace.
  if to_regproc('brand_moves') is not null then
    insert into brand (tenant_id, accent, logo_id)
      select id, accent, logo_id from workspace where accent is not null or logo_id is not null;
    drop trigger brand_moves on workspace;
    drop function brand_moves();
    alter table workspace drop column accent, drop column logo_id;
  end if;

  -- The brand shows in all passports of the workspace.
  create function brand_moves() returns trigger language plpgsql as $$
  begin
    update passport set version = version where tenant_id = new.tenant_id;
    return null;
  end $$;
  create trigger brand_moves after insert or update on brand for each row execute function brand_moves();

  alter table brand enable row level security, force row level security;
  create policy brand_own on brand to dpp_app using (tenant_id = app_tenant()) with check (tenant_id = app_tenant());

  grant insert, select, update on brand to dpp_app;
end $module$;
