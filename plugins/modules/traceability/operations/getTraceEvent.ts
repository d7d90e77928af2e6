import type { Handler } from '../../../../src/plugin/module.ts'
import { isAskedAsJsonLd } from '../asked-as-json-ld.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getTraceEvent({ traceability }: Cradle): Handler<'getTraceEvent', operations> {
  return async ({ path, principal, accept }) => {
    const body = await traceability.read(principal, path.id)
    if (!isAskedAsJsonLd(accept)) return { status: 200, body }
    return { status: 200, contentType: 'application/ld+json', body: JSON.stringify(body) }
  }
}
