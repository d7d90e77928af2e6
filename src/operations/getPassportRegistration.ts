import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getPassportRegistration({ registrations }: Cradle): Handler<'getPassportRegistration'> {
  return async ({ path, principal }) => ({ status: 200, body: await registrations.read(principal, path.id) })
}
