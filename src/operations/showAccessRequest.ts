import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { pageResult } from '../http/page-result.ts'

export default function showAccessRequest({ accessRequests }: Cradle): PublicHandler<'showAccessRequest'> {
  return async ({ query, lang }) => pageResult(200, await accessRequests.show({ ...query, lang }))
}
