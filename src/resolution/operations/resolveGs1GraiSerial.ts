import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { choicesResult } from '../../http/page-result.ts'

export default function resolveGs1GraiSerial({ digitalLinks }: Cradle): PublicHandler<'resolveGs1GraiSerial'> {
  return async (caller) => choicesResult(await digitalLinks.resolveItem(caller))
}
