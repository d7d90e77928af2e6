import { Migration } from '@mikro-orm/migrations'

/** Answers are kept for those who may see them; a request for access is kept once, and beside others' of its address. */
export default class Access extends Migration {
  override name = 'access'

  override up(): void {
    this.replays()
    this.requests()
  }

  /** Keys that were used before are never found again: they name no caller, and go after their 24 hours. */
  private replays(): void {
    this.addSql(`alter table idempotency_key add column caller text not null default ''`)
    this.addSql(`alter table idempotency_key alter column caller drop default`)
    this.addSql(`alter table idempotency_key drop constraint idempotency_key_pkey`)
    this.addSql(`alter table idempotency_key add primary key (tenant_id, endpoint, caller, key)`)
  }

  /** Texts of any length are compared by their digest: an index row must stay below 2,704 bytes. */
  private requests(): void {
    const content = `md5(grantee_name || chr(31) || coalesce(organization, '') || chr(31) || coalesce(purpose, ''))`
    const same = `passport_id, lower(grantee_email), (${content})`
    const isWaiting = `status = 'PENDING' and issuer_type = 'REQUEST'`
    // Of those that came twice the first stays; row-level security would hide them from their owner.
    this.addSql(`alter table access_grant no force row level security`)
    this.addSql(`
      delete from access_grant where id in (
        select id from (
          select id, row_number() over (partition by ${same} order by created_at, id) as place
          from access_grant where ${isWaiting}
        ) as request where place > 1)`)
    this.addSql(`alter table access_grant force row level security`)
    this.addSql(`create unique index access_grant_request on access_grant (${same}) where ${isWaiting}`)
  }
}
