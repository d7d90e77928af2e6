import { expect, vi } from 'vitest'
import { REGISTRATIONS } from '../../plugins/modules/registry/registration-job.ts'
import { recordAccesses } from '../../src/audit/access-audit-statements.ts'
import type { RecordedExample } from '../../src/http/contract.ts'
import { PASSPORT_EVENTS } from '../../src/jobs/outbox.ts'
import type { Answer } from './contract-client.ts'
import { newGln, newGtin, type TestGateway, type TestWorkspace, textile } from './gateway.ts'
import { givenUnits } from './given-units.ts'
import { givenProof, makeRegistrable } from './registrable.ts'
import {
  aasEnvironment,
  type Call,
  givenImport,
  givenLabelJob,
  givenLink,
  givenOffer,
  givenReference,
  givenTraceEvent,
  inDays,
  newGrai,
  promisedRows,
  type Subjects,
  sampleCalls,
} from './sample-calls.ts'
import { startReceiver } from './webhook-receiver.ts'

export type RecordedExamples = Record<string, RecordedExample>

const FILES: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'jsonl',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/aas+zip': 'aasx',
}

export const BYTES = /(zip|package\+xml|pdf|png|jpeg|webp|sheet|crl)$/

/** Overrides for the sample call of an operation. */
interface Request {
  readonly on?: Partial<Subjects>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly query?: string
}

/**
 * Calls every operation once in a sensible order and records requests and responses; reads in every promised media
 * type. Replaces values that vary and signatures.
 */
