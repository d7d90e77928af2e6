import { connect, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { textile } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace } = await useGateway()

/** Sends raw bytes; `received` resolves with the response when the connection is closed. */
function open(text: string): { socket: Socket; received: Promise<string> } {
  const { port, hostname } = new URL(gateway.origin)
  const socket = connect(Number(port), hostname, () => socket.write(text))
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const received = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(answer))
    socket.on('error', () => resolve(answer))
  })
  return { socket, received }
}

const post = (headers: string, body: string) =>
  `POST /api/v1/passports HTTP/1.1\r\nHost: h\r\nAuthorization: ${workspace.as.authorization}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`

const unreadable: [string, () => string, number][] = [
  ['headers over 16 KiB', () => `GET /health HTTP/1.1\r\nHost: h\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['an address over 16 KiB', () => `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: h\r\n\r\n`, 431],
  ['something that is not HTTP', () => 'HELLO\r\n\r\n', 400],
  ['a request without a host', () => 'GET /health HTTP/1.1\r\n\r\n', 400],
  ['a request with two hosts', () => 'GET /health HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n', 400],
  ['two lengths of one body', () => post('Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), 400],
  ['a chunk without a length', () => post('Transfer-Encoding: chunked', 'ZZ\r\n'), 400],
  ['a NUL in a header', () => 'GET /health HTTP/1.1\r\nHost: h\r\nX-Odd: a\0b\r\n\r\n', 400],
]

test.each(unreadable)('%s is answered in the framework form with a request id', async (_, text, status) => {
  const answer = await open(text()).received
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer.match(/^HTTP/gm)).toHaveLength(1)
  expect(answer).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im)
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
  expect(body).toEqual({ statusCode: status, error: expect.any(String), message: expect.any(String) })
})

test('a client that disconnects during a body is not an error of the gateway', async () => {
  const logged = vi.spyOn(gateway.container.cradle.log, 'error')
  const finished = new Promise((resolve) => {
    gateway.server.once('request', (req) => req.once('close', resolve))
  })
  const { socket } = open(post('Content-Length: 100', '{"productId":'))
  gateway.server.once('request', () => socket.destroy())
  await finished
  await gateway.request('GET', '/health')
  expect(logged).not.toHaveBeenCalled()
})

test('a key that is revoked in the middle of a request ends with it: the next on the same connection is refused', async () => {
  const { identity, workspaces } = gateway.container.cradle
  const { id, key } = await workspaces.createKey({ workspaceId: workspace.id, role: 'BRAND_OPERATOR' })
  const { fromBearer } = identity
  const recognised = new Promise<void>((resolve) => {
    identity.fromBearer = async (token) => {
      const principal = await fromBearer.call(identity, token)
      resolve()
      return principal
    }
  })
  const authorization = `Host: h\r\nAuthorization: Bearer ${key}`
  const body = JSON.stringify({ productId: 'SLOW-1', metadata: textile() })
  const { socket, received } = open(
    `POST /api/v1/passports HTTP/1.1\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  await recognised
  identity.fromBearer = fromBearer
  await workspaces.revokeKey(id)
  socket.write(`${body.slice(5)}GET /api/v1/whoami HTTP/1.1\r\n${authorization}\r\nConnection: close\r\n\r\n`)
  expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 401'])
})

test('bodies that arrive before it is known who sends them are read whole, and the next request begins behind them', async () => {
  const body = (productId: string) => JSON.stringify({ productId, metadata: textile() })
  const [first, second] = [body('WHOLE-1'), body('WHOLE-2')]
  const chunks = [second.slice(0, 7), second.slice(7)]
    .map((text) => `${text.length.toString(16)}\r\n${text}\r\n`)
    .join('')
  const requests = [
    post(`Content-Length: ${first.length}`, first),
    post('Transfer-Encoding: chunked', `${chunks}0\r\n\r\n`),
    post('Content-Length: 0', ''),
    post('Transfer-Encoding: chunked', '0\r\n\r\n'),
    `GET /api/v1/whoami HTTP/1.1\r\nHost: h\r\nAuthorization: ${workspace.as.authorization}\r\nConnection: close\r\n\r\n`,
  ]
  const answers = await open(requests.join('')).received
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([201, 201, 400, 400, 200].map((status) => `HTTP/1.1 ${status}`))
  const stored = await gateway.sqlAs(
    workspace.id,
    `select product_id from passport where product_id like 'WHOLE-%' order by product_id`,
  )
  expect(stored).toEqual([{ product_id: 'WHOLE-1' }, { product_id: 'WHOLE-2' }])
  expect(gateway.container.cradle.bodyBudget.inFlight()).toBe(0)
})

test('concurrent requests for cached content get it, in order on each connection, except closed ones', async () => {
  const { id } = (
    await gateway.request('POST', '/api/v1/passports', {
      headers: workspace.as,
      json: { productId: 'GATHERED-1', metadata: textile() },
    })
  ).body.passport
  for (let count = 0; count < 3; count += 1) {
    expect((await gateway.request('GET', `/passport/${id}`)).body.productId).toBe('GATHERED-1')
  }
  const { lane } = gateway.container.cradle.counters
  const hits = lane.hit
  const ask = (name: string, more = '') =>
    `GET /passport/${id} HTTP/1.1\r\nHost: h\r\nX-Request-Id: ${name}\r\n${more}\r\n`
  const connections = Array.from({ length: 12 }, (_, number) => {
    const names = Array.from({ length: 10 }, (_, index) => `of-${number}-${index}`)
    const text = names.map((name, index) => ask(name, index === 9 ? 'Connection: close\r\n' : '')).join('')
    return { names, ...open(text) }
  })
  const [gone, ...staying] = connections
  gone?.socket.once('connect', () => gone.socket.resetAndDestroy())
  for (const { names, received } of staying) {
    const answers = await received
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(names.map(() => 'HTTP/1.1 200'))
    expect(answers.match(/(?<=^X-Request-Id: )\S+/gim)).toEqual(names)
    expect(answers.match(/"productId":"GATHERED-1"/g)).toHaveLength(names.length)
  }
  expect(lane.hit - hits).toBeGreaterThanOrEqual(110)
  expect((await gateway.request('GET', `/passport/${id}`)).status).toBe(200)
})
