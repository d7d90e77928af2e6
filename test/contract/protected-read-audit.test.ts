import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuditEntry } from '../../src/audit/audit-chain.ts'
import protectedReadAudit, { type Read } from '../../src/audit/protected-read-audit.ts'
import { bearer, createWorkspace } from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway()
const { cradle } = gateway.container

/** Read entries of a workspace, oldest first. */
async function readingsOf(as: Record<string, string>): Promise<AuditEntry[]> {
  await cradle.protectedReadAudit.flush()
  const { body } = expectStatus(200, await gateway.request('GET', '/api/v1/audit/log?limit=200', { headers: as }))
  return (body.entries as AuditEntry[]).filter(({ action }) => /[.](read|listed|lost)$/.test(action)).toReversed()
}
/** Reads by reader and count, summed over entries. */
function readOf(entries: readonly AuditEntry[]) {
  const counts = new Map<string, number>()
  for (const { action, actor, subject, detail } of entries) {
    const { representation, audience, count } = detail as Record<string, unknown>
    const what = [action, actor, subject, representation, audience].join(' ')
    counts.set(what, (counts.get(what) ?? 0) + Number(count))
  }
  return [...counts].map(([what, count]) => [...what.split(' '), count])
}

test('reads with a key or token are in the trail of their workspace, public reads are not', async () => {
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  const units = unitClient(gateway, workspace.as)
  const owner = `api-key:${workspace.key.slice(8, 16)}`
  const { id } = await passports.given({ metadata: battery() })
  const unit = (await units.given(id)).id
  const { body } = await gateway.request('POST', '/api/v1/grants', {
    headers: workspace.as,
    json: { granteeName: 'Repair Ltd', scopeType: 'TENANT', expiresAt: inDays(1) },
  })
  const authority = await cradle.grants.issueAuthority({ scope: 'TENANT', target: workspace.id, expires: inDays(1) })
  const read = (path: string, headers = {}, accept?: string) =>
    gateway.request('GET', path, { headers: { ...headers, ...(accept === undefined ? {} : { accept }) } })

  await read(`/passport/${id}`)
  await read(`/unit/${unit}`, {}, 'text/html')
  await read(`/passport/${id}`, bearer(`dpp_li_${'0'.repeat(32)}`))
  expect(await readingsOf(workspace.as)).toEqual([])

  await read(`/passport/${id}`, bearer(body.token))
  await read(`/passport/${id}?grant=${body.token}`)
  await read(`/passport/${id}`, bearer(body.token), 'application/aas+json')
  await read(`/unit/${unit}`, bearer(authority.token))
  await read(`/passport/${id}`, workspace.as)
  await passports.get(id)
  await passports.history(id)
  await passports.list()
  await units.get(unit)
  await units.events(unit)
  const [li, auth] = [`grant:${body.grant.id}`, `grant:${authority.id}`]
  const entries = await readingsOf(workspace.as)
  expect(readOf(entries)).toEqual([
    ['passport.read', li, id, 'jsonld', 'legitimateInterest', 2],
    ['passport.read', li, id, 'aas', 'legitimateInterest', 1],
    ['batteryunit.read', auth, unit, 'jsonld', 'authority', 1],
    ['passport.read', owner, id, 'jsonld', 'owner', 2],
    ['passport.read', owner, id, 'history', 'owner', 1],
    ['passport.listed', owner, workspace.id, 'list', 'owner', 1],
    ['batteryunit.read', owner, unit, 'jsonld', 'owner', 1],
    ['batteryunit.read', owner, unit, 'events', 'owner', 1],
  ])
  for (const { detail } of entries) {
    expect(Object.keys(detail as object).sort()).toEqual(['audience', 'count', 'from', 'representation', 'to'])
  }
  // The trail contains neither the reader's address nor the token.
  expect(JSON.stringify(entries)).not.toMatch(/127[.]0[.]0|::1|dpp_li_|dpp_auth_/)
  for await (const { faults } of cradle.auditTrail.verify(workspace.id)) expect(faults).toEqual([])
})

test("reads by another workspace are in the owner's trail", async () => {
  const [owner, guest] = [await createWorkspace(gateway), await createWorkspace(gateway)]
  await cradle.workspaces.bindOperator(owner.operatorId, guest.id)
  const { id } = await passportClient(gateway, owner.as).given({ metadata: battery() })
  await passportClient(gateway, guest.as).get(id)
  await passportClient(gateway, guest.as).history(id)
  const actor = `api-key:${guest.key.slice(8, 16)}`
  expect(readOf(await readingsOf(owner.as))).toEqual([
    ['passport.read', actor, id, 'jsonld', 'owner', 1],
    ['passport.read', actor, id, 'history', 'owner', 1],
  ])
  expect(await readingsOf(guest.as)).toEqual([])
})

