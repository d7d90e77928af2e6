import { createHash, createHmac, randomBytes } from 'node:crypto'

/** Specification section 6. */
export type PassportEvent =
  | 'passport.ingested'
  | 'passport.updated'
  | 'passport.sealed'
  | 'passport.recalled'
  | 'passport.status_updated'

/** Events only for subscriptions that name them. */
export type AccessEvent = 'access.requested' | 'access.decided'

export type WebhookEvent = PassportEvent | AccessEvent

/** `*` covers passport events only. */
export function isSubscribed(filters: readonly string[], event: WebhookEvent): boolean {
  return filters.includes(event) || (event.startsWith('passport.') && filters.includes('*'))
}

/** Standard Webhooks 1.0. */
export const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

/** Standard Webhooks 1.0: 24 to 64 bytes. */
export const isSecret = (text: string): boolean => /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(text)

/** Name under which a subscription's secret is encrypted. */
export const secretOwner = (tenantId: string, subscriptionId: string): string => `${tenantId} ${subscriptionId}`

interface Message {
  readonly id: string
  readonly body: string
}

/**
 * Returns the headers of one attempt (Standard Webhooks 1.0). The id is the event's, for deduplication; the timestamp is the attempt's.
 * @param secrets current and recently replaced
 */
export function signedHeaders({ id, body }: Message, secrets: readonly string[], at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signature = (secret: string) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(signature).join(' '),
  }
}

/** @param data JSON text */
export const envelopeOf = (type: WebhookEvent, at: Date, data: string): string =>
  `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(at.toISOString())},"data":${data}}`

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Delays after failures: ten attempts in 75 hours (Standard Webhooks 1.0, "Retry schedule"). */
const WAITS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
/** Longest delay, including `Retry-After`. */
const LONGEST_WAIT = 24 * HOUR
/** Relative jitter, so that failed deliveries do not retry at the same time. */
const JITTER = 0.1

/**
 * Returns the next attempt; undefined after the last.
 * @param chance from 0 to 1
 * @param retryAfter can only delay
 */
export function nextAttempt(made: number, at: Date, chance: number, retryAfter: string | undefined): Date | undefined {
  const planned = WAITS[made - 1]
  if (planned === undefined) return undefined
  const wait = planned * (1 - JITTER + 2 * JITTER * chance)
  return new Date(at.getTime() + Math.min(LONGEST_WAIT, Math.max(wait, waitOf(retryAfter, at))))
}

/** Parses `Retry-After` (RFC 9110, 10.2.3) to milliseconds. */
function waitOf(retryAfter: string | undefined, at: Date): number {
  if (retryAfter === undefined) return 0
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * SECOND
  const date = retryAfter.length > 40 ? Number.NaN : Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : Math.max(0, date - at.getTime())
}

/** Derives a UUID from texts (RFC 9562, section 5.8). */
export function derivedUuid(...parts: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
