import { firstOf, type PublicHandler, searchResult, sharedPageResult } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getFrontPage({
  frontDoor,
  compressedPages,
}: Cradle): PublicHandler<'getFrontPage', operations> {
  return async ({ query, headers, ...caller }) => {
    const text = firstOf(query.q)
    if (text !== undefined) {
      return searchResult(await frontDoor.answer('open', { text, ...caller }), firstOf(query.lang))
    }
    const result = await sharedPageResult(await frontDoor.show('open', caller), compressedPages, headers)
    return { ...result, headers: { ...result.headers, 'Cache-Control': 'public, max-age=300' } }
  }
}
