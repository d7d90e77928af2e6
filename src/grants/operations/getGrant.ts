import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function getGrant({ grants }: Cradle): Handler<'getGrant'> {
  return async ({ principal, path }) => ({ status: 200, body: { grant: await grants.get(principal, path.id) } })
}
