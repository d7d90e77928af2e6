import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { Cradle as ImportsCradle } from '../../plugins/modules/imports/cradle.ts'
import type { Cradle as LabelsCradle } from '../../plugins/modules/labels/cradle.ts'
import { newSecret, secretOwner } from '../../src/domain/webhooks.ts'
import type { ContractClient, RequestOptions } from './contract-client.ts'
import { BASE_URL, createWorkspace, newGln, newGtin, type TestGateway, type TestWorkspace, textile } from './gateway.ts'
import { givenUnits } from './given-units.ts'
import { expectStatus } from './passport-client.ts'

/** A P-256 key without owner. */
const PEM = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' })

/** A URL with no listener: connections are refused immediately. */
const CLOSED_URL = 'http://127.0.0.1:9/hook'

const PICTURE = {
  type: 'image/png',
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWPgjo+CIwbiOAA50wxBegi7wQAAAABJRU5ErkJggg==',
    'base64',
  ),
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly file?: RequestOptions['file']
}

/** Identifiers for the addresses of the operations. */
export interface Subjects {
  readonly passportId: string
  readonly gtin: string
  readonly grai: string
  readonly serial: string
  /** A unit of the passport, and its serial number, which a unit of the passport with the GRAI also has. */
  readonly unitId: string
  readonly unitSerial: string
  /** A batch without units, and its number. */
  readonly batchId: string
  readonly batchNumber: string
  readonly operatorId: string
  readonly facilityId: string
  readonly grantId: string
  /** Reference of the access request. */
  readonly reference: string
  readonly notificationId: string
  readonly subscriptionId: string
  readonly deliveryId: string
  readonly category: string
  readonly tenantId: string
  readonly labelJobId: string
  readonly captureId: string
  readonly importId: string
  readonly mediaId: string
  /** Another published passport of the workspace, without links. */
  readonly otherPassportId: string
  /** A link of the passport, requested by another workspace. */
  readonly linkId: string
  /** An offer of another unit of the passport. */
  readonly handoverId: string
  /** Code to link a passport of another workspace as predecessor. */
  readonly handoverCode: string
  /** A commissioning event of the product. */
  readonly traceEventId: string
  readonly sealCaNumber: string
}

