import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { WITHIN_MS } from './bounds.ts'
import { Skipped } from './finding.ts'
import type { Probe } from './probe.ts'

/** Address of the interface, which must be HTTPS. @throws Skipped */
export function httpsUrl({ target }: Probe): string {
  if (!target.api.startsWith('https:')) throw new Skipped('the address is not HTTPS')
  return target.api
}

/** Result of one handshake: what was negotiated, or why it failed. */
interface Handshake {
  readonly protocol?: string | null
  readonly application?: string | false | null
  readonly status?: number | undefined
  readonly error?: string
}

/** Opens one TLS connection and closes it; with `ask`, sends an HTTP/1 request first. */
export async function handshake(probe: Probe, options: ConnectionOptions, ask?: '1.0' | '1.1'): Promise<Handshake> {
  const url = httpsUrl(probe)
  const { transport } = probe.session
  let socket: TLSSocket
  try {
    socket = await transport.outgoingFor(url).connectTls(url, WITHIN_MS, { ...transport.ca, ...options })
  } catch (error) {
    return { error: (error as Error).message }
  }
  try {
    const negotiated = { protocol: socket.getProtocol(), application: socket.alpnProtocol }
    return ask === undefined ? negotiated : { ...negotiated, status: await statusLine(socket, url, ask) }
  } finally {
    socket.destroy()
  }
}

const MAX_STATUS_LINE = 1000

/** Status of an HTTP/1 response; undefined if the connection closes without one. */
function statusLine(socket: TLSSocket, url: string, version: string): Promise<number | undefined> {
  const { host, pathname } = new URL(url)
  return new Promise((resolve) => {
    let text = ''
    const end = () => {
      clearTimeout(late)
      resolve(Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1]) || undefined)
    }
    const late = setTimeout(() => socket.destroy(), WITHIN_MS)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (/\r\n/.test(text) || text.length > MAX_STATUS_LINE) socket.destroy()
    })
    socket.once('close', end)
    socket.write(`GET ${pathname} HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  })
}
