import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function listOperators({ operators }: Cradle): Handler<'listOperators'> {
  return async ({ query, principal }) => {
    const list = await operators.list(principal, query.archived === 'true')
    return { status: 200, body: { count: list.length, operators: list } }
  }
}