/** One well-formed call of every operation by operationId; a test fails if one is missing. */
export function sampleCalls(subjects: Subjects): Readonly<Record<string, Call>> {
  const { passportId, gtin, grai, serial, operatorId, facilityId, grantId, unitId, unitSerial, category, tenantId } =
    subjects
  const { batchId, captureId, importId, labelJobId, mediaId, otherPassportId, linkId, handoverId, handoverCode } =
    subjects
  const subscription = `/api/v1/webhooks/subscriptions/${subjects.subscriptionId}`
  const passport = `/api/v1/passports/${passportId}`
  const operator = `/api/v1/operators/${operatorId}`
  const facility = `/api/v1/facilities/${facilityId}`
  const grant = `/api/v1/grants/${grantId}`
  const unit = `/api/v1/units/${unitId}`
  const dppId = encodeURIComponent(`${BASE_URL}/passport/`) + passportId
  const dpp = `/v1/dpps/${dppId}`
  const traceEvent = `/api/v1/events/${subjects.traceEventId}`
  const event = { eventType: 'SOH_MEASUREMENT', stateOfHealth: 97.5 }
  const content = { productId: newGtin(), metadata: textile() }
  return {
    listPassports: { method: 'GET', path: '/api/v1/passports' },
    createPassport: { method: 'POST', path: '/api/v1/passports', json: content },
    validatePassport: { method: 'POST', path: '/api/v1/passports/validate-only', json: content },
    validatePassportPublic: { method: 'POST', path: '/api/v1/passports/validate-only-public', json: content },
    bulkIngestPassports: { method: 'POST', path: '/api/v1/passports/bulk', json: { passports: [content] } },
    ingestPassportFromAas: { method: 'POST', path: '/api/v1/passports/aas/ingest', json: aasEnvironment(content) },
    passportVcReadinessReport: { method: 'GET', path: '/api/v1/passports/vc-readiness' },
    reportCompleteness: { method: 'GET', path: '/api/v1/passports/completeness' },
    listMaterials: { method: 'GET', path: '/api/v1/materials' },
    getPassport: { method: 'GET', path: passport },
    updatePassport: { method: 'PUT', path: passport, json: { metadata: textile({ size: 'M' }) } },
    deleteDraftPassport: { method: 'DELETE', path: passport },
    sealPassport: { method: 'POST', path: `${passport}/seal` },
    getPassportHistory: { method: 'GET', path: `${passport}/history` },
    getPassportCompleteness: { method: 'GET', path: `${passport}/completeness` },
    revisePassport: {
      method: 'POST',
      path: `${passport}/revisions`,
      json: { metadata: textile({ size: 'M' }), changeReason: 'Typing error' },
    },
    updatePassportStatus: { method: 'PUT', path: `${passport}/status`, json: { status: 'RECALLED' } },
    captureTraceEvents: { method: 'POST', path: '/api/v1/events', json: givenTraceEvent() },
    queryTraceEvents: { method: 'GET', path: '/api/v1/events' },
    captureTraceDocument: { method: 'POST', path: '/api/v1/capture', json: givenTraceDocument() },
    listTraceCaptures: { method: 'GET', path: '/api/v1/capture' },
    getTraceCapture: { method: 'GET', path: `/api/v1/capture/${captureId}` },
    getTraceEvent: { method: 'GET', path: traceEvent },
    getEventLineage: { method: 'GET', path: `${traceEvent}/lineage` },
    screenEventLineage: { method: 'POST', path: `${traceEvent}/audit` },
    getPassportJourney: { method: 'GET', path: `${passport}/journey` },
    publishPassportJourney: { method: 'PUT', path: `${passport}/journey`, json: { audience: ['authority'] } },
    withdrawPassportJourney: { method: 'DELETE', path: `${passport}/journey` },
    getPassportRegistration: { method: 'GET', path: `${passport}/registration` },
    registerPassport: { method: 'POST', path: `${passport}/registration` },
    getUnitRegistration: { method: 'GET', path: `${unit}/registration` },
    registerUnit: { method: 'POST', path: `${unit}/registration` },
    exportRegistryEntries: { method: 'GET', path: `/api/v1/registry-entries?ids=${passportId}` },
    getRegistrationProof: { method: 'GET', path: `/passport/${passportId}/registration-proof` },
    getUnitRegistrationProof: { method: 'GET', path: `/unit/${unitId}/registration-proof` },
    listPassportMedia: { method: 'GET', path: `${passport}/media` },
    uploadPassportMedia: { method: 'POST', path: `${passport}/media?title=Front`, file: PICTURE },
    arrangePassportMedia: {
      method: 'PUT',
      path: `${passport}/media`,
      json: { media: [{ id: mediaId, title: 'Front' }] },
    },
    deletePassportMedia: { method: 'DELETE', path: `${passport}/media/${mediaId}` },
    getMediaFile: { method: 'GET', path: `/media/${mediaId}/4.webp` },
    listPassportLinks: { method: 'GET', path: `${passport}/links` },
    linkPassport: { method: 'POST', path: `${passport}/links`, json: { rel: 'replaces', target: otherPassportId } },
    deletePassportLink: { method: 'DELETE', path: `/api/v1/links/${linkId}` },
    acceptPassportLink: { method: 'POST', path: `/api/v1/links/${linkId}/accept` },
    declinePassportLink: { method: 'POST', path: `/api/v1/links/${linkId}/decline` },
    offerUnitHandover: { method: 'POST', path: `${unit}/handover`, json: {} },
    offerPassportHandover: { method: 'POST', path: `${passport}/handover`, json: {} },
    acceptHandover: {
      method: 'POST',
      path: '/api/v1/handovers/accept',
      json: { code: handoverCode, passportId, serialNumber: newSerial() },
    },
    withdrawHandover: { method: 'DELETE', path: `/api/v1/handovers/${handoverId}` },
    getPassportQr: { method: 'GET', path: `${passport}/qr` },
    printPassportLabels: { method: 'POST', path: '/api/v1/passports/labels', json: { ids: [passportId] } },
    getUnitQr: { method: 'GET', path: `/api/v1/units/${unitId}/qr` },
    printUnitLabels: { method: 'POST', path: '/api/v1/units/labels', json: { ids: [unitId] } },
    importPassports: {
      method: 'POST',
      path: '/api/v1/imports?dryRun=true',
      file: { type: 'text/csv', bytes: givenTable(newGtin()) },
    },
    listImports: { method: 'GET', path: '/api/v1/imports' },
    getImport: { method: 'GET', path: `/api/v1/imports/${importId}` },
    getImportErrors: { method: 'GET', path: `/api/v1/imports/${importId}/errors` },
    getImportTemplate: { method: 'GET', path: `/api/v1/imports/templates/${category}` },
    exportPassports: { method: 'GET', path: '/api/v1/passports/export' },
    getLabelJob: { method: 'GET', path: `/api/v1/label-jobs/${labelJobId}` },
    downloadLabels: { method: 'GET', path: `/api/v1/label-jobs/${labelJobId}/file` },
    listOperators: { method: 'GET', path: '/api/v1/operators' },
    registerOperator: { method: 'POST', path: '/api/v1/operators', json: { name: 'O', regId: `REG-${newGtin()}` } },
    getOperator: { method: 'GET', path: operator },
    updateOperator: { method: 'PATCH', path: operator, json: { role: 'IMPORTER' } },
    deleteOperator: { method: 'DELETE', path: operator },
    restoreOperator: { method: 'POST', path: `${operator}/restore` },
    listFacilities: { method: 'GET', path: '/api/v1/facilities' },
    registerFacility: { method: 'POST', path: '/api/v1/facilities', json: { gln: newGln(), name: 'F', country: 'DE' } },
    getFacility: { method: 'GET', path: facility },
    updateFacility: { method: 'PUT', path: facility, json: { city: 'Ulm' } },
    deleteFacility: { method: 'DELETE', path: facility },
    listBatteryUnits: { method: 'GET', path: `${passport}/units` },
    serializeBatteryUnits: { method: 'POST', path: `${passport}/units`, json: { serialNumber: newSerial() } },
    validateBatteryUnits: { method: 'POST', path: `${passport}/units/validate`, json: { serialNumber: newSerial() } },
    listBatches: { method: 'GET', path: `${passport}/batches` },
    createBatches: { method: 'POST', path: `${passport}/batches`, json: { batchNumber: newSerial() } },
    getBatch: { method: 'GET', path: `/api/v1/batches/${batchId}` },
    deleteBatch: { method: 'DELETE', path: `/api/v1/batches/${batchId}` },
    getBatteryUnit: { method: 'GET', path: unit },
    deleteBatteryUnit: { method: 'DELETE', path: unit },
    recordBatteryUnitEvent: { method: 'POST', path: `${unit}/events`, json: event },
    recordBatteryUnitEvents: { method: 'POST', path: '/api/v1/units/events', json: { events: [{ unitId, ...event }] } },
    listBatteryUnitEvents: { method: 'GET', path: `${unit}/events` },
    listGrants: { method: 'GET', path: '/api/v1/grants' },
    getGrant: { method: 'GET', path: grant },
    issueGrant: {
      method: 'POST',
      path: '/api/v1/grants',
      json: { granteeName: 'Repair Ltd', scopeType: 'PASSPORT', passportId, expiresAt: inDays(30) },
    },
    approveGrant: { method: 'POST', path: `${grant}/approve`, json: { expiresAt: inDays(30) } },
    renewGrant: { method: 'POST', path: `${grant}/renew`, json: { expiresAt: inDays(60) } },
    denyGrant: { method: 'POST', path: `${grant}/deny` },
    revokeGrant: { method: 'DELETE', path: grant },
    listWebhookSubscriptions: { method: 'GET', path: '/api/v1/webhooks/subscriptions' },
    createWebhookSubscription: {
      method: 'POST',
      path: '/api/v1/webhooks/subscriptions',
      json: { url: CLOSED_URL, events: ['passport.recalled'] },
    },
    updateWebhookSubscription: { method: 'PATCH', path: subscription, json: { events: ['access.decided'] } },
    deleteWebhookSubscription: { method: 'DELETE', path: subscription },
    rotateWebhookSecret: { method: 'POST', path: `${subscription}/rotate-secret` },
    testWebhookSubscription: { method: 'POST', path: `${subscription}/test` },
    listWebhookDeliveries: { method: 'GET', path: '/api/v1/webhooks/deliveries' },
    replayWebhookDelivery: { method: 'POST', path: `/api/v1/webhooks/deliveries/${subjects.deliveryId}/replay` },
    showAccessRequest: { method: 'GET', path: `/request-access?passport=${passportId}` },
    requestAccess: {
      method: 'POST',
      path: `/request-access?passport=${passportId}`,
      form: { granteeName: 'Repair Ltd', granteeEmail: 'repair@example.com' },
    },
    showAccessRequestStatus: { method: 'GET', path: `/request-access/${subjects.reference}` },
    listNotifications: { method: 'GET', path: '/api/v1/notifications' },
    readNotification: { method: 'POST', path: `/api/v1/notifications/${subjects.notificationId}/read` },
    rotateTenantKeys: { method: 'POST', path: '/api/v1/tenants/rotate-keys' },
    verifySeal: {
      method: 'POST',
      path: '/api/v1/audit/verify',
      json: { payload: {}, signature: 'AAAA', publicKey: PEM },
    },
    getSealCa: { method: 'GET', path: '/.well-known/opendpp-seal-ca.pem' },
    getSealRevocationList: { method: 'GET', path: `/.well-known/opendpp-seal-crl/${subjects.sealCaNumber}` },
    getFrontPage: { method: 'GET', path: '/' },
    getServiceWorker: { method: 'GET', path: '/sw.js' },
    getCodeReader: { method: 'GET', path: '/code-reader/decode.js' },
    getVerifyPage: { method: 'GET', path: '/verify' },
    listAuditLog: { method: 'GET', path: '/api/v1/audit/log?limit=5' },
    getPassportStatistics: { method: 'GET', path: `${passport}/statistics` },
    whoami: { method: 'GET', path: '/api/v1/whoami' },
    resolvePublicPassport: { method: 'GET', path: `/passport/${passportId}` },
    resolveGs1Gtin: { method: 'GET', path: `/01/${gtin}` },
    resolveGs1GtinSerial: { method: 'GET', path: `/01/${gtin}/21/${serial}` },
    resolveGs1Grai: { method: 'GET', path: `/8003/${grai}` },
    resolveGs1GraiSerial: { method: 'GET', path: `/8003/${grai}/21/${unitSerial}` },
    resolveGs1GtinQualifier: { method: 'GET', path: `/01/${gtin}/10/L-1` },
    resolveGs1GtinTwoQualifiers: { method: 'GET', path: `/01/${gtin}/22/V-1/10/L-1` },
    resolveGs1GtinThreeQualifiers: { method: 'GET', path: `/01/${gtin}/22/V-1/10/L-1/21/${unitSerial}` },
    getResolverDescription: { method: 'GET', path: '/.well-known/gs1resolver' },
    resolvePublicBatteryUnit: { method: 'GET', path: `/unit/${unitId}` },
    resolvePublicBatch: { method: 'GET', path: `/batch/${batchId}` },
    resolveCredential: { method: 'GET', path: `/credentials/${passportId}` },
    resolveUnitCredential: { method: 'GET', path: `/credentials/unit/${unitId}` },
    getDidDocument: { method: 'GET', path: `/tenants/${tenantId}/did.json` },
    getStatusList: { method: 'GET', path: `/tenants/${tenantId}/status/revocation` },
    getTokenStatusList: { method: 'GET', path: `/tenants/${tenantId}/status/tokens` },
    getJwtVcIssuer: { method: 'GET', path: `/.well-known/jwt-vc-issuer/tenants/${tenantId}` },
    getCredentialType: { method: 'GET', path: '/vct/digital-product-passport' },
    getContext: { method: 'GET', path: '/context/v1' },
    getVocabulary: { method: 'GET', path: '/ns/dpp' },
    getCategorySchema: { method: 'GET', path: `/api/v1/schemas/${category}` },
    getOpenapiJson: { method: 'GET', path: '/openapi.json' },
    getOpenapiYaml: { method: 'GET', path: '/openapi.yaml' },
    getApiReference: { method: 'GET', path: '/docs' },
    getApiReferencePage: { method: 'GET', path: '/docs/createPassport' },
    getApiReferenceSchema: { method: 'GET', path: '/docs/schemas/NewPassport' },
    getVersion: { method: 'GET', path: '/api/v1/version' },
    createDpp: { method: 'POST', path: '/v1/dpps', json: { uniqueProductIdentifier: newGtin(), ...textile() } },
    readDppById: { method: 'GET', path: dpp },
    updateDppById: { method: 'PATCH', path: dpp, json: { size: 'M' } },
    deleteDppById: { method: 'DELETE', path: dpp },
    readDppByProductId: { method: 'GET', path: `/v1/dppsByProductId/${gtin}` },
    readDppVersionByIdAndDate: { method: 'GET', path: `/v1/dppsByIdAndDate/${dppId}?date=2099-01-01` },
    readDppVersionByProductIdAndDate: { method: 'GET', path: `/v1/dppsByProductIdAndDate/${gtin}?date=2099-01-01` },
    readDppIdsByProductIds: { method: 'POST', path: '/v1/dppsByProductIds', json: { productIds: [gtin] } },
    readDataElement: { method: 'GET', path: `${dpp}/elements/%24.category` },
    updateDataElement: { method: 'PATCH', path: `${dpp}/elements/%24.size`, json: 'M' },
    readDataElementCollection: { method: 'GET', path: `${dpp}/collections/category` },
    registerProductDpp: { method: 'POST', path: '/v1/registerDPP' },
    getHealth: { method: 'GET', path: '/health' },
    getReady: { method: 'GET', path: '/ready' },
  }
}

