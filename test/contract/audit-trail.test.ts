import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/audit/audit-chain.ts'
import { PLATFORM, recordAudit } from '../../src/audit/audit-statements.ts'
import { useAuditTrail } from '../support/audit-client.ts'
import { bearer, createWorkspace, type TestWorkspace } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { webhookClient } from '../support/webhook-client.ts'

const { gateway, logOf, entriesOf } = await useAuditTrail()
const { database, workspaces, companyPrefixes } = gateway.container.cradle

describe('the log', () => {
  test('has everything that was committed, newest first, each with what it takes to check it', async () => {
    const { as, id: tenantId, operatorId } = await createWorkspace(gateway)
    const path = `/api/v1/operators/${operatorId}`
    expectStatus(200, await gateway.request('PATCH', path, { headers: as, json: { name: 'Renamed' } }))
    const { body } = expectStatus(200, await logOf(as))
    const entries: AuditEntry[] = body.entries
    expect(entries.map(({ action }) => action)).toEqual([
      'operator.updated',
      'operator.created',
      'key.created',
      'key.created',
      'seal_key.rotated',
      'workspace.created',
    ])
    expect(entries.map(({ sequence }) => sequence)).toEqual([6, 5, 4, 3, 2, 1])
    expect(entries[0]).toEqual({
      tenantId,
      sequence: 6,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      action: 'operator.updated',
      subject: operatorId,
      actor: `api-key:${as.authorization.slice(15, 23)}`,
      detail: null,
      previousHash: entries[1]?.hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(entries.at(-1)?.previousHash).toBe('0'.repeat(64))
    expect(body.head).toEqual({ sequence: 6, hash: entries[0]?.hash })
    expect(body.nextCursor).toBeNull()
  })

  test('comes in pages that follow one another, also while more is recorded', async () => {
    const { as, id } = await createWorkspace(gateway)
    const add = (name: string) =>
      database.transaction(id, async (tx) => recordAudit(tx, PLATFORM, 'operator.bound', name))
    for (let index = 0; index < 8; index += 1) await add(`A-${index}`)
    const seen: number[] = []
    let query = '?limit=5'
    for (let page = 0; page < 3; page += 1) {
      const { body } = expectStatus(200, await logOf(as, query))
      seen.push(...body.entries.map(({ sequence }: AuditEntry) => sequence))
      query = `?limit=5&cursor=${body.nextCursor}`
      await add(`later ${page}`)
      if (body.nextCursor === null) break
    }
    expect(seen).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  test('is narrowed down by action, subject and time, and by several of them', async () => {
    const { as, id } = await createWorkspace(gateway)
    for (const subject of ['X', 'Y']) {
      await database.transaction(id, async (tx) => recordAudit(tx, PLATFORM, 'operator.bound', subject))
    }
    const subjects = async (query: string) => (await entriesOf(as, query)).map(({ subject }) => subject)
    expect(await subjects('?action=operator.bound')).toEqual(['Y', 'X'])
    expect(await subjects('?subject=X')).toEqual(['X'])
    expect(await subjects('?subject=X&action=operator.created')).toEqual([])
    const [last, first] = await entriesOf(as, '?action=operator.bound')
    expect(await subjects(`?from=${last?.at}&action=operator.bound`)).toContain('Y')
    expect(await subjects(`?to=${first?.at}&action=operator.bound`)).toEqual([])
    expect(await subjects(`?from=2000-01-01&to=2000-01-02T00:00:00Z`)).toEqual([])
    expect((await entriesOf(as, '?limit=1&action=operator.bound')).length).toBe(1)
  })

  test.each([
    ['cursor=x', 'cursor must be the nextCursor of a page.'],
    [`cursor=${Buffer.from('before -1').toString('base64url')}`, 'cursor must be the nextCursor of a page.'],
    ['from=yesterday', 'from must be an ISO 8601 timestamp.'],
    ['to=2026-02-30', 'to must be an ISO 8601 timestamp.'],
  ])('refuses ?%s', async (query, message) => {
    const { as } = await createWorkspace(gateway)
    const { status, body } = await logOf(as, `?${query}`)
    expect([status, body]).toEqual([400, { success: false, error: 'Bad Request', message }])
  })

  test('is of one workspace, for the database too', async () => {
    const [one, other] = [await createWorkspace(gateway), await createWorkspace(gateway)]
    const ids = (await entriesOf(one.as)).map(({ tenantId }) => tenantId)
    expect(new Set(ids)).toEqual(new Set([one.id]))
    const app = new pg.Client({ connectionString: gateway.urlOf('app') })
    await app.connect()
    await app.query(`select set_config('app.tenant', $1, false)`, [other.id])
    for (const table of ['audit_entry', 'audit_head']) {
      const { rows } = await app.query(`select tenant_id from ${table} where tenant_id = $1`, [one.id])
      expect([table, rows]).toEqual([table, []])
    }
    await app.end()
  })
})

describe('recorded entries', () => {
  let workspace: TestWorkspace
  const recorded = async (action: string) => {
    const [entry] = await entriesOf(workspace.as, `?action=${action}&limit=1`)
    return entry && { subject: entry.subject, actor: entry.actor, detail: entry.detail }
  }
  const actor = () => `api-key:${workspace.key.slice(8, 16)}`
  beforeAll(async () => {
    workspace = await createWorkspace(gateway)
  })

  test('keys, and never their secret', async () => {
    const { id, key } = await workspaces.createKey({
      workspaceId: workspace.id,
      role: 'AUDITOR',
      permissions: ['audit:read'],
      expiresAt: '2030-01-01T00:00:00Z',
      name: 'Ada',
    })
    expect(await recorded('key.created')).toEqual({
      subject: id,
      actor: 'platform',
      detail: {
        role: 'AUDITOR',
        permissions: ['audit:read'],
        operatorId: null,
        name: 'Ada',
        expiresAt: '2030-01-01T00:00:00.000Z',
      },
    })
    await workspaces.revokeKey(id)
    await workspaces.revokeKey(id)
    expect(await entriesOf(workspace.as, `?subject=${id}`)).toHaveLength(2)
    expect(await recorded('key.revoked')).toEqual({ subject: id, actor: 'platform', detail: null })
    expect(JSON.stringify(await entriesOf(workspace.as))).not.toContain(key.slice(17))
  })

  test('webhook subscriptions, and neither their secret nor the query of their address', async () => {
    const webhooks = webhookClient(gateway, workspace.as)
    const url = 'http://127.0.0.1:9/hook?token=hidden'
    const { id, secret } = expectStatus(201, await webhooks.create({ url, events: ['*'] })).body.subscription
    const shown = { url: 'http://127.0.0.1:9/hook', events: ['*'] }
    const by = { subject: id, actor: actor() }
    expect(await recorded('webhook.created')).toEqual({ ...by, detail: { ...shown, isActive: true } })
    const path = `/api/v1/webhooks/subscriptions/${id}`
    const call = (method: string, at = '', json?: object) =>
      gateway.request(method, `${path}${at}`, { headers: workspace.as, json })
    expectStatus(200, await call('PATCH', '', {}))
    expect(await recorded('webhook.updated')).toBeUndefined()
    expectStatus(200, await call('PATCH', '', { isActive: false }))
    expect(await recorded('webhook.updated')).toEqual({ ...by, detail: { ...shown, isActive: false } })
    const rotated = expectStatus(200, await call('POST', '/rotate-secret')).body.subscription.secret
    expect(await recorded('webhook.secret_rotated')).toEqual({ ...by, detail: null })
    expectStatus(200, await call('DELETE'))
    expect(await recorded('webhook.deleted')).toEqual({ ...by, detail: null })
    expect((await call('DELETE')).status).toBe(404)
    const all = JSON.stringify(await entriesOf(workspace.as, `?subject=${id}`))
    for (const hidden of ['hidden', secret, rotated]) expect(all).not.toContain(hidden)
  })

  test('seal keys, changes of the workspace, prefixes, and operators of others', async () => {
    expectStatus(200, await gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: workspace.as }))
    expect(await recorded('seal_key.rotated')).toEqual({
      subject: 'key-2',
      actor: actor(),
      detail: { fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    const { id } = workspace
    await workspaces.set(id, { plan: 'scale', requireMfa: false, passportLimit: 7 })
    await workspaces.set(id, { plan: 'scale' })
    expect(await entriesOf(workspace.as, '?action=workspace.updated')).toHaveLength(1)
    expect(await recorded('workspace.updated')).toEqual({
      subject: id,
      actor: 'platform',
      detail: { passportLimit: { from: null, to: 7 }, plan: { from: 'enterprise', to: 'scale' } },
    })
    await companyPrefixes.claim(id, '977001')
    await expect(companyPrefixes.claim(id, '977001')).rejects.toThrow('overlaps')
    expect(await recorded('prefix.claimed')).toEqual({ subject: '977001', actor: 'platform', detail: null })
    await companyPrefixes.release('977001')
    expect(await recorded('prefix.released')).toEqual({ subject: '977001', actor: 'platform', detail: null })
    const { operatorId } = await createWorkspace(gateway)
    await workspaces.bindOperator(operatorId, id)
    await workspaces.bindOperator(operatorId, id)
    expect(await entriesOf(workspace.as, '?action=operator.bound')).toHaveLength(1)
    expect(await recorded('operator.bound')).toEqual({ subject: operatorId, actor: 'platform', detail: null })
  })
})

test('a key of another workspace, or without the permission, reads no entry', async () => {
  const { id } = await createWorkspace(gateway)
  const permissions = ['passport:read', 'operator:read']
  const { key } = await workspaces.createKey({ workspaceId: id, role: 'BRAND_OPERATOR', permissions })
  expect((await logOf(bearer(key))).status).toBe(403)
})
