import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'
import { pageResult } from '../http/page-result.ts'

export default function requestAccess({ accessRequests }: Cradle): PublicHandler<'requestAccess'> {
  return async ({ query, body, lang }) => {
    const fields = (body ?? {}) as Readonly<Record<string, unknown>>
    const { isSent, page } = await accessRequests.submit({ ...query, lang }, fields)
    return isSent ? pageResult(201, page) : pageResult(400, page)
  }
}
