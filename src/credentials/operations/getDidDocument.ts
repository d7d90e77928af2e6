import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getDidDocument({ issuers }: Cradle): PublicHandler<'getDidDocument'> {
  return async ({ path }) => ({ rendition: await issuers.didDocument(path.tenantId), isPublic: true })
}
