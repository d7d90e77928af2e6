import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function acceptPassportLink({ links }: Cradle): Handler<'acceptPassportLink'> {
  return async ({ path, principal }) => ({ status: 200, body: await links.accept(principal, path.id) })
}
