import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { pageAfter, readIdQuery } from '../paging.ts'

export default function readDppIdsByProductIds({
  enReads,
  config: { baseUrl },
}: Cradle): PublicHandler<'readDppIdsByProductIds', operations> {
  return async ({ body, query, target, ...caller }) => {
    const asked = readIdQuery(body, query)
    const page = pageAfter(await enReads.idsOf(asked.productIds, caller), asked)
    const path = target.split('?', 1)[0]
    const next = `<${baseUrl}${path}?limit=${asked.limit}&cursor=${page.nextCursor}>; rel="next"`
    const headers: Record<string, string> = page.nextCursor === undefined ? {} : { Link: next }
    return { status: 200, body: JSON.stringify(page), contentType: 'application/json', headers }
  }
}
