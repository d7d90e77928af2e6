import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { PAGE_HEADERS } from '../http/rendition-response.ts'

export default function getVocabulary({ vocabulary }: Cradle): PublicHandler<'getVocabulary'> {
  return ({ accept }) => {
    const { contentType, body } = vocabulary.describe(accept)
    const headers = contentType.startsWith('text/html') ? PAGE_HEADERS : {}
    return { status: 200, contentType, headers: { ...headers, Vary: 'Accept' }, body }
  }
}
