import type { Tier } from '../domain/audience.ts'
import type { Session, Statement } from '../storage/statement.ts'

/** Identical accesses within one second. */
export interface AccessRow {
  readonly passportId: string
  /** Null if the passport itself was resolved. */
  readonly unitId: string | null
  readonly representation: string
  readonly tier: Tier
  readonly network: string
  readonly count: number
}

const RECORD: Statement = {
  name: 'record-accesses',
  text: `insert into access_audit (passport_id, unit_id, representation, tier, network, accessed_at, accesses)
    select a.passport_id, a.unit_id, a.representation, a.tier, a.network, to_timestamp($7), a.count
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int[])
      as a (passport_id, unit_id, representation, tier, network, count)
    where exists (select 1 from passport p where p.id = a.passport_id)`,
}

/** @param second seconds since the epoch */
export async function recordAccesses(session: Session, second: number, rows: readonly AccessRow[]): Promise<void> {
  await session.run(RECORD, [
    rows.map(({ passportId }) => passportId),
    rows.map(({ unitId }) => unitId),
    rows.map(({ representation }) => representation),
    rows.map(({ tier }) => tier),
    rows.map(({ network }) => network),
    rows.map(({ count }) => count),
    second,
  ])
}
