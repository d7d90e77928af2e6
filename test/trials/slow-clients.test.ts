import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { BOUNDS, connectionsFor } from '../../src/start/bounds.ts'
import { createWorkspace, newGtin, startTestGateway, type TestGateway, textile } from '../support/gateway.ts'
import { givenSubjects } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// Shortened timeouts: the test asserts release of all resources, not the duration.
const SHORT = {
  headersTimeout: 600,
  requestTimeout: 800,
  keepAliveTimeout: 300,
  idleTimeout: 1000,
  checkInterval: 50,
  lingerTimeout: 100,
}
const MAX_CONNECTIONS = 20
const clients: Client[] = []

// The subjects are created without these timeouts: a busy machine may need longer for a seal.
const { gateway: usual, workspace } = await useGateway()
const subjects = await givenSubjects(usual, workspace)
const gateway = await startTestGateway(
  { DATABASE_URL: usual.databaseUrl },
  { bounds: { ...SHORT, connections: 200, connectionsPerAddress: 200 } },
)
afterAll(() => gateway.close())
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.destroy()
})

interface Client {
  readonly socket: Socket
  received: string
  isClosed: boolean
}

/** A client that keeps its side open, like one that ignores FIN. */
function open(of: TestGateway, text = ''): Promise<Client> {
  const { port, hostname } = new URL(of.origin)
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    const client: Client = { socket, received: '', isClosed: false }
    clients.push(client)
    socket.on('data', (chunk) => {
      client.received += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      client.isClosed = true
      resolve(client)
    })
    socket.on('connect', () => {
      if (text !== '') socket.write(text)
      resolve(client)
    })
  })
}

const openMany = (count: number, text: string, of = gateway) =>
  Promise.all(Array.from({ length: count }, () => open(of, text)))

const held = (of = gateway) =>
  new Promise<number>((resolve, reject) => {
    of.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })

const SOON = { timeout: 15_000, interval: 20 }
const expectAllFreed = async () => {
  await expect.poll(() => held(), SOON).toBe(0)
  await expect.poll(() => gateway.container.cradle.bodyBudget.inFlight(), SOON).toBe(0)
}

