import { type PublicHandler, sharedPageResult } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getVerifyPage({
  compressedPages,
  gatewayPages,
  verifierScript,
}: Cradle): PublicHandler<'getVerifyPage', operations> {
  return ({ lang, headers }) =>
    sharedPageResult(gatewayPages.render('verifier', { script: verifierScript }, lang), compressedPages, headers)
}
