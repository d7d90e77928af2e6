import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { PLATFORM, recordAudit, recordAudits } from '../../src/audit/audit-statements.ts'
import { deleteWorkspace } from '../../src/workspaces/credential-statements.ts'
import { all, useAuditTrail } from '../support/audit-client.ts'
import { createWorkspace, superuserUrl } from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { unitClient } from '../support/unit-client.ts'

const { gateway, superuser, logOf, verdictOf, faultsOf, givenTrail } = await useAuditTrail()
const { auditTrail, database, auditChaining } = gateway.container.cradle

describe('the chain', () => {
  test('is made without being asked', async () => {
    const { id } = await createWorkspace(gateway)
    const numbers = async () => {
      const { rows } = await superuser.query('select sequence from audit_entry where tenant_id = $1', [id])
      return rows.length
    }
    await expect.poll(numbers, { timeout: 10_000 }).toBe(5)
  })

  test('is whole after 16 concurrent writers of one workspace, who are read and chained meanwhile', async () => {
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
      while (!isDone) await jobs.query('select audit_chain_of(w, 1000) from audit_waiting() as w')
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
    // Entries of one request are in its order.
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

  test('leaves nothing of a workspace that is deleted while its entries are chained', async () => {
    const { id } = await createWorkspace(gateway)
    await expect.poll(async () => (await verdictOf(id)).entries).toBeGreaterThan(0)
    await superuser.query('delete from audit_head where tenant_id = $1', [id])
    const connectionString = await superuserUrl(gateway.databaseUrl)
    const [chaining, deleting] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })]
    await Promise.all([chaining.connect(), deleting.connect()])
    try {
      const { rows } = await deleting.query<{ pid: number }>('select pg_backend_pid() as pid')
      await chaining.query('begin')
      await chaining.query(
        `insert into audit_inbox (tenant_id, action, subject_id, actor) values ($1, 'operator.bound', 'waiting', 'platform')`,
        [id],
      )
      await chaining.query('insert into audit_head (tenant_id) values ($1)', [id])
      const deleted = deleting.query('delete from workspace where id = $1', [id])
      const isBlocked = async () => {
        const found = await superuser.query('select cardinality(pg_blocking_pids($1)) > 0 as yes', [rows[0]?.pid])
        return found.rows[0]?.yes
      }
      await expect.poll(isBlocked).toBe(true)
      await chaining.query('commit')
      await deleted
      for (const table of ['audit_inbox', 'audit_entry', 'audit_head']) {
        const left = await superuser.query(`select 1 from ${table} where tenant_id = $1`, [id])
        expect([table, left.rowCount]).toEqual([table, 0])
      }
    } finally {
      await Promise.all([chaining.end(), deleting.end()])
    }
  })

  test('leaves nothing of a workspace that was deleted before its entries are chained', async () => {
    const id = randomUUID()
    await superuser.query(
      `insert into audit_inbox (tenant_id, action, subject_id, actor) values ($1, 'operator.bound', 'late', 'platform')`,
      [id],
    )
    await superuser.query('select audit_chain($1, 100)', [id])
    for (const table of ['audit_inbox', 'audit_entry', 'audit_head']) {
      const left = await superuser.query(`select 1 from ${table} where tenant_id = $1`, [id])
      expect([table, left.rowCount]).toEqual([table, 0])
    }
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

/** Tampering by a superuser on a trail of six entries, and the expected finding. */
const TAMPERED: Readonly<Record<string, { sql: string; faults: readonly string[] }>> = {
  'a detail is changed': {
    sql: `update audit_entry set detail = '{"text":"other"}' where tenant_id = $1 and sequence = 3`,
    faults: ['Entry 3 differs from the recorded entry.'],
  },
  'a detail is taken away': {
    sql: `update audit_entry set detail = null where tenant_id = $1 and sequence = 1`,
    faults: ['Entry 1 differs from the recorded entry.'],
  },
  'another is said to have done it': {
    sql: `update audit_entry set actor = 'Mallory' where tenant_id = $1 and sequence = 2`,
    faults: ['Entry 2 differs from the recorded entry.'],
  },
  'it is said to be earlier by a millisecond': {
    sql: `update audit_entry set created_at = created_at - interval '1 ms' where tenant_id = $1 and sequence = 6`,
    faults: ['Entry 6 differs from the recorded entry.'],
  },
  'a hash is changed': {
    sql: `update audit_entry set hash = sha256('x') where tenant_id = $1 and sequence = 4`,
    faults: ['Entry 4 differs from the recorded entry.', 'Entry 5 differs from the recorded entry.'],
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
    faults: ['Entry 4 differs from the recorded entry.', 'Entry 5 differs from the recorded entry.'],
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
    faults: ['Entry 1 follows the head: it was inserted.'],
  },
  'the head is moved back': {
    sql: `update audit_head h set sequence = e.sequence, hash = e.hash from audit_entry e
      where h.tenant_id = $1 and e.tenant_id = $1 and e.sequence = 4`,
    faults: ['Entry 5 follows the head: it was inserted.'],
  },
  'the head has another hash': {
    sql: `update audit_head set hash = sha256('x') where tenant_id = $1`,
    faults: ['Entry 6 does not match the head.'],
  },
  'two change places': {
    sql: `update audit_entry e set action = o.action, subject_id = o.subject_id, actor = o.actor, detail = o.detail,
        created_at = o.created_at from audit_entry o
      where e.tenant_id = $1 and o.tenant_id = $1 and (e.sequence, o.sequence) in ((2, 3), (3, 2))`,
    faults: ['Entry 2 differs from the recorded entry.', 'Entry 3 differs from the recorded entry.'],
  },
  'two change places, hashes included': {
    sql: `update audit_entry e set action = o.action, subject_id = o.subject_id, actor = o.actor, detail = o.detail,
        created_at = o.created_at, hash = o.hash from audit_entry o
      where e.tenant_id = $1 and o.tenant_id = $1 and (e.sequence, o.sequence) in ((2, 3), (3, 2))`,
    faults: [
      'Entry 2 differs from the recorded entry.',
      'Entry 3 differs from the recorded entry.',
      'Entry 4 differs from the recorded entry.',
    ],
  },
  'one is put in between, and the others move up': {
    sql: `with moved as (delete from audit_entry where tenant_id = $1 and sequence >= 3 returning *), head as (
        update audit_head set sequence = 7 where tenant_id = $1), made as (
        insert into audit_entry select tenant_id, sequence + 1, action, subject_id, actor, detail, created_at, hash from moved)
      insert into audit_entry select tenant_id, 3, 'key.created', 'forged', 'platform', null, created_at, sha256('forged')
      from moved where sequence = 3`,
    faults: [3, 4, 5, 6, 7].map((place) => `Entry ${place} differs from the recorded entry.`),
  },
  'one is put in at the end': {
    sql: `insert into audit_entry select tenant_id, 7, action, 'forged', actor, detail, created_at, sha256('forged')
      from audit_entry where tenant_id = $1 and sequence = 6`,
    faults: ['Entry 7 follows the head: it was inserted.'],
  },
  'one is put in at the front': {
    sql: `insert into audit_entry select tenant_id, 0, action, 'forged', actor, detail, created_at, sha256('forged')
      from audit_entry where tenant_id = $1 and sequence = 1`,
    faults: ['Entry 0 precedes the first entry.'],
  },
  'one of another workspace is put in its place': {
    sql: `update audit_entry e set subject_id = o.subject_id, hash = o.hash, created_at = o.created_at from audit_entry o
      where e.tenant_id = $1 and e.sequence = 1 and o.tenant_id <> $1 and o.sequence = 1`,
    faults: ['Entry 1 differs from the recorded entry.', 'Entry 2 differs from the recorded entry.'],
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
    expect(await faultsOf(id, [noted])).toEqual(['Entry 7 of the given head is not in the chain.'])
    // The next entry takes the number, and the chain is valid again.
    await database.transaction(id, async (tx) => recordAudit(tx, PLATFORM, 'operator.created', 'forged'))
    expect(await faultsOf(id)).toEqual([])
    expect(await faultsOf(id, [early, noted])).toEqual(['Entry 7 differs from the given head.'])
  })
})

test('a gateway that ends leaves nothing that waits', async () => {
  const id = await givenTrail(1)
  await database.transaction(id, async (tx) => recordAudit(tx, PLATFORM, 'operator.created', 'waiting'))
  await auditChaining.stop()
  const { rowCount } = await superuser.query('select 1 from audit_inbox where tenant_id = $1', [id])
  expect(rowCount).toBe(0)
  auditChaining.start()
})
