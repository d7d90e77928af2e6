/** Where in a trace something is: which trace, which span of it, and whether that is recorded. */
interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** More than any version of the header has needed. */
const MAX_CHARACTERS = 512
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * Reads a `traceparent` (Trace Context, 3.2.2): what is not one begins a trace of its own. Of a later version as much is
 * read as this one has (4.3).
 */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== 'string' || text.length > MAX_CHARACTERS) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (isZero(traceId) || isZero(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The same as text, in the version that everybody reads. */
export const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

const isZero = (digits: string) => /^0+$/.test(digits)
