import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getJwtVcIssuer({ issuers }: Cradle): PublicHandler<'getJwtVcIssuer'> {
  return async ({ path }) => ({ rendition: await issuers.jwtVcIssuer(path.tenantId), isPublic: true })
}
