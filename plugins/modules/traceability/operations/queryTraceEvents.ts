import type { Handler } from '../../../../src/plugin/module.ts'
import { isAskedAsJsonLd } from '../asked-as-json-ld.ts'
import type { Cradle } from '../cradle.ts'
import { EPCIS_HEADERS, nextPage } from '../epcis-headers.ts'
import type { operations } from '../generated.ts'

export default function queryTraceEvents({ traceability }: Cradle): Handler<'queryTraceEvents', operations> {
  return async ({ query, principal, accept, target }) => {
    const { body, next } = await traceability.query(principal, query)
    const headers = { ...EPCIS_HEADERS, ...nextPage(target, next) }
    if (!isAskedAsJsonLd(accept)) return { status: 200, headers, body }
    return { status: 200, headers, contentType: 'application/ld+json', body: JSON.stringify(body) }
  }
}
