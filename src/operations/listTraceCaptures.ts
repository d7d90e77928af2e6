import type { Cradle } from '../cradle.ts'
import { EPCIS_HEADERS, nextPage } from '../http/epcis.ts'
import type { Handler } from '../http/handler.ts'

export default function listTraceCaptures({ captures }: Cradle): Handler<'listTraceCaptures'> {
  return async ({ query, principal, target }) => {
    const { jobs, next } = await captures.list(principal, query)
    return { status: 200, headers: { ...EPCIS_HEADERS, ...nextPage(target, next) }, body: jobs }
  }
}
