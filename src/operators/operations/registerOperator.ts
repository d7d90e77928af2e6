import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function registerOperator({ operators }: Cradle): Handler<'registerOperator'> {
  return async ({ body, principal, lang }) => ({
    status: 201,
    body: await operators.register(principal, body, lang),
  })
}
