import type { Answer } from './contract-client.ts'
import { newGtin, type TestGateway, textile } from './gateway.ts'

export function passportClient(gateway: TestGateway, headers: Record<string, string>) {
  const at = (id: string) => `/api/v1/passports/${encodeURIComponent(id)}`
  const create = (json: unknown) => gateway.request('POST', '/api/v1/passports', { headers, json })
  return {
    create,
    /** Creates a passport, by default a textile with a new GTIN. */
    given: async (json: object = {}) =>
      expectStatus(201, await create({ productId: newGtin(), metadata: textile(), ...json })).body.passport,
    validate: (json: unknown) => gateway.request('POST', '/api/v1/passports/validate-only', { headers, json }),
    list: (query = '') => gateway.request('GET', `/api/v1/passports${query}`, { headers }),
    get: (id: string) => gateway.request('GET', at(id), { headers }),
    update: (id: string, json: unknown) => gateway.request('PUT', at(id), { headers, json }),
    remove: (id: string) => gateway.request('DELETE', at(id), { headers }),
    revise: (id: string, json: unknown) => gateway.request('POST', `${at(id)}/revisions`, { headers, json }),
    history: (id: string, query = '') => gateway.request('GET', `${at(id)}/history${query}`, { headers }),
    seal: (id: string) => gateway.request('POST', `${at(id)}/seal`, { headers }),
    setStatus: (id: string, status: unknown, more: object = {}) =>
      gateway.request('PUT', `${at(id)}/status`, { headers, json: { status, ...more } }),
  }
}

export function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`)
  return answer
}

/** Events of a passport in order, read from their jobs. */
export async function eventsOf(gateway: TestGateway, passportId: string): Promise<string[]> {
  const rows = await gateway.sql<{ event: string }>(
    `select data ->> 'event' as event from pgboss.job
     where name = 'passport-event' and data -> 'passports' @> $1 order by created_on, id`,
    [JSON.stringify([{ id: passportId }])],
  )
  return rows.map(({ event }) => event)
}

/** Replaces a masked value. */
export const REDACTED = '[REDACTED - Privileged Access Required]'

/** Metadata with the owner's key and the three restricted keys of batteries. */
export const battery = (more: object = {}) => ({
  category: 'batteries',
  originCountry: 'DE',
  detailedPerformance: { ratedCapacity: { value: 94, unit: 'Ah' } },
  lifecycleAndInUse: { note: 'in use' },
  circularityAndDisassembly: { note: 'disassembly' },
  facilityDetails: [{ facilityName: 'Works 1', location: 'Cologne', activity: 'assembly' }],
  ...more,
})
