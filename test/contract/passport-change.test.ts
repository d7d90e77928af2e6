import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/contract-client.ts'
import { createPreparedDatabase } from '../support/databases.ts'
import { type Fault, withFault } from '../support/faults.ts'
import {
  createWorkspace,
  MASTER_KEY,
  newGln,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { battery, eventsOf, expectStatus, passportClient } from '../support/passport-client.ts'
import { aasEnvironment } from '../support/sample-calls.ts'
import { openWire, type Wire } from '../support/statements.ts'
import { changedTables, tableDigests } from '../support/table-digests.ts'

// What belongs to a change of a passport happens with it, or nothing of it does: history, version, what the world reads,
// the event, and that memory forgets what it was.

let wire: Wire
let gateway: TestGateway
let workspace: TestWorkspace
let passports: ReturnType<typeof passportClient>
/** What the gateway's own writes have made its cache forget; what the database tells comes another way. */
let forgotten: string[] = []

beforeAll(async () => {
  wire = await openWire(await createPreparedDatabase(MASTER_KEY))
  gateway = await startTestGateway({ DATABASE_URL: wire.url })
  // What happens after the answers is not counted.
  await gateway.container.cradle.webhookDelivery.stop(0)
  workspace = await createWorkspace(gateway)
  passports = passportClient(gateway, workspace.as)
  const { publicCache } = gateway.container.cradle
  const { forget, forgetProduct, clear } = publicCache
  publicCache.forget = (name) => {
    forgotten.push(name)
    forget(name)
  }
  publicCache.forgetProduct = (product) => {
    forgotten.push(String(product.productId))
    forgetProduct(product)
  }
  publicCache.clear = () => {
    forgotten.push('everything')
    clear()
  }
})
afterAll(async () => {
  await gateway.close()
  await wire.close()
})

const post = (path: string, json: unknown, headers: object = {}) =>
  gateway.request('POST', path, { headers: { ...workspace.as, ...headers }, json })
const ingest = (json: unknown) => post('/api/v1/passports/aas/ingest', json)
const aasOf = async (id: string) => {
  const headers = { ...workspace.as, accept: 'application/aas+json' }
  return (await gateway.request('GET', `/passport/${id}`, { headers })).body
}
const givenOperator = async (): Promise<string> =>
  (await post('/api/v1/operators', { name: 'Operator', regId: `REG-${newGln()}` })).body.operator.id
const givenFacility = async (): Promise<string> =>
  (await post('/api/v1/facilities', { gln: newGln(), name: 'Works', country: 'PT' })).body.facility.id
/** The environment of a passport that was sealed and is gone. */
const sealedElsewhere = async () => {
  const draft = await passports.given({ productId: `SKU-${newGtin()}`, draft: true, metadata: textile() })
  expectStatus(200, await passports.seal(draft.id))
  const environment = await aasOf(draft.id)
  expectStatus(200, await passports.remove(draft.id))
  return { id: draft.id as string, environment }
}
const uuid = (answer: Answer): string => answer.body.passport?.id ?? answer.body.passportId

interface Kind {
  /** Everything that must be there, and what is then done; `id` is known before unless the passport is new. */
  given(): Promise<{ id?: string; act(): Promise<Answer> }>
  /** What its history says of it, where it has one. */
  readonly reasons?: readonly string[]
  /** Those of this change. */
  readonly events: readonly string[]
  /** Names that memory must forget; `id` stands for the passport's. */
  readonly forgets: 'id' | 'everything'
  /** How far the version moves; a new passport begins at 1. */
  readonly moves: number
}

const KINDS: Readonly<Record<string, Kind>> = {
  create: {
    given: async () => ({ act: () => passports.create({ productId: newGtin(), metadata: battery() }) }),
    events: ['passport.ingested'],
    forgets: 'id',
    moves: 1,
  },
  'create with a key': {
    given: async () => ({
      act: () =>
        post('/api/v1/passports', { productId: newGtin(), metadata: textile() }, { 'idempotency-key': newGtin() }),
    }),
    events: ['passport.ingested'],
    forgets: 'id',
    moves: 1,
  },
  'save a draft': {
    given: async () => ({ act: () => passports.create({ productId: newGtin(), metadata: { a: 1 }, draft: true }) }),
    events: [],
    forgets: 'id',
    moves: 1,
  },
  update: {
    given: async () => {
      const { id } = await passports.given({ metadata: battery() })
      return { id, act: () => passports.update(id, { metadata: battery({ color: 'blue' }), changeReason: 'Painted' }) }
    },
    reasons: ['Painted'],
    events: ['passport.updated'],
    forgets: 'id',
    moves: 1,
  },
  'update of the facility': {
    given: async () => {
      const { id } = await passports.given()
      const facilityId = await givenFacility()
      return { id, act: () => passports.update(id, { metadata: textile(), facilityId, enrichment: { tagline: 'T' } }) }
    },
    reasons: ['API Update'],
    events: ['passport.updated'],
    forgets: 'id',
    moves: 1,
  },
  'publish a draft': {
    given: async () => {
      const { id } = await passports.given({ metadata: {}, draft: true })
      return { id, act: () => passports.update(id, { metadata: textile() }) }
    },
    reasons: ['API Update'],
    events: ['passport.ingested'],
    forgets: 'id',
    moves: 1,
  },
  demote: {
    given: async () => {
      const { id } = await passports.given()
      return { id, act: () => passports.update(id, { metadata: {}, draft: true }) }
    },
    reasons: ['API Update'],
    events: [],
    forgets: 'id',
    moves: 1,
  },
  status: {
    given: async () => {
      const { id, productId } = await passports.given()
      return { id, act: () => passports.setStatus(productId, 'DECOMMISSIONED') }
    },
    reasons: ['Status changed: ACTIVE → DECOMMISSIONED'],
    events: ['passport.status_updated'],
    forgets: 'id',
    moves: 1,
  },
  recall: {
    given: async () => {
      const { id } = await passports.given()
      await passports.seal(id)
      return { id, act: () => passports.setStatus(id, 'RECALLED') }
    },
    reasons: ['Status changed: ACTIVE → RECALLED'],
    events: ['passport.recalled'],
    forgets: 'id',
    moves: 1,
  },
  revise: {
    given: async () => {
      const { id } = await passports.given({ metadata: battery() })
      await passports.seal(id)
      const facilityId = await givenFacility()
      const json = { metadata: battery({ color: 'blue' }), changeReason: 'Misspelt', facilityId }
      return { id, act: () => passports.revise(id, json) }
    },
    reasons: ['Misspelt'],
    events: ['passport.updated', 'passport.sealed'],
    forgets: 'id',
    moves: 2,
  },
  'revise with a key': {
    given: async () => {
      const { id } = await passports.given()
      await passports.seal(id)
      const json = { metadata: textile({ size: 'L' }), changeReason: 'Misspelt' }
      return {
        id,
        act: () => post(`/api/v1/passports/${id}/revisions`, json, { 'idempotency-key': newGtin() }),
      }
    },
    reasons: ['Misspelt'],
    events: ['passport.updated', 'passport.sealed'],
    forgets: 'id',
    moves: 2,
  },
  'seal again': {
    given: async () => {
      const { id } = await passports.given()
      await passports.seal(id)
      return { id, act: () => passports.seal(id) }
    },
    events: ['passport.sealed'],
    forgets: 'id',
    moves: 1,
  },
  seal: {
    given: async () => {
      const { id } = await passports.given({ metadata: battery() })
      return { id, act: () => passports.seal(id) }
    },
    events: ['passport.sealed'],
    forgets: 'id',
    moves: 1,
  },
  'ingest a new one': {
    given: async () => ({ act: () => ingest(aasEnvironment({ productId: newGtin(), metadata: textile() })) }),
    events: [],
    forgets: 'id',
    moves: 1,
  },
  'ingest what exists': {
    given: async () => {
      const { id, productId } = await passports.given()
      return { id, act: () => ingest(aasEnvironment({ productId, metadata: textile({ size: 'L' }) })) }
    },
    reasons: ['Ingested as AAS'],
    events: [],
    forgets: 'id',
    moves: 1,
  },
  'ingest a new one with its seal': {
    given: async () => {
      const { id, environment } = await sealedElsewhere()
      return { id, act: () => ingest(environment) }
    },
    events: [],
    forgets: 'id',
    moves: 2,
  },
  'ingest a seal for what exists': {
    given: async () => {
      const { id, environment } = await sealedElsewhere()
      expectStatus(201, await ingest(environment))
      // As it was before it was sealed.
      await gateway.sqlAs(workspace.id, 'update passport set seal_id = null where id = $1', [id])
      return { id, act: () => ingest(environment) }
    },
    reasons: ['Ingested as AAS'],
    events: [],
    forgets: 'id',
    moves: 2,
  },
  'archive with its operator': {
    given: async () => {
      const operatorId = await givenOperator()
      const { id } = await passports.given({ operatorId })
      return { id, act: () => gateway.request('DELETE', `/api/v1/operators/${operatorId}`, { headers: workspace.as }) }
    },
    events: [],
    forgets: 'everything',
    moves: 1,
  },
  'restore with its operator': {
    given: async () => {
      const operatorId = await givenOperator()
      const { id } = await passports.given({ operatorId })
      await gateway.request('DELETE', `/api/v1/operators/${operatorId}`, { headers: workspace.as })
      const path = `/api/v1/operators/${operatorId}/restore`
      return { id, act: () => gateway.request('POST', path, { headers: workspace.as }) }
    },
    events: [],
    forgets: 'everything',
    moves: 1,
  },
  'rename its operator': {
    given: async () => {
      const operatorId = await givenOperator()
      const { id } = await passports.given({ operatorId })
      const path = `/api/v1/operators/${operatorId}`
      return { id, act: () => gateway.request('PATCH', path, { headers: workspace.as, json: { name: 'New' } }) }
    },
    events: [],
    forgets: 'everything',
    moves: 1,
  },
}

/** What anybody reads, ahead of the pipeline and through it. */
const served = async (id: string): Promise<string[]> => {
  const answers = [
    await gateway.request('GET', `/passport/${id}`),
    await gateway.request('GET', `/passport/${id}?pipeline=yes`),
  ]
  return answers.map(({ status, text }) => (status === 200 ? text : String(status)))
}
const versionOf = async (id: string): Promise<number> => {
  const [row] = await gateway.sqlAs<{ version: number }>(workspace.id, 'select version from passport where id = $1', [
    id,
  ])
  return row?.version ?? 0
}
const reasonsOf = async (id: string): Promise<string[]> => {
  const rows = await gateway.sqlAs<{ change_reason: string }>(
    workspace.id,
    'select change_reason from passport_history where passport_id = $1 order by version',
    [id],
  )
  return rows.map(({ change_reason }) => change_reason)
}
/** Twice, since only what is asked for again enters the cache. */
const remember = async (id: string | undefined) => {
  if (id !== undefined) for (let count = 0; count < 2; count += 1) await served(id)
}

describe('what belongs to a change happens with it', () => {
  test.each(Object.entries(KINDS))('%s', async (_, { given, reasons = [], events, forgets, moves }) => {
    const { id: known, act } = await given()
    await remember(known)
    const before = known === undefined ? 0 : await versionOf(known)
    const told = known === undefined ? [] : await eventsOf(gateway, known)
    forgotten = []
    const answer = await act()
    expect(answer.status, answer.text).toBeLessThan(300)
    const id = known ?? uuid(answer)
    expect(forgotten).toContain(forgets === 'id' ? id : 'everything')
    expect(await versionOf(id)).toBe(before + moves)
    expect(await reasonsOf(id)).toEqual(reasons)
    // Those of one change have no order.
    const all = await eventsOf(gateway, id)
    expect([...all.slice(0, told.length), ...all.slice(told.length).toSorted()]).toEqual([
      ...told,
      ...events.toSorted(),
    ])
    const [lane, pipeline] = await served(id)
    expect(lane).toBe(pipeline)
    const { passport } = answer.body
    if (passport?.status === 'DRAFT') expect(lane).toBe('404')
    else if (passport !== undefined) expect(lane).toBe(JSON.stringify(passport))
    // What the event names is what was served.
    const kept = await gateway.sqlAs<{ body: string }>(
      workspace.id,
      `select r.body from rendition r join passport p on p.id = r.passport_id and p.version = r.version
       where p.id = $1 and r.representation = 'jsonld'`,
      [id],
    )
    expect(kept.map(({ body }) => body)).toEqual(passport?.status === 'DRAFT' ? [] : [lane])
  })

  test('a bulk: for each of its rows', async () => {
    const rows = Array.from({ length: 3 }, (_, index) => ({
      productId: newGtin(),
      metadata: textile({ size: `${index}` }),
    }))
    forgotten = []
    expectStatus(201, await post('/api/v1/passports/bulk', { passports: rows }))
    for (const { productId, metadata } of rows) {
      const { body } = await gateway.request('GET', `/01/${productId}`)
      expect(body.metadata).toEqual(metadata)
      expect(forgotten).toEqual(expect.arrayContaining([body.id, productId]))
      expect([await versionOf(body.id), await reasonsOf(body.id)]).toEqual([1, []])
      expect(await eventsOf(gateway, body.id)).toEqual(['passport.ingested'])
    }
  })

  test('a draft that is deleted: all of it', async () => {
    const { id } = await passports.given({ metadata: {}, draft: true })
    await passports.update(id, { metadata: { a: 1 }, draft: true })
    forgotten = []
    expectStatus(200, await passports.remove(id))
    expect(forgotten).toEqual([id])
    expect([await versionOf(id), await reasonsOf(id)]).toEqual([0, []])
  })
})

const FAULTY: Readonly<Record<string, Pick<Kind, 'given'>>> = {
  ...KINDS,
  bulk: {
    given: async () => ({
      act: () =>
        post('/api/v1/passports/bulk', {
          passports: [1, 2].map(() => ({ productId: newGtin(), metadata: textile() })),
        }),
    }),
  },
  'delete a draft': {
    given: async () => {
      const { id } = await passports.given({ metadata: {}, draft: true })
      return { id, act: () => passports.remove(id) }
    },
  },
}

/** The table of jobs is the queue's own; workers change what stands there at any time. What is recorded goes into the inbox. */
const faultAt = (table: string): Fault => {
  if (table === 'event') return { table: 'pgboss.job_common', events: 'insert' }
  return { table: table === 'audit_entry' ? 'audit_inbox' : table }
}

describe('nothing of a change happens when its transaction fails', () => {
  test.each(Object.entries(FAULTY))('%s, wherever it fails', async (_, { given }) => {
    const first = await given()
    const untouched = await tableDigests(gateway, workspace.id)
    expect((await first.act()).status).toBeLessThan(300)
    const tables = changedTables(untouched, await tableDigests(gateway, workspace.id))
    expect(tables).toContain('passport')
    for (const fault of [...tables.map(faultAt), 'commit' as const]) {
      const { id, act } = await given()
      await remember(id)
      const before = await tableDigests(gateway, workspace.id)
      const readable = id === undefined ? [] : await served(id)
      forgotten = []
      const answer = await withFault(gateway, fault, act)
      const where = JSON.stringify(fault)
      expect(answer.status, where).toBeGreaterThanOrEqual(400)
      expect(forgotten, where).toEqual([])
      expect(changedTables(before, await tableDigests(gateway, workspace.id)), where).toEqual([])
      expect(id === undefined ? [] : await served(id), where).toEqual(readable)
      expect((await act()).status, where).toBeLessThan(300)
    }
  })
})

// What the operations themselves take is in round-trips.test.ts.
test('to ingest what exists takes five round trips, that of the credential included', async () => {
  const { given } = KINDS['ingest what exists'] as Kind
  const { act } = await given()
  await gateway.container.cradle.accessAudit.flush()
  wire.taken()
  expect((await act()).status).toBeLessThan(300)
  expect(wire.taken().count).toBe(5)
})