describe('many reads', () => {
  let logged: { msg: string; waiting?: number; lost?: number }[]
  let audit: ReturnType<typeof protectedReadAudit>
  let workspace: Awaited<ReturnType<typeof createWorkspace>>
  let of: (subjectId: string) => Read

  beforeEach(async () => {
    logged = []
    const log = pino({ level: 'warn' }, { write: (line) => logged.push(JSON.parse(line)) })
    audit = protectedReadAudit({ counters: cradle.counters, database: cradle.database, log })
    workspace = await createWorkspace(gateway)
    of = (subjectId) => ({
      tenantId: workspace.id,
      actor: 'grant:1',
      action: 'passport.read',
      subjectId,
      representation: 'jsonld',
      audience: 'authority',
    })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const detailsOf = async () => (await readingsOf(workspace.as)).map(({ detail }) => detail as Record<string, unknown>)

  test('equal reads within a minute are one entry, with their number and their times', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    for (const time of ['10:00:00.000', '10:00:30.000', '10:00:59.999', '10:01:00.000']) {
      vi.setSystemTime(`2026-11-01T${time}Z`)
      audit.record(of('a'))
    }
    vi.useRealTimers()
    await audit.flush()
    expect(await detailsOf()).toMatchObject([
      { count: 3, from: '2026-11-01T10:00:00.000Z', to: '2026-11-01T10:00:59.999Z' },
      { count: 1, from: '2026-11-01T10:01:00.000Z', to: '2026-11-01T10:01:00.000Z' },
    ])
  })

  test('the first is written without being asked', async () => {
    audit.record(of('a'))
    await expect.poll(async () => (await detailsOf()).length, { timeout: 10_000 }).toBe(1)
    // Later reads are flushed at the end of the minute or of the process.
    audit.record(of('a'))
    await audit.flush()
    expect((await detailsOf()).map(({ count }) => count)).toEqual([1, 1])
  })

  test('reads beyond the capacity are missing in the trail, which states their number', async () => {
    const MAX_ENTRIES = 50_000
    for (let number = 0; number < MAX_ENTRIES + 3; number += 1) audit.record(of(String(number)))
    audit.record(of('0'))
    await audit.flush()
    const [counted] = await gateway.sqlAs<{ reads: number; sum: number; lost: string }>(
      workspace.id,
      `with told as (select audit_chain_own())
       select count(*) filter (where action = 'passport.read')::int as reads,
         sum((detail ->> 'count')::int) filter (where action = 'passport.read')::int as sum,
         max(detail ->> 'count') filter (where action = 'reads.lost') as lost
       from (select tenant_id, action, detail from audit_entry union all select tenant_id, action, detail from audit_inbox) as e
       where tenant_id = $1`,
      [workspace.id],
    )
    expect(counted).toEqual({ reads: MAX_ENTRIES, sum: MAX_ENTRIES + 1, lost: '3' })
    expect(logged).toMatchObject([{ msg: 'reads lost from the audit trail', lost: 3 }])
  })

  test('unwritable entries wait, and are written later', async () => {
    let isAway = true
    const away = new Proxy(cradle.database.lookup, {
      get: (target, name) =>
        name === 'run' && isAway
          ? () => Promise.reject(new Error('The database is away.'))
          : Reflect.get(target, name, target).bind(target),
    })
    const log = pino({ level: 'warn' }, { write: (line) => logged.push(JSON.parse(line)) })
    const distant = protectedReadAudit({ counters: cradle.counters, database: { lookup: away } as never, log })
    distant.record(of('a'))
    distant.record(of('b'))
    await distant.flush()
    expect(logged).toMatchObject([{ msg: 'reads waiting to be written to the audit trail', waiting: 2 }])
    expect(await detailsOf()).toEqual([])
    isAway = false
    distant.record(of('c'))
    await distant.flush()
    expect((await detailsOf()).map(({ count }) => count)).toEqual([1, 1, 1])
  })
})

test('the role that looks up may add readings to a trail, and nothing else', async () => {
  const workspace = await createWorkspace(gateway)
  const add = (action: string) =>
    cradle.database.lookup.run(
      {
        name: `test-add-${action}`,
        text: 'insert into audit_inbox (tenant_id, action, subject_id, actor, detail) values ($1, $2, $3, $4, null)',
      },
      [workspace.id, action, 'x', 'y'],
    )
  await expect(add('grant.revoked')).rejects.toThrow(/row-level security/)
  await add('passport.read')
  await expect(
    cradle.database.lookup.run({ name: 'test-see-inbox', text: 'select 1 from audit_inbox' }),
  ).rejects.toThrow(/permission denied/)
})
