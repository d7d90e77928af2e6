import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function updateOperator({ operators }: Cradle): Handler<'updateOperator'> {
  return async ({ path, body, principal }) => ({
    status: 200,
    body: { operator: await operators.update(principal, path.id, body) },
  })
}
