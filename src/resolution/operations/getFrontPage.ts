import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { doorResult, publicPageResult } from '../../http/page-result.ts'
import { firstOf } from '../../http/request.ts'

export default function getFrontPage({ frontDoor, compressedPages }: Cradle): PublicHandler<'getFrontPage'> {
  return async ({ query, ...caller }) => {
    const sought = firstOf(query.q)
    return sought === undefined
      ? publicPageResult(await frontDoor.show('open', caller), compressedPages, caller.headers)
      : doorResult(await frontDoor.open('open', sought, caller), firstOf(query.lang))
  }
}
