import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function screenEventLineage({ traceability }: Cradle): Handler<'screenEventLineage'> {
  return async ({ path, principal }) => ({ status: 200, body: await traceability.screening(principal, path.id) })
}
