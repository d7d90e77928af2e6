import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { sharedPageResult } from '../http/page-result.ts'

export default function getVerifyPage({
  browserScripts,
  gatewayPages,
  compressedPages,
}: Cradle): PublicHandler<'getVerifyPage'> {
  return ({ lang, headers }) =>
    sharedPageResult(
      gatewayPages.render('verifier', { script: browserScripts.verifier }, lang),
      compressedPages,
      headers,
    )
}