/** An AAS environment as in the specification, with text metadata. */
export const aasEnvironment = ({ productId, metadata }: { productId: string; metadata: object }) => ({
  assetAdministrationShells: [{ assetInformation: { specificAssetIds: [{ name: 'productId', value: productId }] } }],
  submodels: [
    {
      idShort: 'ComplianceMetadata',
      submodelElements: Object.entries(metadata).map(([idShort, value]) => ({
        modelType: 'Property',
        idShort,
        valueType: 'xs:string',
        value,
      })),
    },
  ],
})

/** A commissioning event of a new or the given product. */
export const givenTraceEvent = (gtin = newGtin()) => ({
  '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
  type: 'ObjectEvent',
  action: 'ADD',
  bizStep: 'commissioning',
  eventTime: '2026-01-15T09:30:00.000Z',
  eventTimeZoneOffset: '+01:00',
  epcList: [],
  quantityList: [{ epcClass: `https://id.gs1.org/01/${gtin}` }],
  readPoint: { id: 'geo:41.5,-8.4' },
})

export const givenTraceDocument = () => {
  const { '@context': context, ...bare } = givenTraceEvent()
  return {
    '@context': context,
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: '2026-01-15T10:00:00.000Z',
    epcisBody: { eventList: [bare] },
  }
}

