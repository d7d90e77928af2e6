import { connect } from 'node:net'
import { beforeAll, expect, test, vi } from 'vitest'
import { givenSubjects } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// RAW_FUZZ_REQUESTS and FUZZ_SEED ask for more, or for other, requests; a failure prints its seed and the bytes.
const REQUESTS = Number(process.env.RAW_FUZZ_REQUESTS ?? 4000)
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122)
const AT_ONCE = 20
let templates: readonly string[]

const { gateway, workspace } = await useGateway(
  { TRUST_PROXY: '1', WORKSPACE_HOST_SUFFIX: '.example.test' },
  { bounds: { headersTimeout: 1000, requestTimeout: 1000, checkInterval: 100, lingerTimeout: 100 } },
)

beforeAll(async () => {
  const { passportId, gtin } = await givenSubjects(gateway, workspace)
  const { authorization } = workspace.as
  const body = '{"productId":"RAW","metadata":{"category":"textiles","originCountry":"PT"}}'
  const post = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const chunked = `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const auth = `Host: h\r\nAuthorization: ${authorization}`
  templates = [
    `GET /passport/${passportId} HTTP/1.1\r\nHost: h\r\nAccept: text/html;q=0.4, application/ld+json\r\n\r\n`,
    `GET /01/${gtin}?lang=de HTTP/1.1\r\nHost: w.example.test\r\nAccept-Language: de-AT, en;q=0.5\r\nIf-None-Match: "x"\r\n\r\n`,
    `GET /passport/${passportId} HTTP/1.1\r\n${auth}\r\nX-Forwarded-For: 1.2.3.4, 5.6.7.8\r\nX-Forwarded-Host: a.example.test\r\n\r\n`,
    `POST /api/v1/passports/validate-only HTTP/1.1\r\n${auth}\r\nIdempotency-Key: k\r\n${post}`,
    `POST /api/v1/passports/validate-only HTTP/1.1\r\n${auth}\r\nExpect: 100-continue\r\n${chunked}`,
    `POST /api/v1/audit/verify HTTP/1.0\r\nHost: h\r\nCookie: dpp_session=x; dpp_csrf=y\r\n${post}`,
    `OPTIONS /01/${gtin} HTTP/1.1\r\nHost: h\r\nOrigin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n\r\n`,
    `HEAD http://h/passport/${passportId}?grant=dpp_li_x HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n`,
    'OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n',
    `GET /health HTTP/1.1\r\nHost: h\r\n\r\nGET /api/v1/version HTTP/1.1\r\nHost: h\r\n\r\n`,
  ]
})

/** Pieces that parsers have tripped over. */
const PIECES = [
  '\r\n',
  '\r',
  '\n',
  '\n\n',
  '\r\n\r\n',
  '\0',
  '\x7f',
  '\x80\xff',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '"',
  '\\',
  '%',
  '%00',
  '%zz',
  '%2e%2e%2f',
  '/../',
  '//',
  '?',
  '?&&==',
  '#',
  '*',
  '@',
  '[::1]',
  'Host: other\r\n',
  'Host:\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Transfer-Encoding:\x0bchunked\r\n',
  'Expect: 200-maybe\r\n',
  'Connection: close, keep-alive\r\n',
  'Content-Encoding: gzip\r\n',
  'Upgrade: websocket\r\n',
  'Range: bytes=0-\r\n',
  'X-Forwarded-Host: a..b\r\n',
  'Accept: */*;q=,;;;"\r\n',
  ' folded\r\n',
  'CONNECT a:1',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'TRACE / HTTP/1.1\r\nHost: h\r\n\r\n',
  'HTTP/9.9',
  'HTTP/0.9',
  'é',
  'x'.repeat(300),
  'a,'.repeat(600),
  'a=b&'.repeat(100),
  'X-Y: z\r\n'.repeat(110),
  'y'.repeat(17_000),
]

const LINES = PIECES.filter((piece) => piece.endsWith('\r\n'))

/** The line between two others of the head. */
function withLine(text: string, line: string, random: () => number): string {
  const lines = text.split('\r\n')
  const head = Math.max(1, lines.indexOf(''))
  lines.splice(1 + Math.floor(random() * head), 0, line.slice(0, -2))
  return lines.join('\r\n')
}

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function damaged(text: string, random: () => number): string {
  let result = text
  const below = (limit: number) => Math.floor(random() * limit)
  // Most damage is done before the body, where it meets the parser.
  const place = () => below(random() < 0.8 ? Math.max(1, result.indexOf('\r\n\r\n')) : result.length + 1)
  for (let times = 1 + below(2); times > 0; times -= 1) {
    const at = place()
    const piece = PIECES[below(PIECES.length)] ?? ''
    const kind = random()
    if (kind < 0.4) result = withLine(result, LINES[below(LINES.length)] ?? '', random)
    else if (kind < 0.6) result = result.slice(0, at) + piece + result.slice(at)
    else if (kind < 0.7) result = result.slice(0, at) + result.slice(at + 1 + below(12))
    else if (kind < 0.8) result = result.slice(0, at) + String.fromCharCode(below(256)) + result.slice(at + 1)
    else if (kind < 0.9) result = `${result.slice(0, at)}${result.slice(at, at + 40)}${result.slice(at)}`
    else result = result.slice(0, at)
  }
  return result
}

