import { type BenchData, bulkOf, textile } from '../data.ts'
import { numbered, type WireRequest, wireRequest } from '../http.ts'

/** One kind of request in the mixed load. */
export interface Kind {
  readonly name: string
  /** How often it is asked; less often where the gateway is slower than that. */
  readonly perSecond: number
  /** Connections that are kept alive. */
  readonly callers: number
  /** The only status that is not an error. */
  readonly status: number
  /** What is asked next; undefined where there is nothing to ask for yet. */
  next(): WireRequest | undefined
  /** Reads an answer; throws where it does not say what it should. */
  read?(body: string): void
}

/** How many of the newest passports are asked for. */
const MAX_NEW = 2000
const PAGES = 20

/**
 * What a workspace and the world ask of a gateway all day, all at once.
 * @param documents of sealed passports, as their owner gets them
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
      next: () => wireRequest('GET', `/passport/${anyId()}`, { Accept: pick(formats) }),
    },
    {
      name: 'owner GET',
      perSecond: 60,
      callers: 8,
      status: 200,
      next: () => wireRequest('GET', `/api/v1/passports/${anyId()}`, { Authorization: data.authorization }),
    },
    {
      name: 'list of 100',
      perSecond: 8,
      callers: 2,
      status: 200,
      next: () =>
        wireRequest('GET', `/api/v1/passports?limit=100&page=${(next() % PAGES) + 1}`, {
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
        return wireRequest('POST', '/api/v1/passports', json, JSON.stringify(body))
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
        return id && wireRequest('POST', `/api/v1/passports/${id}/seal`, { Authorization: data.authorization })
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
        wireRequest(
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
        return wireRequest('PUT', `/api/v1/passports/${id}/status`, json, JSON.stringify({ status }))
      },
    },
    {
      name: 'wrong key',
      perSecond: 30,
      callers: 4,
      status: 401,
      next: () => wireRequest('GET', '/api/v1/whoami', { Authorization: pick(wrong) }),
    },
  ]
}

/** A passport's document. */
export type JsonDocument = Readonly<Record<string, unknown>>

const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T

function expect(holds: boolean, body: string): void {
  if (!holds) throw new Error(`It answers ${body.slice(0, 500)}`)
}