export const absentSubjects = (): Subjects => ({
  passportId: randomUUID(),
  gtin: newGtin(),
  grai: newGrai(),
  serial: 'NONE',
  unitId: randomUUID(),
  unitSerial: 'NONE',
  batchId: randomUUID(),
  batchNumber: 'NONE',
  operatorId: randomUUID(),
  facilityId: randomUUID(),
  grantId: randomUUID(),
  reference: newReference(),
  notificationId: randomUUID(),
  subscriptionId: randomUUID(),
  deliveryId: randomUUID(),
  category: 'no-category',
  tenantId: randomUUID(),
  labelJobId: randomUUID(),
  captureId: randomUUID(),
  importId: randomUUID(),
  mediaId: randomUUID(),
  otherPassportId: randomUUID(),
  linkId: randomUUID(),
  handoverId: randomUUID(),
  handoverCode: `dpp_handover_${randomBytes(24).toString('base64url')}`,
  traceEventId: randomUUID(),
  sealCaNumber: '99',
})

/**
 * A published passport with everything that addresses identify, including a unit and a pending request. Without modules,
 * the identifiers of their subjects are absent ones.
 */
export async function givenSubjects(gateway: TestGateway, workspace: TestWorkspace): Promise<Subjects> {
  const { id: tenantId, as, operatorId } = workspace
  const post = async (path: string, json: object) =>
    expectStatus(201, await gateway.request('POST', path, { headers: as, json })).body
  const gtin = newGtin()
  const grai = newGrai()
  const { facility } = await post('/api/v1/facilities', { gln: newGln(), name: 'Mill', country: 'PT', city: 'Braga' })
  const { passport } = await post('/api/v1/passports', {
    productId: gtin,
    facilityId: facility.id,
    metadata: textile({ serialNumber: 'S-1' }),
  })
  const returnable = await post('/api/v1/passports', { productId: grai, facilityId: facility.id, metadata: textile() })
  const serialNumber = newSerial()
  const [unitId = ''] = await givenUnits(gateway, workspace, passport.id, [serialNumber])
  await givenUnits(gateway, workspace, returnable.passport.id, [serialNumber])
  await gateway.request('POST', `/request-access?passport=${passport.id}`, {
    form: { granteeName: 'Repair Ltd', granteeEmail: 'repair@example.com' },
  })
  const { body } = await gateway.request('GET', '/api/v1/grants', { headers: as })
  const pending = body.grants.find((grant: { passportId: string }) => grant.passportId === passport.id)
  const hasModules = gateway.container.cradle.plugins.modules.length > 0
  return {
    ...absentSubjects(),
    ...(hasModules ? await givenModuleSubjects(gateway, workspace, passport) : {}),
    passportId: passport.id,
    sealCaNumber: '1',
    gtin,
    grai,
    serial: 'S-1',
    operatorId,
    facilityId: facility.id,
    grantId: pending.id,
    reference: await givenReference(gateway, tenantId, pending.id),
    unitSerial: serialNumber,
    ...(await givenDelivery(gateway, tenantId)),
    category: 'textiles',
    tenantId,
    unitId,
    otherPassportId: returnable.passport.id,
  }
}

