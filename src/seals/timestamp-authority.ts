import { hash, randomBytes } from 'node:crypto'
import { ConsecutiveBreaker, circuitBreaker, handleAll, isBrokenCircuitError } from 'cockatiel'
import type { Cradle } from '../cradle.ts'
import { ANYWHERE, Outgoing } from '../outside/http-client.ts'
import { CLOCKS_DIFFER_MS } from '../verify/seal-form.ts'
import { checkTimestampToken, SHA_256, timestampAuthoritiesOf } from '../verify/timestamp.ts'

/** A token with certificates has some 6,000 bytes; verifiers reject more than 16 KiB. */
const MAX_BYTES = 16 * 1024
const FAILURES_UNTIL_PAUSE = 5
const PAUSE_MS = 30_000

interface Timestamp {
  /** ISO 8601 in UTC. */
  readonly genTime: string
  /** Base64 of the TimeStampToken. */
  readonly token: string
}

declare module '../cradle.ts' {
  interface Cradle {
    timestampAuthority: ReturnType<typeof timestampAuthority>
  }
}

/** RFC 3161 authority for seals. Sealing never depends on it: a seal may have no timestamp. After five failures, requests pause. */
export default function timestampAuthority({ config, counters: { timestamps }, log }: Cradle) {
  const breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(FAILURES_UNTIL_PAUSE),
    halfOpenAfter: PAUSE_MS,
  })
  breaker.onBreak(() => log.error('timestamp authority suspended after failures; seals have no timestamp'))

  return { stamp, confirm }

  /**
   * Requests and verifies a timestamp of the text's SHA-256; undefined if unavailable. Never throws. Must not be called in a transaction
   * that others wait for.
   */
  async function stamp(text: string, withinMs = config.bounds.timestampTimeout): Promise<Timestamp | undefined> {
    const { tsaUrl, tsaCa } = config
    if (tsaUrl === undefined || tsaCa === undefined || withinMs <= 0) return undefined
    try {
      const granted = await breaker.execute(() => ask(tsaUrl, tsaCa, text, withinMs))
      timestamps.granted += 1
      return granted
    } catch (error) {
      timestamps[isBrokenCircuitError(error) ? 'omitted' : 'failed'] += 1
      log.warn({ err: error }, 'no timestamp')
      return undefined
    }
  }

  /**
   * Verifies an imported timestamp.
   * @param encoded Base64 of a token
   */
  async function confirm(encoded: string | undefined, text: string, created: string): Promise<Timestamp | null> {
    const { tsaCa } = config
    if (encoded === undefined || tsaCa === undefined || encoded.length > MAX_BYTES) return null
    try {
      const token = Buffer.from(encoded, 'base64')
      const genTime = checkTimestampToken(token, text, timestampAuthoritiesOf(tsaCa))
      const isThen = Math.abs(genTime.getTime() - Date.parse(created)) <= CLOCKS_DIFFER_MS
      return isThen ? { genTime: genTime.toISOString(), token: token.toString('base64') } : null
    } catch {
      return null
    }
  }

  async function ask(url: string, tsaCa: string, text: string, withinMs: number): Promise<Timestamp> {
    const { timestampQuery, tokenOf } = await import('../domain/timestamp-query.ts')
    const nonce = randomBytes(8)
    const { status, body } = await new Outgoing(ANYWHERE).post({
      url,
      headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
      body: timestampQuery(SHA_256, hash('sha256', text, 'buffer'), nonce),
      withinMs,
      maxBytes: MAX_BYTES,
    })
    if (status !== 200) throw new Error(`The timestamp authority responded with ${status}.`)
    const token = tokenOf(body)
    const genTime = checkTimestampToken(token, text, timestampAuthoritiesOf(tsaCa), { nonce })
    if (Math.abs(genTime.getTime() - Date.now()) > CLOCKS_DIFFER_MS) {
      throw new Error(`The time of the timestamp authority, ${genTime.toISOString()}, differs from the local clock.`)
    }
    return { genTime: genTime.toISOString(), token: token.toString('base64') }
  }
}
