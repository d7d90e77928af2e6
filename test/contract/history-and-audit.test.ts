// Also runs without modules (vitest project `core`).
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { auditOf } from '../support/audit.ts'
import { createWorkspace, newGtin, startTestGateway, textile } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway({ TRUST_PROXY: '1' })

interface Version {
  readonly version: number
  readonly metadata: object
  readonly changed_by: string
  readonly change_reason: string
}
const historyOf = (passportId: string) =>
  gateway.sqlAs<Version>(
    workspace.id,
    'select version, metadata, changed_by, change_reason from passport_version where passport_id = $1 order by version',
    [passportId],
  )

describe('trap 66: the history of a passport', () => {
  test('keeps the metadata from before each change, numbered from 1, with who and why', async () => {
    const { id, metadata } = await passports.given({ metadata: textile({ size: 'S' }) })
    await passports.update(id, { metadata: textile({ size: 'M' }) })
    await passports.update(id, { metadata: textile({ size: 'L' }), changeReason: ' Corrected size ' })
    await passports.update(id, { metadata: textile({ size: 'XL' }), changeReason: '  ' })
    await passports.setStatus(id, 'RECALLED')
    await passports.setStatus(id, 'ACTIVE')
    const changed_by = `api-key:${workspace.key.slice(8, 16)}`
    expect(await historyOf(id)).toEqual([
      { version: 1, metadata, changed_by, change_reason: 'API Update' },
      { version: 2, metadata: textile({ size: 'M' }), changed_by, change_reason: 'Corrected size' },
      { version: 3, metadata: textile({ size: 'L' }), changed_by, change_reason: 'API Update' },
      { version: 4, metadata: textile({ size: 'XL' }), changed_by, change_reason: 'Status changed: ACTIVE → RECALLED' },
      { version: 5, metadata: textile({ size: 'XL' }), changed_by, change_reason: 'Status changed: RECALLED → ACTIVE' },
    ])
  })

  test('keeps nothing of a refused change, and nothing of a seal', async () => {
    const { id } = await passports.given()
    await passports.update(id, { metadata: {} })
    await passports.seal(id)
    await passports.update(id, { metadata: textile() })
    expect(await historyOf(id)).toEqual([])
  })

  test('numbers concurrent changes without gaps', async () => {
    const { id } = await passports.given()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => passports.update(id, { metadata: textile({ size: `${index}` }) })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const history = await historyOf(id)
    expect(history.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    // Each version has one of the writes, and none is lost.
    expect(new Set(history.map(({ metadata }) => JSON.stringify(metadata))).size).toBe(20)
  })

  test('goes with a draft that is deleted, seals included', async () => {
    const { id } = await passports.given({ metadata: { a: 1 }, draft: true })
    await passports.update(id, { metadata: { a: 2 }, draft: true })
    await passports.seal(id)
    expect(await historyOf(id)).toHaveLength(1)
    expect((await passports.remove(id)).status).toBe(200)
    for (const table of ['passport_history', 'seal', 'rendition']) {
      expect(await gateway.sqlAs(workspace.id, `select 1 from ${table} where passport_id = $1`, [id])).toEqual([])
    }
  })
})

describe('trap 37: the access audit', () => {
  const entriesOf = async (passportId: string) => {
    await gateway.container.cradle.accessAudit.flush()
    const rows = await gateway.sqlAs<{ representation: string; tier: string; network: string }>(
      workspace.id,
      'select representation, tier, network from access_audit, generate_series(1, accesses) where passport_id = $1',
      [passportId],
    )
    return rows.map(({ representation, tier, network }) => `${representation} ${tier} ${network}`).sort()
  }
  const from = (address: string, more: object = {}) => ({ headers: { 'x-forwarded-for': address, ...more } })

  test('has one entry per successful resolution, with the network of the address alone', async () => {
    const { id, productId } = await passports.given()
    const path = `/passport/${id}`
    const html = { accept: 'text/html', 'user-agent': 'Secret/1.0', referer: 'https://secret.example' }
    await gateway.request('GET', path, from('203.0.113.77'))
    await gateway.request('GET', path, from('203.0.113.77', html))
    await gateway.request('GET', `/01/${productId}`, from('2001:db8:1234:5678::9'))
    await gateway.request('GET', path, from('::ffff:198.51.100.9', workspace.as))
    await gateway.request('GET', `/api/v1/passports/${id}`, from('198.51.100.200', workspace.as))
    await gateway.request('GET', path, from('2001:db8::1'))
    expect(await entriesOf(id)).toEqual([
      'html public 203.0.113.0/24',
      'jsonld owner 198.51.100.0/24',
      'jsonld owner 198.51.100.0/24',
      'jsonld public 2001:db8:0::/48',
      'jsonld public 2001:db8:1234::/48',
      'jsonld public 203.0.113.0/24',
    ])
    const [row] = await gateway.sqlAs(workspace.id, 'select * from access_audit limit 1')
    expect(Object.keys(row ?? {}).sort()).toEqual([
      'accessed_at',
      'accesses',
      'network',
      'passport_id',
      'representation',
      'tier',
      'unit_id',
    ])
  })

  test('counts each answer that comes from memory, by its own network', async () => {
    const { id } = await passports.given()
    const path = `/passport/${id}`
    const etag = (await gateway.request('GET', path, from('203.0.113.1'))).headers.etag ?? ''
    for (let count = 2; count <= 9; count += 1) await gateway.request('GET', path, from(`203.0.113.${count}`))
    for (let count = 0; count < 4; count += 1) await gateway.request('GET', path, from('198.51.100.1'))
    await gateway.request('HEAD', path, from('198.51.100.2'))
    const known = await gateway.request('GET', path, from('198.51.100.3', { 'if-none-match': etag }))
    expect(known.status).toBe(304)
    const [near, far] = ['jsonld public 203.0.113.0/24', 'jsonld public 198.51.100.0/24']
    expect(await entriesOf(id)).toEqual([...Array(6).fill(far), ...Array(9).fill(near)])
  })

  test('has none for what was not shown', async () => {
    const draft = await passports.given({ draft: true })
    const live = await passports.given()
    await gateway.request('GET', `/passport/${draft.id}`)
    await gateway.request('GET', `/01/${live.productId}/21/nothing`)
    await passports.list()
    await passports.update(live.id, { metadata: textile() })
    expect(await entriesOf(draft.id)).toEqual([])
    expect(await entriesOf(live.id)).toEqual([])
  })

  test('has none for toys, whose law forbids it', async () => {
    const { id } = await passports.given({ metadata: { category: 'toys', originCountry: 'DE' } })
    for (const options of [{}, { headers: { accept: 'text/html' } }, { headers: workspace.as }]) {
      expect((await gateway.request('GET', `/passport/${id}`, options)).status).toBe(200)
    }
    expect(await entriesOf(id)).toEqual([])
  })

  test('of a deleted passport blocks no other request', async () => {
    const draft = await passports.given({ draft: true })
    const live = await passports.given()
    await passports.get(draft.id)
    await passports.remove(draft.id)
    await gateway.request('GET', `/passport/${live.id}`)
    expect(await entriesOf(live.id)).toHaveLength(1)
  })

  test('is written before the gateway has stopped', async () => {
    const short = await startTestGateway()
    const owner = await createWorkspace(short)
    const { id } = await passportClient(short, owner.as).given({ productId: newGtin() })
    for (let count = 0; count < 3; count += 1) await short.request('GET', `/passport/${id}`)
    await short.close()
    const client = new pg.Client({ connectionString: short.inspectorUrl })
    await client.connect()
    try {
      await client.query(`select set_config('app.tenant', $1, false)`, [owner.id])
      const { rows } = await client.query(
        'select network from access_audit, generate_series(1, accesses) where passport_id = $1',
        [id],
      )
      expect(rows).toEqual(Array(3).fill({ network: '127.0.0.0/24' }))
    } finally {
      await client.end()
    }
  })
})

test('an audit record says who did it', async () => {
  const { token } = await gateway.container.cradle.workspaces.createSession({
    workspaceId: workspace.id,
    user: 'user@atelier.example',
    role: 'TENANT_ADMIN',
    mfa: false,
  })
  const { body } = await gateway.request('POST', '/api/v1/operators', {
    headers: { authorization: `Bearer ${token}` },
    json: { name: 'N', regId: 'R-1' },
  })
  const path = `/api/v1/operators/${body.operator.id}`
  await gateway.request('PATCH', path, { headers: workspace.as, json: { name: 'M' } })
  expect(await auditOf(gateway, workspace.id, body.operator.id)).toEqual([
    { action: 'operator.created', actor: 'user@atelier.example', detail: null },
    { action: 'operator.updated', actor: `api-key:${workspace.key.slice(8, 16)}`, detail: null },
  ])
})