/** Sends the bytes and closes this side; answers everything that came back until the other side closed. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const { port, hostname } = new URL(gateway.origin)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () =>
      socket.end(Buffer.from(bytes, 'latin1')),
    )
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}

/** The answers in what came back, by their own lengths; what is left over is not an answer of ours. */
function answersIn(text: string, isHead: boolean): { status: number; head: string; body: string }[] {
  const answers: { status: number; head: string; body: string }[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const head = end === -1 ? rest : rest.slice(0, end)
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? []
    if (status === undefined || end === -1) throw new Error(`This is no answer: ${rest.slice(0, 200)}`)
    rest = rest.slice(end + 4)
    const [, length] = /^content-length: (\d+)$/im.exec(head) ?? []
    const isChunked = /^transfer-encoding: chunked$/im.test(head)
    let body = ''
    // What never became a request is answered with a body, whatever its method would have been.
    const hasBody = isHead ? rest.startsWith('{') : !['100', '204', '304'].includes(status)
    if (hasBody && isChunked) {
      for (let size = -1; size !== 0; ) {
        const line = rest.indexOf('\r\n')
        size = Number.parseInt(rest.slice(0, line), 16)
        if (Number.isNaN(size)) throw new Error(`This is no chunk: ${rest.slice(0, 100)}`)
        body += rest.slice(line + 2, line + 2 + size)
        rest = rest.slice(line + 2 + size + 2)
      }
    } else if (hasBody && length !== undefined) {
      body = rest.slice(0, Number(length))
      rest = rest.slice(Number(length))
    } else if (hasBody) {
      body = rest
      rest = ''
    }
    answers.push({ status: Number(status), head, body })
  }
  return answers
}

const FORMS = [
  // Framework, bare, standard and minimal (specification 7.1), and the page of an address that has nothing.
  (body: string) => typeof JSON.parse(body).message === 'string',
  (body: string) => JSON.parse(body).error === 'Validation Failed',
  (body: string) => /^<!doctype html>/i.test(body),
]
const hasForm = (body: string) =>
  FORMS.some((form) => {
    try {
      return form(body)
    } catch {
      return false
    }
  })

test(
  `${REQUESTS} damaged requests with seed ${SEED}: no failure, and nothing but answers of ours`,
  async () => {
    console.log(`raw fuzz: ${REQUESTS} requests, seed ${SEED}`)
    const logged = vi.spyOn(gateway.container.cradle.log, 'error')
    const random = randomOf(SEED)
    const requests = Array.from({ length: REQUESTS }, () =>
      damaged(templates[Math.floor(random() * templates.length)] ?? '', random),
    )
    const statuses = new Map<number, number>()
    const findings: string[] = []
    let next = 0
    const worker = async () => {
      while (next < requests.length) {
        const index = next
        next += 1
        const bytes = requests[index] ?? ''
        try {
          for (const { status, head, body } of answersIn(await exchange(bytes), /HEAD /.test(bytes))) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
            if (status >= 500) throw new Error(`${status}: ${body}`)
            if (status !== 100 && !/^x-request-id: /im.test(head)) throw new Error(`${status} without X-Request-Id`)
            if (status !== 100 && !/^x-content-type-options: nosniff$/im.test(head))
              throw new Error(`${status}: ${head}`)
            if (status >= 400 && body !== '' && !hasForm(body)) throw new Error(`${status}: ${body}`)
          }
        } catch (error) {
          findings.push(`#${index} ${JSON.stringify(bytes.slice(0, 2000))}\n${(error as Error).message}`)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    const summary = [...statuses].sort().map((pair) => pair.join(' × '))
    console.log(`raw fuzz: ${summary.join(', ')}`)
    expect(findings.slice(0, 5)).toEqual([])
    expect(logged).not.toHaveBeenCalled()
    // Requests that no parser understands test nothing behind it.
    expect((statuses.get(200) ?? 0) + (statuses.get(204) ?? 0)).toBeGreaterThan(REQUESTS / 20)
    expect(statuses.get(400) ?? 0).toBeGreaterThan(REQUESTS / 20)
    const { client } = gateway
    expect((await client.request('GET', '/health')).status).toBe(200)
    await expect
      .poll(() => new Promise((resolve) => gateway.server.getConnections((_, count) => resolve(count))), {
        timeout: 10_000,
      })
      .toBe(0)
    expect(gateway.container.cradle.bodyBudget.inFlight()).toBe(0)
  },
  60_000 + REQUESTS * 20,
)
