import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function getPassportStatistics({ statistics }: Cradle): Handler<'getPassportStatistics'> {
  return async ({ path, principal, query }) => ({
    status: 200,
    body: await statistics.readPassport(principal, path.id, query),
  })
}
