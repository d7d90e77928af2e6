import type { Cradle } from '../container.ts'
import type { PublicHandler } from '../http/handler.ts'
import { PAGE_HEADERS } from '../http/rendition-response.ts'

export default function getVocabulary({ vocabulary }: Cradle): PublicHandler<'getVocabulary'> {
  return () => ({
    status: 200,
    contentType: 'text/html; charset=utf-8',
    headers: { ...PAGE_HEADERS },
    body: vocabulary.page(),
  })
}
