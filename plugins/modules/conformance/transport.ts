import { isPublicAddress, Outgoing, whyNotPublicUrl } from '../../../src/plugin/module.ts'
import { MAX_BYTES, WITHIN_MS } from './bounds.ts'
import { flat } from './flat.ts'
import { openHttp2 } from './http2-request.ts'
import { Reply, type SentRequest } from './reply.ts'

interface TransportOptions {
  /** Origins of the command line; others must be public. */
  readonly trusted: ReadonlySet<string>
  readonly allowLocalhost: boolean
  /** Trusted certificates (PEM) in addition to those of Node. */
  readonly ca?: string | undefined
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export const isLoopbackUrl = (url: string): boolean => LOOPBACK.includes(new URL(url).hostname)

interface Sender {
  send(request: SentRequest): Promise<Reply>
  isOpen(): boolean
  close(): void
}

/** Sends requests by HTTP/2 if the service offers it, else by HTTP/1.1. All connections are of the gateway's outbound client. */
export class Transport {
  readonly #options: TransportOptions
  readonly #sendersByOrigin = new Map<string, Promise<Sender>>()

  constructor(options: TransportOptions) {
    this.#options = options
  }

  /** @throws Error if the address is not allowed, or without a complete response in time */
  async send(request: SentRequest): Promise<Reply> {
    const outgoing = this.outgoingFor(request.url)
    const { origin, protocol } = new URL(request.url)
    if (protocol !== 'https:') return viaHttp1(outgoing, request)
    const known = await this.#sendersByOrigin.get(origin)?.catch(() => undefined)
    if (known?.isOpen() === true) {
      try {
        return await known.send(request)
      } catch (error) {
        // The service has not processed it (RFC 9113, 8.7).
        if (!/REFUSED_STREAM|INVALID_SESSION|GOAWAY/.test(`${(error as NodeJS.ErrnoException).code} ${error}`))
          throw error
      }
    }
    const opening = this.#open(outgoing, origin)
    this.#sendersByOrigin.set(origin, opening)
    return (await opening).send(request)
  }

  isTrusted(url: string): boolean {
    return this.#options.trusted.has(new URL(url).origin)
  }

  /** @throws Error if the address is not allowed */
  outgoingFor(url: string): Outgoing {
    const { allowLocalhost } = this.#options
    if (this.isTrusted(url)) return new Outgoing({ mayConnect: () => true })
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

  async #open(outgoing: Outgoing, origin: string): Promise<Sender> {
    const socket = await outgoing.connectTls(origin, WITHIN_MS, { ALPNProtocols: ['h2', 'http/1.1'], ...this.ca })
    if (socket.alpnProtocol === 'h2') return openHttp2(origin, socket)
    socket.destroy()
    return { send: (request) => viaHttp1(outgoing, request), isOpen: () => true, close: () => {} }
  }
}

async function viaHttp1(outgoing: Outgoing, request: SentRequest): Promise<Reply> {
  const { method, url, headers, body } = request
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const answer = await outgoing.send(method, { url, headers, withinMs: WITHIN_MS, maxBytes: MAX_BYTES }, bytes)
  return new Reply(request, answer.status, flat(answer.headers), answer.body)
}
