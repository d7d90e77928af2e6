import type { Cradle } from '../cradle.ts'
import { isAskedAsJsonLd } from '../domain/negotiate.ts'
import type { Handler } from '../http/handler.ts'

export default function getTraceEvent({ traceability }: Cradle): Handler<'getTraceEvent'> {
  return async ({ path, principal, accept }) => {
    const body = await traceability.read(principal, path.id)
    if (!isAskedAsJsonLd(accept)) return { status: 200, body }
    return { status: 200, contentType: 'application/ld+json', body: JSON.stringify(body) }
  }
}
