import { Migration } from '@mikro-orm/migrations'

/**
 * Batches of products, which batch a unit is of, and the renditions of their documents (Regulation (EU) 2024/1781, Article
 * 9(2)(d); Regulation (EU) 2026/1778, Article 8(4) and (5)).
 */
export default class ProductBatches extends Migration {
  override name = 'product-batches'

  override up(): void {
    this.batches()
    this.units()
    this.charges()
    this.renditions()
    this.links()
  }

  /** What a batch is never changes: whoever has made a mistake deletes it, and records it anew. */
  private batches(): void {
    this.addSql(`
      create table product_batch (
        id uuid primary key,
        tenant_id uuid not null,
        passport_id uuid not null references passport on delete cascade,
        operator_id uuid not null,
        batch_number text collate "C" not null,
        manufactured_at timestamptz(3),
        metadata json not null,
        created_at timestamptz(3) not null,
        unique (passport_id, batch_number)
      )`)
    this.addSql(`create index product_batch_list on product_batch (passport_id, created_at desc, id)`)
    this.isolate('product_batch')
    this.addSql(`create policy product_batch_see on product_batch for select to dpp_app using (
      tenant_id = app_tenant()
      or operator_id in (select b.operator_id from operator_binding b where b.tenant_id = app_tenant()))`)
    this.addSql(`create policy product_batch_add on product_batch for insert to dpp_app with check (
      tenant_id = app_tenant() and exists (
        select from passport p
        where p.id = passport_id and p.tenant_id = product_batch.tenant_id and p.operator_id = product_batch.operator_id))`)
    this.addSql(
      `create policy product_batch_remove on product_batch for delete to dpp_app using (tenant_id = app_tenant())`,
    )
    this.addSql(`grant select, insert, delete on product_batch to dpp_app`)
    // Where it is, and nothing of what it says.
    this.addSql(`grant select (id, tenant_id, passport_id, operator_id, batch_number) on product_batch to dpp_lookup`)
    this.addSql(`create policy product_batch_lookup on product_batch for select to dpp_lookup using (true)`)
    this.addSql(`create policy product_batch_keep on product_batch to current_user using (true) with check (true)`)
    this.addSql(`
      create function product_batch_gone() returns trigger language plpgsql as $$
      begin
        perform tell_change(old.id::text);
        return null;
      end $$`)
    this.addSql(
      `create trigger product_batch_gone after delete on product_batch for each row execute function product_batch_gone()`,
    )
  }

  /** A unit names its batch whether that has a record or not; that it has one shows in the units, and moves them with their passport. */
  private units(): void {
    this.addSql(`alter table battery_unit add column batch_number text collate "C"`)
    this.addSql(`grant select (batch_number) on battery_unit to dpp_lookup`)
    this.addSql(
      `create index battery_unit_batch on battery_unit (passport_id, batch_number) where batch_number is not null`,
    )
    this.addSql(`
      create function product_batch_shows() returns trigger language plpgsql as $$
      begin
        update passport set version = version where id in (
          select b.passport_id from new_rows b
          where exists (select from battery_unit u where u.passport_id = b.passport_id and u.batch_number = b.batch_number));
        return null;
      end $$`)
    this.addSql(`create trigger product_batch_shows after insert on product_batch
      referencing new table as new_rows for each statement execute function product_batch_shows()`)
  }

  private charges(): void {
    for (const { event, rows, sign } of CHANGES) {
      this.addSql(`
        create function product_batch_${event}_stores() returns trigger language plpgsql security definer
        set search_path = pg_catalog, public, pg_temp as $$
        begin
          perform workspace_stores(charged.tenant_id, charged.bytes, charged.rows)
          from (
            select tenant_id, ${sign}sum(octet_length(metadata::text))::bigint as bytes, ${sign}count(*)::bigint as rows
            from ${rows} group by tenant_id order by tenant_id
          ) as charged;
          return null;
        end $$`)
      this.addSql(`create trigger product_batch_${event}_stores after ${event} on product_batch
        referencing ${rows.slice(0, 3)} table as ${rows} for each statement execute function product_batch_${event}_stores()`)
    }
  }

