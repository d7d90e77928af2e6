import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { pageResult } from '../../http/page-result.ts'

export default function showAccessRequestStatus({ accessRequests }: Cradle): PublicHandler<'showAccessRequestStatus'> {
  return async ({ path, lang }) => pageResult(200, await accessRequests.showStatus(path.reference, lang))
}
