import { beforeAll, expect } from 'vitest'
import type { Answer } from './contract-client.ts'
import { type Fault, withFault } from './faults.ts'
import { newGln, newGtin, type startTestGateway, textile } from './gateway.ts'
import { battery, expectStatus } from './passport-client.ts'
import { aasEnvironment } from './sample-calls.ts'
import { changedTables, tableDigests } from './table-digests.ts'
import { useGateway } from './use-gateway.ts'

export interface ChangeKind {
  /** Prepares the change; `id` is known before unless the passport is new. */
  given(): Promise<{ id?: string; act(): Promise<Answer> }>
  /** Change reasons in its history, if any. */
  readonly reasons?: readonly string[]
  readonly events: readonly string[]
  /** Cache keys to evict; `product` stands for the identifier of a new passport. */
  readonly evicts: 'id' | 'product' | 'everything'
  /** Increment of the version; a new passport starts at 1. */
  readonly moves: number
}

/** Workers change the job table at any time. Audit entries go into the inbox. */
const faultAt = (table: string): Fault => {
  if (table === 'event') return { table: 'pgboss.job_common', events: 'insert' }
  return { table: table === 'audit_entry' ? 'audit_inbox' : table }
}

/**
 * Starts a gateway with an observed cache, and lists every kind of change. Takes the arguments of {@link
 * startTestGateway}.
 */
