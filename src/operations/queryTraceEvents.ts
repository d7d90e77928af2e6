import type { Cradle } from '../cradle.ts'
import { isAskedAsJsonLd } from '../domain/negotiate.ts'
import type { Handler } from '../http/handler.ts'

/** What the REST bindings of EPCIS 2.0 (12.3) say of themselves with every answer. */
const SPOKEN = {
  'GS1-EPCIS-Version': '2.0.0',
  'GS1-EPCIS-Min': '2.0.0',
  'GS1-EPCIS-Max': '2.0.0',
  'GS1-CBV-Version': '2.0.0',
  'GS1-EPC-Format': 'Never_Translates',
}

export default function queryTraceEvents({ traceability }: Cradle): Handler<'queryTraceEvents'> {
  return async ({ query, principal, accept, target }) => {
    const { body, next } = await traceability.query(principal, query)
    const headers = {
      ...SPOKEN,
      ...(next === undefined ? {} : { Link: `<${pageAt(target, next)}>; rel="next"` }),
    }
    if (!isAskedAsJsonLd(accept)) return { status: 200, headers, body }
    return { status: 200, headers, contentType: 'application/ld+json', body: JSON.stringify(body) }
  }
}

/** The same question for the page that begins with this token. */
function pageAt(target: string, token: string): string {
  const [path = '', asked = ''] = target.split('?')
  const query = new URLSearchParams(asked)
  query.set('nextPageToken', token)
  return `${path}?${query}`
}
