import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function acceptHandover({ handovers }: Cradle): Handler<'acceptHandover'> {
  return async ({ body, principal }) => ({ status: 201, body: await handovers.accept(principal, body) })
}
