import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { useGateway } from '../support/use-gateway.ts'

// A double of the Commission's service, including failures.
const requested: string[] = []
let behave: (eori: string, res: ServerResponse, req: IncomingMessage) => void
const register = createServer((req, res) => {
  let body = ''
  req.on('data', (chunk) => {
    body += chunk
  })
  req.on('end', () => {
    const eori = /<eori xmlns="">([^<]*)<\/eori>/.exec(body)?.[1] ?? ''
    requested.push(eori)
    behave(eori, res, req)
  })
})
const answer = (eori: string, status: string) =>
  `<?xml version="1.0"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body><ns0:validateEORIResponse xmlns:ns0="http://eori.ws.eos.dds.s/"><return><requestDate>01/01/2027</requestDate><result><eori>${eori}</eori><status>${status}</status><statusDescr>x</statusDescr></result></return></ns0:validateEORIResponse></S:Body></S:Envelope>`
let count = 0

await new Promise<void>((resolve) => register.listen(0, '127.0.0.1', resolve))
const { port } = register.address() as AddressInfo
const { gateway, workspace } = await useGateway({ EORI_CHECK_URL: `http://127.0.0.1:${port}/eori` })
afterAll(() => {
  register.closeAllConnections()
  register.close()
})
beforeEach(() => {
  requested.length = 0
})

const newEori = (country = 'DE') => {
  count += 1
  return `${country}${1_000_000 + count}`
}
const registerOperator = async (regId: string, { lang = 'en', regIdScheme = 'EORI' } = {}) => {
  const { status, body } = await gateway.request('POST', `/api/v1/operators?lang=${lang}`, {
    headers: workspace.as,
    json: { name: 'Acme', regId, regIdScheme },
  })
  expect([status, body.operator?.regId]).toEqual([201, regId])
  return body
}

test('an unknown number is stored, with a remark', async () => {
  behave = (eori, res) => res.end(answer(eori, '1'))
  const eori = newEori()
  const body = await registerOperator(eori, { lang: 'de' })
  expect(body.warnings).toEqual([
    {
      code: 'EORI_NOT_FOUND',
      path: 'regId',
      message: expect.stringContaining(`The EORI number ${eori} was not found`),
      friendlyMessage: expect.stringContaining(`Die EORI-Nummer ${eori}`),
    },
  ])
  // An existing operator is returned unchanged.
  expect((await registerOperator(eori)).warnings).toBeUndefined()
  expect(requested).toEqual([eori])
})

test('a known number has no remark', async () => {
  behave = (eori, res) => res.end(answer(eori, '0'))
  expect((await registerOperator(newEori())).warnings).toBeUndefined()
  expect(requested).toHaveLength(1)
})

test.each<[string, (eori: string, res: ServerResponse, req: IncomingMessage) => void]>([
  ['fails', (_, res) => res.writeHead(500).end('<status>1</status>')],
  ['speaks of another number', (_, res) => res.end(answer('FR1', '1'))],
  ['answers no XML', (_, res) => res.end('{"status":1}')],
  ['answers without end', (_, res) => void res.write('x'.repeat(30_000))],
  ['redirects', (_, res) => res.writeHead(307, { location: '/elsewhere' }).end()],
  ['hangs up', (_, __, req) => void req.socket.destroy()],
  ['says nothing', () => {}],
])('a register that %s counts as one that knows', async (_, how) => {
  behave = how
  expect((await registerOperator(newEori())).warnings).toBeUndefined()
  expect(requested).toHaveLength(1)
})

test('numbers of another register, and other schemes, are not asked for', async () => {
  behave = (eori, res) => res.end(answer(eori, '1'))
  for (const [regId, regIdScheme] of [
    [newEori('GB'), 'EORI'],
    [newEori(), 'VAT'],
  ] as const) {
    expect((await registerOperator(regId, { regIdScheme })).warnings).toBeUndefined()
  }
  expect(requested).toEqual([])
})
