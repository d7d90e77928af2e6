import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Mode = 'well' | 'fails' | 'is silent' | 'is cut short' | 'sends more' | 'sends something else' | 'forgets'

/** A local object store with its request log. */
export interface ObjectServer {
  readonly url: string
  readonly objects: Map<string, Buffer>
  readonly requests: string[]
  mode: Mode
  close(): Promise<void>
}

/** Implements PUT, GET and DELETE of Amazon S3 for whole objects with signed bodies. */
export async function openObjectServer(): Promise<ObjectServer> {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const server = createServer((req, res) => {
    void answer(req, res)
  })
  const opened: Omit<ObjectServer, 'url'> & { url?: string } = { objects, requests, mode: 'well', close }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    requests.push(`${method} ${url}`)
    const isSigned =
      /^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/eu-test-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/.test(
        headers.authorization ?? '',
      ) && headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex')
    if (!isSigned) return void res.writeHead(403).end('<Error/>')
    if (opened.mode === 'fails') return void res.writeHead(500).end('<Error/>')
    if (opened.mode === 'is silent') return
    if (method === 'PUT') objects.set(url, body)
    if (method === 'DELETE') objects.delete(url)
    if (method !== 'GET') return void res.writeHead(method === 'PUT' ? 200 : 204).end()
    const object = opened.mode === 'forgets' ? undefined : objects.get(url)
    if (object === undefined) return void res.writeHead(404).end('<Error/>')
    if (opened.mode === 'is cut short') {
      res.writeHead(200, { 'content-length': object.length })
      return void res.write(object.subarray(0, object.length / 2), () => res.destroy())
    }
    if (opened.mode === 'sends more')
      return void res.writeHead(200).end(Buffer.concat([object, Buffer.alloc(64 * 1024)]))
    res.writeHead(200).end(opened.mode === 'sends something else' ? Buffer.alloc(object.length, 1) : object)
  }

  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(opened, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}
