import type { Cradle } from '../cradle.ts'
import { isAskedAsJsonLd } from '../domain/negotiate.ts'
import type { Handler } from '../http/handler.ts'

export default function getTraceEvent({ traceability }: Cradle): Handler<'getTraceEvent'> {
  return async ({ path, principal, accept }) => {
    const body = await traceability.read(principal, path.id)
    const headers = { Vary: 'Accept' }
    if (!isAskedAsJsonLd(accept)) return { status: 200, headers, body }
    return { status: 200, headers, contentType: 'application/ld+json', body: JSON.stringify(body) }
  }
}
