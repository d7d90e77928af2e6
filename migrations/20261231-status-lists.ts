import { Migration } from '@mikro-orm/migrations'

/** A workspace has several status lists of 131,072 places. A list is signed again only after a change. */
export default class StatusLists extends Migration {
  override name = 'status-lists'

  override up(): void {
    // Credentials of earlier versions name the first list, whatever their place is; it is as long as they need.
    this.addSql(`alter table status_entry add column is_in_first boolean not null default true`)
    this.addSql(`alter table status_entry add column list int not null
      generated always as (case when is_in_first then 0 else index / 131072 end) stored`)
    this.addSql(`create index on status_entry (tenant_id, list) where revoked`)
    this.addSql(`create index on status_entry (tenant_id, list, index)`)
    this.changes()
    this.lists()
  }

  /** One row for each changed bit, until the list is signed again: writers never wait for one another. */
  private changes(): void {
    this.addSql(`
      create table status_change (
        tenant_id uuid not null references workspace on delete cascade,
        list int not null,
        id bigint generated always as identity primary key
      )`)
    this.addSql(`create index on status_change (tenant_id, list)`)
    this.isolate('status_change')
    this.addSql(`grant select, delete on status_change to dpp_app`)
    this.addSql(`create policy status_change_keep on status_change to current_user using (true) with check (true)`)
    this.addSql(`
      create function status_entry_changes() returns trigger language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      begin
        insert into status_change (tenant_id, list) values (new.tenant_id, new.list);
        return null;
      end $$`)
    this.addSql(`create trigger status_entry_begins after insert on status_entry for each row
      when (new.revoked) execute function status_entry_changes()`)
    this.addSql(`create trigger status_entry_changes after update of revoked on status_entry for each row
      when (old.revoked is distinct from new.revoked) execute function status_entry_changes()`)
  }

  /** The signed list of each form; `state` names the key and the name that it was signed with. */
  private lists(): void {
    this.addSql(`
      create table signed_status_list (
        tenant_id uuid not null references workspace on delete cascade,
        list int not null,
        form text not null,
        state text not null,
        etag text not null,
        body text not null,
        signed_at timestamptz(3) not null,
        primary key (tenant_id, list, form)
      )`)
    this.isolate('signed_status_list')
    this.addSql(`grant select, insert, update, delete on signed_status_list to dpp_app`)
  }

  private isolate(table: string): void {
    this.addSql(`alter table ${table} enable row level security`)
    this.addSql(`alter table ${table} force row level security`)
    this.addSql(`create policy ${table}_own on ${table} to dpp_app
      using (tenant_id = app_tenant()) with check (tenant_id = app_tenant())`)
    this.addSql(`grant select on ${table} to dpp_lookup`)
    this.addSql(`create policy ${table}_lookup on ${table} for select to dpp_lookup using (true)`)
  }
}
