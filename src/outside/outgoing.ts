import { type LookupAddress, lookup as lookUp } from 'node:dns'
import { type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

/** What is asked of another server. */
interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
  /** Milliseconds for everything, the last byte of the answer included. */
  readonly withinMs: number
  /** Bytes that an answer may have. */
  readonly mostBytes: number
}

/** An answer, whole. */
interface OutgoingAnswer {
  readonly status: number
  readonly body: Buffer
}

/**
 * Asks an address that the configuration names. It follows no redirect, so that an answer cannot choose where the next
 * request goes.
 * @throws if there is no answer in time, or it is too long
 */
export async function post({ url, headers, body, withinMs, mostBytes }: OutgoingRequest): Promise<OutgoingAnswer> {
  // biome-ignore lint/style/noRestrictedGlobals: this is the client that the rule speaks of.
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(withinMs),
  })
  return { status: response.status, body: await collect(response.body ?? [], mostBytes) }
}

/** Finds the addresses of a name, as `dns.lookup` does. */
export type Resolver = (
  hostname: string,
  options: { readonly all: true },
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** What is read from an address that somebody else may have chosen. */
interface ReadRequest extends Omit<OutgoingRequest, 'body'> {
  /** Whether an IP address may be connected to. It is asked of the very address that is then used, and of no other. */
  readonly mayConnect: (address: string) => boolean
  readonly resolver?: Resolver
}

/**
 * Reads what is at an address. No redirect is followed, no compressed answer is unpacked, and a name whose addresses may
 * not all be connected to is not asked, whenever it resolves to them. An IP address in place of a name is not looked up:
 * the caller judges it.
 * @throws if there is no answer in time, or it is too long
 */
export function get({ url, headers, withinMs, mostBytes, mayConnect, resolver = lookUp }: ReadRequest) {
  const signal = AbortSignal.timeout(withinMs)
  const options: RequestOptions = { headers, signal, agent: false, lookup: guarded(resolver, mayConnect) }
  return new Promise<OutgoingAnswer>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(signal.aborted ? new Error(`There was no whole answer within ${withinMs} ms.`) : error)
    const request = (url.startsWith('http:') ? requestHttp : requestHttps)(url, options, (response) => {
      collect(response, mostBytes)
        .then((body) => resolve({ status: response.statusCode ?? 0, body }))
        .catch(fail)
        .finally(() => request.destroy())
    })
    request.on('error', fail)
    request.end()
  })
}

/** A look-up for sockets that gives only addresses that may be connected to. */
const guarded =
  (resolver: Resolver, mayConnect: ReadRequest['mayConnect']): LookupFunction =>
  (hostname, options, answer) =>
    resolver(hostname, { ...options, all: true }, (error, addresses = []) => {
      const refused = addresses.find(({ address }) => !mayConnect(address))
      const [first] = addresses
      if (error !== null) answer(error, '')
      else if (refused !== undefined) answer(new Error(`${hostname} is at ${refused.address}, which is not asked.`), '')
      else if (options.all === true) answer(null, addresses)
      else if (first === undefined) answer(new Error(`${hostname} has no address.`), '')
      else answer(null, first.address, first.family)
    })

async function collect(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, mostBytes: number): Promise<Buffer> {
  const collected: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > mostBytes) throw new Error(`The answer has more than ${mostBytes} bytes.`)
    collected.push(chunk)
  }
  return Buffer.concat(collected)
}