/** Subjects of modules. */
async function givenModuleSubjects(
  gateway: TestGateway,
  workspace: TestWorkspace,
  passport: { id: string; productId: string },
): Promise<Partial<Subjects>> {
  const { id: tenantId, as: headers } = workspace
  const batchNumber = newSerial()
  const post = async (path: string, json: object) =>
    expectStatus(201, await gateway.request('POST', path, { headers, json })).body
  const { batches } = await post(`/api/v1/passports/${passport.id}/batches`, { batchNumber })
  const { eventId } = await post('/api/v1/events', givenTraceEvent(passport.productId))
  return {
    traceEventId: eventId,
    batchId: batches[0].id,
    batchNumber,
    notificationId: await givenNotification(gateway, tenantId),
    labelJobId: await givenLabelJob(gateway, tenantId, passport.id),
    importId: await givenImport(gateway, tenantId),
    captureId: await givenCapture(gateway, tenantId, { isSuccess: true }),
    mediaId: await givenMedia(gateway, workspace, passport.id),
    linkId: await givenLink(gateway, passport.id),
    handoverId: await givenHandover(gateway, workspace, passport.id),
    handoverCode: await givenOffer(gateway),
  }
}

/** A partner workspace, one per gateway. */
const foreigners = new WeakMap<TestGateway, Promise<TestWorkspace>>()