const verify = (length: number) =>
  `POST /api/v1/audit/verify HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

describe('the connection of an inactive client is closed', () => {
  test('headers that do not end', async () => {
    const slow = await openMany(MAX_CONNECTIONS, 'GET /health HTTP/1.1\r\nHost: h\r\nX-A')
    await expectAllFreed()
    for (const { received } of slow) expect(received).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('a connection on which nothing is ever sent', async () => {
    await openMany(MAX_CONNECTIONS, '')
    await expectAllFreed()
  })

  test('something unreadable, and a client that does not close', async () => {
    const rude = await openMany(MAX_CONNECTIONS, 'HELLO\r\n\r\n')
    await expectAllFreed()
    for (const { received } of rude) expect(received).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('an answer that is read, and a client that does not close', async () => {
    const idle = await openMany(MAX_CONNECTIONS, 'GET /health HTTP/1.1\r\nHost: h\r\n\r\n')
    await expectAllFreed()
    for (const { received } of idle) expect(received).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('a body that stops: its memory too', async () => {
    const { bodyBudget } = gateway.container.cradle
    const silent = await openMany(MAX_CONNECTIONS, `${verify(100_000)}${' '.repeat(90_000)}`)
    await expect.poll(() => bodyBudget.inFlight(), SOON).toBeGreaterThan(0)
    await expectAllFreed()
    for (const { received } of silent) expect(received).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('a body that comes byte by byte', async () => {
    const slow = await openMany(MAX_CONNECTIONS, verify(100_000))
    const drip = setInterval(() => {
      for (const { socket } of slow) if (socket.writable) socket.write(' ')
    }, 20)
    try {
      await expectAllFreed()
    } finally {
      clearInterval(drip)
    }
  })

  test('an unread response', async () => {
    const { socket } = await open(gateway)
    socket.pause()
    // Exceeds the buffers of both sides.
    const ask = 'GET /openapi.json HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(200)
    socket.write(ask)
    await expectAllFreed()
  })

  test('requests rejected before the end of their body', async () => {
    await openMany(MAX_CONNECTIONS, `${verify(9_000_000)}${' '.repeat(1000)}`)
    await expectAllFreed()
  })
})

describe('connections are bounded', () => {
  test('ten times as many as there may be: the others are closed, and the next ones are served', async () => {
    const small = await startTestGateway(
      { DATABASE_URL: gateway.databaseUrl },
      { bounds: { ...SHORT, connections: MAX_CONNECTIONS, connectionsPerAddress: 1000 } },
    )
    try {
      await openMany(10 * MAX_CONNECTIONS, 'GET /health HTTP/1.1\r\nHost: h\r\nX-A', small)
      expect(await held(small)).toBeLessThanOrEqual(MAX_CONNECTIONS)
      await expect.poll(() => held(small), SOON).toBe(0)
      expect((await small.request('GET', '/health')).status).toBe(200)
    } finally {
      await small.close()
    }
  })

  test('one address has its share; the proxies that are trusted have none to keep', async () => {
    for (const [trusted, share] of [
      ['false', 5],
      ['loopback', 50],
    ] as const) {
      const small = await startTestGateway(
        { DATABASE_URL: gateway.databaseUrl, TRUST_PROXY: trusted },
        {
          bounds: { ...SHORT, headersTimeout: 5000, requestTimeout: 5000, connections: 100, connectionsPerAddress: 5 },
        },
      )
      try {
        await openMany(50, 'GET /health HTTP/1.1\r\nHost: h\r\nX-A', small)
        await expect.poll(() => held(small), SOON).toBe(share)
        for (const { socket } of clients.splice(0)) socket.destroy()
        await expect.poll(() => held(small), SOON).toBe(0)
        expect((await small.request('GET', '/health')).status).toBe(200)
      } finally {
        await small.close()
      }
    }
  })

  test('by the descriptors of the process, of which some are kept for the database', () => {
    for (const descriptors of [16, 64, 256, 512, 1024, 65_536, Number.POSITIVE_INFINITY]) {
      const connections = connectionsFor(descriptors)
      expect(connections).toBeGreaterThan(0)
      expect(connections).toBeLessThan(descriptors)
    }
    expect(connectionsFor(1024)).toBe(768)
    expect(BOUNDS.connectionsPerAddress).toBeLessThan(BOUNDS.connections)
  })
})

describe('the memory of bodies is bounded', () => {
  test('anonymous ones have a share of it, and beyond it they wait', async () => {
    const roomy = await startTestGateway(
      { DATABASE_URL: gateway.databaseUrl },
      { bounds: { bodyBytes: 400_000, anonymousBodyBytes: 200_000, addressBodyBytes: 400_000 } },
    )
    try {
      const { bodyBudget } = roomy.container.cradle
      await openMany(10, `${verify(19_500)}${' '.repeat(19_000)}`, roomy)
      await expect.poll(() => bodyBudget.inFlight(), SOON).toBe(190_000)
      const refused = await roomy.request('POST', '/api/v1/audit/verify', { raw: ' '.repeat(20_000) })
      expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
        503,
        '1',
        { error: 'Service Unavailable', message: expect.stringMatching(/Retry later/), requestId: expect.any(String) },
      ])
      const { as } = await createWorkspace(roomy)
      const json = { productId: newGtin(), metadata: textile({ note: 'x'.repeat(50_000) }) }
      expect((await roomy.request('POST', '/api/v1/passports', { headers: as, json })).status).toBe(201)
      for (const { socket } of clients.splice(0)) socket.destroy()
      await expect.poll(() => bodyBudget.inFlight(), SOON).toBe(0)
      expect((await roomy.request('POST', '/api/v1/audit/verify', { raw: '{}' })).status).toBe(400)
    } finally {
      await roomy.close()
    }
  })

  test('an address has a share of it', () => {
    const { bodyBudget, config } = gateway.container.cradle
    const own = bodyBudget.open('192.0.2.1', false)
    expect(own.take(config.bounds.addressBodyBytes)).toBe(true)
    expect(bodyBudget.open('192.0.2.1', false).take(1)).toBe(false)
    const other = bodyBudget.open('192.0.2.2', false)
    expect(other.take(1)).toBe(true)
    own.close()
    other.close()
    expect(bodyBudget.inFlight()).toBe(0)
  })

  test('a request that is answered gives back what it held', async () => {
    const { bodyBudget } = gateway.container.cradle
    for (const raw of ['{}', '{', ' '.repeat(70_000), '']) {
      await gateway.request('POST', `/request-access?passport=${subjects.passportId}`, { raw })
      await gateway.request('POST', '/api/v1/audit/verify', { raw })
      expect(bodyBudget.inFlight()).toBe(0)
    }
  })
})
