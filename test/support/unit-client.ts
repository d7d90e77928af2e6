import type { UnitStatus } from '../../src/domain/unit.ts'
import { bearer, newGtin, type TestGateway, type TestWorkspace } from './gateway.ts'
import { expectStatus } from './passport-client.ts'
import { newSerial } from './sample-calls.ts'

export function unitClient(gateway: TestGateway, headers: Record<string, string>) {
  const under = (passport: string) => `/api/v1/passports/${encodeURIComponent(passport)}/units`
  const at = (id: string) => `/api/v1/units/${encodeURIComponent(id)}`
  const serialise = (passport: string, json: unknown, query = '') =>
    gateway.request('POST', `${under(passport)}${query}`, { headers, json })
  const record = (id: string, json: unknown) => gateway.request('POST', `${at(id)}/events`, { headers, json })
  return {
    serialise,
    given: async (passport: string, json: object = {}) =>
      expectStatus(201, await serialise(passport, { serialNumber: newSerial(), ...json })).body.units[0],
    validate: (passport: string, json: unknown) =>
      gateway.request('POST', `${under(passport)}/validate`, { headers, json }),
    list: (passport: string, query = '') => gateway.request('GET', `${under(passport)}${query}`, { headers }),
    get: (id: string) => gateway.request('GET', at(id), { headers }),
    remove: (id: string) => gateway.request('DELETE', at(id), { headers }),
    record,
    setStatus: async (id: string, status: UnitStatus) =>
      expectStatus(201, await record(id, { eventType: 'STATUS_CHANGE', status })),
    measure: async (id: string, stateOfHealth: number, recordedAt: string, payload: unknown = null) =>
      expectStatus(201, await record(id, { eventType: 'SOH_MEASUREMENT', stateOfHealth, recordedAt, payload })),
    recordAll: (events: unknown, more: Record<string, string> = {}) =>
      gateway.request('POST', '/api/v1/units/events', { headers: { ...headers, ...more }, json: { events } }),
    events: (id: string) => gateway.request('GET', `${at(id)}/events`, { headers }),
  }
}

/** A new operator of the workspace, and headers with a key restricted to it. */
export async function anotherOperator(gateway: TestGateway, workspace: TestWorkspace) {
  const { body } = await gateway.request('POST', '/api/v1/operators', {
    headers: workspace.as,
    json: { name: 'Second', regId: `R-${newGtin()}` },
  })
  const { key } = await gateway.container.cradle.workspaces.createKey({
    workspaceId: workspace.id,
    role: 'BRAND_OPERATOR',
    operatorId: body.operator.id,
  })
  return { id: body.operator.id as string, as: bearer(key) }
}

/** Headers with a key restricted to a new operator. */
export const asAnotherOperator = async (gateway: TestGateway, workspace: TestWorkspace) =>
  (await anotherOperator(gateway, workspace)).as
