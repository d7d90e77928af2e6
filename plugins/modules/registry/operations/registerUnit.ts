import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { registrationResult } from '../registration-result.ts'

export default function registerUnit({ registrations }: Cradle): Handler<'registerUnit', operations> {
  return async ({ path, principal }) => registrationResult(202, await registrations.request(principal, 'unit', path.id))
}
