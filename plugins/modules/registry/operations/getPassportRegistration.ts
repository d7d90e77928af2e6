import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { registrationResult } from '../registration-result.ts'

export default function getPassportRegistration({
  registrations,
}: Cradle): Handler<'getPassportRegistration', operations> {
  return async ({ path, principal }) =>
    registrationResult(200, await registrations.read(principal, 'passport', path.id))
}
