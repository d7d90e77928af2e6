import type { Cradle } from '../cradle.ts'
import { isAskedAsJsonLd } from '../domain/negotiate.ts'
import { EPCIS_HEADERS, nextPage } from '../http/epcis.ts'
import type { Handler } from '../http/handler.ts'

export default function queryTraceEvents({ traceability }: Cradle): Handler<'queryTraceEvents'> {
  return async ({ query, principal, accept, target }) => {
    const { body, next } = await traceability.query(principal, query)
    const headers = { ...EPCIS_HEADERS, ...nextPage(target, next) }
    if (!isAskedAsJsonLd(accept)) return { status: 200, headers, body }
    return { status: 200, headers, contentType: 'application/ld+json', body: JSON.stringify(body) }
  }
}
