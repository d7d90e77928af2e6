import { Migration } from '@mikro-orm/migrations'

/** The access audit counts: one row for the accesses of one second that differ in nothing. */
export default class AccessCounts extends Migration {
  override name = 'access-counts'

  override up(): void {
    // Beside the table, so that the rows can stand in the order of their time, as the index on it expects.
    this.addSql(`alter table access_audit no force row level security`)
    this.addSql(`
      create table access_count as
      select a.passport_id, a.representation, a.tier, a.network, date_trunc('second', accessed.at) as accessed_at,
        count(*)::int as accesses
      from access_audit a, unnest(a.accessed_at) as accessed (at) group by 1, 2, 3, 4, 5`)
    this.addSql(`truncate access_audit`)
    this.addSql(`drop policy access_audit_expire on access_audit`)
    this.addSql(`drop index access_audit_age`)
    this.addSql(`alter table access_audit
      alter column accessed_at type timestamptz(0) using accessed_at[1],
      add column accesses int not null check (accesses > 0)`)
    this.addSql(`
      insert into access_audit (passport_id, representation, tier, network, accessed_at, accesses)
      select passport_id, representation, tier, network, accessed_at, accesses from access_count order by accessed_at`)
    this.addSql(`drop table access_count`)
    this.addSql(`alter table access_audit force row level security`)
    this.addSql(`create index access_audit_age on access_audit using brin (accessed_at)`)
    this.addSql(`create policy access_audit_expire on access_audit to dpp_jobs
      using (accessed_at < now() - interval '${ACCESS_AUDIT_DAYS} days')`)
  }
}

/** Days that an entry was kept. */
const ACCESS_AUDIT_DAYS = 400
