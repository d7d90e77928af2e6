import type { Cradle } from '../../cradle.ts'
import { tagOf, versionOf } from '../../domain/precondition.ts'
import type { Handler } from '../../http/handler.ts'

export default function getOperator({ operators }: Cradle): Handler<'getOperator'> {
  return async ({ path, principal }) => {
    const operator = await operators.get(principal, path.id)
    return { status: 200, headers: { ETag: tagOf(versionOf(operator)) }, body: { operator } }
  }
}
