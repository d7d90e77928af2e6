import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'
import { registrationResult } from '../http/registration-result.ts'

export default function registerPassport({ registrations }: Cradle): Handler<'registerPassport'> {
  return async ({ path, principal }) =>
    registrationResult(202, await registrations.request(principal, 'passport', path.id))
}