/** A published passport of an unrelated workspace. */
async function givenForeign(gateway: TestGateway): Promise<{ as: Record<string, string>; id: string }> {
  const foreigner = foreigners.get(gateway) ?? createWorkspace(gateway)
  foreigners.set(gateway, foreigner)
  const { as } = await foreigner
  const json = { productId: newGtin(), metadata: { category: 'batteries', originCountry: 'DE' } }
  const { body } = await gateway.request('POST', '/api/v1/passports', { headers: as, json })
  return { as, id: body.passport.id }
}

/**
 * Creates a link requested by another workspace.
 * @returns its id
 */
export async function givenLink(gateway: TestGateway, passportId: string): Promise<string> {
  const { as, id } = await givenForeign(gateway)
  const json = { rel: 'derivedFrom', target: passportId }
  const { status, body, text } = await gateway.request('POST', `/api/v1/passports/${id}/links`, { headers: as, json })
  if (status !== 201) throw new Error(text)
  return body.link.id
}

/**
 * Offers a new unit of the passport.
 * @returns the id of the offer
 */
export async function givenHandover(
  gateway: TestGateway,
  workspace: TestWorkspace,
  passportId: string,
): Promise<string> {
  const [unitId] = await givenUnits(gateway, workspace, passportId, [newSerial()])
  const path = `/api/v1/units/${unitId}/handover`
  return (await gateway.request('POST', path, { headers: workspace.as, json: {} })).body.id
}

