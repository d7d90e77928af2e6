import { connect } from 'node:net'
import fc from 'fast-check'
import type { TestGateway, TestWorkspace } from './gateway.ts'
import { longRun } from './long-runs.ts'
import { givenSubjects } from './sample-calls.ts'

/** Concurrent requests, each on its own connection. */
const AT_ONCE = 20
const ROUNDS = 50
const SHRINKING_MS = 60_000

interface Damage {
  readonly kind: 'line' | 'insert' | 'cut' | 'byte' | 'double' | 'end'
  readonly isInHead: boolean
  readonly at: number
  readonly piece: number
}

/** Requests to damage; unmodified, most of them succeed. */
async function templatesFor(gateway: TestGateway, workspace: TestWorkspace): Promise<readonly string[]> {
  const { passportId, gtin } = await givenSubjects(gateway, workspace)
  const { authorization } = workspace.as
  const body = '{"productId":"RAW","metadata":{"category":"textiles","originCountry":"PT"}}'
  const post = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const chunked = `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const auth = `Host: h\r\nAuthorization: ${authorization}`
  const get = 'GET /health HTTP/1.1\r\nHost: h\r\n\r\n'
  return [
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
    // Valid and invalid chunked encodings.
    ...[
      '5;x="\r\n"\r\nhello\r\n0\r\n\r\n',
      'zz\r\n{}\r\n0\r\n\r\n',
      '-1\r\n{}\r\n',
      '0x2\r\n{}\r\n0\r\n\r\n',
      '2\n{}\n0\n\n',
      '2\r\n{}0\r\n\r\n',
      'ffffffffffffffffff\r\n{',
      '2\r\n{}\r\n0\r\nX: y\r\n\r\n',
      '2 \r\n{}\r\n0\r\n\r\n',
      `1;${'e'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`,
    ].map(
      (body) =>
        `POST /api/v1/passports/validate-only HTTP/1.1\r\n${auth}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
    ),
    // Targets in other forms.
    ...[
      'http://other.example/health',
      'http://h:0/health',
      'https://h/api/v1/version?x=1',
      'ftp://h/health',
      'http:///health',
      'h:443',
      'health',
      '',
      '//h/health',
      '/health#x',
      '/../health',
      '*',
    ].map((target) => `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`),
    // Pipelined requests, the last one incomplete.
    `${get}${get}${get}GET /hea`,
    `${get}POST /api/v1/audit/verify HTTP/1.1\r\nHost: h\r\n${post}${get}`,
    `POST /api/v1/audit/verify HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"payload"`,
  ]
}

/** Pieces that break parsers. */
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

/** Inserts a line into the head. */
function withLine(text: string, line: string, at: number): string {
  const lines = text.split('\r\n')
  const head = Math.max(1, lines.indexOf(''))
  lines.splice(1 + (at % head), 0, line.slice(0, -2))
  return lines.join('\r\n')
}

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant('line' as const) },
    { weight: 2, arbitrary: fc.constant('insert' as const) },
    { weight: 4, arbitrary: fc.constantFrom('cut' as const, 'byte' as const, 'double' as const, 'end' as const) },
  ),
  // Most damage is in the head, where the parser sees it.
  isInHead: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  at: fc.nat(2000),
  piece: fc.nat(1000),
})

function damaged(text: string, { kind, isInHead, at, piece }: Damage): string {
  if (kind === 'line') return withLine(text, LINES[piece % LINES.length] ?? '', at)
  const place = at % (isInHead ? Math.max(1, text.indexOf('\r\n\r\n')) : text.length + 1)
  const [before, after] = [text.slice(0, place), text.slice(place)]
  if (kind === 'insert') return before + (PIECES[piece % PIECES.length] ?? '') + after
  if (kind === 'cut') return before + after.slice(1 + (piece % 12))
  if (kind === 'byte') return before + String.fromCharCode(piece % 256) + after.slice(1)
  if (kind === 'double') return before + after.slice(0, 40) + after
  return before
}

/**
 * Sends the bytes and closes this side.
 * @returns all bytes until the other side closes
 */
function exchange(origin: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const { port, hostname } = new URL(origin)
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

/** Splits responses by their own lengths; a remainder is not a valid response. */
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
    // A malformed request gets a body regardless of its method.
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
  // Framework, bare, standard and minimal error formats (specification 7.1), and the page of an empty address.
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

/**
 * Fails if the response is malformed or not a documented one.
 * @returns the statuses
 */
export async function exchangeWell(origin: string, bytes: string): Promise<number[]> {
  return answersIn(await exchange(origin, bytes), /HEAD /.test(bytes)).map(({ status, head, body }) => {
    if (status >= 500) throw new Error(`${status}: ${body}`)
    if (status !== 100 && !/^x-request-id: /im.test(head)) throw new Error(`${status} without X-Request-Id`)
    if (status !== 100 && !/^x-content-type-options: nosniff$/im.test(head)) throw new Error(`${status}: ${head}`)
    if (status >= 400 && body !== '' && !hasForm(body)) throw new Error(`${status}: ${body}`)
    return status
  })
}

/**
 * Sends malformed HTTP until the limit or the deadline. A failure is shrunk and thrown as a test to paste.
 * @returns responses by status
 */
export async function fuzzRaw(
  gateway: TestGateway,
  workspace: TestWorkspace,
  bounds: { requests: number; seed: number; minutes?: number },
) {
  const templates = await templatesFor(gateway, workspace)
  const message = fc
    .tuple(fc.constantFrom(...templates), fc.array(damage, { maxLength: 2 }))
    .map(([template, damages]) => damages.reduce(damaged, template))
  const messages = fc.array(message, { minLength: 1, maxLength: AT_ONCE, size: 'max' })
  return longRun('raw fuzz', bounds, async (run) => {
    const statuses = new Map<number, number>()
    for (let { seed } = bounds; !run.isOver(); seed += 1) {
      const property = fc.asyncProperty(messages, async (several) => {
        if (run.isOver()) return
        const answers = await Promise.all(several.map((bytes) => exchangeWell(gateway.origin, bytes)))
        for (const _ of several) run.count()
        for (const status of answers.flat()) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      })
      const result = await fc.check(property, { seed, numRuns: ROUNDS, interruptAfterTimeLimit: SHRINKING_MS })
      if (!result.failed) continue
      const [several] = result.counterexample ?? [[]]
      throw new Error(
        `${(result.errorInstance as Error | undefined)?.message}\nSeed ${seed}; as a test:\n\ntest.each(${JSON.stringify(several, undefined, 2)})('%j', (bytes) => exchangeWell(gateway.origin, bytes))`,
      )
    }
    return statuses
  })
}
