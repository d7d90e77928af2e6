import { Migration } from '@mikro-orm/migrations'

/** Audiences in place of one restricted tier, who holds a grant, and a workspace that is stopped. */
export default class Audiences extends Migration {
  override name = 'audiences'

  override up(): void {
    this.workspaces()
    this.renditions()
    this.grants()
    this.reads()
  }

  private workspaces(): void {
    this.addSql(`
      alter table workspace
        add column strict_audiences boolean not null default false,
        add column suspended_at timestamptz(3),
        add column suspension_reason text,
        add check (suspended_at is not null or suspension_reason is null)`)
  }

  /**
   * A form is kept for the reader that it is for, so that none is ever served under another rule. What is kept as
   * `restricted` is an earlier release's, which may run beside this one.
   */
  private renditions(): void {
    const readers = `'public', 'restricted', 'legitimateInterest', 'authority', 'strictAuthority', 'owner'`
    for (const table of ['rendition', 'unit_rendition']) {
      this.addSql(`
        alter table ${table} drop constraint ${table}_tier_check, add constraint ${table}_tier_check check (tier in (${readers}))`)
    }
  }

  /** Of whom a grant is: what kind of actor, and the identifier under which it is known. */
  private grants(): void {
    this.addSql(`
      alter table access_grant
        add column actor_kind text,
        add column identifier_scheme text,
        add column identifier text,
        add check ((identifier_scheme is null) = (identifier is null))`)
    // A request that has expired may be made again.
    this.addSql(`grant update (actor_kind, identifier_scheme, identifier) on access_grant to dpp_app`)
    this.addSql(`grant select (kind) on access_grant to dpp_lookup`)
  }

  /** Who reads has no workspace of their own, and what they read is told to its workspace: that, and nothing else. */
  private reads(): void {
    this.addSql(`create policy audit_inbox_reads on audit_inbox for insert to dpp_lookup
      with check (action in ('passport.read', 'passport.listed', 'batteryunit.read', 'reads.lost'))`)
    this.addSql(`grant insert (tenant_id, action, subject_id, actor, detail) on audit_inbox to dpp_lookup`)
  }
}
