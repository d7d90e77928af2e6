import { Migration } from '@mikro-orm/migrations'

/**
 * What has changed is collected in the transaction, and told after its commit by whoever has asked for that. PostgreSQL lets
 * transactions that notify commit one after the other, all over the database: 16 writers reached 466 updates a second, and
 * 1,180 without. Whoever has not asked, as a person at a prompt, notifies as before: no writer can forget it.
 */
export default class ToldAfterCommit extends Migration {
  override name = 'told-after-commit'

  override up(): void {
    // `app.changed` is "-" where the transaction has asked, and then the names behind it; an asterisk is everything.
    this.addSql(`
      create function tell_change(name text) returns void language plpgsql as $$
      declare
        changed constant text := current_setting('app.changed', true);
      begin
        if coalesce(changed, '') = '' then
          perform pg_notify('passport_changed', name);
        elsif changed not like '%*' then
          perform set_config('app.changed', changed || ' ' || case when name = '' or length(changed) > 4000 then '*' else name end, true);
        end if;
      end $$`)
    this.replace('passport_moves', 'new.version := old.version + 1; perform tell_change(new.id::text); return new;')
    this.replace('passport_gone', 'perform tell_change(old.id::text); return old;')
    this.replace('tenant_key_moves', `perform tell_change(''); return null;`)
    this.replace('battery_unit_moves', 'new.version := old.version + 1; perform tell_change(new.id::text); return new;')
    this.addSql(`
      create or replace function battery_unit_gone() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        update battery_unit set version = version where id = old.predecessor_unit_id;
        perform tell_change(old.id::text);
        return null;
      end $$`)
  }

  private replace(name: string, body: string): void {
    this.addSql(`create or replace function ${name}() returns trigger language plpgsql as $$ begin ${body} end $$`)
  }
}
