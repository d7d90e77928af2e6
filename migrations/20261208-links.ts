import { Migration } from '@mikro-orm/migrations'

/** Links between passports, across workspaces by consent alone. */
export default class Links extends Migration {
  override name = 'links'

  override up(): void {
    this.table()
    this.isolation()
    this.circles()
    this.joins()
    this.moves()
  }

  /** What is shown of either side stands in the row, so that whoever reads one passport need not see the other. */
  private table(): void {
    this.addSql(`
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
      )`)
    this.addSql(`create unique index on passport_link (passport_id, rel, target_id) where target_id is not null`)
    this.addSql(`create unique index on passport_link (passport_id, rel, md5(target_url)) where target_url is not null`)
    this.addSql(`create index on passport_link (passport_id)`)
    this.addSql(`create index on passport_link (target_id) where target_id is not null`)
  }

  /**
   * Who may read a passport may read its links. A workspace links its own passports, accepts what others ask of its own, and
   * takes away what is on either side its own. What it says of the other side is not its to say: the trigger below fills that in.
   */
  private isolation(): void {
    this.addSql(`alter table passport_link enable row level security`)
    this.addSql(`alter table passport_link force row level security`)
    this.addSql(`create policy passport_link_see on passport_link for select to dpp_app using (
      tenant_id = app_tenant() or target_tenant_id = app_tenant()
      or exists (select from passport p where p.id in (passport_id, target_id)))`)
    this.addSql(`create policy passport_link_add on passport_link for insert to dpp_app with check (
      tenant_id = app_tenant() and (status = 'PENDING' or target_tenant_id is null or target_tenant_id = tenant_id))`)
    // Both may hold it; the one that was asked alone changes it.
    this.addSql(`create policy passport_link_change on passport_link for update to dpp_app
      using (tenant_id = app_tenant() or target_tenant_id = app_tenant()) with check (target_tenant_id = app_tenant())`)
    this.addSql(`create policy passport_link_remove on passport_link for delete to dpp_app
      using (tenant_id = app_tenant() or target_tenant_id = app_tenant())`)
    this.addSql(`create policy passport_link_keep on passport_link to current_user using (true) with check (true)`)
    this.addSql(`grant select, insert, delete, update (status, accepted_at) on passport_link to dpp_app`)
    // The functions below work as the owner of the tables, for whoever calls them: they read what both sides are, and move
    // their versions. The owner who has logged in sees no passports, as before.
    const crossing = 'current_user <> session_user'
    this.addSql(`create policy passport_crossing_see on passport for select to current_user using (${crossing})`)
    this.addSql(`create policy passport_crossing_change on passport for update to current_user
      using (${crossing}) with check (${crossing})`)
    this.addSql(
      `create policy notification_crossing on notification for insert to current_user with check (${crossing})`,
    )
  }

  /** Whether a link would lead from a passport back to it, by links of the same kind; null where there are too many to tell. */
  private circles(): void {
    this.addSql(`
      create function passport_link_circles(link passport_link) returns boolean language plpgsql as $$
      declare
        below constant uuid := case link.rel when 'hasPart' then link.target_id else link.passport_id end;
        above constant uuid := case link.rel when 'hasPart' then link.passport_id else link.target_id end;
        meets boolean;
        met int;
      begin
        -- One after the other: two links that are added at once do not see each other, and could close a circle.
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
        select bool_or(id = below), count(*) into meets, met from (select id from up limit ${MOST_WALKED} + 1) as walked;
        return case when meets then true when met > ${MOST_WALKED} then null else false end;
      end $$`)
  }

  /** What a link says of its two sides is read here, where they are locked, in the order of their ids. */
  private joins(): void {
    this.addSql(`
      create function passport_link_joins() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      declare
        closes boolean;
      begin
        if tg_op = 'INSERT' then
          perform 1 from passport where id in (new.passport_id, new.target_id) order by id for no key update;
          select p.tenant_id, p.product_id, w.legal_name into new.tenant_id, new.product_id, new.asked_by
          from passport p join workspace w on w.id = p.tenant_id where p.id = new.passport_id and p.status <> 'DRAFT';
          if not found then raise exception 'the passport is not published' using errcode = '${NOT_PUBLISHED}'; end if;
          if new.target_id is not null then
            select tenant_id, product_id into new.target_tenant_id, new.identifier from passport
            where id = new.target_id and status <> 'DRAFT';
            if not found then raise exception 'the target is not published' using errcode = '${NOT_PUBLISHED}'; end if;
          end if;
          if new.rel in ('hasPart', 'partOf') and exists (
            select from passport_link l where l.passport_id = new.target_id and l.target_id = new.passport_id
              and l.rel in ('hasPart', 'partOf') and l.rel <> new.rel
          ) then
            raise unique_violation using message = 'the other side says so already';
          end if;
          if exists (
            select from unnest(array[new.passport_id, new.target_id]) as side (id)
            where (select count(*) from passport_link l where l.passport_id = side.id or l.target_id = side.id) >= ${MOST_LINKS}
          ) then
            raise exception 'a passport has as many links as it may' using errcode = '${TOO_MANY}';
          end if;
        else
          perform 1 from passport where id in (new.passport_id, new.target_id) order by id for no key update;
        end if;
        if new.target_id is not null then
          closes := passport_link_circles(new);
          if closes is distinct from false then
            raise exception 'the link would close a circle' using errcode = '${CIRCLE}';
          end if;
        end if;
        return new;
      end $$`)
    this.addSql(`create trigger passport_link_joins before insert or update on passport_link for each row
      execute function passport_link_joins()`)
  }

  /** A link shows in both passports. The workspace on the other side is told of what is asked of it, and what it decides is told. */
  private moves(): void {
    this.addSql(`
      create function passport_link_moves() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      declare
        link constant passport_link := coalesce(new, old);
      begin
        if link.status = 'ACCEPTED' then
          perform 1 from passport where id in (link.passport_id, link.target_id) order by id for no key update;
          update passport set version = version where id in (link.passport_id, link.target_id);
        end if;
        if tg_op = 'INSERT' and link.status = 'PENDING' then
          insert into notification (id, tenant_id, operator_id, type, subject_id, message)
          select gen_random_uuid(), p.tenant_id, p.operator_id, 'link.requested', link.id,
            format('%s asks to link its passport %s with your passport %s (%s).', link.asked_by, link.product_id, p.product_id, link.rel)
          from passport p where p.id = link.target_id;
        elsif tg_op = 'UPDATE' or (tg_op = 'DELETE' and link.status = 'PENDING' and link.target_tenant_id = app_tenant()) then
          insert into notification (id, tenant_id, operator_id, type, subject_id, message)
          select gen_random_uuid(), p.tenant_id, p.operator_id, 'link.decided', link.id,
            format('The link of passport %s with passport %s was %s.', link.product_id, link.identifier,
              case tg_op when 'UPDATE' then 'accepted' else 'declined' end)
          from passport p where p.id = link.passport_id;
        end if;
        return null;
      end $$`)
    this.addSql(`create trigger passport_link_moves after insert or update or delete on passport_link for each row
      execute function passport_link_moves()`)
    this.addSql(`revoke all on function passport_link_circles, passport_link_joins, passport_link_moves from public`)
  }
}

/** Passports that are looked at before a link; see `src/storage/links.ts` for what the codes mean. */
const MOST_WALKED = 1000
const MOST_LINKS = 100
const NOT_PUBLISHED = 'DP422'
const CIRCLE = 'DP508'
const TOO_MANY = 'DP507'
