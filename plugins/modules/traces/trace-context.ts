interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

const MAX_CHARACTERS = 512
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Parses `traceparent` (Trace Context, 3.2.2); reads later versions like 00 (4.3). */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== 'string' || text.length > MAX_CHARACTERS) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (isZero(traceId) || isZero(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

const isZero = (digits: string) => /^0+$/.test(digits)
