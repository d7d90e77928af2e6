import { afterAll, beforeAll, expect, test } from 'vitest'
import { once } from '../../src/domain/once.ts'
import type { Operation } from '../../src/http/contract.ts'
import type { Answer } from '../support/contract-client.ts'
import { createPreparedDatabase } from '../support/databases.ts'
import {
  bearer,
  createWorkspace,
  MASTER_KEY,
  newGln,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
} from '../support/gateway.ts'
import { givenUnits } from '../support/given-units.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { givenProof, makeRegistrable, NO_REGISTRY } from '../support/registrable.ts'
import {
  type Call,
  givenDelivery,
  givenHandover,
  givenLink,
  givenMedia,
  givenNotification,
  givenOffer,
  givenSubjects,
  inDays,
  newSerial,
  type Subjects,
  sampleCalls,
} from '../support/sample-calls.ts'
import { openWire, type Wire } from '../support/statements.ts'

// Each round trip costs more than most of the processing of its result. This table makes every additional one visible;
// it includes the credential's.

let wire: Wire
let gateway: TestGateway
let workspace: TestWorkspace
let passports: ReturnType<typeof passportClient>

beforeAll(async () => {
  wire = await openWire(await createPreparedDatabase(MASTER_KEY))
  gateway = await startTestGateway({ DATABASE_URL: wire.url, ...NO_REGISTRY })
  // Background work is not counted.
  await gateway.container.cradle.webhookDelivery.stop(0)
  const { boss, plugins } = gateway.container.cradle
  for (const { name } of plugins.queues) await boss.offWork(name)
  workspace = await createWorkspace(gateway)
  passports = passportClient(gateway, workspace.as)
})
afterAll(async () => {
  await gateway.close()
  await wire.close()
})

/** Round trips of a repeated successful request, including the credential if the operation requires one. */
const TRIPS: Readonly<Record<string, number>> = {
  listPassports: 2,
  // One finds other workspaces that serve the GTIN.
  createPassport: 4,
  validatePassport: 1,
  validatePassportPublic: 1,
  bulkIngestPassports: 3,
  ingestPassportFromAas: 4,
  passportVcReadinessReport: 2,
  reportCompleteness: 2,
  listMaterials: 1,
  getPassport: 2,
  updatePassport: 3,
  deleteDraftPassport: 3,
  sealPassport: 3,
  getPassportHistory: 2,
  getPassportCompleteness: 2,
  revisePassport: 3,
  updatePassportStatus: 4,
  getPassportQr: 2,
  printPassportLabels: 2,
  getUnitQr: 2,
  printUnitLabels: 2,
  importPassports: 4,
  listImports: 2,
  getImport: 2,
  getImportErrors: 5,
  getImportTemplate: 1,
  exportPassports: 2,
  getLabelJob: 2,
  downloadLabels: 4,
  captureTraceEvents: 3,
  queryTraceEvents: 2,
  captureTraceDocument: 3,
  listTraceCaptures: 2,
  getTraceCapture: 2,
  getTraceEvent: 2,
  getEventLineage: 3,
  screenEventLineage: 4,
  getPassportJourney: 4,
  publishPassportJourney: 5,
  withdrawPassportJourney: 3,
  getPassportRegistration: 2,
  registerPassport: 3,
  getUnitRegistration: 2,
  registerUnit: 3,
  exportRegistryEntries: 2,
  getRegistrationProof: 1,
  getUnitRegistrationProof: 1,
  listPassportMedia: 2,
  uploadPassportMedia: 4,
  arrangePassportMedia: 3,
  deletePassportMedia: 3,
  getMediaFile: 1,
  listPassportLinks: 2,
  linkPassport: 3,
  deletePassportLink: 3,
  acceptPassportLink: 3,
  declinePassportLink: 3,
  offerUnitHandover: 3,
  offerPassportHandover: 3,
  acceptHandover: 3,
  withdrawHandover: 3,
  listOperators: 3,
  registerOperator: 4,
  getOperator: 2,
  updateOperator: 3,
  deleteOperator: 4,
  restoreOperator: 4,
  listFacilities: 2,
  registerFacility: 2,
  getFacility: 2,
  updateFacility: 3,
  deleteFacility: 4,
  listBatteryUnits: 2,
  serializeBatteryUnits: 3,
  validateBatteryUnits: 2,
  listBatches: 2,
  createBatches: 3,
  getBatch: 2,
  deleteBatch: 3,
  getBatteryUnit: 2,
  deleteBatteryUnit: 3,
  recordBatteryUnitEvent: 3,
  recordBatteryUnitEvents: 3,
  listBatteryUnitEvents: 2,
  listGrants: 2,
  getGrant: 2,
  issueGrant: 3,
  approveGrant: 3,
  renewGrant: 3,
  denyGrant: 3,
  revokeGrant: 3,
  listWebhookSubscriptions: 2,
  createWebhookSubscription: 3,
  updateWebhookSubscription: 3,
  deleteWebhookSubscription: 3,
  rotateWebhookSecret: 3,
  testWebhookSubscription: 2,
  listWebhookDeliveries: 2,
  replayWebhookDelivery: 4,
  showAccessRequest: 2,
  requestAccess: 4,
  showAccessRequestStatus: 2,
  listNotifications: 2,
  readNotification: 2,
  rotateTenantKeys: 6,
  listAuditLog: 2,
  getPassportStatistics: 2,
  verifySeal: 2,
  getSealCa: 1,
  getSealRevocationList: 1,
  getFrontPage: 1,
  getServiceWorker: 0,
  getCodeReader: 0,
  getVerifyPage: 0,
  whoami: 2,
  resolvePublicPassport: 1,
  resolveGs1Gtin: 1,
  resolveGs1GtinSerial: 2,
  resolveGs1Grai: 1,
  resolveGs1GraiSerial: 1,
  resolveGs1GtinQualifier: 2,
  resolveGs1GtinTwoQualifiers: 2,
  resolveGs1GtinThreeQualifiers: 1,
  getResolverDescription: 0,
  resolvePublicBatteryUnit: 1,
  resolvePublicBatch: 1,
  resolveCredential: 3,
  resolveUnitCredential: 3,
  getDidDocument: 1,
  getStatusList: 2,
  getTokenStatusList: 2,
  getJwtVcIssuer: 1,
  getCredentialType: 0,
  getContext: 0,
  getVocabulary: 0,
  getCategorySchema: 0,
  getOpenapiJson: 0,
  getOpenapiYaml: 0,
  getApiReference: 0,
  getApiReferencePage: 0,
  getApiReferenceSchema: 0,
  createDpp: 4,
  readDppById: 1,
  // An update and a read.
  updateDppById: 8,
  deleteDppById: 3,
  readDppByProductId: 1,
  readDppVersionByIdAndDate: 1,
  readDppVersionByProductIdAndDate: 2,
  readDppIdsByProductIds: 1,
  // The limit of the standard's interface: one for each element.
  readDataElement: 1,
  updateDataElement: 8,
  readDataElementCollection: 1,
  registerProductDpp: 0,
  getVersion: 0,
  getHealth: 0,
  getReady: 0,
}

