import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../../src/domain/problem.ts'
import { Operator } from '../../src/operators/entities.ts'
import { Connection } from '../../src/storage/connection.ts'
import { withRoleNames } from '../../src/storage/database-roles.ts'
import type { Call, Rows, Session, Statement } from '../../src/storage/statement.ts'
import { runForTenant, Transaction } from '../../src/storage/transaction.ts'
import { createWorkspace, startTestGateway, type TestGateway, type TestWorkspace } from '../support/gateway.ts'

// A batch is a transaction of one round trip: isolated by workspace, atomic, and without effect on the next user of the
// connection.

const statement = (name: string, text: string): Statement => ({ name, text })
const TABLE = `
  create table test_entry (id bigint generated always as identity, tenant_id uuid not null, action text not null);
  alter table test_entry enable row level security, force row level security;
  create policy test_entry_own on test_entry to dpp_app using (tenant_id = app_tenant());
  grant select, insert on test_entry to dpp_app;
  create function fail_with(code text) returns int language plpgsql as
    $$ begin raise exception using errcode = code, message = 'made to fail'; end $$;
  grant execute on function fail_with to dpp_app`
const ENTRIES = statement('test-entries', 'select action from test_entry order by id')
const ADD = statement('test-add', 'insert into test_entry (tenant_id, action) values ($1, $2)')
const SETTING = statement('test-setting', `select current_setting('app.tenant', true) as tenant`)
const DIVIDE = statement('test-divide', 'select 1 / $1::int as quotient')
const VALUES = statement(
  'test-values',
  `select $1::text as text, $2::int as number, $3::bytea as bytes, $4::text[] as list, $5::timestamptz as moment, null as nothing`,
)
const ARRAYS = statement(
  'test-arrays',
  `select $1::text[] as texts, $2::float8[] as numbers, $3::boolean[] as booleans, $4::timestamptz[] as moments,
    $5::uuid[] as none`,
)
/** Fails with this SQLSTATE. */
const FAIL_WITH = statement('test-fail-with', 'select fail_with($1)')

let gateway: TestGateway
let one: TestWorkspace
let other: TestWorkspace

beforeAll(async () => {
  gateway = await startTestGateway()
  const owner = new pg.Client(gateway.databaseUrl)
  await owner.connect()
  await owner.query(withRoleNames(TABLE, owner.database ?? ''))
  await owner.end()
  one = await createWorkspace(gateway)
  other = await createWorkspace(gateway)
})
afterAll(() => gateway.close())

/** Runs calls as one batch. */
const batch = async (tenantId: string, calls: readonly Call[]): Promise<Rows[]> => {
  const session = gateway.container.cradle.database.forTenant(tenantId)
  return (await Promise.all(calls.map(([text, values]) => session.run(text, values)))) as Rows[]
}
const transaction = <T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  gateway.container.cradle.database.transaction(tenantId, work)
const entriesOf = async (workspace: TestWorkspace): Promise<unknown[]> => {
  const [rows = []] = await batch(workspace.id, [[ENTRIES, []]])
  return rows.map(({ action }) => action)
}
const code = (error: unknown) => (error as { code?: string }).code

