import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { choicesResult } from '../../http/page-result.ts'

export default function resolveGs1GtinQualifier({ digitalLinks }: Cradle): PublicHandler<'resolveGs1GtinQualifier'> {
  return async (caller) => choicesResult(await digitalLinks.resolve(caller))
}