/** Calls that replace the sample, for operations that need more to succeed. */
const OTHERS: Readonly<Record<string, () => Promise<Call>>> = {
  async getFrontPage() {
    const { productId } = await passports.given({ productId: newGtin() })
    return { method: 'GET', path: `/?q=${productId}` }
  },
  async registerPassport() {
    const { id } = await passports.given()
    await makeRegistrable(gateway, workspace, id)
    return { method: 'POST', path: `/api/v1/passports/${id}/registration` }
  },
  async registerUnit() {
    const { id } = await passports.given()
    await makeRegistrable(gateway, workspace, id)
    const [unitId] = await givenUnits(gateway, workspace, id, [newSerial()])
    return { method: 'POST', path: `/api/v1/units/${unitId}/registration` }
  },
  async exportRegistryEntries() {
    const { id } = await passports.given()
    await makeRegistrable(gateway, workspace, id)
    return { method: 'GET', path: `/api/v1/registry-entries?ids=${id}` }
  },
  async getRegistrationProof() {
    const { id } = await passports.given()
    await givenProof(gateway, workspace, id, 'application/xml')
    return { method: 'GET', path: `/passport/${id}/registration-proof` }
  },
  async getUnitRegistrationProof() {
    const { id } = await passports.given()
    const [unitId = ''] = await givenUnits(gateway, workspace, id, [newSerial()])
    await givenProof(gateway, workspace, id, 'application/xml', unitId)
    return { method: 'GET', path: `/unit/${unitId}/registration-proof` }
  },
  async deleteDraftPassport() {
    const { id } = await passports.given({ draft: true })
    return { method: 'DELETE', path: `/api/v1/passports/${id}` }
  },
  async deleteDppById() {
    const { id } = await passports.given({ draft: true })
    return { method: 'DELETE', path: `/v1/dpps/${id}` }
  },
  async sealPassport() {
    const { id } = await passports.given({ metadata: battery() })
    return { method: 'POST', path: `/api/v1/passports/${id}/seal` }
  },
  async revisePassport() {
    const { id } = await passports.given({ metadata: battery() })
    await passports.seal(id)
    const json = { metadata: battery({ color: 'blue' }), changeReason: 'Typing error' }
    return { method: 'POST', path: `/api/v1/passports/${id}/revisions`, json }
  },
  async renewGrant() {
    const { body } = await gateway.request('POST', '/api/v1/grants', {
      headers: workspace.as,
      json: { granteeName: 'R', scopeType: 'TENANT', expiresAt: inDays(1) },
    })
    return { method: 'POST', path: `/api/v1/grants/${body.grant.id}/renew`, json: { expiresAt: inDays(2) } }
  },
  async verifySeal() {
    const { id } = await passports.given({ metadata: battery() })
    await passports.seal(id)
    const { body } = await gateway.request('GET', `/api/v1/passports/${id}`, { headers: workspace.as })
    return { method: 'POST', path: '/api/v1/audit/verify', json: { payload: body } }
  },
  async deleteOperator() {
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name: 'O', regId: `GOES-${Math.random()}` },
    })
    return { method: 'DELETE', path: `/api/v1/operators/${body.operator.id}` }
  },
}

