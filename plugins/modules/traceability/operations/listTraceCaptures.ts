import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { EPCIS_HEADERS, nextPage } from '../epcis-headers.ts'
import type { operations } from '../generated.ts'

export default function listTraceCaptures({ captures }: Cradle): Handler<'listTraceCaptures', operations> {
  return async ({ query, principal, target }) => {
    const { jobs, next } = await captures.list(principal, query)
    return { status: 200, headers: { ...EPCIS_HEADERS, ...nextPage(target, next) }, body: jobs }
  }
}
