import { Migration } from '@mikro-orm/migrations'

/** Roles that log in by themselves and belong to one database, queues with an owner of their own, and old entries that go. */
export default class Roles extends Migration {
  override name = 'roles'

  override up(): void {
    this.succession()
    this.queues()
    this.nodeKeys()
    this.accessAudit()
  }

  /**
   * Until now the owner took roles without log-in that every database of the cluster shared. What they may do goes to
   * the roles of this database; they themselves go with the last database that knows them.
   */
  private succession(): void {
    this.addSql(`
      do $$
      declare
        heir record;
        former oid;
        item record;
        is_known boolean;
      begin
        for heir in
          select 'dpp_' || kind as former, successor
          from (values ('app', 'dpp_app'), ('lookup', 'dpp_lookup'), ('signer', 'dpp_signer')) as r (kind, successor)
        loop
          select oid into former from pg_roles where rolname = heir.former;
          continue when former is null;
          is_known := false;
          for item in
            select format('alter policy %I on %s to %s', p.polname, p.polrelid::regclass, (
              select string_agg(case when r = former then quote_ident(heir.successor) else r::regrole::text end, ', ')
              from unnest(p.polroles) as r)) as statement
            from pg_policy p where former = any (p.polroles)
            union all
            select format('grant %s on %s %s to %I', a.privilege_type,
              case c.relkind when 'S' then 'sequence' else 'table' end, c.oid::regclass, heir.successor)
            from pg_class c cross join aclexplode(c.relacl) a
            where a.grantee = former and c.relnamespace = 'public'::regnamespace
            union all
            select format('grant %s (%I) on table %s to %I', a.privilege_type, t.attname, t.attrelid::regclass, heir.successor)
            from pg_attribute t cross join aclexplode(t.attacl) a where a.grantee = former
            union all
            select format('grant %s on schema %I to %I', a.privilege_type, n.nspname, heir.successor)
            from pg_namespace n cross join aclexplode(n.nspacl) a where a.grantee = former and n.nspname = 'public'
          loop
            execute item.statement;
            is_known := true;
          end loop;
          continue when not is_known;
          execute format('drop owned by %I', heir.former);
          begin
            execute format('drop role %I', heir.former);
          exception when dependent_objects_still_exist or insufficient_privilege or internal_error then
            null; -- another database knows it, or drops it right now
          end;
        end loop;
      end $$`)
  }

  /** pg-boss works in a role of its own; what the owner made for it before becomes that role's. */
  private queues(): void {
    this.addSql(`create schema if not exists pgboss`)
    this.addSql(`grant usage, create on schema pgboss to dpp_jobs`)
    this.addSql(`grant usage on schema pgboss to dpp_app`)
    this.addSql(`
      do $$
      declare
        item record;
      begin
        if not exists (select from pg_class where relnamespace = 'pgboss'::regnamespace) then return; end if;
        -- Giving something to a role needs the right to become it, for as long as this takes.
        grant dpp_jobs to current_user;
        for item in
          select format('alter table %s owner to %I', c.oid::regclass, 'dpp_jobs') as statement
          from pg_class c where c.relnamespace = 'pgboss'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
          union all
          select format('alter routine %s owner to %I', p.oid::regprocedure, 'dpp_jobs')
          from pg_proc p where p.pronamespace = 'pgboss'::regnamespace
          union all
          select format('alter type %s owner to %I', t.oid::regtype, 'dpp_jobs')
          from pg_type t where t.typnamespace = 'pgboss'::regnamespace and t.typtype in ('d', 'e')
        loop
          execute item.statement;
        end loop;
        revoke dpp_jobs from current_user;
      end $$`)
  }

  /** Keys of the node are named by who keeps them, and never by what serves workspaces. */
  private nodeKeys(): void {
    this.addSql(`revoke all on node_key from dpp_app`)
    this.addSql(`grant insert on node_key to dpp_signer`)
  }

  private accessAudit(): void {
    // The rows stand in the order of their time, so that this index costs next to nothing.
    this.addSql(`create index access_audit_age on access_audit using brin ((accessed_at[1]))`)
    this.addSql(`grant select, delete on access_audit to dpp_jobs`)
    this.addSql(`create policy access_audit_expire on access_audit to dpp_jobs
      using (accessed_at[1] < now() - interval '${ACCESS_AUDIT_DAYS} days')`)
  }
}

/** Days that an entry was kept. */
const ACCESS_AUDIT_DAYS = 400
