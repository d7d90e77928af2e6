import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function linkPassport({ links }: Cradle): Handler<'linkPassport'> {
  return async ({ path, body, principal }) => ({ status: 201, body: await links.add(principal, path.id, body) })
}
