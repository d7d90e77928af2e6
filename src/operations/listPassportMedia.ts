import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function listPassportMedia({ media }: Cradle): Handler<'listPassportMedia'> {
  return async ({ path, principal }) => ({ status: 200, body: await media.list(principal, path.id) })
}
