import { type BenchData, bulkOf, textile } from '../data.ts'
import { type BenchRequest, makeRequest, numbered } from '../http.ts'

export interface Kind {
  readonly name: string
  /** Rate of requests, if the gateway is fast enough. */
  readonly perSecond: number
  /** Connections, each with one request in flight. */
  readonly callers: number
  /** Expected status. */
  readonly status: number
  /** Returns the next request; undefined if there is none yet. */
  next(): BenchRequest | undefined
  /** @throws Error if the body is not as expected */
  read?(body: string): void
}

/** Newest passports among which reads choose. */
const MAX_NEW = 2000
const PAGES = 20

/**
 * Typical requests of a workspace and of public clients.
 * @param documents the owner's documents of sealed passports
 */
export function mixedLoad(data: BenchData, documents: readonly JsonDocument[]): readonly Kind[] {
  const json = { Authorization: data.authorization, 'Content-Type': 'application/json' }
  const sealed = [...data.passports['6k'], ...data.passports['25k']]
  const created: string[] = []
  const unsealed: string[] = []
  const anyId = () => pick(Math.random() < 0.7 || created.length === 0 ? sealed : created)
  let count = 0
  const next = () => {
    count += 1
    return count
  }
  const formats = ['application/ld+json', 'application/ld+json', 'text/html', 'application/aas+json']
  const bulk = bulkOf(data)
  const [right = ''] = data.authorization.split('_').slice(-1)
  const wrong = [
    data.authorization.replace(right, right.split('').reverse().join('')),
    `Bearer dpp_key_AAAAAAAA_${'A'.repeat(43)}`,
  ]
  return [
    {
      name: 'public resolve',
      perSecond: 500,
      callers: 16,
      status: 200,
      next: () => makeRequest('GET', `/passport/${anyId()}`, { Accept: pick(formats) }),
    },
    {
      name: 'owner GET',
      perSecond: 60,
      callers: 8,
      status: 200,
      next: () => makeRequest('GET', `/api/v1/passports/${anyId()}`, { Authorization: data.authorization }),
    },
    {
      name: 'list of 100',
      perSecond: 8,
      callers: 2,
      status: 200,
      next: () =>
        makeRequest('GET', `/api/v1/passports?limit=100&page=${(next() % PAGES) + 1}`, {
          Authorization: data.authorization,
        }),
    },
    {
      name: 'create',
      perSecond: 30,
      callers: 4,
      status: 201,
      next: () => {
        const body = { productId: `SOAK-${next()}`, operatorId: data.operatorId, metadata: textile }
        return makeRequest('POST', '/api/v1/passports', json, JSON.stringify(body))
      },
      read: (body) => {
        const { id } = JSON.parse(body).passport
        unsealed.push(id)
        created.push(id)
        if (created.length > MAX_NEW) created.shift()
      },
    },
    {
      name: 'seal',
      perSecond: 15,
      callers: 4,
      status: 200,
      next: () => {
        const id = unsealed.shift()
        if (id === undefined) return undefined
        return makeRequest('POST', `/api/v1/passports/${id}/seal`, { Authorization: data.authorization })
      },
    },
    {
      name: 'bulk of 200',
      perSecond: 0.25,
      callers: 1,
      status: 201,
      next: () => numbered(bulk, next()),
      read: (body) => expect(JSON.parse(body).insertedCount === 200, body),
    },
    {
      name: 'verify',
      perSecond: 20,
      callers: 4,
      status: 200,
      next: () =>
        makeRequest(
          'POST',
          '/api/v1/audit/verify',
          { 'Content-Type': 'application/json' },
          JSON.stringify({ payload: pick(documents) }),
        ),
      read: (body) => expect(JSON.parse(body).verified === true, body),
    },
    {
      name: 'status',
      perSecond: 15,
      callers: 4,
      status: 200,
      next: () => {
        const turn = next()
        const status = turn % 2 === 0 ? 'ACTIVE' : 'RECALLED'
        const id = sealed[turn % sealed.length]
        return makeRequest('PUT', `/api/v1/passports/${id}/status`, json, JSON.stringify({ status }))
      },
    },
    {
      name: 'wrong key',
      perSecond: 30,
      callers: 4,
      status: 401,
      next: () => makeRequest('GET', '/api/v1/whoami', { Authorization: pick(wrong) }),
    },
  ]
}

/** Document of a passport. */
export type JsonDocument = Readonly<Record<string, unknown>>

const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

function expect(isExpected: boolean, body: string): void {
  if (!isExpected) throw new Error(`Unexpected response: ${body.slice(0, 500)}`)
}
