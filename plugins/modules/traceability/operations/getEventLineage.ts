import type { Handler } from '../../../../src/plugin/module.ts'
import { isAskedAsJsonLd } from '../asked-as-json-ld.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getEventLineage({ traceability }: Cradle): Handler<'getEventLineage', operations> {
  return async ({ path, principal, accept }) => {
    if (!isAskedAsJsonLd(accept)) return { status: 200, body: await traceability.lineage(principal, path.id) }
    const document = await traceability.lineageDocument(principal, path.id)
    return { status: 200, contentType: 'application/ld+json', body: JSON.stringify(document) }
  }
}
