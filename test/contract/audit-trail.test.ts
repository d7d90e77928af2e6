import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry, ChainPlace } from '../../src/domain/audit-chain.ts'
import { loadMigrations } from '../../src/plugin/loader.ts'
import { ROOT } from '../../src/root.ts'
import { PLATFORM, recordAudit, recordAudits } from '../../src/storage/audit.ts'
import { deleteWorkspace } from '../../src/storage/credentials.ts'
import { prepareDatabase } from '../../src/storage/database.ts'
import {
  bearer,
  createDatabase,
  createWorkspace,
  MASTER_KEY,
  superuserUrl,
  type TestWorkspace,
} from '../support/gateway.ts'
import { judge } from '../support/judges.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { dpp } from '../support/process.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'
import { webhookClient } from '../support/webhook-client.ts'

const CHECK = join(import.meta.dirname, '../conformance/audit-chain.py')
const python = judge('python3')

const { gateway } = await useGateway()
const { databaseUrl } = gateway
const { auditTrail, database, workspaces, companyPrefixes, auditChaining } = gateway.container.cradle

let superuser: pg.Client
beforeAll(async () => {
  superuser = new pg.Client({ connectionString: await superuserUrl(databaseUrl) })
  await superuser.connect()
})
afterAll(() => superuser.end())

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}
const logOf = (headers: Record<string, string>, query = '') =>
  gateway.request('GET', `/api/v1/audit/log${query}`, { headers })
const entriesOf = async (headers: Record<string, string>, query = ''): Promise<AuditEntry[]> =>
  expectStatus(200, await logOf(headers, query)).body.entries
const verdictOf = async (workspaceId: string, noted: readonly ChainPlace[] = []) => {
  const [verdict] = await all(auditTrail.verify(workspaceId, noted))
  if (verdict === undefined) throw new Error('There is no verdict.')
  return verdict
}
const faultsOf = async (workspaceId: string, noted: readonly ChainPlace[] = []) =>
  (await verdictOf(workspaceId, noted)).faults.map(({ fault }) => fault)
/** A workspace whose chain has so many entries. */
async function givenTrail(count: number): Promise<string> {
  const id = randomUUID()
  await superuser.query(
    `insert into workspace (id, name, legal_name, plan) values ($1, 'Trail', 'Trail', 'enterprise')`,
    [id],
  )
  for (let index = 1; index <= count; index += 1) {
    await database.transaction(id, async (tx) =>
      recordAudit(tx, PLATFORM, 'operator.created', `S-${index}`, {
        text: `ä"\\\n\u2028${index}`,
        b: [1, { z: 1, a: null }],
      }),
    )
  }
  await all(auditTrail.verify(id))
  return id
}

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

