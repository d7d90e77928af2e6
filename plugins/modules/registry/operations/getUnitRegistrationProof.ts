import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { proofResult } from '../registration-result.ts'

export default function getUnitRegistrationProof({
  registrations,
}: Cradle): PublicHandler<'getUnitRegistrationProof', operations> {
  return async ({ path }) => proofResult(await registrations.proof('unit', path.id))
}
