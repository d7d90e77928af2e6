import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { sharedPageResult } from '../../http/page-result.ts'

export default function getVocabulary({
  vocabulary,
  gatewayPages,
  compressedPages,
}: Cradle): PublicHandler<'getVocabulary'> {
  return ({ accept, lang, headers }) => {
    if (vocabulary.isAskedAsJsonLd(accept)) {
      return { status: 200, contentType: 'application/ld+json', headers: { Vary: 'Accept' }, body: vocabulary.jsonLd }
    }
    return sharedPageResult(gatewayPages.render('vocabulary', vocabulary.terms, lang), compressedPages, headers)
  }
}
