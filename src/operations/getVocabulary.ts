import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { pageHeaders } from '../http/rendition-response.ts'

export default function getVocabulary({ vocabulary, gatewayPages }: Cradle): PublicHandler<'getVocabulary'> {
  return ({ accept, lang }) => {
    if (vocabulary.isAskedAsJsonLd(accept)) {
      return { status: 200, contentType: 'application/ld+json', headers: { Vary: 'Accept' }, body: vocabulary.jsonLd }
    }
    const page = gatewayPages.render('vocabulary', vocabulary.terms, lang)
    return { status: 200, contentType: 'text/html; charset=utf-8', headers: pageHeaders(page.body), body: page.body }
  }
}