const freshPassport = async () => ({ passportId: (await passports.given({ productId: newGtin() })).id })
const freshLink = async ({ passportId }: Subjects) => ({ linkId: await givenLink(gateway, passportId) })
const freshMedia = async ({ passportId }: Subjects) => ({ mediaId: await givenMedia(gateway, workspace, passportId) })
const freshDelivery = () => givenDelivery(gateway, workspace.id)
const freshUnit = async ({ passportId }: Subjects) => {
  const [unitId = ''] = await givenUnits(gateway, workspace, passportId, [newSerial()])
  return { unitId }
}
const freshFacility = async () => ({
  facilityId: (await post('/api/v1/facilities', { gln: newGln(), name: 'Mill', country: 'PT' })).facility.id,
})
const freshGrant = async () => {
  const { passportId } = await freshPassport()
  const form = { granteeName: 'Repair Ltd', granteeEmail: 'repair@example.com' }
  await gateway.request('POST', `/request-access?passport=${passportId}`, { form })
  const { body } = await gateway.request('GET', '/api/v1/grants', { headers: workspace.as })
  return { grantId: body.grants.find((grant: { passportId: string }) => grant.passportId === passportId).id }
}

/** Subjects of operations that consume them or do less the second time; the other operations share theirs. */
const FRESH: Readonly<Record<string, (shared: Subjects) => Promise<Partial<Subjects>>>> = {
  updatePassport: freshPassport,
  updatePassportStatus: freshPassport,
  updateDppById: freshPassport,
  updateDataElement: freshPassport,
  linkPassport: freshPassport,
  offerPassportHandover: freshPassport,
  offerUnitHandover: freshUnit,
  requestAccess: freshPassport,
  issueGrant: freshPassport,
  acceptPassportLink: freshLink,
  declinePassportLink: freshLink,
  deletePassportLink: freshLink,
  acceptHandover: async () => ({ handoverCode: await givenOffer(gateway) }),
  withdrawHandover: async ({ passportId }) => ({ handoverId: await givenHandover(gateway, workspace, passportId) }),
  arrangePassportMedia: async () => {
    const { passportId } = await freshPassport()
    return { passportId, mediaId: await givenMedia(gateway, workspace, passportId) }
  },
  deletePassportMedia: freshMedia,
  updateFacility: freshFacility,
  deleteFacility: freshFacility,
  deleteBatteryUnit: freshUnit,
  recordBatteryUnitEvent: freshUnit,
  recordBatteryUnitEvents: freshUnit,
  deleteBatch: async ({ passportId }) => {
    const { batches } = await post(`/api/v1/passports/${passportId}/batches`, { batchNumber: newSerial() })
    return { batchId: batches[0].id }
  },
  approveGrant: freshGrant,
  denyGrant: freshGrant,
  revokeGrant: freshGrant,
  updateWebhookSubscription: freshDelivery,
  deleteWebhookSubscription: freshDelivery,
  rotateWebhookSecret: freshDelivery,
  testWebhookSubscription: freshDelivery,
  replayWebhookDelivery: freshDelivery,
  readNotification: async () => {
    await freshFacility()
    return { notificationId: await givenNotification(gateway, workspace.id) }
  },
}

