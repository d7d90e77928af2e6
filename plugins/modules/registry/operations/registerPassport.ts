import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { registrationResult } from '../registration-result.ts'

export default function registerPassport({ registrations }: Cradle): Handler<'registerPassport', operations> {
  return async ({ path, principal }) =>
    registrationResult(202, await registrations.request(principal, 'passport', path.id))
}
