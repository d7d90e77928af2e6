import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'
import { pageResult } from '../../http/page-result.ts'

export default function requestAccess({ accessRequests }: Cradle): PublicHandler<'requestAccess'> {
  return async ({ query, body, lang }) => {
    const { isSent, page } = await accessRequests.submit({ ...query, lang }, body)
    return isSent ? pageResult(201, page) : pageResult(400, page)
  }
}