export async function recordExamples(gateway: TestGateway, workspace: TestWorkspace) {
  const { as, operatorId, id } = workspace
  const examples: RecordedExamples = {}
  const steady = stabiliser()
  const gtin = newGtin()
  const subjects: Subjects = {
    passportId: '',
    gtin,
    grai: newGrai(),
    serial: 'S-1',
    unitId: '',
    unitSerial: '',
    batchId: '',
    batchNumber: 'L-2026-09',
    operatorId,
    facilityId: '',
    grantId: '',
    reference: '',
    notificationId: '',
    subscriptionId: '',
    deliveryId: '',
    category: 'textiles',
    tenantId: id,
    labelJobId: '',
    captureId: '',
    importId: '',
    mediaId: '',
    otherPassportId: '',
    linkId: '',
    handoverId: '',
    handoverCode: '',
    traceEventId: '',
    sealCaNumber: '1',
  }

  async function send({ method, path, json, form, file }: Call, mediaType?: string): Promise<Answer> {
    const accept: Record<string, string> = mediaType === undefined ? {} : { accept: mediaType }
    const answer = await gateway.request(method, path, { headers: { ...as, ...accept }, json, form, file })
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer
  }

  async function record(operationId: string, { on = {}, json, form, query = '' }: Request = {}) {
    const sample = sampleCalls({ ...subjects, ...on })[operationId]
    if (sample === undefined) throw new Error(`test/support/sample-calls.ts has no call of ${operationId}.`)
    const call = {
      ...sample,
      path: `${sample.path}${query}`,
      ...(json === undefined ? {} : { json }),
      ...(form && { form }),
    }
    const rows = promisedRows(gateway.client, (row) => row.operationId === operationId && row.status === 200)
    const types = call.method === 'GET' ? rows.map(({ mediaType }) => mediaType) : [undefined]
    const responses: Record<string, Record<string, unknown>> = {}
    let first: Answer | undefined
    for (const type of types) {
      const isLinkset = operationId.startsWith('resolveGs1') && LINKSETS.has(type ?? '')
      const paths: Record<string, string> = {
        exportPassports: `${call.path}?format=${FILES[type ?? '']}`,
        getImportTemplate: `${call.path}?format=${FILES[type ?? '']}`,
        exportRegistryEntries: `${call.path}&format=${type?.replace('application/', '')}`,
      }
      const path = isLinkset ? `${call.path}?linkType=linkset` : (paths[operationId] ?? call.path)
      if (operationId === 'getRegistrationProof') await givenProof(gateway, workspace, on.passportId ?? '', type ?? '')
      if (operationId === 'getUnitRegistrationProof') {
        await givenProof(gateway, workspace, on.passportId ?? '', type ?? '', on.unitId)
      }
      const answer = await send({ ...call, path }, type)
      first ??= answer
      const [mediaType = ''] = (answer.headers['content-type'] ?? '').split(';')
      // Bytes have no schema, hence no example.
      if (mediaType === '' || BYTES.test(mediaType)) continue
      responses[answer.status] = {
        ...responses[answer.status],
        [mediaType]: steady(short(operationId, answer.body ?? answer.text)),
      }
    }
    const sent = call.json ?? call.form ?? (call.file?.type === 'text/csv' ? String(call.file.bytes) : undefined)
    examples[operationId] = { ...(sent === undefined ? {} : { request: steady(short(operationId, sent)) }), responses }
    return first?.body
  }

  async function recordWebhooks(passportId: string): Promise<void> {
    const receiver = await startReceiver()
    // The subscription would receive earlier pending events.
    const openEvents = () =>
      gateway.sql(`select 1 from pgboss.job where name = $1 and state <= 'active'`, [PASSPORT_EVENTS])
    await vi.waitFor(async () => expect(await openEvents()).toEqual([]), { timeout: 20_000 })
    const { subscription } = await record('createWebhookSubscription', {
      json: { url: receiver.url, events: ['passport.sealed', 'passport.recalled'] },
    })
    const about = { on: { subscriptionId: subscription.id } }
    await record('updateWebhookSubscription', { ...about, json: { events: ['passport.sealed'] } })
    await record('rotateWebhookSecret', about)
    await record('listWebhookSubscriptions')
    await record('testWebhookSubscription', about)
    const { path } = sampleCalls({ ...subjects, passportId }).sealPassport as Call
    await send({ method: 'POST', path })
    const delivered = async (): Promise<{ id: string }[]> =>
      (await send({ method: 'GET', path: '/api/v1/webhooks/deliveries?status=DELIVERED' })).body.deliveries
    await vi.waitFor(async () => expect(await delivered()).toHaveLength(1), { timeout: 20_000 })
    await record('listWebhookDeliveries')
    await record('replayWebhookDelivery', { on: { deliveryId: (await delivered())[0]?.id ?? '' } })
    await record('deleteWebhookSubscription', about)
    await receiver.close()
  }

  async function recordLinks(passportId: string, unitId: string): Promise<void> {
    const json = { productId: newGtin(), metadata: { category: 'batteries', originCountry: 'DE' } }
    const { body } = await send({ method: 'POST', path: '/api/v1/passports', json })
    const about = { on: { passportId, otherPassportId: body.passport.id, unitId } }
    const { link } = await record('linkPassport', about)
    await record('deletePassportLink', { on: { linkId: link.id } })
    await record('acceptPassportLink', { on: { linkId: await givenLink(gateway, passportId) } })
    await record('listPassportLinks', about)
    await record('declinePassportLink', { on: { linkId: await givenLink(gateway, passportId) } })
    await record('offerPassportHandover', about)
    const offer = await record('offerUnitHandover', about)
    await record('withdrawHandover', { on: { handoverId: offer.id } })
    const code = await givenOffer(gateway)
    await record('acceptHandover', {
      json: { code, passportId, serialNumber: 'SL-2027-000001', status: 'REPURPOSED' },
    })
  }

  async function recordTraceability(): Promise<void> {
    const productId = newGtin()
    const { body } = await send({ method: 'POST', path: '/api/v1/passports', json: { productId, metadata: textile() } })
    const fibre = 'https://items.example/bale/1'
    const common = { '@context': givenTraceEvent()['@context'], eventTimeZoneOffset: '+01:00' }
    const bale = {
      ...common,
      type: 'ObjectEvent',
      action: 'ADD',
      bizStep: 'commissioning',
      eventTime: '2026-01-05T08:00:00.000Z',
      epcList: [fibre],
      bizLocation: { id: 'geo:30.8,31.0' },
    }
    await send({ method: 'POST', path: '/api/v1/events', json: bale })
    const { '@context': context, ...sewing } = {
      ...common,
      type: 'TransformationEvent',
      eventTime: '2026-01-15T08:00:00.000Z',
      inputEPCList: [fibre],
      outputQuantityList: [{ epcClass: `https://id.gs1.org/01/${productId}` }],
    }
    const json = {
      '@context': context,
      type: 'EPCISDocument',
      schemaVersion: '2.0',
      creationDate: '2026-01-15T09:00:00.000Z',
      epcisBody: { eventList: [sewing] },
    }
    const { eventId } = await record('captureTraceEvents', { json })
    const captureOf = async (id: string) => (await send({ method: 'GET', path: `/api/v1/capture/${id}` })).body
    const about = { on: { passportId: body.passport.id, traceEventId: eventId } }
    const { captureID } = await record('captureTraceDocument', { json })
    await vi.waitFor(async () => expect((await captureOf(captureID)).running).toBe(false), { timeout: 20_000 })
    await record('getTraceCapture', { on: { captureId: captureID } })
    await record('listTraceCaptures')
    await record('queryTraceEvents', { query: `?MATCH_anyEPC=${encodeURIComponent(fibre)}` })
    await record('getTraceEvent', about)
    await record('getEventLineage', about)
    await record('screenEventLineage', about)
    await record('publishPassportJourney', {
      ...about,
      json: { places: [{ uri: 'geo:30.8,31.0', name: 'Nile Delta Cooperative', country: 'EG' }] },
    })
    await record('getPassportJourney', about)
    await record('withdrawPassportJourney', about)
  }

  async function recordRegistrations(): Promise<void> {
    // No registry is called: its response arrives at a different time in each run.
    await gateway.container.cradle.boss.offWork(REGISTRATIONS)
    const { body } = await send({
      method: 'POST',
      path: '/api/v1/passports',
      json: { productId: newGtin(), metadata: textile() },
    })
    const passportId: string = body.passport.id
    await makeRegistrable(gateway, workspace, passportId)
    const [unitId = ''] = await givenUnits(gateway, workspace, passportId, ['NH-2026-000501'])
    const about = { on: { passportId, unitId } }
    await record('exportRegistryEntries', about)
    await record('registerPassport', about)
    await record('registerUnit', about)
    await record('getRegistrationProof', about)
    await record('getUnitRegistrationProof', about)
    await record('getPassportRegistration', about)
    await record('getUnitRegistration', about)
  }

  async function recordEn18222(): Promise<void> {
    const given = async (json: object): Promise<{ on: Partial<Subjects> }> => {
      const { digitalProductPassportId } = await record('createDpp', { json })
      return { on: { passportId: digitalProductPassportId.split('/').at(-1) } }
    }
    await record('deleteDppById', await given({ uniqueProductIdentifier: newGtin(), dppStatus: 'draft' }))
    const about = await given({ uniqueProductIdentifier: newGtin(), ...textile({ productName: 'Linen shirt' }) })
    await record('updateDppById', about)
    await record('updateDataElement', about)
  }

  const operator = await record('registerOperator', {
    json: { name: 'Têxteis do Ave, Lda.', regId: 'PT509000001', regIdScheme: 'EORI', role: 'MANUFACTURER' },
  })
  const ofOperator = { on: { operatorId: operator.operator.id } }
  await record('getOperator', ofOperator)
  await record('updateOperator', { ...ofOperator, json: { name: 'Têxteis do Ave, S.A.' } })
  await record('listAuditLog', { query: '&action=operator.updated' })
  await record('listOperators')
  await record('restoreOperator', ofOperator)
  await record('deleteOperator', ofOperator)

  const facility = await record('registerFacility', {
    json: { gln: newGln(), name: 'Spinning mill', country: 'PT', activity: 'spinning', city: 'Guimarães' },
  })
  const facilityId: string = facility.facility.id
  await record('getFacility', { on: { facilityId } })
  await record('updateFacility', { on: { facilityId }, json: { postalCode: '4800-001' } })
  await record('listFacilities')

  const battery = {
    category: 'batteries',
    originCountry: 'DE',
    productName: 'Home storage battery 5 kWh',
    batteryCategory: 'stationary',
    chemistry: 'LFP',
    materialComposition: [
      { material: 'Lithium iron phosphate', percentage: 62.5 },
      { material: 'Graphite', percentage: 37.5 },
    ],
  }
  await record('validatePassport', { json: { productId: newGtin(), metadata: battery } })
  await record('validatePassportPublic', { json: { productId: newGtin(), metadata: battery } })
  const created = await record('createPassport', {
    json: { productId: gtin, metadata: { ...battery, serialNumber: 'S-1' }, facilityId },
  })
  const passportId: string = created.passport.id
  const about = { on: { passportId } }
  const shirt = textile({ productName: 'Linen shirt' })
  await send({
    method: 'POST',
    path: '/api/v1/passports',
    json: { productId: subjects.grai, metadata: shirt, facilityId },
  })
  await record('updatePassport', {
    ...about,
    json: { metadata: { ...battery, serialNumber: 'S-1', warrantyYears: 10 }, changeReason: 'Warranty added' },
  })
  const labelJobId = await givenLabelJob(gateway, id, passportId)
  const importId = await givenImport(gateway, id, null, 'SHIRT-1')
  // Otherwise the list might show the import as waiting or started.
  await gateway.container.cradle.boss.offWork('imports')
  await record('importPassports')
  await record('listImports')
  await record('getImport', { on: { importId } })
  await record('getImportErrors', { on: { importId } })
  await record('getImportTemplate')
  await record('exportPassports')
  await record('getPassportQr', { ...about, query: '?format=svg&size=333&ecl=M' })
  await record('printPassportLabels', { json: { ids: [passportId], format: 'pdf', layout: 'L7160' } })
  await record('getLabelJob', { on: { labelJobId } })
  await record('downloadLabels', { on: { labelJobId } })
  await recordAccesses(gateway.container.cradle.database.lookup, Date.parse('2026-01-15T09:30:00Z') / 1000, [
    { passportId, unitId: null, representation: 'html', tier: 'public', network: '192.0.2.0/24', count: 17 },
    { passportId, unitId: null, representation: 'jsonld', tier: 'public', network: '192.0.2.0/24', count: 4 },
  ])
  await record('getPassportStatistics', { ...about, query: '?from=2026-01-01&to=2026-01-31' })
  await record('sealPassport', about)
  await record('updatePassportStatus', { ...about, json: { status: 'ACTIVE' } })
  await record('revisePassport', {
    ...about,
    json: { metadata: { ...battery, serialNumber: 'S-1', warrantyYears: 12 }, changeReason: 'Warranty was misspelt' },
  })
  await record('getPassportHistory', about)
  await record('getPassportCompleteness', about)
  await record('listPassports', { query: '?limit=2' })
  await record('passportVcReadinessReport', { query: '?limit=2' })
  await record('reportCompleteness', { query: '?limit=2' })
  await record('bulkIngestPassports', {
    json: {
      passports: [
        { productId: newGtin(), metadata: shirt },
        { productId: 'SKU-4711', metadata: { category: 'toys', originCountry: 'DE' } },
        { productId: 'SKU-4712', metadata: { category: 'toys' } },
      ],
    },
  })
  await record('ingestPassportFromAas', {
    json: aasEnvironment({ productId: newGtin(), metadata: { category: 'textiles', originCountry: 'PT' } }),
  })
  const draft = await send({
    method: 'POST',
    path: '/api/v1/passports',
    json: { productId: 'SKU-1', metadata: {}, draft: true },
  })
  await record('deleteDraftPassport', { on: { passportId: draft.body.passport.id } })
  await record('getPassport', about)
  const { body: payload } = await send({ method: 'GET', path: `/api/v1/passports/${passportId}` })
  await record('verifySeal', { json: { payload } })

  const recorded = await record('createBatches', {
    ...about,
    json: {
      batches: [
        { batchNumber: 'L-2026-09', manufacturedAt: '2026-09-14', metadata: { batteryMass: 411.5 } },
        { batchNumber: 'L-2026-10' },
        { batchNumber: 'lot of last autumn' },
      ],
    },
  })
  const [batch, spareBatch] = recorded.batches
  const ofBatch = { on: { ...about.on, batchId: batch.id } }
  await record('getBatch', ofBatch)
  await record('resolvePublicBatch', ofBatch)
  await record('deleteBatch', { on: { batchId: spareBatch.id } })
  await record('listBatches', about)

  const serialised = await record('serializeBatteryUnits', {
    ...about,
    json: {
      units: [
        { serialNumber: 'NH-2026-000417', batchNumber: 'L-2026-09', manufacturedAt: '2026-09-14' },
        { serialNumber: 'NH-2026-000418', status: 'IN_SERVICE' },
        { serialNumber: 'NH-2026-000419', manufacturedAt: 'last autumn' },
      ],
    },
  })
  const [unit, spare] = serialised.units
  const ofUnit = { on: { passportId, unitId: unit.id, unitSerial: unit.serialNumber } }
  await record('printUnitLabels', { json: { passportId, from: 'NH', to: 'NI', format: 'png', size: 333 } })
  await record('getUnitQr', { ...ofUnit, query: '?format=svg&size=333&ecl=M' })
  await record('validateBatteryUnits', {
    ...about,
    json: {
      units: [{ serialNumber: 'NH-2026-000419' }, { serialNumber: 'NH-2026-000420', manufacturedAt: 'last autumn' }],
    },
  })
  await record('recordBatteryUnitEvent', {
    ...ofUnit,
    json: {
      eventType: 'SOH_MEASUREMENT',
      stateOfHealth: 97.5,
      cycleCount: 112,
      temperatureC: 21.5,
      recordedAt: '2026-10-31',
    },
  })
  await record('recordBatteryUnitEvents', {
    json: {
      events: [
        { unitId: unit.id, eventType: 'CHARGE_CYCLE', cycleCount: 113, recordedAt: '2026-11-01T06:30:00Z' },
        {
          productId: gtin,
          serialNumber: 'NH-2026-000418',
          eventType: 'NEGATIVE_EVENT',
          payload: { kind: 'deep discharge' },
        },
        { unitId: unit.id, eventType: 'SOH_MEASUREMENT', stateOfHealth: 101 },
      ],
    },
  })
  await record('listBatteryUnitEvents', ofUnit)
  await record('getBatteryUnit', ofUnit)
  await record('deleteBatteryUnit', { on: { unitId: spare.id } })
  await record('listBatteryUnits', about)
  await record('showAccessRequest', about)
  const form = (granteeName: string) => ({
    granteeName,
    granteeEmail: 'repair@example.com',
    organization: 'Repair Ltd',
  })
  await record('requestAccess', { ...about, form: form('Ada Moreau') })
  await send({ method: 'POST', path: `/request-access?passport=${passportId}`, form: form('Ben Costa') })
  const grants = await record('listGrants', { query: '?limit=2' })
  const [one, other] = grants.grants
  const reference = await givenReference(gateway, id, one.id)
  await record('showAccessRequestStatus', { on: { reference } })
  await record('getGrant', { on: { grantId: one.id } })
  await record('approveGrant', { on: { grantId: one.id }, json: { expiresAt: inDays(30) } })
  await record('renewGrant', { on: { grantId: one.id }, json: { expiresAt: inDays(60) } })
  await record('denyGrant', { on: { grantId: other.id } })
  await record('revokeGrant', { on: { grantId: one.id } })
  await record('issueGrant', {
    json: {
      granteeName: 'Ada Moreau',
      granteeEmail: 'repair@example.com',
      organization: 'Repair Ltd',
      purpose: 'Repair of the cell pack',
      scopeType: 'PASSPORT',
      passportId,
      expiresAt: inDays(30),
    },
  })
  const { medium } = await record('uploadPassportMedia', about)
  const pictured = { on: { passportId, mediaId: medium.id } }
  for (const name of ['listPassportMedia', 'arrangePassportMedia', 'getMediaFile', 'deletePassportMedia']) {
    await record(name, pictured)
  }
  await recordLinks(passportId, unit.id)
  await recordTraceability()
  await recordRegistrations()
  await recordWebhooks(passportId)
  const { notifications } = await record('listNotifications', { query: '?limit=2' })
  await record('readNotification', { on: { notificationId: notifications[0].id } })
  await record('listMaterials', { query: '?limit=3' })
  await recordEn18222()
  const rest = Object.keys(sampleCalls(subjects)).filter((name) => examples[name] === undefined)
  const others = new Set(['deleteFacility', 'registerProductDpp'])
  for (const operationId of rest.filter((name) => !others.has(name))) await record(operationId, ofUnit)
  await record('deleteFacility', { on: { facilityId } })
  const names = Object.keys(sampleCalls(subjects)).filter((name) => examples[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, examples[name]]))
}

