import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { pageResult, searchResult } from '../../http/page-result.ts'
import { firstOf } from '../../http/request.ts'

export default function showAccessRequest({ accessRequests, moduleHooks }: Cradle): PublicHandler<'showAccessRequest'> {
  return async ({ query: { passport, unit, q, lang: chosen }, lang, principal }) => {
    const isNamed = passport !== undefined || unit !== undefined
    const found = isNamed ? undefined : await moduleHooks.findSubject({ text: firstOf(q), lang, principal })
    if (found !== undefined) return searchResult(found, firstOf(chosen))
    return pageResult(200, await accessRequests.show({ passport, unit, lang }))
  }
}
