import type { Cradle } from '../cradle.ts'
import { isMetadataAddress, isPublicAddress, literalOf, whyNotPublicUrl } from '../domain/public-address.ts'
import { secretOwner, signedHeaders } from '../domain/webhooks.ts'
import { ANYWHERE, dnsResolver, Outgoing } from '../outside/http-client.ts'
import { currentTraceparent } from '../telemetry/current.ts'
import type { Receiver } from './webhook-statements.ts'

/** Total, from DNS lookup to the end of the response (decisions on webhooks). */
const ATTEMPTED_WITHIN_MS = 15_000
const NAMED_WITHIN_MS = 5000
/** Read so that the connection can be reused. */
const MAX_ANSWER_BYTES = 64 * 1024
/** In addition to 443. */
const PORTS = ['8443']
const MAX_REASON_CHARACTERS = 300

export interface Reaction {
  readonly at: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly retryAfter: string | undefined
  readonly error: string | null
}

declare module '../cradle.ts' {
  interface Cradle {
    webhookSender: ReturnType<typeof webhookSender>
  }
}

export default function webhookSender({ config: { webhookAllowPrivate }, secretBox }: Cradle) {
  const outgoing = new Outgoing(
    webhookAllowPrivate
      ? { ...ANYWHERE, keepAlive: true }
      : { mayConnect: isPublicAddress, resolver: dnsResolver(NAMED_WITHIN_MS), keepAlive: true },
  )

  return { send, whyNotReachable, close: () => outgoing.close() }

  /** Sends one message. @param signal aborts the attempt, with undefined outcome */
  async function send(
    receiver: Receiver,
    tenantId: string,
    message: { readonly id: string; readonly body: string },
    signal?: AbortSignal,
  ): Promise<Reaction | undefined> {
    const { url } = receiver
    const at = new Date()
    const headers = headersOf(receiver, tenantId, message, at)
    const begun = performance.now()
    const since = () => Math.round(performance.now() - begun)
    const request = { url, headers, body: message.body, withinMs: ATTEMPTED_WITHIN_MS, maxBytes: MAX_ANSWER_BYTES }
    try {
      // Validated again: the rules may have become stricter.
      const why = whyNotUrl(url)
      if (why !== undefined) throw new Error(`${url} ${why}`)
      const { status, headers: answered } = await outgoing.notify(request, signal)
      const isTaken = status >= 200 && status < 300
      const error = isTaken ? null : `${url}: HTTP ${status}`
      return { at, durationMs: since(), statusCode: status, retryAfter: answered['retry-after'], error }
    } catch (error) {
      if (signal?.aborted) return undefined
      const { message: reason, code } = error as NodeJS.ErrnoException
      const text = `${url}: ${reason || code}`.slice(0, MAX_REASON_CHARACTERS)
      return { at, durationMs: since(), statusCode: null, retryAfter: undefined, error: text }
    }
  }

  function headersOf(
    { subscriptionId, secret, formerSecret, formerUntil }: Receiver,
    tenantId: string,
    message: { readonly id: string; readonly body: string },
    at: Date,
  ): Record<string, string> {
    const traceparent = currentTraceparent()
    const owner = secretOwner(tenantId, subscriptionId)
    const secrets = formerSecret && formerUntil && formerUntil > at ? [secret, formerSecret] : [secret]
    const opened = secrets.map((sealed) => secretBox.open(sealed, owner))
    return {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'dpp-gateway',
      ...(traceparent !== undefined && { traceparent }),
      ...signedHeaders(message, opened, at),
    }
  }

  /** Returns why an address is rejected, else undefined. Never discloses its IP address. */
  async function whyNotReachable(url: string): Promise<string | undefined> {
    const why = whyNotUrl(url)
    if (why !== undefined || webhookAllowPrivate || (await outgoing.isConnectable(url))) return why
    return 'does not resolve to public addresses.'
  }

  function whyNotUrl(url: string): string | undefined {
    if (!webhookAllowPrivate) return whyNotPublicUrl(url, { ports: PORTS, literals: true })
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return 'is not an http or https URL.'
    const address = literalOf(new URL(url).hostname)
    return address !== undefined && isMetadataAddress(address) ? 'is a link-local or metadata address.' : undefined
  }
}
