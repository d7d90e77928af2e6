import type { Tier } from '../../../src/plugin/index.ts'
import { isUuid, type Session, type Statement } from '../../../src/plugin/module.ts'

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
  text: `with found as (select p.id from passport p where p.id = $1::uuid or p.product_id = $2), counted as (
      select passport_id, day, representation, tier, resolutions from resolution_count
      where passport_id = any(array(select id from found)) and day between $3::date and $4::date
      union all
      select passport_id, (accessed_at at time zone 'utc')::date, representation, tier, accesses from access_audit
      where passport_id = any(array(select id from found))
        and accessed_at >= $3::date at time zone 'utc' and accessed_at < ($4::date + 1) at time zone 'utc'
    )
    select passport_id as "passportId", to_char(day, 'YYYY-MM-DD') as day, representation, tier,
      sum(resolutions)::float8 as count
    from counted group by passport_id, counted.day, representation, tier order by counted.day, representation, tier`,
}

/** Both days are inclusive. */
export const resolutionCounts = (
  session: Session,
  idOrProduct: string,
  from: string,
  to: string,
): Promise<ResolutionCount[]> => session.run(COUNTS, [isUuid(idOrProduct) ? idOrProduct : null, idOrProduct, from, to])
