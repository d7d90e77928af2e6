import { isPublicAddress, Outgoing, whyNotPublicUrl } from '../../../src/plugin/module.ts'
import { MAX_BYTES, WITHIN_MS } from './bounds.ts'
import { flat } from './flat.ts'
import { openHttp2 } from './http2-request.ts'
import { Reply, type SentRequest } from './reply.ts'

interface TransportOptions {
  /** Origins from the command line; others must be public. */
  readonly trusted: ReadonlySet<string>
  readonly allowLocalhost: boolean
  /** Trusted certificates (PEM) in addition to those of Node. */
  readonly ca?: string | undefined
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export const isLoopbackUrl = (url: string): boolean => LOOPBACK.includes(new URL(url).hostname)

type Send = (request: SentRequest) => Promise<Reply>

/** Sends requests by HTTP/2 if the service offers it, else by HTTP/1.1. All connections are of the gateway's outbound client. */
export class Transport {
  readonly #options: TransportOptions
  readonly #sendersByOrigin = new Map<string, Promise<{ send: Send; close: () => void }>>()

  constructor(options: TransportOptions) {
    this.#options = options
  }

  /** @throws Error if the address is not allowed, or without a complete response in time */
  async send(request: SentRequest): Promise<Reply> {
    const outgoing = this.outgoingFor(request.url)
    const { origin, protocol } = new URL(request.url)
    if (protocol !== 'https:') return viaHttp1(outgoing, request)
    let sender = this.#sendersByOrigin.get(origin)
    if (sender === undefined) {
      sender = this.#open(outgoing, origin)
      this.#sendersByOrigin.set(origin, sender)
    }
    try {
      return await (await sender).send(request)
    } catch (error) {
      // A closed session is opened again by the next request.
      this.#sendersByOrigin.delete(origin)
      throw error
    }
  }

  /** @throws Error if the address is not allowed */
  outgoingFor(url: string): Outgoing {
    const { trusted, allowLocalhost } = this.#options
    if (trusted.has(new URL(url).origin)) return new Outgoing({ mayConnect: () => true })
    if (isLoopbackUrl(url)) {
      if (!allowLocalhost) throw new Error(`${url} is on this machine. To allow this, add --allow-localhost.`)
      return new Outgoing({ mayConnect: (address) => address === '::1' || address.startsWith('127.') })
    }
    const why = whyNotPublicUrl(url)
    if (why !== undefined) throw new Error(`${url} ${why}`)
    return new Outgoing({ mayConnect: isPublicAddress })
  }

  get ca(): { readonly ca?: string } {
    return this.#options.ca === undefined ? {} : { ca: this.#options.ca }
  }

  async close(): Promise<void> {
    for (const sender of this.#sendersByOrigin.values()) await sender.then(({ close }) => close()).catch(() => {})
  }

  async #open(outgoing: Outgoing, origin: string): Promise<{ send: Send; close: () => void }> {
    const socket = await outgoing.connectTls(origin, WITHIN_MS, { ALPNProtocols: ['h2', 'http/1.1'], ...this.ca })
    if (socket.alpnProtocol === 'h2') return openHttp2(origin, socket)
    socket.destroy()
    return { send: (request) => viaHttp1(outgoing, request), close: () => {} }
  }
}

async function viaHttp1(outgoing: Outgoing, request: SentRequest): Promise<Reply> {
  const { method, url, headers, body } = request
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const answer = await outgoing.send(method, { url, headers, withinMs: WITHIN_MS, maxBytes: MAX_BYTES }, bytes)
  return new Reply(request, answer.status, flat(answer.headers), answer.body)
}
