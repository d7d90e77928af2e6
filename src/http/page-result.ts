import type { Rendered } from '../plugin/contracts.ts'
import type { CeasedUnit, RenditionResult } from '../services/resolution.ts'
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

/** Several choices as the page that the caller asked for, else as they are. */
export function choicesResult<Answer extends object>(answer: Answer) {
  return 'page' in answer && answer.page !== undefined ? pageResult(300, answer.page as Rendered) : answer
}

/** A unit, or what is left of it. */
export function unitResult(answer: RenditionResult | CeasedUnit) {
  if (!('ceased' in answer)) return answer
  const { body, contentType } = answer.ceased
  return { status: 410 as const, body, contentType, headers: contentType.startsWith('text/html') ? PAGE_HEADERS : {} }
}
