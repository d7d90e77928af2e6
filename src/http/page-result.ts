import type { Cradle } from '../cradle.ts'
import type { Rendered } from '../plugin/contracts.ts'
import { etagOf } from '../renditions/rendition.ts'
import type { CeasedUnit, RenditionResult } from '../resolution/resolution.ts'
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

/** Returns a publicly cacheable page, see {@link sharedPageResult}. */
export async function publicPageResult(...given: Parameters<typeof sharedPageResult>) {
  const result = await sharedPageResult(...given)
  return { ...result, headers: { ...result.headers, 'Cache-Control': `public, max-age=${SECONDS_OF_A_PAGE}` } }
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

const SECONDS_OF_A_PAGE = 300

/** Redirects in the chosen language, or shows the error. */
export function doorResult(
  opened: { readonly location: string } | { readonly status: 400 | 404; readonly page: Rendered },
  lang: string | undefined,
) {
  if ('page' in opened) return opened.status === 400 ? pageResult(400, opened.page) : pageResult(404, opened.page)
  const { location } = opened
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
