import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Value {
  readonly stringValue?: string
  readonly intValue?: number | string
}

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}

/** A receiver of OTLP over HTTP with JSON. */
export interface TraceReceiver {
  readonly url: string
  mode: 'ok' | 'fails' | 'hangs'
  readonly spans: readonly ReceivedSpan[]
  readonly texts: readonly string[]
  readonly headers: readonly IncomingHttpHeaders[]
  resource(): Readonly<Record<string, unknown>>
  close(): Promise<void>
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const texts: string[] = []
  const headers: IncomingHttpHeaders[] = []
  let resource: Record<string, unknown> = {}
  const server = createServer(async (req, res) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of req) chunks.push(chunk)
    headers.push(req.headers)
    texts.push(Buffer.concat(chunks).toString())
    if (receiver.mode === 'hangs') return
    if (receiver.mode === 'fails') return void res.writeHead(500).end()
    if (req.url !== '/v1/traces' || req.headers['content-type'] !== 'application/json') {
      return void res.writeHead(404).end()
    }
    for (const ofResource of JSON.parse(texts.at(-1) ?? '').resourceSpans) {
      resource = attributesOf(ofResource.resource)
      for (const { spans: sent } of ofResource.scopeSpans) spans.push(...sent)
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: TraceReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'ok',
    spans,
    texts,
    headers,
    resource: () => resource,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

export const attributesOf = ({ attributes }: Pick<ReceivedSpan, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