describe('a batch', () => {
  test('answers the rows of each call, in their order, first and again', async () => {
    const moment = new Date('2027-02-18T00:00:00.000Z')
    for (let round = 0; round < 3; round += 1) {
      const values = ['ä"\\\n', 42, Buffer.from([0, 1, 255]), ['a,b', '"'], moment]
      const answer = await batch(one.id, [
        [VALUES, values],
        [DIVIDE, [1]],
        [VALUES, [null, null, null, null, null]],
      ])
      const [text, number, bytes, list] = values
      expect(answer).toEqual([
        [{ text, number, bytes, list, moment, nothing: null }],
        [{ quotient: 1 }],
        [{ text: null, number: null, bytes: null, list: null, moment: null, nothing: null }],
      ])
    }
  })

  test('gives arrays on element by element', async () => {
    const nasty = ['', 'NULL', 'null', '{}', 'a,b', '"', '\\', '\\"', ' ä ', '\n\t', "'", '🔋', '{"a":"\\"}', null]
    const moments = [new Date('2027-02-18T00:00:00.000Z'), null]
    const [rows] = await batch(one.id, [[ARRAYS, [nasty, [1, -0.5, 1e300, null], [true, false, null], moments, []]]])
    expect(rows).toEqual([
      { texts: nasty, numbers: [1, -0.5, 1e300, null], booleans: [true, false, null], moments, none: [] },
    ])
  })

  test('sees what its own earlier statements wrote', async () => {
    const [, rows] = await batch(one.id, [
      [ADD, [one.id, 'seen']],
      [ENTRIES, []],
    ])
    expect(rows).toEqual([{ action: 'seen' }])
    expect(await entriesOf(one)).toEqual(['seen'])
  })

  test('shows no workspace what is of another, and nothing to none', async () => {
    expect(await entriesOf(other)).toEqual([])
    expect(await batch('00000000-0000-0000-0000-000000000000', [[ENTRIES, []]])).toEqual([[]])
    await expect(batch(other.id, [[ADD, [one.id, 'foreign']]])).rejects.toSatisfy((error) => code(error) === '42501')
    expect(await entriesOf(one)).toEqual(['seen'])
  })

  test('leaves nothing on the connection, whether it went well or not', async () => {
    const client = new Connection({ connectionString: gateway.urlOf('app') })
    await client.connect()
    // Sets no workspace.
    const left = async () => (await client.batch([[SETTING, []]]))[0]?.[0]?.tenant || undefined
    const connection = { batch: (calls: readonly Call[]) => client.batch(calls), release() {} }
    const begin = () => {
      const unused = () => {
        throw new Error('There are no entities here.')
      }
      return new Transaction(one.id, { connect: async () => connection, entities: unused, notify: () => {} })
    }
    const set = (await runForTenant(client, one.id, [[SETTING, []]]))[0]?.[0]?.tenant
    expect([set, await left()]).toEqual([one.id, undefined])
    await expect(runForTenant(client, one.id, [[DIVIDE, [0]]])).rejects.toThrow('division by zero')
    expect(await left()).toBe(undefined)
    for (const value of [1, 0]) {
      const tx = begin()
      expect(await tx.run(SETTING)).toEqual([{ tenant: one.id }])
      tx.write(DIVIDE, [value])
      if (value === 0) await expect(tx.commit()).rejects.toThrow('division by zero')
      else await tx.commit()
      if (value === 0) await tx.rollback()
      expect(await left()).toBe(undefined)
    }
    await client.end()
  })

  test('undoes everything when one of its statements fails, at whichever place', async () => {
    for (const place of [0, 1, 2, 3]) {
      const calls = [0, 1, 2].map((index) => [ADD, [one.id, `lost ${place} ${index}`]] as const)
      const failing = [...calls.slice(0, place), [DIVIDE, [0]] as const, ...calls.slice(place)]
      await expect(batch(one.id, failing)).rejects.toSatisfy((error) => code(error) === '22012')
      expect(await entriesOf(one)).toEqual(['seen'])
    }
  })

  test('that cannot be written is not sent in part', async () => {
    const unwritable = {
      toJSON() {
        throw new Error('no such value')
      },
    }
    await expect(
      batch(one.id, [
        [ADD, [one.id, 'half']],
        [ADD, [one.id, unwritable]],
      ]),
    ).rejects.toThrow('no such value')
    expect(await entriesOf(one)).toEqual(['seen'])
  })

  test('of a statement that failed is prepared again, and works', async () => {
    const fresh = statement('test-fresh', 'select 10 / $1::int as quotient')
    await expect(batch(one.id, [[fresh, [0]]])).rejects.toThrow('division by zero')
    expect(await batch(one.id, [[fresh, [5]]])).toEqual([[{ quotient: 2 }]])
  })

  test('survives a migration that changes what its statements answer, and so does a transaction', async () => {
    const wide = statement('test-wide', 'select * from operator_binding where tenant_id = app_tenant()')
    const read = (tx: Session) => tx.run<Record<string, unknown>>(wide)
    const { database } = gateway.container.cradle
    // Every connection has prepared the statement.
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 16 }, () => database.transaction(one.id, read)))
    }
    await gateway.sql('alter table operator_binding add column test_extra int default 7')
    try {
      for (let round = 0; round < 40; round += 1) {
        const rows = round % 2 === 0 ? await read(database.forTenant(one.id)) : await database.transaction(one.id, read)
        expect(rows).toMatchObject([{ test_extra: 7 }])
      }
    } finally {
      await gateway.sql('alter table operator_binding drop column test_extra')
    }
  })

  test('keeps the order of many concurrent ones, each for its own workspace', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        batch((index % 2 === 0 ? one : other).id, [
          [SETTING, []],
          [DIVIDE, [1]],
          [VALUES, [String(index), index, null, null, null]],
        ]),
      ),
    )
    for (const [index, [setting, , values]] of answers.entries()) {
      expect([setting?.[0]?.tenant, values?.[0]?.number]).toEqual([(index % 2 === 0 ? one : other).id, index])
    }
  })
})

