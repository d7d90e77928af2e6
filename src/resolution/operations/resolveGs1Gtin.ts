import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { choicesResult } from '../../http/page-result.ts'

export default function resolveGs1Gtin({ digitalLinks }: Cradle): PublicHandler<'resolveGs1Gtin'> {
  return async (caller) => choicesResult(await digitalLinks.resolveProduct(caller))
}
