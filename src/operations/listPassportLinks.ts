import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function listPassportLinks({ links }: Cradle): Handler<'listPassportLinks'> {
  return async ({ path, principal }) => ({ status: 200, body: await links.list(principal, path.id) })
}
