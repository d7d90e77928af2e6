import type { Cradle } from '../../cradle.ts'
import { readIfMatch } from '../../domain/precondition.ts'
import type { Handler } from '../../http/handler.ts'

export default function updateOperator({ operators }: Cradle): Handler<'updateOperator'> {
  return async ({ path, body, headers, principal }) => ({
    status: 200,
    body: { operator: await operators.update(principal, path.id, body, readIfMatch(headers['if-match'])) },
  })
}
