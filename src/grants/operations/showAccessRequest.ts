import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { doorResult, pageResult } from '../../http/page-result.ts'
import { firstOf } from '../../http/request.ts'

export default function showAccessRequest({ accessRequests, frontDoor }: Cradle): PublicHandler<'showAccessRequest'> {
  return async ({ query, ...caller }) => {
    const { passport, unit } = query
    if (passport !== undefined || unit !== undefined) {
      return pageResult(200, await accessRequests.show({ passport, unit, lang: caller.lang }))
    }
    const sought = firstOf(query.q)
    return sought === undefined
      ? pageResult(200, await frontDoor.show('access', caller))
      : doorResult(await frontDoor.open('access', sought, caller), firstOf(query.lang))
  }
}