describe('what is recorded', () => {
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

describe('the chain', () => {
  test('is made without being asked', async () => {
    const { id } = await createWorkspace(gateway)
    const numbers = async () => {
      const { rows } = await superuser.query('select sequence from audit_entry where tenant_id = $1', [id])
      return rows.length
    }
    await expect.poll(numbers, { timeout: 10_000 }).toBe(5)
  })

  test('is whole after 16 writers of one workspace at once, who are read and chained meanwhile', async () => {
    const { as, id } = await createWorkspace(gateway)
    const passport = await passportClient(gateway, as).given({ metadata: battery() })
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let round = 0; round < 5; round += 1) {
        const units = Array.from({ length: 20 }, (__, unit) => ({ serialNumber: `${writer}-${round}-${unit}` }))
        expectStatus(201, await unitClient(gateway, as).serialise(passport.id, { units }))
        if (writer === 0) await logOf(as)
      }
    })
    const jobs = new pg.Client({ connectionString: gateway.urlOf('jobs') })
    await jobs.connect()
    let isDone = false
    const chaining = (async () => {
      while (!isDone) await jobs.query('select audit_chain_all()')
    })()
    await Promise.all(writers)
    isDone = true
    await chaining
    await jobs.end()
    const { faults, entries, head } = await verdictOf(id)
    expect([faults, entries, head.sequence]).toEqual([[], 5 + 16 * 5 * 20, 5 + 16 * 5 * 20])
    const { rows } = await superuser.query(
      `select count(distinct subject_id)::int as units from audit_entry where tenant_id = $1 and action = 'batteryunit.created'`,
      [id],
    )
    expect(rows).toEqual([{ units: 1600 }])
    // Those of one request are in its order.
    const units = (await all(auditTrail.entries(id, {}))).filter(({ action }) => action === 'batteryunit.created')
    const serials = units.map(({ detail }) => String((detail as { serialNumber: string }).serialNumber))
    const byRequest = Map.groupBy(serials, (serial) => serial.replace(/-[0-9]+$/, ''))
    expect(byRequest.size).toBe(80)
    for (const [request, inOrder] of byRequest) {
      expect(inOrder).toEqual(Array.from({ length: 20 }, (_, unit) => `${request}-${unit}`))
    }
  })

  test('has neither an entry nor a gap of what was rolled back', async () => {
    const id = await givenTrail(2)
    const undone = database.transaction(id, async (tx) => {
      recordAudits(tx, PLATFORM, 'operator.created', [
        { id: 'undone 1', detail: undefined },
        { id: 'undone 2', detail: {} },
      ])
      await tx.transaction(async () => {})
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await database.transaction(id, async (tx) => {
      recordAudit(tx, PLATFORM, 'operator.created', 'kept')
      const part = tx.transaction(async (inner) => {
        recordAudit(inner, PLATFORM, 'operator.created', 'undone 3')
        throw new Error('part')
      })
      await expect(part).rejects.toThrow('part')
    })
    const entries = await all(auditTrail.entries(id, {}))
    expect(entries.map(({ sequence, subject }) => [sequence, subject])).toEqual([
      [1, 'S-1'],
      [2, 'S-2'],
      [3, 'kept'],
    ])
    expect(await faultsOf(id)).toEqual([])
  })

  test('goes with its workspace', async () => {
    const { id } = await createWorkspace(gateway)
    await verdictOf(id)
    await database.transaction(id, async (tx) => recordAudit(tx, PLATFORM, 'operator.bound', 'waiting'))
    await deleteWorkspace(database.forTenant(id))
    for (const table of ['audit_inbox', 'audit_entry', 'audit_head']) {
      const { rowCount } = await superuser.query(`select 1 from ${table} where tenant_id = $1`, [id])
      expect([table, rowCount]).toEqual([table, 0])
    }
  })
})

/** Tampering by whoever may do everything with the database, on a trail of six entries, and what is found. */
const TAMPERED: Readonly<Record<string, { sql: string; faults: readonly string[] }>> = {
  'a detail is changed': {
    sql: `update audit_entry set detail = '{"text":"other"}' where tenant_id = $1 and sequence = 3`,
    faults: ['Entry 3 is not what was recorded in this place.'],
  },
  'a detail is taken away': {
    sql: `update audit_entry set detail = null where tenant_id = $1 and sequence = 1`,
    faults: ['Entry 1 is not what was recorded in this place.'],
  },
  'another is said to have done it': {
    sql: `update audit_entry set actor = 'Mallory' where tenant_id = $1 and sequence = 2`,
    faults: ['Entry 2 is not what was recorded in this place.'],
  },
  'it is said to be earlier by a millisecond': {
    sql: `update audit_entry set created_at = created_at - interval '1 ms' where tenant_id = $1 and sequence = 6`,
    faults: ['Entry 6 is not what was recorded in this place.'],
  },
  'a hash is changed': {
    sql: `update audit_entry set hash = sha256('x') where tenant_id = $1 and sequence = 4`,
    faults: ['Entry 4 is not what was recorded in this place.', 'Entry 5 is not what was recorded in this place.'],
  },
  'the first is deleted': {
    sql: `delete from audit_entry where tenant_id = $1 and sequence = 1`,
    faults: ['Entry 1 is missing.'],
  },
  'one in the middle is deleted': {
    sql: `delete from audit_entry where tenant_id = $1 and sequence = 4`,
    faults: ['Entry 4 is missing.'],
  },
  'several are deleted, here and there': {
    sql: `delete from audit_entry where tenant_id = $1 and sequence in (2, 3, 5)`,
    faults: ['Entries 2 to 3 are missing.', 'Entry 5 is missing.'],
  },
  'one is deleted and the gap is closed': {
    sql: `with gone as (delete from audit_entry where tenant_id = $1 and sequence >= 4 returning *), head as (
        update audit_head set sequence = 5 where tenant_id = $1)
      insert into audit_entry select tenant_id, sequence - 1, action, subject_id, actor, detail, created_at, hash
      from gone where sequence > 4`,
    faults: ['Entry 4 is not what was recorded in this place.', 'Entry 5 is not what was recorded in this place.'],
  },
  'the last is deleted': {
    sql: `delete from audit_entry where tenant_id = $1 and sequence = 6`,
    faults: ['Entry 6 is missing.'],
  },
  'all are deleted': {
    sql: `delete from audit_entry where tenant_id = $1`,
    faults: ['Entries 1 to 6 are missing.'],
  },
  'the head is deleted': {
    sql: `delete from audit_head where tenant_id = $1`,
    faults: ['Entry 1 is after the head, which nothing that was recorded is.'],
  },
  'the head is moved back': {
    sql: `update audit_head h set sequence = e.sequence, hash = e.hash from audit_entry e
      where h.tenant_id = $1 and e.tenant_id = $1 and e.sequence = 4`,
    faults: ['Entry 5 is after the head, which nothing that was recorded is.'],
  },
  'the head has another hash': {
    sql: `update audit_head set hash = sha256('x') where tenant_id = $1`,
    faults: ['Entry 6 is not the one that the head names.'],
  },
  'two change places': {
    sql: `update audit_entry e set action = o.action, subject_id = o.subject_id, actor = o.actor, detail = o.detail,
        created_at = o.created_at from audit_entry o
      where e.tenant_id = $1 and o.tenant_id = $1 and (e.sequence, o.sequence) in ((2, 3), (3, 2))`,
    faults: ['Entry 2 is not what was recorded in this place.', 'Entry 3 is not what was recorded in this place.'],
  },
  'two change places, hashes included': {
    sql: `update audit_entry e set action = o.action, subject_id = o.subject_id, actor = o.actor, detail = o.detail,
        created_at = o.created_at, hash = o.hash from audit_entry o
      where e.tenant_id = $1 and o.tenant_id = $1 and (e.sequence, o.sequence) in ((2, 3), (3, 2))`,
    faults: [
      'Entry 2 is not what was recorded in this place.',
      'Entry 3 is not what was recorded in this place.',
      'Entry 4 is not what was recorded in this place.',
    ],
  },
  'one is put in between, and the others move up': {
    sql: `with moved as (delete from audit_entry where tenant_id = $1 and sequence >= 3 returning *), head as (
        update audit_head set sequence = 7 where tenant_id = $1), made as (
        insert into audit_entry select tenant_id, sequence + 1, action, subject_id, actor, detail, created_at, hash from moved)
      insert into audit_entry select tenant_id, 3, 'key.created', 'forged', 'platform', null, created_at, sha256('forged')
      from moved where sequence = 3`,
    faults: [3, 4, 5, 6, 7].map((place) => `Entry ${place} is not what was recorded in this place.`),
  },
  'one is put in at the end': {
    sql: `insert into audit_entry select tenant_id, 7, action, 'forged', actor, detail, created_at, sha256('forged')
      from audit_entry where tenant_id = $1 and sequence = 6`,
    faults: ['Entry 7 is after the head, which nothing that was recorded is.'],
  },
  'one is put in at the front': {
    sql: `insert into audit_entry select tenant_id, 0, action, 'forged', actor, detail, created_at, sha256('forged')
      from audit_entry where tenant_id = $1 and sequence = 1`,
    faults: ['Entry 0 is before the first.'],
  },
  'one of another workspace is put in its place': {
    sql: `update audit_entry e set subject_id = o.subject_id, hash = o.hash, created_at = o.created_at from audit_entry o
      where e.tenant_id = $1 and e.sequence = 1 and o.tenant_id <> $1 and o.sequence = 1`,
    faults: ['Entry 1 is not what was recorded in this place.', 'Entry 2 is not what was recorded in this place.'],
  },
}

describe('tampering is found, and where', () => {
  test.each(Object.keys(TAMPERED))('%s', async (name) => {
    const { sql, faults } = TAMPERED[name] as (typeof TAMPERED)[string]
    const id = await givenTrail(6)
    expect(await faultsOf(id)).toEqual([])
    await superuser.query(sql, [id])
    expect(await faultsOf(id)).toEqual(faults)
  })

  test('an end that is cut off with its head is found by a head that was noted', async () => {
    const id = await givenTrail(6)
    const { head: early } = await verdictOf(id)
    await database.transaction(id, async (tx) => recordAudit(tx, PLATFORM, 'operator.created', 'last'))
    const { head: noted } = await verdictOf(id)
    expect(noted.sequence).toBe(7)
    await superuser.query(
      `with gone as (delete from audit_entry where tenant_id = $1 and sequence = 7)
       update audit_head h set sequence = e.sequence, hash = e.hash from audit_entry e
       where h.tenant_id = $1 and e.tenant_id = $1 and e.sequence = 6`,
      [id],
    )
    expect(await faultsOf(id)).toEqual([])
    expect(await faultsOf(id, [early])).toEqual([])
    expect(await faultsOf(id, [noted])).toEqual(['Entry 7 was noted, and the chain does not have it.'])
    // As if it had never been: the next one takes its number, and the chain is whole again.
    await database.transaction(id, async (tx) => recordAudit(tx, PLATFORM, 'operator.created', 'forged'))
    expect(await faultsOf(id)).toEqual([])
    expect(await faultsOf(id, [early, noted])).toEqual(['Entry 7 is another one than was noted.'])
  })
})

describe('the command line', () => {
  const env = { DATABASE_URL: databaseUrl, MASTER_KEY, BASE_URL: 'https://dpp.example.test' }
  const run = (...args: string[]) => dpp(['audit', ...args], env)
  const folder = mkdtempSync(join(tmpdir(), 'dpp-audit-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const check = (jsonLines: string) => {
    const { status, stdout, stderr } = spawnSync(python as string, [CHECK], { input: jsonLines, encoding: 'utf8' })
    return [status, `${stdout}${stderr}`.trim()]
  }

  test('verify tells the head, what is wrong, and whether a noted head is still there', async () => {
    const id = await givenTrail(3)
    const { head } = await verdictOf(id)
    const good = await run('verify', '--workspace', id)
    expect([good.code, good.stdout]).toEqual([0, `ok    ${id}  Trail: 3 entries, head 3:${head.hash}\n`])
    const noted = await run('verify', '--workspace', id, '--head', `3:${head.hash}`, '--json')
    expect([noted.code, JSON.parse(noted.stdout)]).toEqual([
      0,
      {
        whole: true,
        workspaces: [{ workspaceId: id, workspace: 'Trail', entries: 3, head: `3:${head.hash}`, faults: [] }],
      },
    ])
    await superuser.query(`update audit_entry set actor = 'x' where tenant_id = $1 and sequence = 2`, [id])
    const found = await run('verify')
    expect([found.code, found.stdout]).toEqual([1, expect.stringContaining('Entry 2 is not what was recorded')])
    expect(found.stdout).toMatch(new RegExp(`^FAIL  ${id}`, 'm'))
  })

  test.each([
    [['verify', '--head', `3:${'a'.repeat(64)}`], 2, '--head needs --workspace.'],
    [['verify', '--workspace', randomUUID(), '--head', '3'], 2, '--head must be as "audit verify" prints it.'],
    [['verify', '--workspace', randomUUID()], 1, 'There is no workspace'],
    [['export'], 2, '--workspace is missing.'],
  ])('%j ends with %d', async (args, code, message) => {
    expect(await run(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
  })

  test.skipIf(python === undefined)('what is exported is checked by a few lines of another language', async () => {
    const { as, id, operatorId } = await createWorkspace(gateway)
    const json = { name: 'Ünïcode \u{1f50b} "\\ \u007f' }
    expectStatus(200, await gateway.request('PATCH', `/api/v1/operators/${operatorId}`, { headers: as, json }))
    await database.transaction(id, async (tx) =>
      recordAudit(tx, { actor: 'ä \u{1f50b} "\\/\u0001\u2028' }, 'operator.created', 'é', {
        z: 'ß\t\u{1f50b}',
        a: { y: [1, true, null], x: '' },
      }),
    )
    const { head } = await verdictOf(id)
    const out = join(folder, 'trail.jsonl')
    const written = await run('export', '--workspace', id, '--out', out)
    expect([written.code, written.stdout]).toEqual([0, expect.stringContaining(out)])
    const lines = readFileSync(out, 'utf8')
    expect(check(lines)).toEqual([0, `${head.sequence} entries, ${head.sequence}:${head.hash}`])
    // The judge can say no.
    expect(check(lines.replace('platform', 'Platform'))).toEqual([1, 'Entry 1 is not what its hash says.'])
    const removed = lines.split('\n').toSpliced(2, 1).join('\n')
    expect(check(removed)).toEqual([1, 'Entry 4 does not follow entry 2.'])
    // The log says the same of each entry.
    const shown = (await entriesOf(as)).toReversed()
    expect(shown).toEqual(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
    const printed = await run('export', '--workspace', id)
    expect([printed.code, printed.stdout]).toEqual([0, lines])
  })

  test('a span of time is exported without a gap', async () => {
    const id = await givenTrail(6)
    // A transaction that began earlier was committed later.
    await superuser.query(
      `update audit_entry set created_at = $2::timestamptz + ($3::int[])[sequence] * interval '1 day'
      where tenant_id = $1`,
      [id, '2026-01-01T00:00:00Z', [1, 2, 4, 3, 5, 6]],
    )
    const exported = async (from: string, to?: string) =>
      (await all(auditTrail.entries(id, { from, to }))).map(({ sequence }) => sequence)
    expect(await exported('2026-01-03', '2026-01-05')).toEqual([2, 3, 4])
    expect(await exported('2026-01-05', '2026-01-07')).toEqual([3, 4, 5])
    expect(await exported('2027-01-01')).toEqual([])
    await expect(exported('x')).rejects.toThrow('from must be an ISO 8601 timestamp.')
    const { code, stdout } = await run('export', '--workspace', id, '--from', '2026-01-03', '--to', '2026-01-05')
    expect([code, stdout.match(/"sequence":\d+/g)]).toEqual([0, ['"sequence":2', '"sequence":3', '"sequence":4']])
  })
})

test('what was recorded before there was a chain is chained, in its order', async () => {
  const url = await createDatabase()
  const all = (await loadMigrations(join(ROOT, 'migrations'), 'core')) as Parameters<typeof prepareDatabase>[2]
  const last = all.findIndex(({ name }) => name.endsWith('audit'))
  await prepareDatabase(url, MASTER_KEY, all.slice(0, last))
  const client = new pg.Client({ connectionString: await superuserUrl(url) })
  await client.connect()
  try {
    const ids = [randomUUID(), randomUUID()]
    for (const id of ids) {
      await client.query(`insert into workspace (id, name, legal_name, plan) values ($1, 'W', 'W', 'growth')`, [id])
      for (const detail of ['{"serialNumber":"1","passportId":"ä\\n"}', null, '{}', '{"b":2,"a":"x"}']) {
        await client.query(
          `insert into audit_entry (tenant_id, action, subject_id, actor, detail, created_at)
           values ($1, 'grant.issued', 's', 'a', $2, '2026-01-01')`,
          [id, detail],
        )
      }
    }
    const passportId = randomUUID()
    await client.query(
      `insert into access_audit (passport_id, representation, tier, network, accessed_at, accesses)
       select $1, 'html', 'public', 'n', now() - d * interval '1 day', 2 from unnest('{0, 0, 40, 500}'::int[]) as d`,
      [passportId],
    )
    await prepareDatabase(url, MASTER_KEY, all)
    const { rows } = await client.query('select tenant_id, sequence::int, detail::text from audit_entry order by 1, 2')
    const details = ['{"passportId":"ä\\n","serialNumber":"1"}', null, '{}', '{"a":"x","b":2}']
    expect(rows).toEqual(
      ids
        .toSorted()
        .flatMap((tenant_id) => details.map((detail, index) => ({ tenant_id, sequence: index + 1, detail }))),
    )
    const counts = await client.query(
      `select (current_date - day) as days, resolutions::int from resolution_count where passport_id = $1 order by 1`,
      [passportId],
    )
    expect(counts.rows.map(({ resolutions }) => resolutions)).toEqual([4, 2, 2])
    expect((await client.query('select sum(accesses)::int as sum from access_audit')).rows).toEqual([{ sum: 8 }])
    const env = { DATABASE_URL: url, MASTER_KEY, BASE_URL: 'https://dpp.example.test' }
    const verified = await dpp(['audit', 'verify'], env)
    expect([verified.code, verified.stdout.match(/^ok/gm)?.length]).toEqual([0, 2])
  } finally {
    await client.end()
  }
})

test('a gateway that ends leaves nothing that waits', async () => {
  const id = await givenTrail(1)
  await database.transaction(id, async (tx) => recordAudit(tx, PLATFORM, 'operator.created', 'waiting'))
  await auditChaining.stop()
  const { rowCount } = await superuser.query('select 1 from audit_inbox where tenant_id = $1', [id])
  expect(rowCount).toBe(0)
  auditChaining.start()
})

test('a key of another workspace, or without the permission, reads none of it', async () => {
  const { id } = await createWorkspace(gateway)
  const permissions = ['passport:read', 'operator:read']
  const { key } = await workspaces.createKey({ workspaceId: id, role: 'BRAND_OPERATOR', permissions })
  expect((await logOf(bearer(key))).status).toBe(403)
})
