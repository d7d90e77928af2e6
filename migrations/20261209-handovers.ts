import { Migration } from '@mikro-orm/migrations'

/** Units and passports that another workspace takes over, or follows on (Regulation (EU) 2023/1542, Article 77(7)). */
export default class Handovers extends Migration {
  override name = 'handovers'

  override up(): void {
    this.table()
    this.find()
    this.done()
    this.relatives()
  }

  /** Offers, for the workspace that makes them alone; of a code its SHA-256 is kept. */
  private table(): void {
    this.addSql(`
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
      )`)
    // One offer of a thing at a time: what has only expired is withdrawn by the next.
    this.addSql(`create unique index handover_open on handover (coalesce(unit_id, passport_id))
      where accepted_at is null and withdrawn_at is null`)
    this.addSql(`create index on handover (passport_id)`)
    this.addSql(`create index on handover (unit_id) where unit_id is not null`)
    this.addSql(`alter table handover enable row level security`)
    this.addSql(`alter table handover force row level security`)
    this.addSql(`create policy handover_see on handover for select to dpp_app using (tenant_id = app_tenant())`)
    this.addSql(`create policy handover_add on handover for insert to dpp_app with check (tenant_id = app_tenant()
      and exists (select from passport p where p.id = passport_id and p.tenant_id = app_tenant())
      and (unit_id is null or exists (
        select from battery_unit u where u.id = unit_id and u.passport_id = handover.passport_id)))`)
    this.addSql(`create policy handover_change on handover for update to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    this.addSql(`create policy handover_keep on handover to current_user using (true) with check (true)`)
    this.addSql(`grant select, insert, update (withdrawn_at) on handover to dpp_app`)
  }

  /** What is offered under a code, for whoever has it, held until the transaction ends: one of two that accept waits for the other. */
  private find(): void {
    this.addSql(`
      create function handover_find(hash bytea) returns table (tenant_id uuid, passport_id uuid, unit_id uuid, product_id text,
        has_ceased boolean, for_tenant_id uuid, for_reg_id text, state text)
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        return query
        select h.tenant_id, h.passport_id, h.unit_id, p.product_id, u.ceased_at is not null, h.for_tenant_id, h.for_reg_id,
          case when h.accepted_at is not null then 'ACCEPTED' when h.withdrawn_at is not null then 'WITHDRAWN'
            when h.expires_at <= now() then 'EXPIRED' else 'OPEN' end
        from handover h join passport p on p.id = h.passport_id left join battery_unit u on u.id = h.unit_id
        where h.code_hash = hash for update of h;
      end $$`)
    this.only('handover_find')
  }

  /**
   * What the acceptance of an offer changes in the workspace that made it, and nothing else: the status of its unit with the
   * event that names the successor, or the link of its passport; its trail and a notification. The successor is there already,
   * in the workspace of the transaction. Fails where the offer is not open, or the unit has ceased.
   */
  private done(): void {
    this.addSql(`
      create function handover_done(hash bytea, follower uuid, word text, link uuid) returns void
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      declare
        offer handover;
        predecessor battery_unit;
        successor battery_unit;
        follower_name constant text := (select legal_name from workspace where id = app_tenant());
      begin
        select * into offer from handover where code_hash = hash and accepted_at is null and withdrawn_at is null
          and expires_at > now() and tenant_id <> app_tenant() and coalesce(for_tenant_id, app_tenant()) = app_tenant() for update;
        if not found then raise exception 'the offer is not open' using errcode = '${CLOSED}'; end if;
        if offer.unit_id is not null then
          select * into predecessor from battery_unit where id = offer.unit_id for no key update;
          select * into successor from battery_unit
          where id = follower and tenant_id = app_tenant() and predecessor_unit_id = offer.unit_id;
          if not found or predecessor.ceased_at is not null then
            raise exception 'the unit cannot be followed on' using errcode = '${CLOSED}';
          end if;
          if word not in ('REPURPOSED', 'REMANUFACTURED', 'REUSED') then
            raise exception 'not a status of a unit that was handed over' using errcode = '${CLOSED}';
          end if;
          update battery_unit set status = word, updated_at = now() where id = predecessor.id;
          insert into battery_unit_event (id, unit_id, tenant_id, operator_id, event_type, payload, recorded_at, created_at)
          values (gen_random_uuid(), predecessor.id, predecessor.tenant_id, predecessor.operator_id, 'STATUS_CHANGE',
            json_build_object('status', word, 'successorUnitId', successor.id, 'successorSerial', successor.serial_number),
            now(), now());
        else
          if not exists (select from passport where id = follower and tenant_id = app_tenant()) then
            raise exception 'the passport is not the workspace''s' using errcode = '${CLOSED}';
          end if;
          insert into passport_link (id, passport_id, rel, target_id, status, created_at, accepted_at)
          values (link, follower, word, offer.passport_id, 'ACCEPTED', now(), now());
        end if;
        update handover set accepted_at = now(), accepted_by = app_tenant() where id = offer.id;
        -- In the form of RFC 8785, of which the hashes of the chain are.
        insert into audit_inbox (tenant_id, action, subject_id, actor, detail)
        values (offer.tenant_id, 'handover.accepted', coalesce(offer.unit_id, offer.passport_id), 'workspace:' || app_tenant(),
          ('{"acceptedBy":' || to_json(follower_name) || ',"handover":"' || offer.id || '","successor":"' || follower || '"}')::json);
        insert into notification (id, tenant_id, operator_id, type, subject_id, message)
        select gen_random_uuid(), p.tenant_id, p.operator_id, 'handover.accepted', coalesce(offer.unit_id, offer.passport_id),
          case when offer.unit_id is null then format('%s follows on passport %s.', follower_name, p.product_id)
            else format('%s has taken over battery unit %s of passport %s.', follower_name, predecessor.serial_number, p.product_id) end
        from passport p where p.id = offer.passport_id;
      end $$`)
    this.only('handover_done')
  }

  /** What a unit was made of and what it has become, as everybody may read it, whosever it is: that it is there, and of which product. */
  private relatives(): void {
    this.addSql(`
      create function unit_relatives(unit uuid, most int)
      returns table (id uuid, serial_number text, product_id text, is_predecessor boolean)
      language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
        select u.id, u.serial_number, p.product_id, true
        from battery_unit s join battery_unit u on u.id = s.predecessor_unit_id
          join passport p on p.id = u.passport_id and p.status <> 'DRAFT'
        where s.id = unit
        union all
        (select u.id, u.serial_number, p.product_id, false
        from battery_unit u join passport p on p.id = u.passport_id and p.status <> 'DRAFT'
        where u.predecessor_unit_id = unit order by u.created_at, u.id limit most)
      $$`)
    this.only('unit_relatives')
  }

  /** The application's role alone may call it. */
  private only(name: string): void {
    this.addSql(`revoke all on function ${name} from public`)
    this.addSql(`grant execute on function ${name} to dpp_app`)
  }
}

/** SQLSTATE of what cannot be accepted any more; see `src/storage/handovers.ts`. */
const CLOSED = 'DP423'
