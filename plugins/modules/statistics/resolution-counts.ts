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
