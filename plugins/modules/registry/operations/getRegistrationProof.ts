import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { proofResult } from '../registration-result.ts'

export default function getRegistrationProof({
  registrations,
}: Cradle): PublicHandler<'getRegistrationProof', operations> {
  return async ({ path }) => proofResult(await registrations.proof('passport', path.id))
}
