import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { METADATA } from '../../../test/support/credentials.ts'
import { createWorkspace, newGln, newGtin, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { passportClient } from '../../../test/support/passport-client.ts'
import { dpp, freePort } from '../../../test/support/process.ts'
import { inDays } from '../../../test/support/sample-calls.ts'
import { selfSigned } from '../../../test/support/self-signed.ts'
import { runChecks } from './run.ts'
import { startService } from './testing/clean-service.ts'
import { runAgainst } from './testing/run-against.ts'

// The command against the gateway, over HTTP as any service.

const folder = mkdtempSync(join(tmpdir(), 'dpp-conformance-gateway-'))
let gateway: TestGateway
let link: string
let grant: string
let key: string

beforeAll(async () => {
  const port = await freePort()
  const base = `http://localhost:${port}`
  gateway = await startTestGateway({ PORT: String(port), BASE_URL: base })
  const workspace = await createWorkspace(gateway)
  key = workspace.key
  const passports = passportClient(gateway, workspace.as)
  const { body } = await gateway.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: { gln: newGln(), name: 'Works 1', country: 'PT' },
  })
  const operator = await gateway.request('POST', '/api/v1/operators', {
    headers: workspace.as,
    json: { name: 'Maker', regId: '529900T8BM49AURSDO55', regIdScheme: 'LEI' },
  })
  const { id, productId } = await passports.given({
    operatorId: operator.body.operator.id,
    productId: newGtin(),
    metadata: {
      ...METADATA.batteries,
      detailedPerformance: { powerW: 7654321, remark: 'a restricted remark' },
      facilityDetails: [{ facilityName: 'Secret works of the owner', location: 'Braga', activity: 'assembly' }],
    },
    facilityId: body.facility.id,
  })
  await passports.seal(id)
  link = `${base}/01/${productId}`
  const issued = await gateway.request('POST', '/api/v1/grants', {
    headers: workspace.as,
    json: { granteeName: 'Repairer', scopeType: 'PASSPORT', passportId: id, expiresAt: inDays(2) },
  })
  grant = issued.body.token
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await gateway.close()
})

interface Check {
  readonly id: string
  readonly verdict: string
  readonly reason?: string
}

async function conformance(...args: string[]) {
  const { code, stdout } = await dpp(['conformance', link, '--allow-localhost', '--json', ...args], {})
  const { checks, counts } = JSON.parse(stdout) as { checks: Check[]; counts: Record<string, number> }
  const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ id, reason }) => `${id}: ${reason}`)
  return { code, checks, counts, failed }
}

describe('the gateway', () => {
  test('meets the transport of EN 18216 behind a proxy that accepts only HTTP/2', async () => {
    const certificate = await selfSigned()
    const proxy = createSecureServer({ ...certificate }, async (request, response) => {
      const { status, headers, text } = await gateway.request('GET', request.url ?? '', {
        headers: { accept: request.headers.accept ?? '*/*' },
      })
      response.writeHead(status, {
        'content-type': headers['content-type'],
        'strict-transport-security': 'max-age=1000',
      })
      response.end(text)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const api = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`
    const { results } = await runChecks({
      ...{ url: api, api, product: link, ca: certificate.cert, only: ['en18216'], allowLocalhost: true },
      ...{ isWriting: false, contexts: new Map(), tell: () => {} },
    })
    proxy.close()
    expect(results.filter(({ verdict }) => verdict === 'fail').map(({ check, reason }) => [check.id, reason])).toEqual(
      [],
    )
    const passed = results.filter(({ verdict }) => verdict === 'pass').map(({ check }) => check.id)
    const transport = [
      'certificate',
      'tls-1.2',
      'no-old-tls',
      'tls-1.3',
      'http-2',
      'no-http-1.0',
      'no-http-1.1',
      'json',
    ]
    expect(passed).toEqual(expect.arrayContaining(transport.map((name) => `en18216.${name}`)))
  })

  test('fails no check for a reader without credentials', async () => {
    const { failed, counts } = await conformance('--write')
    expect(failed).toEqual([])
    expect(counts.pass).toBeGreaterThan(270)
  })

  test.each([
    ['a grantee', () => ['--grant', grant]],
    ['the owner', () => ['--key', key]],
  ])('shows no value of %s to the public, in any format', async (_, credentials) => {
    const { failed, checks } = await conformance('--only', 'access,caching', ...credentials())
    expect(failed).toEqual([])
    const others = checks.filter(({ id, verdict }) => id.startsWith('access.restricted-in-') && verdict !== 'pass')
    expect(others).toEqual([])
  })

  test('creates, changes and deletes a passport by EN 18222 without a fault', async () => {
    const file = join(folder, 'new.json')
    const uniqueProductIdentifier = link.replace(/\d+$/, newGtin())
    writeFileSync(file, JSON.stringify({ uniqueProductIdentifier, category: 'textiles', originCountry: 'PT' }))
    const args = ['--write', '--key', key, '--create', file, '--only', 'en18222-writes']
    const { failed, checks } = await conformance(...args)
    expect(failed).toEqual([])
    const created = checks.find(({ id }) => id === 'en18222-writes.create')
    expect(created?.verdict).toBe('pass')
  })

  test('has seals that are valid, unless a value is changed', async () => {
    const service = await startService()
    const sealed = await gateway.request('GET', link.slice(link.indexOf('/01/')), {
      headers: { accept: 'application/ld+json' },
    })
    const { text } = await gateway.request('GET', '/.well-known/opendpp-seal-ca.pem')
    const verdictsOf = async (body: string) => {
      service.plant((response, { headers }) =>
        headers.accept === 'application/ld+json'
          ? { ...response, body, headers: { 'content-type': 'application/ld+json' } }
          : response,
      )
      const { results } = await runAgainst(service, { only: ['seals'], sealTrust: { sealCa: text } })
      return Object.fromEntries(results.map(({ check, verdict }) => [check.id, verdict]))
    }
    const valid = await verdictsOf(sealed.text)
    const changed = await verdictsOf(
      JSON.stringify({ ...sealed.body, metadata: { ...sealed.body.metadata, originCountry: 'XX' } }),
    )
    await service.close()
    expect(valid).toMatchObject({ 'seals.verifiable': 'pass', 'seals.signature': 'pass', 'seals.certificate': 'pass' })
    expect([valid['seals.content'], changed['seals.content'], changed['seals.verifiable']]).toEqual([
      'pass',
      'fail',
      'fail',
    ])
  })
})
