import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { proofResult } from '../http/registration-result.ts'

export default function getUnitRegistrationProof({ registrations }: Cradle): PublicHandler<'getUnitRegistrationProof'> {
  return async ({ path }) => proofResult(await registrations.proof('unit', path.id))
}
