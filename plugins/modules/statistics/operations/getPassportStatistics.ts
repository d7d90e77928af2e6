import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getPassportStatistics({ statistics }: Cradle): Handler<'getPassportStatistics', operations> {
  return async ({ path, principal, query }) => ({
    status: 200,
    body: await statistics.readPassport(principal, path.id, query),
  })
}
