import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getContext({ vocabulary }: Cradle): PublicHandler<'getContext'> {
  return () => ({ status: 200, contentType: 'application/ld+json', body: vocabulary.context })
}
