import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { proofResult } from '../http/registration-result.ts'

export default function getRegistrationProof({ registrations }: Cradle): PublicHandler<'getRegistrationProof'> {
  return async ({ path }) => proofResult(await registrations.proof('passport', path.id))
}
