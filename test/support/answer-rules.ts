import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from '../../src/http/contract.ts'

/** `Cache-Control` of public renditions. */
export const PUBLIC_CACHING = 'public, max-age=0, s-maxage=3, stale-while-revalidate=1, stale-if-error=3600'

const PRIVATE = /^(private, )?no-store$/

interface AnswerHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** Lists the caching rules that the response breaks. */
export function cachingFaults({ status, headers }: AnswerHead, operation?: Operation): string[] {
  const { 'cache-control': caching = '', vary = '' } = headers
  const faults: string[] = []
  const rule = (isStored: boolean, text: string) => isStored || faults.push(text)
  rule(headers['x-content-type-options'] === 'nosniff', 'has X-Content-Type-Options: nosniff')
  rule(caching !== '', 'has Cache-Control')
  if (status >= 300 && status !== 304) rule(PRIVATE.test(caching), 'an error or redirection is not stored')
  if (operation?.isPublic === false) {
    rule(caching === 'private, no-store', 'an answer to a credential is not stored')
    const names = vary.split(', ')
    rule(names.includes('Authorization') && names.includes('Cookie'), 'an answer varies by the credential')
  }
  if (operation?.maxAge !== undefined && status === 200) {
    rule(caching === `public, max-age=${operation.maxAge}`, `may be stored for ${operation.maxAge} s`)
    rule(headers.vary !== undefined && !/Authorization|Cookie/.test(vary), 'does not vary by the credential')
  }
  return faults.map((text) => `${operation?.operationId} ${status}: ${text} (${caching}; ${vary})`)
}

/** Lists the cross-origin rules that a response of a gateway without `CORS_ORIGINS` breaks. */
export function originFaults({ status, headers }: AnswerHead, { operationId, isShared }: Operation): string[] {
  const names = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
  const exposed = headers['access-control-expose-headers']?.split(', ') ?? []
  const isStored = isShared
    ? headers['access-control-allow-origin'] === '*' &&
      exposed.includes('X-Access-Tier') &&
      headers['access-control-allow-credentials'] === undefined
    : names.length === 0 && !/Origin/.test(headers.vary ?? '')
  return isStored
    ? []
    : [`${operationId} ${status}: ${isShared ? 'shared' : 'not shared'}, but has ${names} (${headers.vary})`]
}
