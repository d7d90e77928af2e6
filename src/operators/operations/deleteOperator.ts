import type { Cradle } from '../../cradle.ts'
import { readIfMatch } from '../../domain/precondition.ts'
import type { Handler } from '../../http/handler.ts'

export default function deleteOperator({ operators }: Cradle): Handler<'deleteOperator'> {
  return async ({ path, headers, principal }) => ({
    status: 200,
    body: await operators.remove(principal, path.id, readIfMatch(headers['if-match'])),
  })
}