export async function usePassportChanges(...options: Parameters<typeof startTestGateway>) {
  const { gateway, workspace, passports } = await useGateway(...options)
  /** Evictions by the gateway's own writes; database notifications are separate. */
  let forgotten: string[] = []

  beforeAll(async () => {
    const { publicCache, webhookDelivery } = gateway.container.cradle
    // Background work is not counted.
    await webhookDelivery.stop(0)
    const { evictAfter, clear } = publicCache
    publicCache.evictAfter = (tx, names) => {
      tx.afterCommit(() => forgotten.push(...names))
      evictAfter(tx, names)
    }
    publicCache.clear = () => {
      forgotten.push('everything')
      clear()
    }
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
  /** An environment whose sealed passport is deleted. */
  const sealedElsewhere = async () => {
    const draft = await passports.given({ productId: `SKU-${newGtin()}`, draft: true, metadata: textile() })
    expectStatus(200, await passports.seal(draft.id))
    const environment = await aasOf(draft.id)
    expectStatus(200, await passports.remove(draft.id))
    return { id: draft.id as string, environment }
  }

  /** Changes of unsealed passports. */
  const plainKinds: Readonly<Record<string, ChangeKind>> = {
    create: {
      given: async () => ({ act: () => passports.create({ productId: newGtin(), metadata: battery() }) }),
      events: ['passport.ingested'],
      evicts: 'product',
      moves: 1,
    },
    'create with a key': {
      given: async () => ({
        act: () =>
          post('/api/v1/passports', { productId: newGtin(), metadata: textile() }, { 'idempotency-key': newGtin() }),
      }),
      events: ['passport.ingested'],
      evicts: 'product',
      moves: 1,
    },
    'save a draft': {
      given: async () => ({ act: () => passports.create({ productId: newGtin(), metadata: { a: 1 }, draft: true }) }),
      events: [],
      evicts: 'product',
      moves: 1,
    },
    update: {
      given: async () => {
        const { id } = await passports.given({ metadata: battery() })
        return {
          id,
          act: () => passports.update(id, { metadata: battery({ color: 'blue' }), changeReason: 'Painted' }),
        }
      },
      reasons: ['Painted'],
      events: ['passport.updated'],
      evicts: 'id',
      moves: 1,
    },
    'update of the facility': {
      given: async () => {
        const { id } = await passports.given()
        const facilityId = await givenFacility()
        return {
          id,
          act: () => passports.update(id, { metadata: textile(), facilityId, enrichment: { tagline: 'T' } }),
        }
      },
      reasons: ['API Update'],
      events: ['passport.updated'],
      evicts: 'id',
      moves: 1,
    },
    'publish a draft': {
      given: async () => {
        const { id } = await passports.given({ metadata: {}, draft: true })
        return { id, act: () => passports.update(id, { metadata: textile() }) }
      },
      reasons: ['API Update'],
      events: ['passport.ingested'],
      evicts: 'id',
      moves: 1,
    },
    demote: {
      given: async () => {
        const { id } = await passports.given()
        return { id, act: () => passports.update(id, { metadata: {}, draft: true }) }
      },
      reasons: ['API Update'],
      events: [],
      evicts: 'id',
      moves: 1,
    },
    status: {
      given: async () => {
        const { id, productId } = await passports.given()
        return { id, act: () => passports.setStatus(productId, 'DECOMMISSIONED') }
      },
      reasons: ['Status changed: ACTIVE → DECOMMISSIONED'],
      events: ['passport.status_updated'],
      evicts: 'id',
      moves: 1,
    },
    'ingest a new one': {
      given: async () => ({ act: () => ingest(aasEnvironment({ productId: newGtin(), metadata: textile() })) }),
      events: [],
      evicts: 'product',
      moves: 1,
    },
    'ingest what exists': {
      given: async () => {
        const { id, productId } = await passports.given()
        return { id, act: () => ingest(aasEnvironment({ productId, metadata: textile({ size: 'L' }) })) }
      },
      reasons: ['Ingested as AAS'],
      events: [],
      evicts: 'id',
      moves: 1,
    },
    'archive with its operator': {
      given: async () => {
        const operatorId = await givenOperator()
        const { id } = await passports.given({ operatorId })
        return {
          id,
          act: () => gateway.request('DELETE', `/api/v1/operators/${operatorId}`, { headers: workspace.as }),
        }
      },
      events: [],
      evicts: 'everything',
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
      evicts: 'everything',
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
      evicts: 'everything',
      moves: 1,
    },
  }
  /** Changes of sealed passports, and sealing. */
  const sealKinds: Readonly<Record<string, ChangeKind>> = {
    recall: {
      given: async () => {
        const { id } = await passports.given()
        await passports.seal(id)
        return { id, act: () => passports.setStatus(id, 'RECALLED') }
      },
      reasons: ['Status changed: ACTIVE → RECALLED'],
      events: ['passport.recalled'],
      evicts: 'id',
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
      evicts: 'id',
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
      evicts: 'id',
      moves: 2,
    },
    'seal again': {
      given: async () => {
        const { id } = await passports.given()
        await passports.seal(id)
        return { id, act: () => passports.seal(id) }
      },
      events: ['passport.sealed'],
      evicts: 'id',
      moves: 1,
    },
    seal: {
      given: async () => {
        const { id } = await passports.given({ metadata: battery() })
        return { id, act: () => passports.seal(id) }
      },
      events: ['passport.sealed'],
      evicts: 'id',
      moves: 1,
    },
    'ingest a new one with its seal': {
      given: async () => {
        const { id, environment } = await sealedElsewhere()
        return { id, act: () => ingest(environment) }
      },
      events: [],
      evicts: 'id',
      moves: 2,
    },
    'ingest a seal for what exists': {
      given: async () => {
        const { id, environment } = await sealedElsewhere()
        expectStatus(201, await ingest(environment))
        // State before it was sealed.
        await gateway.sqlAs(workspace.id, 'update passport set seal_id = null where id = $1', [id])
        return { id, act: () => ingest(environment) }
      },
      reasons: ['Ingested as AAS'],
      events: [],
      evicts: 'id',
      moves: 2,
    },
  }

  /** Public responses, from the cache and through the pipeline. */
  const served = async (id: string): Promise<string[]> => {
    const paths = [`/passport/${id}`, `/passport/${id}?pipeline=yes`]
    const answers = await Promise.all(paths.map((path) => gateway.request('GET', path)))
    return answers.map(({ status, text }) => (status === 200 ? text : String(status)))
  }
  /** Reads twice, since only a repeated read enters the cache. */
  const cached = async (id: string | undefined): Promise<string[]> => {
    if (id === undefined) return []
    await served(id)
    return served(id)
  }

  /** Evictions since the last call. */
  function takeEvicted(): string[] {
    const taken = forgotten
    forgotten = []
    return taken
  }

  /** Checks that a change leaves nothing if its transaction fails at any table or at the commit. */
  async function expectAllOrNothing({ given }: Pick<ChangeKind, 'given'>): Promise<void> {
    const first = await given()
    const untouched = await tableDigests(gateway, workspace.id)
    expect((await first.act()).status).toBeLessThan(300)
    const tables = changedTables(untouched, await tableDigests(gateway, workspace.id))
    expect(tables).toContain('passport')
    const faults = [...tables.map(faultAt), 'commit' as const]
    // One for each, since a failed change is retried in the end.
    const prepared = await Promise.all(faults.map(given))
    for (const [index, fault] of faults.entries()) {
      const { id, act } = prepared[index] as (typeof prepared)[number]
      const readable = await cached(id)
      const before = await tableDigests(gateway, workspace.id)
      takeEvicted()
      const answer = await withFault(gateway, fault, act)
      const where = JSON.stringify(fault)
      expect(answer.status, where).toBeGreaterThanOrEqual(400)
      expect(takeEvicted(), where).toEqual([])
      expect(changedTables(before, await tableDigests(gateway, workspace.id)), where).toEqual([])
      expect(id === undefined ? [] : await served(id), where).toEqual(readable)
      expect((await act()).status, where).toBeLessThan(300)
    }
  }

  return {
    gateway,
    workspace,
    passports,
    post,
    expectAllOrNothing,
    plainKinds,
    sealKinds,
    served,
    cached,
    takeEvicted,
  }
}
