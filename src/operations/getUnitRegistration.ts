import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'
import { registrationResult } from '../http/registration-result.ts'

export default function getUnitRegistration({ registrations }: Cradle): Handler<'getUnitRegistration'> {
  return async ({ path, principal }) => registrationResult(200, await registrations.read(principal, 'unit', path.id))
}