const LINKSETS = new Set(['application/linkset+json', 'application/json'])

const MAX_ITEMS = 2
const MAX_MEMBERS = 3
const MAX_CHARACTERS = 300
/** Long documents with standard formats: only their first members are shown. */
const LONG = new Set(['getOpenapiJson', 'getCategorySchema', 'getContext', 'getVocabulary'])

/** Shortens long texts and lists; of long documents keeps the first members. */
function short(operationId: string, value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_CHARACTERS ? `${value.slice(0, 160)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => short(operationId, item))
  const members = Object.entries(value).map(([name, inner]) => [name, short(operationId, inner)])
  if (!LONG.has(operationId)) return Object.fromEntries(members)
  // Readers of the contract would follow a reference out of the example.
  const closed = members.filter((member) => !JSON.stringify(member).includes('"$ref"'))
  return Object.fromEntries(closed.slice(0, MAX_MEMBERS))
}

/** Placeholders for signatures, keys and hashes, by member. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  digitalSeal: 'MEUCIQDx…',
  signature: 'MEUCIQDx…',
  signatureValue: 'MEUCIQDx…',
  cryptographicSignature: 'MEUCIQDx…',
  token: 'MIIVXw…',
  x5c: 'MIIB9z…',
  salts: 'AAAAB8Vd…',
  proofValue: 'z3qN4…',
  publicKeyMultibase: 'zDnae…',
  x: 'f83OJ3…',
  y: 'x_FEzR…',
  encodedList: 'uH4sI…',
  commit: '1f0c2ab',
  builtAt: '2026-01-15T09:00:00Z',
}
/** Indexes of status lists are random. */
const STATUS_INDEX = 4711
const DURATION_MS = 41
const PEM = '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYI…\n-----END PUBLIC KEY-----\n'

/** Replaces varying values: one id gets one number everywhere. */
function stabiliser(): (value: unknown) => unknown {
  const known = new Map<string, string>()
  const numbered = (kind: string, text: string, make: (number: string) => string): string => {
    const key = `${kind} ${text}`
    const place = [...known.keys()].filter((name) => name.startsWith(kind)).length + 1
    const result = known.get(key) ?? make(place.toString(16))
    known.set(key, result)
    return result
  }
  const text = (value: string): string => {
    if (value.startsWith('-----BEGIN PUBLIC KEY')) return PEM
    if (/^-----BEGIN/.test(value)) return `${value.split('\n')[0]}\nMIIBtz…`
    if (/^eyJ[\w-]+/.test(value)) return 'eyJhbGciOiJFUzI1NiIs….eyJAY29udGV4dCI6….kX0b…'
    return value
      .replace(/http:\/\/127\.0\.0\.1:\d+\/hook/g, 'https://erp.example.com/hooks/dpp')
      .replace(/whsec_[\w+/]{32}/g, `whsec_${'0'.repeat(32)}`)
      .replace(/dpp_handover_[\w-]{32}/g, `dpp_handover_${'0'.repeat(32)}`)
      .replace(/dpp_li_[0-9a-f]{32}/g, `dpp_li_${'0'.repeat(32)}`)
      .replace(/[0-9a-f]{64}/g, (hash) => numbered('hash', hash, (number) => number.padStart(64, '0')))
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
        numbered('id', id, (number) => `00000000-0000-4000-8000-${number.padStart(12, '0')}`),
      )
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time) =>
        Date.parse(time) > Date.now() + 3_600_000 ? '2026-03-01T00:00:00.000Z' : '2026-01-15T09:30:00.000Z',
      )
      .replace(/\b(api-key:|API_KEY_)\w{8}\b/g, (_, kind) => `${kind}00000000`)
      .replace(/[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4} GMT/, 'Jan 15 09:30:00 2026 GMT')
      .replace(/\?version=[0-9a-f]{12}/g, '?version=0f1e2d3c4b5a')
      .replace(/revocation#\d+/g, `revocation#${STATUS_INDEX}`)
  }
  const steady = (value: unknown, name?: string): unknown => {
    if (typeof value === 'string') {
      const placeholder = name === undefined ? undefined : PLACEHOLDERS[name]
      return placeholder !== undefined && !/^(dpp_|http)/.test(value) ? placeholder : text(value)
    }
    if (name === 'statusListIndex') return STATUS_INDEX
    if (name === 'durationMs') return DURATION_MS
    if (Array.isArray(value)) return value.map((item) => steady(item, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        steady(inner, PLACEHOLDERS[key] === undefined && name === 'salts' ? name : key),
      ]),
    )
  }
  return (value) => steady(value)
}
