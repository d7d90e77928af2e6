import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webDocuments } from '../../src/outside/documents.ts'
import { type NameResolver, Outgoing } from '../../src/outside/http-client.ts'
import { MAX_BYTES, NotRead, withinBudget } from '../../src/verify/documents.ts'

// Documents that a verifier reads because a document references them.

/** A local server with its request log. */
let server: Server
let origin: string
const paths: string[] = []
let answer: RequestListener = (_, response) => response.end('{}')

beforeAll(async () => {
  server = createServer((request, response) => {
    paths.push(String(request.url))
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const resolving =
  (...addresses: string[]): NameResolver =>
  (_hostname, _options, done) =>
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

const read = (url: string, options: Parameters<typeof webDocuments>[0] = {}) => webDocuments(options).read(url, '*/*')

describe('addresses that a stranger names', () => {
  test.each([
    ['http://issuer.example/did.json', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['ftp://issuer.example/', 'must begin with https://'],
    ['data:text/plain,x', 'must begin with https://'],
    ['https://user:secret@issuer.example/', 'must not contain a user name'],
    ['https://issuer.example:8443/', 'has a port'],
    ['https://issuer.example:22/', 'has a port'],
    ['https://127.1/', 'is on this machine'],
    ['https://0x7f000001/', 'is on this machine'],
    ['https://127.0.0.2/', 'does not have a public host name'],
    ['https://[::1]/', 'does not have a public host name'],
    ['https://[::ffff:127.0.0.1]/', 'does not have a public host name'],
    ['https://169.254.169.254/latest/meta-data', 'does not have a public host name'],
    ['https://8.8.8.8/', 'does not have a public host name'],
    ['https://internal/', 'does not have a public host name'],
    ['https://localhost./', 'does not have a public host name'],
    ['https://issuer.example./', 'does not have a public host name'],
    ['not an address', 'is not a URL'],
    [`https://issuer.example/${'a'.repeat(20_000)}`, 'is not a URL'],
  ])('%s is refused', async (url, why) => {
    let resolved = 0
    const resolver: NameResolver = (...given) => {
      resolved += 1
      resolving('8.8.8.8')(...given)
    }
    await expect(read(url, { resolver })).rejects.toThrow(why)
    expect(resolved).toBe(0)
  })

  test.each(['http://localhost:1/', 'http://127.0.0.1:1/', 'https://localhost/'])(
    '%s is refused unless this machine is allowed',
    async (url) => {
      await expect(read(url)).rejects.toThrow('is on this machine. To allow this, add --allow-localhost')
    },
  )

  test.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fe80::1'],
    ['8.8.8.8', '10.0.0.1'],
  ])('a name at %j is not connected to', async (...addresses) => {
    paths.length = 0
    await expect(read('https://issuer.example/did.json', { resolver: resolving(...addresses) })).rejects.toThrow(
      'that is not allowed',
    )
    expect(paths).toEqual([])
  })

  test('the address that is judged is the one that is connected to, for one address and for several', async () => {
    const { port } = server.address() as AddressInfo
    const request = { headers: {}, withinMs: 5000, maxBytes: 100, url: `http://issuer.example:${port}/x` }
    const checked: string[] = []
    const mayConnect = (address: string) => checked.push(address) > 0
    answer = (_, response) => response.end('ok')
    const found = await new Outgoing({ mayConnect, resolver: resolving('127.0.0.1') }).get(request)
    expect([found.status, found.body.toString(), checked]).toEqual([200, 'ok', ['127.0.0.1']])
    await expect(
      new Outgoing({ mayConnect: () => false, resolver: resolving('127.0.0.1') }).get(request),
    ).rejects.toThrow('that is not allowed')
    await expect(new Outgoing({ mayConnect, resolver: resolving() }).get(request)).rejects.toThrow('has no address')
  })

  test('this machine is read when it is allowed, by loopback alone', async () => {
    answer = (_, response) => response.end('{"here":1}')
    expect(await read(`${origin}/x`, { allowLocalhost: true })).toBe('{"here":1}')
    await expect(read(`${origin}/x`, { allowLocalhost: true, resolver: resolving('10.0.0.1') })).rejects.toThrow(
      'that is not allowed',
    )
  })
})

describe('answers', () => {
  const local = (path: string, bounds?: { withinMs: number; maxBytes: number }) =>
    webDocuments({ allowLocalhost: true }).read(`${origin}${path}`, '*/*', bounds)

  test('a redirect is not followed', async () => {
    answer = (request, response) =>
      request.url === '/to' ? response.end('reached') : response.writeHead(302, { location: '/to' }).end()
    paths.length = 0
    await expect(local('/from')).rejects.toThrow('redirects (302). Redirects are not followed')
    expect(paths).toEqual(['/from'])
  })

  test.each([404, 500, 204])('%i is not a document', async (status) => {
    answer = (_, response) => response.writeHead(status).end()
    await expect(local('/x')).rejects.toThrow(`responded with ${status}`)
  })

  test('one that is too long is not read to its end, and one that is compressed is not unpacked', async () => {
    let sent = 0
    answer = (_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, 0x20)
      const more = (): void => {
        if (response.destroyed || sent >= 10 * MAX_BYTES) return void response.end()
        sent += chunk.length
        if (response.write(chunk)) setImmediate(more)
        else response.once('drain', more)
      }
      more()
    }
    await expect(local('/endless')).rejects.toThrow(`more than ${MAX_BYTES} bytes`)
    expect(sent).toBeLessThan(10 * MAX_BYTES)
    answer = (_, response) => response.setHeader('content-encoding', 'gzip').end('not gzip at all')
    expect(await local('/gzip')).toBe('not gzip at all')
  })

  test('one that does not come, or stops, is given up', async () => {
    answer = () => {}
    await expect(local('/silent', { withinMs: 50, maxBytes: 100 })).rejects.toThrow('No complete response within 50 ms')
    answer = (_, response) => void response.write('{')
    await expect(local('/half', { withinMs: 50, maxBytes: 100 })).rejects.toThrow('No complete response within 50 ms')
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      response.destroy()
    }
    await expect(local('/cut')).rejects.toThrow('cannot be read')
  })

  test('one that is not UTF-8 is rejected', async () => {
    answer = (_, response) => response.end(Buffer.from([0x7b, 0xff, 0x7d]))
    await expect(local('/x')).rejects.toThrow('is not UTF-8')
  })
})

describe('one verification', () => {
  const counting = (text = '') => {
    const urls: string[] = []
    const read = async (url: string) => {
      urls.push(url)
      return text
    }
    return { urls, read }
  }

  test('reads each address once, and no more than eight', async () => {
    const documents = counting()
    const bounded = withinBudget(documents)
    await Promise.all([bounded.read('a', '*/*'), bounded.read('a', '*/*')])
    expect(documents.urls).toEqual(['a'])
    const results = await Promise.allSettled(Array.from({ length: 80 }, (_, index) => bounded.read(`b${index}`, '*/*')))
    expect(documents.urls).toHaveLength(8)
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(73)
    for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toBeInstanceOf(NotRead)
    await expect(withinBudget(documents).read('again', '*/*')).resolves.toBe('')
  })

  test('reads no more bytes than four of the largest', async () => {
    const limits: number[] = []
    const documents = withinBudget({
      read: async (_url, _accept, bounds) => {
        limits.push(bounds?.maxBytes ?? 0)
        return 'x'.repeat(Math.min(MAX_BYTES - 10, bounds?.maxBytes ?? 0))
      },
    })
    for (let index = 0; index < 5; index += 1) await documents.read(`${index}`, '*/*')
    await expect(documents.read('one more', '*/*')).rejects.toThrow('the limit of time or bytes')
    expect(limits).toEqual([MAX_BYTES, MAX_BYTES, MAX_BYTES, MAX_BYTES, 40])
  })
})
