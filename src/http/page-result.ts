import type { Cradle } from '../cradle.ts'
import type { Rendered, SearchResult } from '../plugin/contracts.ts'
import { etagOf } from '../renditions/rendition.ts'
import type { CeasedUnit, RenditionResult } from '../resolution/rendition-result.ts'
import { takesBrotli } from './encoding.ts'
import { pageHeaders } from './rendition-response.ts'

/** Must not be stored. */
export function pageResult<Status extends number>(status: Status, page: Rendered) {
  return {
    status,
    body: page.body,
    contentType: page.contentType ?? 'text/html; charset=utf-8',
    headers: { ...pageHeaders(page.body), 'Cache-Control': 'no-store', Vary: 'Accept-Language' },
  }
}

export async function sharedPageResult(
  page: Rendered,
  compressedPages: Cradle['compressedPages'],
  headers: { readonly 'accept-encoding'?: string },
) {
  const contentType = page.contentType ?? 'text/html; charset=utf-8'
  const body = Buffer.from(page.body as string)
  const isCompressed = takesBrotli(headers['accept-encoding'])
  return {
    status: 200 as const,
    contentType,
    body: isCompressed ? (await compressedPages.of({ body, etag: etagOf(body), contentType })).body : body,
    headers: {
      ...pageHeaders(page.body),
      Vary: 'Accept, Accept-Encoding, Accept-Language',
      ...(isCompressed ? { 'Content-Encoding': 'br' } : {}),
    },
  }
}

type PageResult<Status extends number> = Status extends number ? ReturnType<typeof pageResult<Status>> : never

/** Redirects in the chosen language, or shows the page. */
export function searchResult(found: SearchResult, lang: string | undefined) {
  if ('page' in found) return pageResult(found.status, found.page) as PageResult<typeof found.status>
  const { location } = found
  const query = lang === undefined ? '' : `${location.includes('?') ? '&' : '?'}lang=${encodeURIComponent(lang)}`
  return { status: 303 as const, headers: { Location: location + query } }
}

export function choicesResult<Answer extends object>(answer: Answer) {
  return 'page' in answer && answer.page !== undefined ? pageResult(300, answer.page as Rendered) : answer
}

export function unitResult(answer: RenditionResult | CeasedUnit) {
  if (!('ceased' in answer)) return answer
  const { body, contentType } = answer.ceased
  const headers = contentType.startsWith('text/html') ? pageHeaders(body) : {}
  return { status: 410 as const, body, contentType, headers }
}