/** Code of an offer of a unit of another workspace. */
export async function givenOffer(gateway: TestGateway): Promise<string> {
  const { as, id } = await givenForeign(gateway)
  const made = await gateway.request('POST', `/api/v1/passports/${id}/units`, {
    headers: as,
    json: { serialNumber: newSerial() },
  })
  const path = `/api/v1/units/${made.body.units[0].id}/handover`
  return (await gateway.request('POST', path, { headers: as, json: {} })).body.code
}

/**
 * Adds a picture to the passport.
 * @returns its id
 */
export async function givenMedia(gateway: TestGateway, { as }: TestWorkspace, passportId: string): Promise<string> {
  const { status, body, text } = await gateway.request('POST', `/api/v1/passports/${passportId}/media`, {
    headers: as,
    file: PICTURE,
  })
  if (status !== 201) throw new Error(text)
  return body.medium.id
}

const newReference = () => randomBytes(16).toString('base64url')

/** Adds a reference to a request, as if e-mail were configured. */
export async function givenReference(gateway: TestGateway, tenantId: string, grantId: string): Promise<string> {
  const reference = newReference()
  const hash = createHash('sha256').update(reference).digest()
  await gateway.sqlAs(tenantId, 'update access_grant set reference_hash = $2 where id = $1', [grantId, hash])
  return reference
}

/** Id of the latest notification about a registered facility. */
export async function givenNotification(gateway: TestGateway, tenantId: string): Promise<string> {
  const [last] = await gateway.sqlAs<{ id: string }>(
    tenantId,
    `select id from notification where type = 'facility.created' order by created_at desc limit 1`,
  )
  return last?.id ?? ''
}

export const newSerial = () => randomUUID().slice(0, 18)

/**
 * Creates a finished label job for a key of the operator, or of the whole workspace.
 * @returns its id
 */
export async function givenLabelJob(
  gateway: TestGateway,
  tenantId: string,
  passportId: string,
  operatorId: string | null = null,
): Promise<string> {
  const id = randomUUID()
  const request = JSON.stringify({ subject: 'passport', ids: [passportId], size: 128 })
  await gateway.sqlAs(
    tenantId,
    `insert into label_job (id, tenant_id, operator_id, subject, request, created_at, expires_at)
     values ($1, $2, $4, 'passport', $3, now(), now() + interval '1 hour')`,
    [id, tenantId, request, operatorId],
  )
  const labels = gateway.container.resolve<LabelsCradle['labels']>('labels')
  await labels.work(tenantId, id, new AbortController().signal)
  return id
}

