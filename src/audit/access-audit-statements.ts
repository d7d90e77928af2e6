import type { Tier } from '../domain/audience.ts'
import { isUuid } from '../domain/identifiers.ts'
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

export interface ResolutionCount {
  readonly passportId: string
  /** YYYY-MM-DD, in UTC. */
  readonly day: string
  readonly representation: string
  readonly tier: Tier
  readonly count: number
}

const COUNTS: Statement = {
  name: 'resolution-counts',
  text: `select c.passport_id as "passportId", to_char(c.day, 'YYYY-MM-DD') as day, c.representation, c.tier,
      c.resolutions::float8 as count
    from resolution_count c
    where c.passport_id = any(array(select p.id from passport p where p.id = $1::uuid or p.product_id = $2))
      and c.day between $3::date and $4::date
    order by c.day, c.representation, c.tier`,
}

/** Both days are inclusive. */
export const resolutionCounts = (
  session: Session,
  idOrProduct: string,
  from: string,
  to: string,
): Promise<ResolutionCount[]> => session.run(COUNTS, [isUuid(idOrProduct) ? idOrProduct : null, idOrProduct, from, to])
