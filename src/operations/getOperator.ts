import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getOperator({ operators }: Cradle): Handler<'getOperator'> {
  return async ({ path, principal }) => ({
    status: 200,
    body: { operator: await operators.get(principal, path.id) },
  })
}
