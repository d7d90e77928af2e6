import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function withdrawHandover({ handovers }: Cradle): Handler<'withdrawHandover'> {
  return async ({ path, principal }) => {
    await handovers.withdraw(principal, path.id)
    return { status: 200, body: { message: 'The offer is withdrawn.' } }
  }
}
