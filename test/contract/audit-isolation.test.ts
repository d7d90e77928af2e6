import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { AUDIT_ACTIONS, READ_ACTIONS, recordAudit } from '../../src/audit/audit-statements.ts'
import protectedReadAudit, { type Read } from '../../src/audit/protected-read-audit.ts'
import { createWorkspace, superuserUrl, type TestWorkspace } from '../support/gateway.ts'
import { battery, passportClient } from '../support/passport-client.ts'
import { pdf } from '../support/pictures.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway()
const { cradle } = gateway.container

const actionsIn = async ({ as }: TestWorkspace): Promise<string[]> => {
  const { body } = await gateway.request('GET', '/api/v1/audit/log?limit=200', { headers: as })
  return (body.entries as { action: string }[]).map(({ action }) => action).toReversed()
}
const readingOf = ({ id }: TestWorkspace, more: Partial<Read> = {}): Read => ({
  ...{ tenantId: id, actor: 'grant:1', action: 'passport.read', subjectId: 'p', representation: 'jsonld' },
  ...{ audience: 'authority', ...more },
})

describe('review-3-security S1', () => {
  test('a document that is read with a key stands in the trail, and delays no other workspace', async () => {
    const [victim, reader] = [await createWorkspace(gateway), await createWorkspace(gateway)]
    const { id } = await passportClient(gateway, victim.as).given({ metadata: battery() })
    const own = await passportClient(gateway, reader.as).given({ metadata: battery() })
    const upload = `/api/v1/passports/${own.id}/media?documentType=manual&audience=authority`
    const file = { type: 'application/pdf', bytes: pdf() }
    const { medium } = (await gateway.request('POST', upload, { headers: reader.as, file })).body
    const document = await gateway.request('GET', new URL(medium.entry.url).pathname, { headers: reader.as })
    expect(document.status).toBe(200)
    await gateway.request('GET', `/passport/${id}`, { headers: victim.as })
    await cradle.protectedReadAudit.flush()
    expect(await actionsIn(reader)).toContain('media.read')
    expect(await actionsIn(victim)).toContain('passport.read')
  })

  test.each(READ_ACTIONS)('the lookup role writes %s', async (action) => {
    const workspace = await createWorkspace(gateway)
    cradle.protectedReadAudit.record(readingOf(workspace, { action }))
    await cradle.protectedReadAudit.flush()
    expect(await actionsIn(workspace)).toContain(action)
  })

  test('the application role writes every other action', async () => {
    const workspace = await createWorkspace(gateway)
    await cradle.database.transaction(workspace.id, async (tx) => {
      for (const action of AUDIT_ACTIONS) recordAudit(tx, { actor: 'platform' }, action, 's')
    })
    expect((await actionsIn(workspace)).slice(-AUDIT_ACTIONS.length)).toEqual([...AUDIT_ACTIONS])
  })

  test('entries that the database refuses are counted in the trail of their workspace, and the others are written', async () => {
    const [victim, refused] = [await createWorkspace(gateway), await createWorkspace(gateway)]
    const logged: { msg: string; tenantId: string }[] = []
    const log = pino({ level: 'warn' }, { write: (line) => logged.push(JSON.parse(line)) })
    const audit = protectedReadAudit({ counters: cradle.counters, database: cradle.database, log })
    const before = { ...cradle.counters.auditReads }
    for (let number = 0; number < 9; number += 1) audit.record(readingOf(victim, { subjectId: `v${number}` }))
    const unknown = { action: 'passport.stolen' as never }
    for (let count = 0; count < 3; count += 1) audit.record(readingOf(refused, unknown))
    audit.record(readingOf(refused, { ...unknown, subjectId: 'other' }))
    for (let number = 0; number < 9; number += 1) audit.record(readingOf(victim, { subjectId: `w${number}` }))
    await audit.flush()
    expect((await actionsIn(victim)).filter((action) => action === 'passport.read')).toHaveLength(18)
    expect(logged.map(({ msg, tenantId }) => [msg, tenantId])).toEqual(
      Array(2).fill(['audit entry rejected', refused.id]),
    )
    await audit.flush()
    const { body } = await gateway.request('GET', '/api/v1/audit/log?action=reads.lost', { headers: refused.as })
    expect(body.entries).toMatchObject([{ detail: { count: 4 } }])
    expect(cradle.counters.auditReads.refused - before.refused).toBe(2)
  })

  test('a chain that cannot be continued keeps its own entries waiting, and no others', async () => {
    const [victim, broken] = [await createWorkspace(gateway), await createWorkspace(gateway)]
    const count = async ({ id }: TestWorkspace) =>
      (await gateway.sql(`select from audit_entry where tenant_id = $1`, [id])).length
    await expect
      .poll(
        async () =>
          (await gateway.sql('select from audit_inbox where tenant_id = any($1)', [[victim.id, broken.id]])).length,
      )
      .toBe(0)
    await gateway.sql(`create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`)
    await gateway.sql(`create trigger refuse_entry before insert on audit_entry for each row
      when (new.tenant_id = '${broken.id}') execute function refuse_entry()`)
    const [ofVictim, ofBroken] = [await count(victim), await count(broken)]
    for (const workspace of [broken, victim]) cradle.protectedReadAudit.record(readingOf(workspace))
    await cradle.protectedReadAudit.flush()
    await expect.poll(() => count(victim)).toBe(ofVictim + 1)
    expect(await count(broken)).toBe(ofBroken)
    await gateway.sql('drop trigger refuse_entry on audit_entry')
    await expect.poll(() => count(broken)).toBe(ofBroken + 1)
  })

  test('review-3-scale S8: a chain that another process continues is skipped, and others are chained', async () => {
    const [held, other] = [await createWorkspace(gateway), await createWorkspace(gateway)]
    const chain = ({ id }: TestWorkspace) =>
      cradle.boss.getDb().executeSql('select public.audit_chain_of($1, 1000) as chained', [id])
    const waiting = ({ id }: TestWorkspace) => gateway.sql('select from audit_inbox where tenant_id = $1', [id])
    await expect.poll(() => waiting(held)).toHaveLength(0)
    const holder = new pg.Client({ connectionString: await superuserUrl(gateway.databaseUrl) })
    await holder.connect()
    try {
      await holder.query('begin')
      await holder.query('select 1 from audit_head where tenant_id = $1 for update', [held.id])
      for (const { id } of [held, other]) {
        await gateway.sql(
          `insert into audit_inbox (tenant_id, action, subject_id, actor)
           select $1, 'passport.read', 's', 'a' from generate_series(1, 20)`,
          [id],
        )
      }
      expect((await chain(held)).rows).toEqual([{ chained: 0 }])
      await expect.poll(() => waiting(other)).toHaveLength(0)
      expect(await waiting(held)).toHaveLength(20)
    } finally {
      await holder.end()
    }
    await expect.poll(() => waiting(held)).toHaveLength(0)
  })
})
