import type { Cradle } from '../cradle.ts'
import { isAskedAsJsonLd } from '../domain/negotiate.ts'
import type { Handler } from '../http/handler.ts'

export default function getEventLineage({ traceability }: Cradle): Handler<'getEventLineage'> {
  return async ({ path, principal, accept }) => {
    if (!isAskedAsJsonLd(accept)) return { status: 200, body: await traceability.lineage(principal, path.id) }
    const document = await traceability.lineageDocument(principal, path.id)
    return { status: 200, contentType: 'application/ld+json', body: JSON.stringify(document) }
  }
}
