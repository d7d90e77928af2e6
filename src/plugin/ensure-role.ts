/**
 * SQL for a migration that makes a role without log-in, unless it exists, and lets the migrating role take it. Roles
 * belong to the whole cluster: another database may have made it, or may be making it right now.
 * @param role a plain lower-case name
 */
export function ensureRole(role: string): string {
  if (!/^[a-z_]+$/.test(role)) throw new Error(`${role} is not a plain role name.`)
  // From PostgreSQL 16 on, making a role does not include the right to become it.
  return `
    do $$
    declare
      may_become constant text := case when current_setting('server_version_num')::int >= 160000
        then 'SET' else 'MEMBER' end;
    begin
      if not exists (select from pg_roles where rolname = '${role}') then
        begin
          create role ${role} nologin;
        exception when duplicate_object or unique_violation then null;
        end;
      end if;
      if not pg_has_role(current_user, '${role}', may_become) then
        begin
          grant ${role} to current_user;
        exception when unique_violation or internal_error then
          -- "tuple concurrently updated": the same grant from another database
          if not pg_has_role(current_user, '${role}', may_become) then raise; end if;
        end;
      end if;
    end $$`
}