async function post(path: string, json: object) {
  return expectStatus(201, await gateway.request('POST', path, { headers: workspace.as, json })).body
}

test('every operation has its number', () => {
  expect(Object.keys(TRIPS).sort()).toEqual([...gateway.container.cradle.contract.operations.keys()].sort())
})

test('a lineage asks once for each of its levels', async () => {
  const item = (level: number) => `https://example.com/items/${newSerial()}-${level}`
  const tripsOf = async (levels: number) => {
    const items = Array.from({ length: levels + 1 }, (_, level) => item(level))
    const eventList = items.slice(0, -1).map((made, level) => ({
      type: 'TransformationEvent',
      eventTime: new Date(Date.UTC(2026, 0, 31 - level)).toISOString(),
      eventTimeZoneOffset: '+00:00',
      inputEPCList: [items[level + 1]],
      outputEPCList: [made],
    }))
    const json = {
      '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
      type: 'EPCISDocument',
      schemaVersion: '2.0',
      creationDate: '2026-02-01T00:00:00Z',
      epcisBody: { eventList },
    }
    const { body } = await gateway.request('POST', '/api/v1/events', { headers: workspace.as, json })
    wire.taken()
    const answer = await gateway.request('GET', `/api/v1/events/${body.eventId}/lineage`, { headers: workspace.as })
    expect([answer.status, answer.body.truncated]).toEqual([200, false])
    return wire.taken().count
  }
  await tripsOf(2)
  expect((await tripsOf(20)) - (await tripsOf(5))).toBe(15)
})

/** Round trips of a request with prepared statements, and its response without the request's number. */
async function takenBy(request: () => Promise<Answer>) {
  let taken: unknown
  for (let round = 0; round < 2; round += 1) {
    wire.taken()
    const { status, text, body } = await request()
    taken = { ...wire.taken(), status, text: text.replaceAll(body.requestId, '') }
  }
  return taken
}

test('a used GLN costs the same statements and response for every holder', async () => {
  const stranger = await createWorkspace(gateway)
  const register = (gln: string, { as }: TestWorkspace) =>
    gateway.request('POST', '/api/v1/facilities', { headers: as, json: { gln, name: 'Mill', country: 'PT' } })
  const [own, foreign] = [newGln(), newGln()]
  for (const [gln, of] of [
    [own, workspace],
    [foreign, stranger],
  ] as const) {
    expectStatus(201, await register(gln, of))
  }
  const taken = await takenBy(() => register(own, workspace))
  expect(taken).toMatchObject({ status: 409, count: expect.any(Number) })
  const registering = await takenBy(() => register(foreign, workspace))
  // MikroORM inlines values: ids, times and GLNs differ.
  const withoutValues = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(/'[^']*'/g, '?')
        .replaceAll(foreign, own),
    )
  expect(withoutValues(registering)).toEqual(withoutValues(taken))
})

test('forty concurrent reads by key take three round trips', async () => {
  const { database } = gateway.container.cradle
  const ping = { name: 'test-ping', text: 'select $1::int as number' }
  for (const session of [database.batchedLookup, database.batchedFor(workspace.id)]) {
    await session.run(ping, [0])
    wire.taken()
    const pending = Array.from({ length: 40 }, (_, number) => session.run<{ number: number }>(ping, [number]))
    expect((await Promise.all(pending)).map(([row]) => row?.number)).toEqual(pending.map((_, number) => number))
    expect(wire.taken().count).toBe(3)
  }
})

test('concurrent public reads of one format are one statement, and each gets its own passport or none', async () => {
  const { renditions, renditionStore } = gateway.container.cradle
  const choice = renditions.choose({ accept: 'application/ld+json' }, 'passport')
  if (choice === undefined) throw new Error('The gateway has no JSON-LD.')
  const read = async (column: 'id' | 'gtin', value: string) => {
    const found = await renditionStore.findPublic({ column, value, choice, variant: '' })
    return found && [found.passportId, JSON.parse(found.rendition.body.toString()).id]
  }
  const gtin = newGtin()
  const [one, other, draft] = [
    await passports.given({ productId: gtin }),
    await passports.given(),
    await passports.given({ draft: true }),
  ]
  const absent = '00000000-0000-4000-8000-000000000000'
  wire.taken()
  const values = [one.id, draft.id, other.id, absent, one.id, other.id.toUpperCase()]
  const found = await Promise.all(values.map((value) => read('id', value)))
  expect(wire.taken().count).toBe(1)
  const [first, second] = [
    [one.id, one.id],
    [other.id, other.id],
  ]
  expect(found).toEqual([first, undefined, second, undefined, first, second])
  expect(await Promise.all([read('gtin', gtin), read('gtin', '09506000134352')])).toEqual([first, undefined])
  const another = await createWorkspace(gateway)
  await passportClient(gateway, another.as).given({ productId: gtin })
  expect(await read('gtin', gtin)).toBeUndefined()
})

