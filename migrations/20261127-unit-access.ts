import { Migration } from '@mikro-orm/migrations'

/** Units as the public meets them: who reads them, who asks for access, and what they tell of each other. */
export default class UnitAccess extends Migration {
  override name = 'unit-access'

  override up(): void {
    this.audit()
    this.requests()
    this.references()
  }

  /** Null: the passport itself was resolved. A unit that is gone leaves its entries to the passport. */
  private audit(): void {
    this.addSql(`alter table access_audit add column unit_id uuid`)
  }

  /** The same request for two units is two requests. */
  private requests(): void {
    const content = `md5(grantee_name || chr(31) || coalesce(organization, '') || chr(31) || coalesce(purpose, ''))`
    this.addSql(`drop index access_grant_request`)
    this.addSql(`
      create unique index access_grant_request on access_grant
        (coalesce(battery_unit_id, passport_id), lower(grantee_email), (${content}))
      where status = 'PENDING' and issuer_type = 'REQUEST'`)
    this.addSql(`create index access_grant_waiting on access_grant (passport_id, lower(grantee_email))
      where status = 'PENDING' and issuer_type = 'REQUEST'`)
  }

  /**
   * A unit shows the one that it was made of, and those that it has become, unless they are of a draft: it moves when their
   * passport becomes a draft or ceases to be one.
   */
  private references(): void {
    this.addSql(
      `create index battery_unit_successors on battery_unit (passport_id) where predecessor_unit_id is not null`,
    )
    this.addSql(`
      create function battery_unit_references_move() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      declare
        shown constant uuid[] := array(
          select u.predecessor_unit_id from battery_unit u
          where u.passport_id = new.id and u.predecessor_unit_id is not null
          union
          select s.id from battery_unit u join battery_unit s on s.predecessor_unit_id = u.id where u.passport_id = new.id);
      begin
        -- In the order in which everybody holds units, so that nobody deadlocks.
        perform 1 from battery_unit where id = any(shown) order by id for no key update;
        update battery_unit set version = version where id = any(shown);
        return null;
      end $$`)
    this.addSql(`create trigger battery_unit_references_move after update of status on passport for each row
      when ((old.status = 'DRAFT') is distinct from (new.status = 'DRAFT')) execute function battery_unit_references_move()`)
  }
}
