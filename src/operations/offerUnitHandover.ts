import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function offerUnitHandover({ handovers }: Cradle): Handler<'offerUnitHandover'> {
  return async ({ path, body, principal }) => ({
    status: 201,
    body: await handovers.offerUnit(principal, path.id, body),
  })
}
