import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newGln, newGtin, type TestGateway, type TestWorkspace, textile } from './gateway.ts'
import { expectStatus, passportClient } from './passport-client.ts'

type Mode =
  | 'well'
  | 'well, with a proof of its own address'
  | "well, with a proof of somebody else's address"
  | 'well, with a proof that comes later'
  | 'well, with a proof that nobody takes'
  | 'is slow'
  | 'sends too much'
  | 'redirects'
  | 'sends no JSON'
  | 'sends JSON of another kind'
  | 'fails'
  | 'fails once'
  | 'knows it'
  | 'knows it and does not say as what'
  | 'refuses and repeats the secret'
  | 'refuses the credentials'
  | 'forbids it'

/** A local registry with its request log. */
export interface RegistryServer {
  readonly url: string
  /** Received registrations in order, whatever the response. */
  readonly registered: {
    readonly entry: Readonly<Record<string, unknown>>
    readonly authorization: string | undefined
  }[]
  /** Other requested addresses. */
  readonly requests: string[]
  mode: Mode
  /** Awaited before each response. */
  before: () => Promise<void>
  close(): Promise<void>
}

export const PROOF = Buffer.from('%PDF-1.7\n% proof of registration\n%%EOF\n')

/** Implements registration of the exploratory CIRPASS-2 registry. */
export async function openRegistry(): Promise<RegistryServer> {
  const registered: RegistryServer['registered'] = []
  const requests: string[] = []
  const identifiers = new Map<string, string>()
  const opened: Omit<RegistryServer, 'url'> & { url?: string } = {
    registered,
    requests,
    mode: 'well',
    before: async () => {},
    close,
  }
  const server = createServer((req, res) => {
    void answer(req, res)
  })

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    if (req.method !== 'POST' || req.url !== '/base/metadata/v1/registerDPP') {
      requests.push(`${req.method} ${req.url}`)
      // Late entries are absent at the first request.
      const isLater =
        req.url === '/proofs/later.pdf' && requests.filter((one) => one === 'GET /proofs/later.pdf').length > 1
      const status = req.url === '/proofs/later.pdf' && !isLater ? 503 : 404
      return void res.writeHead(isLater || req.url === '/proofs/1.pdf' ? 200 : status).end(PROOF)
    }
    const entry = JSON.parse(Buffer.concat(chunks).toString())
    registered.push({ entry, authorization: req.headers.authorization })
    await opened.before()
    const json = (status: number, body: unknown) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const identifier = identifiers.get(entry.upi) ?? `EU-REG-${identifiers.size + 1}`
    const { mode } = opened
    if (mode === 'fails once') opened.mode = 'well'
    if (mode.startsWith('well') || mode.startsWith('knows')) identifiers.set(entry.upi, identifier)
    const given = { registrationId: identifier, registeredAt: '2026-11-01T10:00:00Z' }
    switch (mode) {
      case 'well':
        return void json(201, { ...given, proof: PROOF.toString('base64') })
      case 'well, with a proof of its own address':
        return void json(201, { ...given, proofUrl: '/proofs/1.pdf' })
      case "well, with a proof of somebody else's address":
        return void json(201, { ...given, proofUrl: `http://127.0.0.2:${portOf()}/proofs/1.pdf` })
      case 'well, with a proof that comes later':
        return void json(201, { ...given, proofUrl: '/proofs/later.pdf' })
      case 'well, with a proof that nobody takes':
        return void json(201, { ...given, proof: Buffer.from('<html>').toString('base64') })
      case 'is slow':
        return
      case 'sends too much':
        return void res.writeHead(200).end(Buffer.alloc(4 << 20, 0x20))
      case 'redirects':
        return void res.writeHead(307, { location: '/elsewhere' }).end()
      case 'sends no JSON':
        return void res.writeHead(200).end('<html>registered</html>')
      case 'sends JSON of another kind':
        return void json(200, { registrationId: { id: identifier }, registeredAt: 'yesterday' })
      case 'fails':
      case 'fails once':
        return void res.writeHead(500).end('no')
      case 'knows it':
        return void json(409, { registrationId: identifier })
      case 'knows it and does not say as what':
        return void json(409, { message: 'already registered' })
      case 'refuses the credentials':
        return void json(401, { message: 'who are you?' })
      case 'forbids it':
        return void json(403, { message: 'not you' })
      case 'refuses and repeats the secret':
        return void json(422, { message: `not allowed: ${req.headers.authorization}` })
    }
  }

  const portOf = () => (server.address() as AddressInfo).port

  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  await new Promise<void>((resolve) => server.listen(0, resolve))
  return Object.assign(opened, { url: `http://127.0.0.1:${portOf()}/base` })
}

export const BACKUP = { provider: 'Copies Ltd', url: 'https://copies.example/p/1' }

/** Metadata that a registry accepts. */
export const whole = (more: object = {}) => textile({ commodityCode: '61091000', backup: BACKUP, ...more })

export async function givenRegistrable(gateway: TestGateway, { as }: TestWorkspace, more: object = {}) {
  const post = async (path: string, json: object) =>
    expectStatus(201, await gateway.request('POST', path, { headers: as, json })).body
  const passports = passportClient(gateway, as)
  const regId = `DE${newGtin()}`
  const { operator } = await post('/api/v1/operators', { name: 'Mill', regId, regIdScheme: 'EORI' })
  const gln = newGln()
  const json = { gln, name: 'Works', country: 'PT', operatorId: operator.id }
  const { facility } = await post('/api/v1/facilities', json)
  const metadata = whole()
  const made = await passports.given({ operatorId: operator.id, facilityId: facility.id, metadata, ...more })
  const { passport } = expectStatus(200, await passports.seal(made.id)).body
  return { ...passport, regId, gln }
}