test('forty concurrent writes take three transactions, and each of them its own round trips', async () => {
  const { database } = gateway.container.cradle
  const ping = { name: 'test-ping', text: 'select $1::int as number' }
  for (const [reads, trips] of [
    [false, 1],
    [true, 2],
  ] as const) {
    const shared = database.shared<number, number>(async (tx, items) => {
      if (reads) await tx.run(ping, [0])
      for (const item of items) tx.write(ping, [item])
      return items
    })
    await shared.batched(workspace.id, 0)
    wire.taken()
    const numbers = Array.from({ length: 40 }, (_, number) => number)
    expect(await Promise.all(numbers.map((number) => shared.batched(workspace.id, number)))).toEqual(numbers)
    expect(wire.taken().count).toBe(3 * trips)
  }
})

test('a wrong key costs the same, whether there is one of its name, how much of it is right, and why it is no more', async () => {
  const { workspaces } = gateway.container.cradle
  const keyOf = (more: object) => workspaces.createKey({ workspaceId: workspace.id, role: 'AUDITOR', ...more })
  const [revoked, expired] = [await keyOf({}), await keyOf({ expiresAt: '2020-01-01T00:00:00Z' })]
  await workspaces.revokeKey(revoked.id)
  const other = (letter: string | undefined) => (letter === 'A' ? 'B' : 'A')
  const [head, secret] = [workspace.key.slice(0, -43), workspace.key.slice(-43)]
  const costs = []
  for (const key of [
    `${head}${other(secret[0])}${secret.slice(1)}`,
    `${head}${secret.slice(0, 21)}${other(secret[21])}${secret.slice(22)}`,
    `dpp_key_AAAAAAAA_${secret}`,
    revoked.key,
    expired.key,
  ]) {
    costs.push(await takenBy(() => passportClient(gateway, bearer(key)).list()))
  }
  expect(costs[0]).toMatchObject({ status: 401, count: 1 })
  for (const cost of costs) expect(cost).toEqual(costs[0])
})

const texts = new Set<string>()
/** Subjects of reads, in a workspace without writes. */
const library = once(async () => {
  const reader = await createWorkspace(gateway)
  return { as: reader.as, subjects: await givenSubjects(gateway, reader) }
})
const desk = once(async () => ({ as: workspace.as, subjects: await givenSubjects(gateway, workspace) }))

test.each(Object.entries(TRIPS))('%s takes %i', async (operationId, expectedCount) => {
  const { isPublic, method } = gateway.container.cradle.contract.operations.get(operationId) as Operation
  let count = 0
  // The first request may fill caches for the others.
  for (let round = 0; round < 2; round += 1) {
    // A write needs new subjects, a read is repeated.
    const isRead = method === 'GET' && OTHERS[operationId] === undefined
    const { as, subjects } = await (isRead ? library() : desk())
    const fresh = await FRESH[operationId]?.(subjects)
    const call = (await OTHERS[operationId]?.()) ?? (sampleCalls({ ...subjects, ...fresh })[operationId] as Call)
    await gateway.container.cradle.accessAudit.flush()
    await gateway.container.cradle.protectedReadAudit.flush()
    for (const text of wire.taken().texts) texts.add(text)
    const { status, text } = await gateway.request(call.method, call.path, {
      headers: isPublic ? {} : as,
      ...call,
    })
    const taken = wire.taken()
    count = taken.count
    for (const sent of taken.texts) texts.add(sent)
    if (status !== 501) expect(status, text).toBeLessThan(400)
  }
  expect(count).toBe(expectedCount)
})

test('no value is written into the text of a statement of ours', () => {
  const ours = [...texts].filter(
    (text) => !/^(?:select|select count\(\*\) as "count" from|insert into|update|delete from) "/.test(text),
  )
  expect(ours.length).toBeGreaterThan(50)
  for (const text of ours)
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}|[0-9]{13}|textiles|Repair|Mill/)
})