describe('concurrent short reads of several requests', () => {
  const batchedSession = (tenantId: string) => gateway.container.cradle.database.batchedFor(tenantId)

  test('each use their workspace, and lookups none', async () => {
    const { batchedLookup } = gateway.container.cradle.database
    const ids = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one.id : other.id))
    const [settings, entries, looked] = await Promise.all([
      Promise.all(ids.map((id) => batchedSession(id).run(SETTING))),
      Promise.all(ids.map((id) => batchedSession(id).run<{ action: string }>(ENTRIES))),
      Promise.all(ids.map(() => batchedLookup.run(SETTING))),
    ])
    expect(settings).toEqual(ids.map((tenant) => [{ tenant }]))
    const own = (await entriesOf(one)).map((action) => ({ action }))
    expect(own.length).toBeGreaterThan(0)
    expect(entries).toEqual(ids.map((id) => (id === one.id ? own : [])))
    expect(new Set(looked.map(([row]) => (row as { tenant: string | null }).tenant || null))).toEqual(new Set([null]))
  })

  test('fail alone', async () => {
    const divisors = [1, 0, 2, 0, 4]
    for (const session of [batchedSession(one.id), gateway.container.cradle.database.batchedLookup]) {
      const results = await Promise.allSettled(divisors.map((divisor) => session.run(DIVIDE, [divisor])))
      expect(results.map((result) => (result.status === 'fulfilled' ? result.value : code(result.reason)))).toEqual([
        [{ quotient: 1 }],
        '22012',
        [{ quotient: 0 }],
        '22012',
        [{ quotient: 0 }],
      ])
    }
  })
})

