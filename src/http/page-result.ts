import type { Rendered } from '../plugin/contracts.ts'
import { PAGE_HEADERS } from './rendition-response.ts'

/** A page that is made for one visitor: it is kept nowhere. */
export function pageResult<Status extends number>(status: Status, { body, contentType }: Rendered) {
  return {
    status,
    body,
    contentType: contentType ?? 'text/html; charset=utf-8',
    headers: { ...PAGE_HEADERS, 'Cache-Control': 'no-store', Vary: 'Accept-Language' },
  }
}
