import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { METADATA } from '../../../test/support/credentials.ts'
import { createWorkspace, newGln, newGtin, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { passportClient } from '../../../test/support/passport-client.ts'
import { dpp, freePort } from '../../../test/support/process.ts'
import { inDays } from '../../../test/support/sample-calls.ts'

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
  const { api, checks, counts } = JSON.parse(stdout) as { api: string; checks: Check[]; counts: Record<string, number> }
  const withoutApi = checks.some(({ reason }) => reason?.startsWith(`no EN 18222 interface at ${api}`) === true)
  const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ id, reason }) => `${id}: ${reason}`)
  return { code, checks, counts, withoutApi, failed }
}

// The module en-18222 serves application/json, too.
const PLAIN_JSON = 'en18216.plain-json: Content-Type "application/ld+json", expected application/json.'

describe('the gateway', () => {
  test.each([
    ['a reader without credentials', () => []],
    ['a grantee', () => ['--grant', grant]],
    ['the owner', () => ['--key', key]],
  ])('fails no check for %s', async (_, credentials) => {
    const { failed, withoutApi, counts, checks } = await conformance('--write', ...credentials())
    expect(failed).toEqual(withoutApi ? [PLAIN_JSON] : [])
    expect(counts.pass).toBeGreaterThan(credentials().length === 0 ? 150 : 160)
    const restricted = checks.filter(
      ({ id }) => id.startsWith('access.restricted-in-') && !/full|version|product|compressed/.test(id),
    )
    expect(new Set(restricted.map(({ verdict }) => verdict))).toEqual(
      new Set([credentials().length === 0 ? 'skip' : 'pass']),
    )
  })

  test('creates, changes and deletes a passport by EN 18222 without a fault', async () => {
    const file = join(folder, 'new.json')
    const uniqueProductIdentifier = link.replace(/\d+$/, newGtin())
    writeFileSync(file, JSON.stringify({ uniqueProductIdentifier, category: 'textiles', originCountry: 'PT' }))
    const args = ['--write', '--key', key, '--create', file, '--only', 'en18222-writes']
    const { failed, withoutApi, checks } = await conformance(...args)
    expect(failed).toEqual([])
    const created = checks.find(({ id }) => id === 'en18222-writes.create')
    expect(created?.verdict).toBe(withoutApi ? 'skip' : 'pass')
  })
})
