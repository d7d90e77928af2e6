import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function arrangePassportMedia({ media }: Cradle): Handler<'arrangePassportMedia'> {
  return async ({ path, body, principal }) => ({ status: 200, body: await media.arrange(principal, path.id, body) })
}
