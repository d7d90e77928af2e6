-- Links between passports, and handovers to another workspace (Regulation (EU) 2023/1542, Article 77(7)).

do $module$
begin
  -- Databases of alpha versions have these tables already.
  if to_regclass('passport_link') is null then
    -- Names of both sides are stored in the row: a reader of one passport need not see the other.
    create table passport_link (
      id uuid primary key,
      tenant_id uuid not null,
      passport_id uuid not null references passport on delete cascade,
      product_id text not null,
      asked_by text not null,
      rel text not null check (rel in ('replaces', 'derivedFrom', 'hasPart', 'partOf')),
      target_tenant_id uuid,
      target_id uuid references passport on delete cascade,
      target_url text,
      identifier text not null,
      status text not null check (status in ('PENDING', 'ACCEPTED')),
      created_at timestamptz(3) not null,
      accepted_at timestamptz(3),
      check ((target_id is null) = (target_tenant_id is null) and (target_id is null) <> (target_url is null)),
      check ((status = 'ACCEPTED') = (accepted_at is not null)),
      check (passport_id <> target_id)
    );
    create index passport_link_passport_id_idx on passport_link (passport_id);
    create unique index passport_link_passport_id_rel_md5_idx on passport_link (passport_id, rel, md5(target_url))
      where target_url is not null;
    create unique index passport_link_passport_id_rel_target_id_idx on passport_link (passport_id, rel, target_id)
      where target_id is not null;
    create index passport_link_target_id_idx on passport_link (target_id) where target_id is not null;

    -- Only the SHA-256 of the code is stored.
    create table handover (
      id uuid primary key,
      tenant_id uuid not null,
      passport_id uuid not null references passport on delete cascade,
      unit_id uuid references battery_unit on delete cascade,
      code_hash bytea not null unique,
      for_tenant_id uuid,
      for_reg_id text,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      withdrawn_at timestamptz(3),
      accepted_at timestamptz(3),
      accepted_by uuid
    );
    create unique index handover_open on handover (coalesce(unit_id, passport_id))
      where accepted_at is null and withdrawn_at is null;
    create index handover_passport_id_idx on handover (passport_id);
    create index handover_unit_id_idx on handover (unit_id) where unit_id is not null;

    -- Accepts an offer in the workspace that made it, which the caller may not write: status of the unit or link of the passport, audit
    -- entry and notification.
    create function handover_done(hash bytea, follower uuid, word text, link uuid) returns void language plpgsql
      security definer set search_path = pg_catalog, public, pg_temp as $$
    declare
      offer handover;
      predecessor battery_unit;
      successor battery_unit;
      follower_name constant text := (select legal_name from workspace where id = app_tenant());
    begin
      select * into offer from handover where code_hash = hash and accepted_at is null and withdrawn_at is null
        and expires_at > now() and tenant_id <> app_tenant() and coalesce(for_tenant_id, app_tenant()) = app_tenant() for update;
      if not found then raise exception 'the offer is not open' using errcode = 'DP423'; end if;
      if offer.unit_id is not null then
        select * into predecessor from battery_unit where id = offer.unit_id for no key update;
        select * into successor from battery_unit
        where id = follower and tenant_id = app_tenant() and predecessor_unit_id = offer.unit_id;
        if not found or predecessor.ceased_at is not null then
          raise exception 'the unit cannot be followed on' using errcode = 'DP423';
        end if;
        if word not in ('REPURPOSED', 'REMANUFACTURED', 'REUSED') then
          raise exception 'not a status of a unit that was handed over' using errcode = 'DP423';
        end if;
        update battery_unit set status = word, updated_at = now() where id = predecessor.id;
        insert into battery_unit_event (id, unit_id, tenant_id, operator_id, event_type, payload, recorded_at, created_at)
        values (gen_random_uuid(), predecessor.id, predecessor.tenant_id, predecessor.operator_id, 'STATUS_CHANGE',
          json_build_object('status', word, 'successorUnitId', successor.id, 'successorSerial', successor.serial_number),
          now(), now());
      else
        if not exists (select from passport where id = follower and tenant_id = app_tenant()) then
          raise exception 'the passport is not the workspace''s' using errcode = 'DP423';
        end if;
        insert into passport_link (id, passport_id, rel, target_id, status, created_at, accepted_at)
        values (link, follower, word, offer.passport_id, 'ACCEPTED', now(), now());
      end if;
      update handover set accepted_at = now(), accepted_by = app_tenant() where id = offer.id;
      -- In the form of RFC 8785, of which the hashes of the chain are.
      insert into audit_inbox (tenant_id, action, subject_id, actor, detail)
      values (offer.tenant_id, 'handover.accepted', coalesce(offer.unit_id, offer.passport_id), 'workspace:' || app_tenant(),
        ('{"acceptedBy":' || to_json(follower_name) || ',"handover":"' || offer.id || '","successor":"' || follower || '"}')::json);
      perform notify_workspace(p.tenant_id, p.operator_id, 'handover.accepted', coalesce(offer.unit_id, offer.passport_id)::text,
        case when offer.unit_id is null then format('%s follows on passport %s.', follower_name, p.product_id)
          else format('%s has taken over battery unit %s of passport %s.', follower_name, predecessor.serial_number, p.product_id) end)
      from passport p where p.id = offer.passport_id;
    end $$;
    revoke all on function handover_done from public;
    grant execute on function handover_done to dpp_app;

    -- The offer of a code. Its row stays locked until the transaction ends.
    create function handover_find(hash bytea)
      returns table (
        tenant_id uuid, passport_id uuid, unit_id uuid, product_id text, has_ceased boolean, for_tenant_id uuid, for_reg_id text,
        state text
      ) language plpgsql
      security definer set search_path = pg_catalog, public, pg_temp as $$
    begin
      return query
      select h.tenant_id, h.passport_id, h.unit_id, p.product_id, u.ceased_at is not null, h.for_tenant_id, h.for_reg_id,
        case when h.accepted_at is not null then 'ACCEPTED' when h.withdrawn_at is not null then 'WITHDRAWN'
          when h.expires_at <= now() then 'EXPIRED' else 'OPEN' end
      from handover h join passport p on p.id = h.passport_id left join battery_unit u on u.id = h.unit_id
      where h.code_hash = hash for update of h;
    end $$;
    revoke all on function handover_find from public;
    grant execute on function handover_find to dpp_app;

    -- True if the link would close a circle of its kind; null if there are too many links to tell.
    create function passport_link_circles(link passport_link) returns boolean language plpgsql as $$
    declare
      below constant uuid := case link.rel when 'hasPart' then link.target_id else link.passport_id end;
      above constant uuid := case link.rel when 'hasPart' then link.passport_id else link.target_id end;
      meets boolean;
      met int;
    begin
      -- Serialized: two concurrent links do not see each other and could form a cycle.
      perform pg_advisory_xact_lock(7041);
      with recursive up (id) as (
        select above
        union
        select case l.rel when 'hasPart' then l.passport_id else l.target_id end
        from up join passport_link l on l.status = 'ACCEPTED' and (
          (l.rel = link.rel or (l.rel = 'partOf' and link.rel = 'hasPart')) and l.rel <> 'hasPart' and l.passport_id = up.id
          or l.rel = 'hasPart' and link.rel in ('hasPart', 'partOf') and l.target_id = up.id)
        where l.target_id is not null
      )
      select bool_or(id = below), count(*) into meets, met from (select id from up limit 1000 + 1) as walked;
      return case when meets then true when met > 1000 then null else false end;
    end $$;
    revoke all on function passport_link_circles from public;

    -- Fills in both sides, of which the caller may not see one, and checks limits and circles while both are locked.
    create function passport_link_joins() returns trigger language plpgsql
      security definer set search_path = pg_catalog, public, pg_temp as $$
    declare
      closes boolean;
    begin
      perform 1 from passport where id in (new.passport_id, new.target_id) order by id for no key update;
      if tg_op = 'INSERT' then
        select p.tenant_id, p.product_id, w.legal_name into new.tenant_id, new.product_id, new.asked_by
        from passport p join workspace w on w.id = p.tenant_id where p.id = new.passport_id and p.status <> 'DRAFT';
        if not found then raise exception 'the passport is not published' using errcode = 'DP422'; end if;
        if new.target_id is not null then
          select tenant_id, product_id into new.target_tenant_id, new.identifier from passport
          where id = new.target_id and status <> 'DRAFT';
          if not found then raise exception 'the target is not published' using errcode = 'DP422'; end if;
        end if;
        if new.rel in ('hasPart', 'partOf') and exists (
          select from passport_link l where l.passport_id = new.target_id and l.target_id = new.passport_id
            and l.rel in ('hasPart', 'partOf') and l.rel <> new.rel
        ) then
          raise unique_violation using message = 'the other side says so already';
        end if;
      end if;
      -- A link that was asked for has its place on the side that asks already.
      if (tg_op = 'INSERT' and not passport_link_room(new.passport_id, false))
        or (new.target_id is not null and (tg_op = 'INSERT' or old.status = 'PENDING')
          and not passport_link_room(new.target_id, new.status = 'PENDING' and new.target_tenant_id <> new.tenant_id)) then
        raise exception 'a passport has as many links as it may' using errcode = 'DP507';
      end if;
      if new.target_id is not null then
        closes := passport_link_circles(new);
        if closes is distinct from false then
          raise exception 'the link would close a circle' using errcode = 'DP508';
        end if;
      end if;
      return new;
    end $$;
    revoke all on function passport_link_joins from public;

    -- A link shows in both passports, and the other workspace is notified.
    create function passport_link_moves() returns trigger language plpgsql
      security definer set search_path = pg_catalog, public, pg_temp as $$
    declare
      link constant passport_link := coalesce(new, old);
    begin
      if link.status = 'ACCEPTED' then
        perform 1 from passport where id in (link.passport_id, link.target_id) order by id for no key update;
        update passport set version = version where id in (link.passport_id, link.target_id);
      end if;
      if tg_op = 'INSERT' and link.status = 'PENDING' then
        perform notify_workspace(p.tenant_id, p.operator_id, 'link.requested', link.id::text,
          format('%s asks to link its passport %s with your passport %s (%s).', link.asked_by, link.product_id, p.product_id, link.rel))
        from passport p where p.id = link.target_id;
      elsif tg_op = 'UPDATE' or (tg_op = 'DELETE' and link.status = 'PENDING' and link.target_tenant_id = app_tenant()) then
        perform notify_workspace(p.tenant_id, p.operator_id, 'link.decided', link.id::text,
          format('The link of passport %s with passport %s was %s.', link.product_id, link.identifier,
            case tg_op when 'UPDATE' then 'accepted' else 'declined' end))
        from passport p where p.id = link.passport_id;
      end if;
      return null;
    end $$;
    revoke all on function passport_link_moves from public;

    -- At most 100 own and accepted links, and 100 requests of others.
    create function passport_link_room(side uuid, is_asked boolean) returns boolean language sql stable as $$
    select case when is_asked
      then count(*) filter (where l.status = 'PENDING' and l.tenant_id <> p.tenant_id) < 100
      else count(*) filter (where l.status = 'ACCEPTED' or l.tenant_id = p.tenant_id) < 100 end
    from passport p left join passport_link l on l.passport_id = p.id or l.target_id = p.id
    where p.id = side group by p.id $$;
    revoke all on function passport_link_room from public;

    -- One side of a link, as a workspace may see it before it asks.
    create function passport_link_side(side uuid)
      returns table (id uuid, tenant_id uuid, operator_id uuid, product_id text, status text, legal_name text) language sql
      stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select p.id, p.tenant_id, p.operator_id, p.product_id, p.status, w.legal_name
    from passport p join workspace w on w.id = p.tenant_id
    where p.id = side and (p.status <> 'DRAFT' or p.tenant_id = app_tenant()) $$;
    revoke all on function passport_link_side from public;
    grant execute on function passport_link_side to dpp_app;

    create trigger passport_link_joins before insert or update on passport_link for each row
      execute function passport_link_joins();
    create trigger passport_link_moves after insert or update or delete on passport_link for each row
      execute function passport_link_moves();

    alter table passport_link enable row level security, force row level security;
    create policy passport_link_add on passport_link for insert to dpp_app
      with check (tenant_id = app_tenant() and (status = 'PENDING' or target_tenant_id is null or target_tenant_id = tenant_id));
    create policy passport_link_change on passport_link for update to dpp_app
      using (tenant_id = app_tenant() or target_tenant_id = app_tenant())
      with check (target_tenant_id = app_tenant());
    create policy passport_link_keep on passport_link to current_user using (true) with check (true);
    create policy passport_link_remove on passport_link for delete to dpp_app
      using (tenant_id = app_tenant() or target_tenant_id = app_tenant());
    create policy passport_link_see on passport_link for select to dpp_app
      using (tenant_id = app_tenant()
        or target_tenant_id = app_tenant()
        or exists (select from passport p where p.id in (passport_link.passport_id, passport_link.target_id)));

    alter table handover enable row level security, force row level security;
    create policy handover_add on handover for insert to dpp_app
      with check (tenant_id = app_tenant()
        and exists (select from passport p where p.id = handover.passport_id and p.tenant_id = app_tenant())
        and (unit_id is null
        or exists (select from battery_unit u where u.id = handover.unit_id and u.passport_id = handover.passport_id)));
    create policy handover_change on handover for update to dpp_app
      using (tenant_id = app_tenant())
      with check (tenant_id = app_tenant());
    create policy handover_keep on handover to current_user using (true) with check (true);
    create policy handover_see on handover for select to dpp_app using (tenant_id = app_tenant());

    grant insert, select, delete, update (status, accepted_at) on passport_link to dpp_app;
    grant insert, select, update (withdrawn_at) on handover to dpp_app;
  end if;
end $module$;
