import { Migration } from '@mikro-orm/migrations'

/**
 * Units and their events are checked set by set. A foreign key asks once for every row, a thousand times for a batch of
 * measurements; what it promises is kept by these triggers.
 */
export default class SetChecks extends Migration {
  override name = 'set-checks'

  override up(): void {
    this.units()
    this.events()
  }

  /** Units are inserted under passports of their own workspace, whose operator is theirs, and go with them. */
  private units(): void {
    this.addSql(`alter table battery_unit drop constraint battery_unit_passport_id_fkey`)
    this.addSql(`drop policy battery_unit_add on battery_unit`)
    this.addSql(
      `create policy battery_unit_add on battery_unit for insert to dpp_app with check (tenant_id = app_tenant())`,
    )
    this.addSql(`
      create function battery_unit_belongs() returns trigger language plpgsql as $$
      declare
        product record;
      begin
        for product in select distinct passport_id, tenant_id, operator_id from new_rows order by passport_id loop
          -- Held, so that it is not deleted until the units are there to be deleted with it.
          perform 1 from passport p
          where p.id = product.passport_id and p.tenant_id = product.tenant_id and p.operator_id = product.operator_id
          for key share;
          if not found then
            raise foreign_key_violation using message = 'The passport of a unit is not there, or another workspace''s.';
          end if;
        end loop;
        return null;
      end $$`)
    this.addSql(`create trigger battery_unit_belongs after insert on battery_unit
      referencing new table as new_rows for each statement execute function battery_unit_belongs()`)
    this.addSql(`
      create function battery_units_go() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        delete from battery_unit where passport_id = old.id;
        return null;
      end $$`)
    this.addSql(
      `create trigger battery_units_go after delete on passport for each row execute function battery_units_go()`,
    )
  }

  /** Events are inserted for units of their own workspace, and go with them. */
  private events(): void {
    this.addSql(`alter table battery_unit_event drop constraint battery_unit_event_unit_id_fkey`)
    // The function that charges the workspace for them checks them too: it is left out where partitions are moved.
    this.addSql(`
      create or replace function battery_unit_event_insert_stores() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      declare
        named constant uuid[] := array(select distinct unit_id from new_rows);
        held int;
      begin
        -- By their ids, however many units there are; held, so that one is not deleted until its events are there to go with it.
        select count(*) into held from (
          select from battery_unit u
          join (select distinct unit_id, tenant_id, operator_id from new_rows) as event
            on event.unit_id = u.id and event.tenant_id = u.tenant_id and event.operator_id = u.operator_id
          where u.id = any(named) order by u.id for key share of u
        ) as units;
        if held <> cardinality(named) then
          raise foreign_key_violation using message = 'The unit of an event is not there, or another workspace''s.';
        end if;
        perform workspace_stores(charged.tenant_id, charged.bytes, 0)
        from (
          select tenant_id, sum(${EVENT_BYTES})::bigint as bytes from new_rows group by tenant_id order by tenant_id
        ) as charged;
        return null;
      end $$`)
    this.addSql(`
      create function battery_unit_events_go() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        delete from battery_unit_event where unit_id = old.id;
        return null;
      end $$`)
    this.addSql(`create trigger battery_unit_events_go after delete on battery_unit
      for each row execute function battery_unit_events_go()`)
  }
}

/** What an event takes up: about as much beside its payload as its columns do. */
const EVENT_BYTES = '128 + coalesce(octet_length(payload::text), 0)'