/** Creates a capture that stays pending or is finished. */
export async function givenCapture(
  gateway: TestGateway,
  tenantId: string,
  { isSuccess = null, expiresIn = '1 hour' }: { isSuccess?: boolean | null; expiresIn?: string } = {},
): Promise<string> {
  const id = randomUUID()
  await gateway.sqlAs(
    tenantId,
    `insert into capture_job (id, tenant_id, around, event_count, is_success, created_at, finished_at, expires_at)
     values ($1, $2, '{}', 1, $4, now(), case when $4 then now() end, now() + $3::interval)`,
    [id, tenantId, expiresIn, isSuccess],
  )
  return id
}

/** A table with a valid and an invalid row. */
export const givenTable = (productId: string): Buffer =>
  Buffer.from(
    `productId,category,originCountry,materialComposition.1.material,materialComposition.1.percentage\r\n${productId},textiles,PT,linen,100\r\n${productId}-X,textiles,PT,linen,much\r\n`,
  )

/**
 * Creates a finished import for the operator or the whole workspace, with a rejected row.
 * @returns its id
 */
export async function givenImport(
  gateway: TestGateway,
  tenantId: string,
  operatorId: string | null = null,
  productId: string = newGtin(),
): Promise<string> {
  const id = randomUUID()
  const file = givenTable(productId)
  await gateway.sqlAs(
    tenantId,
    `insert into import (id, tenant_id, operator_id, actor, role, format, options, file_hash, bytes, created_at, expires_at)
     values ($1, $2, $3, 'console', 'BRAND_OPERATOR', 'csv', '{"dryRun":true,"lang":"en"}', $4, $5, now(), now() + interval '1 day')`,
    [id, tenantId, operatorId, randomBytes(32), file.length],
  )
  const piece = 'insert into import_piece (import_id, tenant_id, place, bytes) values ($1, $2, $3, $4)'
  await gateway.sqlAs(tenantId, piece, [id, tenantId, 0, file])
  const imports = gateway.container.resolve<ImportsCradle['imports']>('imports')
  await imports.work(tenantId, id, new AbortController().signal)
  await gateway.sqlAs(tenantId, piece, [id, tenantId, 1, Buffer.from('x')])
  return id
}

/** Replaces the subscriptions by one with a permanently failed delivery. */
export async function givenDelivery(
  gateway: TestGateway,
  tenantId: string,
  { keepsOthers = false }: { readonly keepsOthers?: boolean } = {},
): Promise<Pick<Subjects, 'subscriptionId' | 'deliveryId'>> {
  const [subscriptionId, eventId, deliveryId] = [randomUUID(), randomUUID(), randomUUID()]
  const secret = gateway.container.cradle.secretBox.seal(newSecret(), secretOwner(tenantId, subscriptionId))
  for (const [text, values] of [
    [
      'delete from webhook_subscription where tenant_id = $1 and url = $2 and not $3',
      [tenantId, CLOSED_URL, keepsOthers],
    ],
    // Rows that need conditions no sample creates.
    [
      `insert into webhook_subscription (id, tenant_id, url, events, secret)
       values ($1, $2, $3, '{passport.recalled}', $4)`,
      [subscriptionId, tenantId, CLOSED_URL, secret],
    ],
    [
      `insert into webhook_event (id, tenant_id, type, body) values ($1, $2, 'passport.sealed', '{}')`,
      [eventId, tenantId],
    ],
    [
      `insert into webhook_delivery (id, tenant_id, subscription_id, event_id, status, attempt_count)
       values ($1, $2, $3, $4, 'FAILED', 10)`,
      [deliveryId, tenantId, subscriptionId, eventId],
    ],
  ] as const) {
    await gateway.sqlAs(tenantId, text, [...values])
  }
  return { subscriptionId, deliveryId }
}

export const newGrai = () => `${newGtin()}A1`

/** Rows of the contract that match `isIncluded`: operation, status and media type (`-` without a body). */
export function promisedRows(client: ContractClient, isIncluded: (row: PromisedRow) => boolean): PromisedRow[] {
  return client
    .promised()
    .map((row) => {
      const [operationId = '', status, mediaType = ''] = row.split(' ')
      return { operationId, status: Number(status), mediaType }
    })
    .filter(isIncluded)
}

export interface PromisedRow {
  readonly operationId: string
  readonly status: number
  readonly mediaType: string
}

export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