  /** A batch's document shows its product too, and nothing else of it changes. */
  private renditions(): void {
    const readers = `'public', 'legitimateInterest', 'authority', 'strictAuthority', 'owner'`
    this.addSql(`
      create table batch_rendition (
        batch_id uuid not null references product_batch on delete cascade,
        passport_version int not null,
        representation text not null,
        variant text not null,
        tier text not null check (tier in (${readers})),
        key_number int not null,
        generation text not null,
        etag text not null,
        content_type text not null,
        body text,
        bytes bytea,
        created_at timestamptz(3) not null default now(),
        primary key (batch_id, representation, variant, passport_version, generation, tier, key_number),
        check ((body is null) <> (bytes is null))
      ) with (toast_tuple_target = 8160)`)
    // Compressing a body, and looking elsewhere for it, costs more time than the space is worth.
    this.addSql(
      `alter table batch_rendition alter column body set storage external, alter column bytes set storage external`,
    )
    this.isolate('batch_rendition')
    this.addSql(`create policy batch_rendition_own on batch_rendition to dpp_app
      using (exists (select from product_batch b where b.id = batch_id))
      with check (exists (select from product_batch b where b.id = batch_id))`)
    this.addSql(`grant select, insert, update, delete on batch_rendition to dpp_app`)
    this.addSql(`create policy batch_rendition_lookup on batch_rendition for select to dpp_lookup using (
      tier = 'public' and exists (
        select from product_batch b join passport p on p.id = b.passport_id where b.id = batch_id and p.status <> 'DRAFT'))`)
    this.addSql(`grant select on batch_rendition to dpp_lookup`)
  }

  /**
   * What other workspaces ask of a passport fills no place of its own links: it has places of its own, and takes one of the
   * others when it is accepted. And whoever asks reads what both sides are in the transaction that asks.
   */
  private links(): void {
    this.addSql(`
      create function passport_link_room(side uuid, is_asked boolean) returns boolean language sql stable as $$
        select case when is_asked
          then count(*) filter (where l.status = 'PENDING' and l.tenant_id <> p.tenant_id) < ${MOST_ASKED}
          else count(*) filter (where l.status = 'ACCEPTED' or l.tenant_id = p.tenant_id) < ${MOST_LINKS} end
        from passport p left join passport_link l on l.passport_id = p.id or l.target_id = p.id
        where p.id = side group by p.id
      $$`)
    this.addSql(`
      create or replace function passport_link_joins() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      declare
        closes boolean;
      begin
        perform 1 from passport where id in (new.passport_id, new.target_id) order by id for no key update;
        if tg_op = 'INSERT' then
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
        end if;
        -- A link that was asked for has its place on the side that asks already.
        if (tg_op = 'INSERT' and not passport_link_room(new.passport_id, false))
          or (new.target_id is not null and (tg_op = 'INSERT' or old.status = 'PENDING')
            and not passport_link_room(new.target_id, new.status = 'PENDING' and new.target_tenant_id <> new.tenant_id)) then
          raise exception 'a passport has as many links as it may' using errcode = '${TOO_MANY}';
        end if;
        if new.target_id is not null then
          closes := passport_link_circles(new);
          if closes is distinct from false then
            raise exception 'the link would close a circle' using errcode = '${CIRCLE}';
          end if;
        end if;
        return new;
      end $$`)
    this.addSql(`
      create function passport_link_side(side uuid)
      returns table (id uuid, tenant_id uuid, operator_id uuid, product_id text, status text, legal_name text)
      language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
        select p.id, p.tenant_id, p.operator_id, p.product_id, p.status, w.legal_name
        from passport p join workspace w on w.id = p.tenant_id
        where p.id = side and (p.status <> 'DRAFT' or p.tenant_id = app_tenant())
      $$`)
    this.addSql(`revoke all on function passport_link_room, passport_link_joins, passport_link_side from public`)
    this.addSql(`grant execute on function passport_link_side to dpp_app`)
  }

  private isolate(table: string): void {
    this.addSql(`alter table ${table} enable row level security`)
    this.addSql(`alter table ${table} force row level security`)
  }
}

const CHANGES = [
  { event: 'insert', rows: 'new_rows', sign: '' },
  { event: 'delete', rows: 'old_rows', sign: '-' },
] as const

/** See `src/storage/links.ts` for what the codes mean. */
const MOST_LINKS = 100
const MOST_ASKED = 100
const NOT_PUBLISHED = 'DP422'
const CIRCLE = 'DP508'
const TOO_MANY = 'DP507'
