import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function listGrants({ grants }: Cradle): Handler<'listGrants'> {
  return async ({ principal, query }) => ({ status: 200, body: await grants.list(principal, query) })
}
