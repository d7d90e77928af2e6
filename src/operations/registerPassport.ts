import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function registerPassport({ registrations }: Cradle): Handler<'registerPassport'> {
  return async ({ path, principal }) => ({ status: 202, body: await registrations.request(principal, path.id) })
}
