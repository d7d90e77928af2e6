import { Migration } from '@mikro-orm/migrations'

/** Audit entries of one workspace neither delay nor stop those of another. */
export default class IsolatedAudit extends Migration {
  override name = 'isolated-audit'

  override up(): void {
    // 'media.read' was missing: readings of restricted documents were refused.
    this.addSql(`alter policy audit_inbox_reads on audit_inbox
      with check (action in ('passport.read', 'passport.listed', 'batteryunit.read', 'media.read', 'reads.lost'))`)
    // A chain that cannot be continued keeps its own entries waiting, and no others. Returns the number of such workspaces.
    this.addSql(`
      create or replace function audit_chain_all() returns int language plpgsql security definer
      set search_path = pg_catalog, public, pg_temp as $$
      declare
        waiting record;
        failing int := 0;
      begin
        -- One process at a time is enough.
        if not pg_try_advisory_xact_lock(7034) then return 0; end if;
        for waiting in select distinct tenant_id from audit_inbox loop
          begin
            perform audit_chain(waiting.tenant_id, 10000);
          exception
            when query_canceled or admin_shutdown or crash_shutdown then raise;
            when others then
              failing := failing + 1;
              raise log 'audit entries of workspace % cannot be chained: %', waiting.tenant_id, sqlstate;
          end;
        end loop;
        return failing;
      end $$`)
  }
}
