import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function offerUnitHandover({ handovers }: Cradle): Handler<'offerUnitHandover', operations> {
  return async ({ path, body, principal }) => ({
    status: 201,
    body: await handovers.offerUnit(principal, path.id, body),
  })
}
