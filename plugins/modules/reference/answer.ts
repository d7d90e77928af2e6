import { matches, pageHeaders, takesBrotli } from '../../../src/plugin/module.ts'
import type { Cradle } from './cradle.ts'

interface CachingHeaders {
  readonly 'accept-encoding'?: string
  readonly 'if-none-match'?: string
}

/** Brotli-compressed if accepted; 304 if the tag matches. */
export async function answer(apiReference: Cradle['apiReference'], address: string, headers: CachingHeaders) {
  const isCompressed = takesBrotli(headers['accept-encoding'])
  const { body, etag, beginning } = await apiReference.page(address, isCompressed)
  const common = { ETag: etag, Vary: 'Accept-Encoding' }
  if (matches(headers['if-none-match'], etag)) return { status: 304 as const, headers: common }
  return {
    status: 200 as const,
    contentType: 'text/html; charset=utf-8',
    headers: { ...common, ...pageHeaders(beginning), ...(isCompressed ? { 'Content-Encoding': 'br' } : {}) },
    body,
  }
}