describe('shared work', () => {
  /** Adds entries after reading the workspace; `fails` decides the result of each. */
  const adding = (fails: (action: string, tx: Transaction) => Problem | undefined = () => undefined) => {
    const groups: string[][] = []
    const shared = gateway.container.cradle.database.shared<string, string>(async (tx, items) => {
      groups.push([...items])
      const [row] = await tx.run<{ tenant: string }>(SETTING)
      return items.map((item) => {
        const refusal = fails(item, tx)
        if (refusal !== undefined) return refusal
        tx.write(ADD, [tx.tenantId, item])
        return `${item} of ${row?.tenant}`
      })
    })
    return { groups, shared }
  }
  const named = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`)
  const added = async (name: string, workspace = one) =>
    (await entriesOf(workspace)).filter((action) => String(action).startsWith(`${name} `))
  const outcomesOf = (results: readonly PromiseSettledResult<string>[]) =>
    results.map((result) => (result.status === 'fulfilled' ? 'done' : (code(result.reason) ?? result.reason.message)))

  test('is batched for concurrent calls of one workspace, and never with others', async () => {
    const { groups, shared } = adding()
    const [ours, theirs] = await Promise.all(
      [one, other].map(({ id }) => Promise.all(named('both', 40).map((item) => shared.batched(id, item)))),
    )
    expect(ours).toEqual(named('both', 40).map((item) => `${item} of ${one.id}`))
    expect(theirs).toEqual(named('both', 40).map((item) => `${item} of ${other.id}`))
    expect(groups.map(({ length }) => length).sort()).toEqual([16, 16, 16, 16, 8, 8])
    // Groups of one workspace may commit in any order.
    for (const workspace of [one, other]) {
      expect((await added('both', workspace)).sort()).toEqual(named('both', 40).sort())
    }
  })

  test('refuses one and does the others', async () => {
    const { groups, shared } = adding((item) => (item === 'refused 2' ? new Problem(404, 'not there') : undefined))
    const results = await Promise.allSettled(named('refused', 5).map((item) => shared.batched(one.id, item)))
    expect(outcomesOf(results)).toEqual(['done', 'done', 'not there', 'done', 'done'])
    expect([groups.length, await added('refused')]).toEqual([
      1,
      named('refused', 5).filter((item) => item !== 'refused 2'),
    ])
  })

  test.each([
    ['a statement', (tx: Transaction) => tx.write(DIVIDE, [0]), '22012'],
    [
      'its own code',
      () => {
        throw new Error('broken')
      },
      'broken',
    ],
    ['a deadlock', (tx: Transaction) => tx.write(FAIL_WITH, ['40P01']), '40P01'],
    ['a statement timeout', (tx: Transaction) => tx.write(FAIL_WITH, ['57014']), '57014'],
  ])('fails individually if %s fails', async (name, fail, reason) => {
    const { groups, shared } = adding((item, tx) => void (item === `${name} 3` && fail(tx)))
    const results = await Promise.allSettled(named(name, 5).map((item) => shared.batched(one.id, item)))
    expect(outcomesOf(results)).toEqual(['done', 'done', 'done', reason, 'done'])
    expect(groups.map(({ length }) => length)).toEqual([5, 1, 1, 1, 1, 1])
    expect((await added(name)).sort()).toEqual(named(name, 5).filter((item) => item !== `${name} 3`))
    expect(gateway.container.cradle.database.connections().app.busy).toBe(0)
  })

  test('is not retried if its outcome is unknown', async () => {
    const { groups, shared } = adding((item, tx) => void (item === 'lost 3' && tx.write(FAIL_WITH, ['57P01'])))
    const results = await Promise.allSettled(named('lost', 5).map((item) => shared.batched(one.id, item)))
    expect(outcomesOf(results)).toEqual(Array(5).fill('57P01'))
    expect([groups.length, await added('lost')]).toEqual([1, []])
  })
})

describe('a transaction', () => {
  const add = (tx: Transaction, action: string) => tx.write(ADD, [one.id, action])
  const actions = async (tx: Transaction) => (await tx.run<{ action: string }>(ENTRIES)).map(({ action }) => action)
  /** State in addition to that left by `work`. */
  const left = async (work: () => Promise<unknown>): Promise<unknown[]> => {
    const before = new Set(await entriesOf(one))
    await work().catch((error) => error)
    return (await entriesOf(one)).filter((action) => !before.has(action))
  }

  test('that only writes is one batch, and one that reads too sees what it has written', async () => {
    expect(await left(() => transaction(one.id, async (tx) => add(tx, 'alone')))).toEqual(['alone'])
    const work = async (tx: Transaction) => {
      add(tx, 'first')
      expect(await actions(tx)).toContain('first')
      add(tx, 'second')
    }
    expect(await left(() => transaction(one.id, work))).toEqual(['first', 'second'])
  })

  test('is undone whole, whether it throws, a statement fails, or the commit does', async () => {
    const failures: ((tx: Transaction) => Promise<unknown>)[] = [
      async (tx) => {
        add(tx, 'thrown')
        await actions(tx)
        throw new Error('no')
      },
      async (tx) => {
        add(tx, 'failed')
        await tx.run(DIVIDE, [0])
      },
      async (tx) => {
        await actions(tx)
        add(tx, 'at the end')
        tx.write(DIVIDE, [0])
      },
      async (tx) => {
        add(tx, 'alone')
        tx.write(DIVIDE, [0])
      },
    ]
    for (const work of failures) {
      let isDone = false
      const acted = async (tx: Transaction) => {
        tx.afterCommit(() => {
          isDone = true
        })
        await work(tx)
      }
      await expect(transaction(one.id, acted)).rejects.toThrow(/no|division by zero/)
      expect([isDone, await left(async () => {})]).toEqual([false, []])
    }
    expect(gateway.container.cradle.database.connections().app.busy).toBe(0)
  })

  test('is not committed where an error in it was swallowed', async () => {
    const work = async (tx: Transaction) => {
      add(tx, 'before')
      await tx.run(DIVIDE, [0]).catch(() => {})
    }
    await expect(transaction(one.id, work)).rejects.toThrow('division by zero')
    expect(await left(async () => {})).toEqual([])
  })

  test('has parts that are undone alone, with what was to be done after their commit', async () => {
    const done: string[] = []
    const part = (tx: Transaction, name: string, fail?: 'throws' | 'fails' | 'fails at its end') =>
      tx
        .transaction(async (inner) => {
          add(inner, name)
          inner.afterCommit(() => done.push(name))
          if (fail === 'throws') throw new Error('no')
          if (fail === 'fails') await inner.run(DIVIDE, [0])
          if (fail === 'fails at its end') inner.write(DIVIDE, [0])
        })
        .catch((error: Error) => error.message)
    const work = async (tx: Transaction) => {
      add(tx, 'outer')
      expect(await part(tx, 'a')).toBe(undefined)
      expect(await part(tx, 'b', 'throws')).toBe('no')
      expect(await part(tx, 'c', 'fails')).toBe('division by zero')
      expect(await part(tx, 'd', 'fails at its end')).toBe('division by zero')
      expect(await part(tx, 'e')).toBe(undefined)
    }
    expect(await left(() => transaction(one.id, work))).toEqual(['outer', 'a', 'e'])
    expect(done).toEqual(['a', 'e'])
  })

  test('with entities writes what was changed of them, in its own workspace', async () => {
    const regId = `REG-${Math.random()}`
    const create = (tenantId: string) => async (tx: Transaction) =>
      void tx.entities.create(Operator, {
        id: randomUUID(),
        tenantId,
        name: 'O',
        regId,
        role: 'MANUFACTURER',
        createdAt: new Date(),
      })
    await transaction(one.id, create(one.id))
    const { database } = gateway.container.cradle
    const found = await database
      .entities(database.forTenant(one.id))
      .find(Operator, { regId: { $in: [regId, 'another'] } })
    expect(found).toMatchObject([{ name: 'O', tenantId: one.id, archivedAt: null }])
    await expect(transaction(other.id, create(one.id))).rejects.toSatisfy((error) => code(error) === '42501')
  })
})

test('a connection that is cut at any byte of a batch has done all of it or nothing', async () => {
  const outcomes = new Set<string>()
  for (let byte = 0; byte < 1200; byte += 29) {
    const isFirst = byte % 2 === 0
    const proxy = await cuttingProxy(gateway.urlOf('app'), byte)
    const client = new Connection({ connectionString: proxy.url })
    client.on('error', () => {})
    await client.connect()
    // Half of them use prepared statements, whose batches have other messages.
    if (isFirst) await runForTenant(client, one.id, [[ADD, [one.id, 'known']]])
    proxy.arm()
    const answer = runForTenant(client, one.id, [
      [ADD, [one.id, `cut ${byte} a`]],
      [ADD, [one.id, `cut ${byte} b`]],
    ])
    const isAnswered = await answer.then(
      () => true,
      () => false,
    )
    await proxy.close()
    await client.end().catch(() => {})
    // The server may still be processing a complete batch when the client detects the lost connection.
    const stored = await expect
      .poll(async () => {
        const [activity] = await gateway.sql<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity where usename = $1 and application_name = 'cut'`,
          [new URL(gateway.urlOf('app')).searchParams.get('user')],
        )
        return activity?.count
      })
      .toBe(0)
      .then(async () => (await entriesOf(one)).filter((action) => String(action).startsWith(`cut ${byte} `)).length)
    expect([byte, stored]).toEqual([byte, stored === 0 ? 0 : 2])
    if (isAnswered) expect([byte, stored]).toEqual([byte, 2])
    outcomes.add(`${isAnswered ? 'answered' : 'lost'} ${stored}`)
  }
  expect(outcomes).toEqual(new Set(['lost 0', 'answered 2']))
})

/** A proxy to the database that, once armed, forwards this many bytes of the client and closes. */
async function cuttingProxy(databaseUrl: string, bytes: number) {
  const target = new URL(databaseUrl)
  const sockets: Socket[] = []
  let left = Number.POSITIVE_INFINITY
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    sockets.push(client, upstream)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    upstream.on('data', (chunk) => client.write(chunk))
    client.on('data', (chunk) => {
      const passed = chunk.subarray(0, left)
      left -= passed.length
      upstream.write(passed)
      if (passed.length === chunk.length) return
      client.destroy()
      upstream.end()
    })
    client.on('close', () => upstream.end())
    upstream.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  url.searchParams.set('application_name', 'cut')
  return {
    url: url.href,
    arm: () => {
      left = bytes
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
