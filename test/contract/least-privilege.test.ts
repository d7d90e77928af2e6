import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/permissions.ts'
import { LONG_WORK } from '../../src/jobs/long-work.ts'
import { REGISTRATIONS } from '../../src/jobs/registrations.ts'
import type { Answer } from '../support/contract-client.ts'
import {
  bearer,
  createWorkspace,
  newGln,
  newGtin,
  startTestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { givenUnits } from '../support/given-units.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { makeRegistrable, NO_REGISTRY } from '../support/registrable.ts'
import {
  absentSubjects,
  type Call,
  givenCapture,
  givenDelivery,
  givenHandover,
  givenImport,
  givenLabelJob,
  givenLink,
  givenMedia,
  givenNotification,
  givenOffer,
  givenTraceEvent,
  newSerial,
  type Subjects,
  sampleCalls,
} from '../support/sample-calls.ts'
import { changedTables, type TableDigests, tableDigests } from '../support/table-digests.ts'
import { useGateway } from '../support/use-gateway.ts'
import { withoutOwnFilters } from '../support/without-own-filters.ts'

// Every operation of the contract × every kind of credential. What an operation asks for is read from the contract; what
// it has to do with an economic operator, and which tables it writes, is said here once. An operation that is missing
// here fails the build.

/** What an operation has to do with the economic operator of a limited key. */
type Reach =
  /** It names something of an operator: 403 for the key of another one, 404 for another workspace. */
  | 'named'
  /** It names things of an operator in its rows: each is refused (400) for the key of another one or another workspace. */
  | 'rows'
  /** It names several things, and leaves out those that the caller may not see: 404 where that is all of them. */
  | 'picked'
  /** It shows what the caller may see, and nothing else. */
  | 'filtered'
  /** It makes something for the operator of the caller. */
  | 'made'
  /** It concerns every operator of the workspace: for no limited key. */
  | 'workspace'
  /** The same, and it names something: 404 for another workspace. */
  | 'named of the workspace'
  /** It concerns nobody's data. */
  | 'nobody'
  /** It needs no credential. */
  | 'public'

/** `writes`: the tables that change when the call is allowed; none for what only reads. */
const CASES: Readonly<Record<string, { reach: Reach; writes?: readonly string[] }>> = {
  listPassports: { reach: 'filtered' },
  createPassport: { reach: 'made', writes: ['event', 'passport', 'passport_count', 'rendition', 'workspace_usage'] },
  validatePassport: { reach: 'nobody' },
  validatePassportPublic: { reach: 'nobody' },
  bulkIngestPassports: { reach: 'made', writes: ['event', 'passport', 'passport_count', 'workspace_usage'] },
  ingestPassportFromAas: { reach: 'made', writes: ['passport', 'passport_count', 'rendition', 'workspace_usage'] },
  passportVcReadinessReport: { reach: 'filtered' },
  reportCompleteness: { reach: 'filtered' },
  listMaterials: { reach: 'nobody' },
  getPassport: { reach: 'named' },
  getPassportQr: { reach: 'named' },
  getUnitQr: { reach: 'named' },
  printPassportLabels: { reach: 'picked' },
  printUnitLabels: { reach: 'picked' },
  importPassports: { reach: 'nobody', writes: ['import', 'import_piece'] },
  listImports: { reach: 'filtered' },
  getImport: { reach: 'named' },
  getImportErrors: { reach: 'named' },
  getImportTemplate: { reach: 'nobody' },
  exportPassports: { reach: 'filtered' },
  getLabelJob: { reach: 'named' },
  downloadLabels: { reach: 'named' },
  captureTraceEvents: { reach: 'workspace', writes: ['trace_event', 'trace_item', 'workspace_usage'] },
  queryTraceEvents: { reach: 'workspace' },
  captureTraceDocument: { reach: 'workspace', writes: ['capture_job', 'capture_piece'] },
  listTraceCaptures: { reach: 'workspace' },
  getTraceCapture: { reach: 'named of the workspace' },
  getTraceEvent: { reach: 'named of the workspace' },
  getEventLineage: { reach: 'named of the workspace' },
  screenEventLineage: { reach: 'named of the workspace' },
  getPassportJourney: { reach: 'named of the workspace' },
  publishPassportJourney: { reach: 'named of the workspace', writes: ['audit_entry', 'passport'] },
  withdrawPassportJourney: { reach: 'named of the workspace', writes: ['audit_entry', 'passport'] },
  getPassportRegistration: { reach: 'named' },
  registerPassport: { reach: 'named', writes: ['audit_entry', 'passport', 'registration'] },
  getUnitRegistration: { reach: 'named' },
  registerUnit: { reach: 'named', writes: ['audit_entry', 'passport', 'registration'] },
  exportRegistryEntries: { reach: 'named' },
  listPassportMedia: { reach: 'named' },
  uploadPassportMedia: {
    reach: 'named',
    writes: ['audit_entry', 'media', 'media_file', 'media_piece', 'passport', 'workspace_usage'],
  },
  arrangePassportMedia: { reach: 'named', writes: ['audit_entry', 'media', 'passport'] },
  deletePassportMedia: {
    reach: 'named',
    writes: ['audit_entry', 'media', 'media_file', 'media_piece', 'passport', 'workspace_usage'],
  },
  getMediaFile: { reach: 'public' },
  listPassportLinks: { reach: 'named' },
  linkPassport: { reach: 'named', writes: ['audit_entry', 'passport', 'passport_link'] },
  // A link that is asked for belongs to the workspace that asks.
  deletePassportLink: { reach: 'named', writes: ['audit_entry'] },
  acceptPassportLink: { reach: 'named', writes: ['audit_entry', 'passport'] },
  declinePassportLink: { reach: 'named', writes: ['audit_entry'] },
  offerUnitHandover: { reach: 'named', writes: ['audit_entry', 'handover'] },
  offerPassportHandover: { reach: 'named', writes: ['audit_entry', 'handover'] },
  acceptHandover: { reach: 'named', writes: ['audit_entry', 'battery_unit', 'battery_unit_count', 'workspace_usage'] },
  withdrawHandover: { reach: 'named', writes: ['audit_entry', 'handover'] },
  updatePassport: { reach: 'named', writes: ['event', 'passport', 'passport_history', 'rendition', 'workspace_usage'] },
  deleteDraftPassport: {
    reach: 'named',
    writes: ['battery_unit', 'battery_unit_count', 'passport', 'passport_count', 'product_batch', 'workspace_usage'],
  },
  sealPassport: { reach: 'named', writes: ['event', 'passport', 'rendition', 'seal', 'workspace_usage'] },
  getPassportHistory: { reach: 'named' },
  getPassportCompleteness: { reach: 'named' },
  revisePassport: {
    reach: 'named',
    writes: ['event', 'passport', 'passport_history', 'rendition', 'seal', 'sealed_version', 'workspace_usage'],
  },
  updatePassportStatus: {
    reach: 'named',
    writes: ['event', 'notification', 'passport', 'passport_history', 'rendition'],
  },
  listOperators: { reach: 'filtered' },
  registerOperator: {
    reach: 'workspace',
    writes: ['audit_entry', 'notification', 'operator', 'operator_binding', 'workspace_usage'],
  },
  getOperator: { reach: 'named' },
  updateOperator: {
    reach: 'named',
    writes: ['audit_entry', 'operator', 'operator_version', 'passport', 'workspace_usage'],
  },
  deleteOperator: { reach: 'named', writes: ['audit_entry', 'operator', 'passport', 'passport_count'] },
  restoreOperator: { reach: 'named', writes: ['audit_entry'] },
  listFacilities: { reach: 'filtered' },
  registerFacility: { reach: 'made', writes: ['audit_entry', 'facility', 'notification', 'workspace_usage'] },
  getFacility: { reach: 'named' },
  updateFacility: { reach: 'named', writes: ['audit_entry', 'facility', 'facility_version', 'workspace_usage'] },
  deleteFacility: {
    reach: 'named',
    writes: ['audit_entry', 'facility', 'facility_version', 'notification', 'workspace_usage'],
  },
  listBatteryUnits: { reach: 'named' },
  serializeBatteryUnits: {
    reach: 'named',
    writes: ['audit_entry', 'battery_unit', 'battery_unit_count', 'notification', 'workspace_usage'],
  },
  validateBatteryUnits: { reach: 'named' },
  listBatches: { reach: 'named' },
  createBatches: { reach: 'named', writes: ['audit_entry', 'product_batch', 'workspace_usage'] },
  getBatch: { reach: 'named' },
  deleteBatch: { reach: 'named', writes: ['audit_entry', 'product_batch', 'workspace_usage'] },
  getBatteryUnit: { reach: 'named' },
  deleteBatteryUnit: {
    reach: 'named',
    writes: ['audit_entry', 'battery_unit', 'battery_unit_count', 'workspace_usage'],
  },
  recordBatteryUnitEvent: { reach: 'named', writes: ['battery_unit', 'battery_unit_event', 'workspace_usage'] },
  recordBatteryUnitEvents: { reach: 'rows', writes: ['battery_unit', 'battery_unit_event', 'workspace_usage'] },
  listBatteryUnitEvents: { reach: 'named' },
  listGrants: { reach: 'filtered' },
  issueGrant: { reach: 'named', writes: ['access_grant', 'audit_entry', 'grant_count', 'workspace_usage'] },
  approveGrant: { reach: 'named', writes: ['access_grant', 'audit_entry', 'event', 'notification'] },
  renewGrant: { reach: 'named', writes: ['access_grant', 'audit_entry'] },
  denyGrant: { reach: 'named', writes: ['access_grant', 'audit_entry', 'event', 'notification'] },
  revokeGrant: { reach: 'named', writes: ['access_grant', 'audit_entry'] },
  listWebhookSubscriptions: { reach: 'workspace' },
  createWebhookSubscription: { reach: 'workspace', writes: ['audit_entry', 'webhook_subscription'] },
  updateWebhookSubscription: { reach: 'named of the workspace', writes: ['audit_entry', 'webhook_subscription'] },
  deleteWebhookSubscription: {
    reach: 'named of the workspace',
    writes: ['audit_entry', 'webhook_delivery', 'webhook_subscription'],
  },
  rotateWebhookSecret: { reach: 'named of the workspace', writes: ['audit_entry', 'webhook_subscription'] },
  testWebhookSubscription: { reach: 'named of the workspace' },
  listWebhookDeliveries: { reach: 'workspace' },
  replayWebhookDelivery: { reach: 'named of the workspace', writes: ['webhook_delivery'] },
  listNotifications: { reach: 'filtered' },
  readNotification: { reach: 'picked', writes: ['notification'] },
  rotateTenantKeys: { reach: 'workspace', writes: ['audit_entry', 'tenant_key'] },
  listAuditLog: { reach: 'workspace' },
  getPassportStatistics: { reach: 'named' },
  whoami: { reach: 'nobody' },
  ...Object.fromEntries(
    [
      'showAccessRequest',
      'requestAccess',
      'showAccessRequestStatus',
      'verifySeal',
      'getSealCa',
      'getSealRevocationList',
      'getFrontPage',
      'getServiceWorker',
      'getCodeReader',
      'getVerifyPage',
      'getRegistrationProof',
      'getUnitRegistrationProof',
      'resolvePublicPassport',
      'resolveGs1Gtin',
      'resolveGs1GtinQualifier',
      'resolveGs1GtinTwoQualifiers',
      'resolveGs1GtinThreeQualifiers',
      'getResolverDescription',
      'resolveGs1GtinSerial',
      'resolveGs1Grai',
      'resolveGs1GraiSerial',
      'resolvePublicBatteryUnit',
      'resolvePublicBatch',
      'resolveCredential',
      'resolveUnitCredential',
      'getDidDocument',
      'getStatusList',
      'getTokenStatusList',
      'getJwtVcIssuer',
      'getCredentialType',
      'getContext',
      'getVocabulary',
      'getCategorySchema',
      'getOpenapiJson',
      'getOpenapiYaml',
      'getApiReference',
      'getApiReferencePage',
      'getApiReferenceSchema',
      'getVersion',
      'getHealth',
      'getReady',
    ].map((operationId) => [operationId, { reach: 'public' as const }]),
  ),
}
const PROTECTED = Object.keys(CASES).filter((operationId) => CASES[operationId]?.reach !== 'public')
const PUBLIC = Object.keys(CASES).filter((operationId) => CASES[operationId]?.reach === 'public')

type Headers = Record<string, string>
let otherOperatorId: string
/** Another workspace. */
let stranger: TestWorkspace
/** What each operation asks for, as the contract says: most for one permission, or for none. */
const required = new Map<string, readonly string[]>()
/** One API key for every set of permissions that is asked for; made first, since a key is a row too. */
const keys = new Map<string, Headers>()
/** Callers by what they are. */
const callers = {} as Record<
  | 'all but nothing'
  | 'administrator'
  | 'auditor'
  | 'of the operator'
  | 'of another operator'
  | 'of another workspace'
  | 'of an operator of another workspace'
  | 'session'
  | "auditor's session"
  | 'session without CSRF token'
  | 'without any permission'
  | 'revoked'
  | 'expired'
  | 'made up'
  | 'anonymous',
  Headers
>

const { gateway, workspace } = await useGateway(NO_REGISTRY)
/** The same with the workspace taken out of its queries, so that row-level security holds alone. */
const weak = await withoutOwnFilters(gateway.databaseUrl)
const forgetful = await startTestGateway({ ...NO_REGISTRY, DATABASE_URL: weak.url })
afterAll(async () => {
  await forgetful.close()
  await weak.close()
})

beforeAll(async () => {
  const { workspaces, contract } = gateway.container.cradle
  // What happens after the answers is not looked at.
  const queues = [REGISTRATIONS, ...Object.keys(LONG_WORK)]
  for (const { boss, webhookDelivery } of [gateway, forgetful].map(({ container }) => container.cradle)) {
    await Promise.all([webhookDelivery.stop(0), ...queues.map((queue) => boss.offWork(queue))])
  }
  const workspaceId = workspace.id
  const { body } = await gateway.request('POST', '/api/v1/operators', {
    headers: workspace.as,
    json: { name: 'Second', regId: 'SECOND' },
  })
  otherOperatorId = body.operator.id
  const keyOf = async (more: object = {}) =>
    bearer((await workspaces.createKey({ workspaceId, role: 'BRAND_OPERATOR', ...more })).key)
  const sessionOf = (role: string) => workspaces.createSession({ workspaceId, user: 'u@x.example', role, mfa: false })
  for (const item of Object.values<Record<string, { operationId?: string; security?: Record<string, string[]>[] }>>(
    contract.document.paths,
  )) {
    for (const { operationId, security = [] } of Object.values(item)) {
      const permissions = new Set(security.flatMap((requirement) => Object.values(requirement).flat()))
      if (operationId !== undefined) required.set(operationId, [...permissions])
    }
  }
  for (const permissions of required.values()) {
    if (permissions.length > 1) keys.set(String(permissions), await keyOf({ permissions }))
  }
  for (const permission of PERMISSIONS) {
    keys.set(permission, await keyOf({ permissions: [permission] }))
    keys.set(`not ${permission}`, await keyOf({ permissions: PERMISSIONS.filter((other) => other !== permission) }))
  }
  stranger = await createWorkspace(gateway)
  const [session, auditors] = [await sessionOf('BRAND_OPERATOR'), await sessionOf('AUDITOR')]
  const revoked = await workspaces.createKey({ workspaceId, role: 'BRAND_OPERATOR' })
  await workspaces.revokeKey(revoked.id)
  Object.assign(callers, {
    'all but nothing': await keyOf({ permissions: [...PERMISSIONS] }),
    administrator: await keyOf({ role: 'TENANT_ADMIN' }),
    auditor: await keyOf({ role: 'AUDITOR', permissions: [...PERMISSIONS] }),
    'of the operator': await keyOf({ operatorId: workspace.operatorId }),
    'of another operator': await keyOf({ operatorId: otherOperatorId }),
    'of another workspace': stranger.as,
    'of an operator of another workspace': await keyOf({ workspaceId: stranger.id, operatorId: stranger.operatorId }),
    session: { cookie: session.cookie, 'x-csrf-token': session.csrf },
    "auditor's session": { cookie: auditors.cookie, 'x-csrf-token': auditors.csrf },
    'session without CSRF token': { cookie: session.cookie },
    'without any permission': await keyOf({ permissions: [] }),
    revoked: bearer(revoked.key),
    expired: await keyOf({ expiresAt: '2020-01-01T00:00:00Z' }),
    'made up': bearer(`dpp_key_AAAAAAAA_${'A'.repeat(43)}`),
    anonymous: {},
  })
})

/** An event that has put the product out. */
async function traced(gtin: string): Promise<string> {
  const json = givenTraceEvent(gtin)
  return expectStatus(201, await gateway.request('POST', '/api/v1/events', { headers: workspace.as, json })).body
    .eventId
}

/** Things of the first operator, in the state in which `operationId` is allowed to do its work on them. */
async function given(operationId: string): Promise<Subjects> {
  known = undefined
  const { as, operatorId, id: tenantId } = workspace
  const passports = passportClient(gateway, as)
  const { id: passportId, productId } = await passports.given({
    operatorId,
    draft: operationId === 'deleteDraftPassport',
  })
  if (/^register(?:Passport|Unit)$|RegistryEntries/.test(operationId))
    await makeRegistrable(gateway, workspace, passportId)
  // As many as may wait are soon there.
  await gateway.sqlAs(tenantId, 'delete from capture_job')
  if (operationId === 'revisePassport') expectStatus(200, await passports.seal(passportId))
  // What its owner reads is rendered and kept the first time.
  if (operationId === 'getPassport') await passports.get(passportId)
  const json = { gln: newGln(), name: 'Mill', country: 'PT', operatorId, streetAddress: 'Secret Lane 7' }
  const facility = expectStatus(201, await gateway.request('POST', '/api/v1/facilities', { headers: as, json }))
  const form = { granteeName: 'Repair Ltd', granteeEmail: 'repair@example.com' }
  await gateway.request('POST', `/request-access?passport=${passportId}`, { form })
  const [grant] = await gateway.sqlAs<{ id: string }>(tenantId, 'select id from access_grant where passport_id = $1', [
    passportId,
  ])
  if (operationId === 'renewGrant') {
    await gateway.sqlAs(tenantId, `update access_grant set status = 'ACTIVE' where id = $1`, [grant?.id])
  }
  const units = await gateway.request('POST', `/api/v1/passports/${passportId}/units`, {
    headers: as,
    json: { serialNumber: newSerial() },
  })
  const batches = await gateway.request('POST', `/api/v1/passports/${passportId}/batches`, {
    headers: as,
    json: { batchNumber: newSerial() },
  })
  return {
    ...absentSubjects(),
    passportId,
    unitId: expectStatus(201, units).body.units[0].id,
    batchId: expectStatus(201, batches).body.batches[0].id,
    gtin: productId,
    operatorId,
    facilityId: facility.body.facility.id,
    grantId: grant?.id ?? '',
    notificationId: await givenNotification(gateway, tenantId),
    ...(await givenDelivery(gateway, tenantId)),
    category: 'textiles',
    tenantId,
    traceEventId: await traced(productId),
    captureId: await givenCapture(gateway, tenantId, { isSuccess: true }),
    ...(await printable(operationId, passportId)),
    ...(await pictured(operationId, passportId)),
    ...(await linked(operationId, passportId)),
  }
}

/** What is linked, offered or asked for, where `operationId` is about it. */
async function linked(operationId: string, passportId: string): Promise<Partial<Subjects>> {
  if (operationId === 'linkPassport') {
    return {
      otherPassportId: (await passportClient(gateway, workspace.as).given({ operatorId: workspace.operatorId })).id,
    }
  }
  if (/Link$/.test(operationId)) return { linkId: await givenLink(gateway, passportId) }
  if (operationId === 'withdrawHandover') return { handoverId: await givenHandover(gateway, workspace, passportId) }
  return operationId === 'acceptHandover' ? { handoverCode: await givenOffer(gateway) } : {}
}

/** What is uploaded, where `operationId` is about it. */
const pictured = async (operationId: string, passportId: string): Promise<Partial<Subjects>> =>
  /media/i.test(operationId) ? { mediaId: await givenMedia(gateway, workspace, passportId) } : {}

/** What codes and labels are asked for, where `operationId` is about them. */
async function printable(operationId: string, passportId: string): Promise<Partial<Subjects>> {
  // What an earlier call has added is still waiting, since nobody takes it.
  if (operationId === 'importPassports') {
    await gateway.sqlAs(workspace.id, `delete from import where status = 'waiting'`)
    known = undefined
  }
  if (/^getImport/.test(operationId))
    return { importId: await givenImport(gateway, workspace.id, workspace.operatorId) }
  if (!/unit|label/i.test(operationId)) return {}
  const [unitId = ''] = await givenUnits(gateway, workspace, passportId, ['U-1'])
  return { unitId, labelJobId: await givenLabelJob(gateway, workspace.id, passportId, workspace.operatorId) }
}

const callOf = (operationId: string, subjects: Subjects): Call => {
  const call = sampleCalls(subjects)[operationId]
  if (call === undefined) throw new Error(`test/support/sample-calls.ts has no call of ${operationId}.`)
  return call
}
const send = ({ method, path, ...content }: Call, headers: Headers, through = gateway): Promise<Answer> =>
  through.request(method, path, { headers, ...content })

/** What the workspace has, until something is made of what calls are tried on: nothing else writes here. */
let known: TableDigests | undefined
const lookedAt = async (): Promise<TableDigests> => {
  known = await tableDigests(gateway, workspace.id)
  return known
}
const state = async (): Promise<TableDigests> => known ?? lookedAt()

/** The answer of a call that must be refused and must leave the workspace as it is. */
async function refused(operationId: string, subjects: Subjects, caller: string, headers: Headers, status: number) {
  const before = await state()
  const answer = await send(callOf(operationId, subjects), headers)
  expect([caller, answer.status, answer.text]).toEqual([caller, status, answer.text])
  expect([caller, changedTables(before, await lookedAt())]).toEqual([caller, []])
  return answer.body
}

/**
 * The answer of a call that must be allowed and must change these tables of the workspace, and no others.
 * @param seen what a call that changes nothing is tried on; others get things of their own
 */
async function allowed(operationId: string, seen: Subjects, caller: string, headers: Headers): Promise<Answer> {
  const subjects = CASES[operationId]?.writes === undefined ? seen : await given(operationId)
  const before = await state()
  const answer = await send(callOf(operationId, subjects), headers)
  expect([caller, answer.status < 300, answer.text]).toEqual([caller, true, answer.text])
  expect([caller, changedTables(before, await lookedAt())]).toEqual([caller, CASES[operationId]?.writes ?? []])
  // The next call cannot work with an archived operator.
  if (operationId === 'deleteOperator') await send(callOf('restoreOperator', subjects), workspace.as)
  if (/^(?:delete|update)Operator$/.test(operationId)) known = undefined
  if (operationId === 'updateOperator') {
    await gateway.sqlAs(workspace.id, `update operator set role = 'MANUFACTURER' where id = $1`, [workspace.operatorId])
  }
  return answer
}

test('every operation of the contract is here, as what the contract says that it is', () => {
  const { operations } = gateway.container.cradle.contract
  expect(Object.keys(CASES).sort()).toEqual([...operations.keys()].sort())
  for (const operationId of Object.keys(CASES)) {
    expect([operationId, operations.get(operationId)?.isPublic]).toEqual([operationId, PUBLIC.includes(operationId)])
  }
})

test('every permission but those of later operations is asked for by one', () => {
  const asked = new Set([...required.values()].flat())
  expect(PERMISSIONS.filter((permission) => !asked.has(permission))).toEqual([])
})

describe.each(PROTECTED)('%s', (operationId) => {
  const { reach, writes } = CASES[operationId] as (typeof CASES)[string]
  const isWrite = () => callOf(operationId, absentSubjects()).method !== 'GET'
  let subjects: Subjects
  let permissions: readonly string[] = []

  beforeAll(async () => {
    subjects = await given(operationId)
    permissions = required.get(operationId) ?? []
  })

  test('is for its permissions alone', async () => {
    if (permissions.length === 0) {
      const caller = 'without any permission'
      // Where something is named that needs a permission to be seen, there is nothing.
      if (reach === 'picked') await refused(operationId, subjects, caller, callers[caller], 404)
      else await allowed(operationId, subjects, caller, callers[caller])
      return
    }
    const problem = (missing: string | undefined) => {
      const message = `Insufficient permissions. Required: "${missing}".`
      return { success: false, error: 'Forbidden', message }
    }
    const body = (caller: string, headers: Headers) => refused(operationId, subjects, caller, headers, 403)
    for (const permission of permissions) {
      expect(await body(`all but ${permission}`, keys.get(`not ${permission}`) as Headers)).toEqual(problem(permission))
    }
    expect(await body('none', callers['without any permission'])).toEqual(problem(permissions[0]))
    const before = await state()
    for (const other of PERMISSIONS.filter((name) => String(permissions) !== name)) {
      const answer = await send(callOf(operationId, subjects), keys.get(other) as Headers)
      const missing = permissions.find((permission) => permission !== other)
      expect([other, answer.status, answer.body]).toEqual([other, 403, problem(missing)])
    }
    expect(changedTables(before, await lookedAt())).toEqual([])
    await allowed(operationId, subjects, 'exactly it', keys.get(String(permissions)) as Headers)
    for (const caller of ['all but nothing', 'administrator', 'session'] as const) {
      await allowed(operationId, subjects, caller, callers[caller])
    }
  })

  test('is for an auditor when it reads', async () => {
    const isForAuditors = permissions.every((permission) => permission.endsWith(':read'))
    for (const caller of ['auditor', "auditor's session"] as const) {
      if (isForAuditors) await allowed(operationId, subjects, caller, callers[caller])
      else await refused(operationId, subjects, caller, callers[caller], 403)
    }
  })

  test('is for nobody whose credential is none, or is not meant', async () => {
    for (const caller of ['revoked', 'expired', 'made up', 'anonymous'] as const) {
      const body = await refused(operationId, subjects, caller, callers[caller], 401)
      expect(body).toEqual({ success: false, error: 'Unauthorized', message: expect.any(String) })
    }
    if (isWrite()) await refused(operationId, subjects, 'no CSRF token', callers['session without CSRF token'], 403)
  })

  test('keeps to the operator of a limited key', async () => {
    const [own, other] = [callers['of the operator'], callers['of another operator']]
    if (reach === 'workspace' || reach === 'named of the workspace') {
      for (const headers of [own, other]) {
        const body = await refused(operationId, subjects, 'limited', headers, 403)
        expect(body.code).toBe('OPERATOR_SCOPE_FORBIDDEN')
      }
      return
    }
    await allowed(operationId, subjects, 'of the operator', own)
    if (reach === 'picked') {
      await refused(operationId, subjects, 'of another operator', other, 404)
      return
    }
    if (reach === 'named') {
      const body = await refused(operationId, subjects, 'of another operator', other, 403)
      expect(body.code).toBe('OPERATOR_SCOPE_FORBIDDEN')
      return
    }
    if (reach === 'rows') {
      await refused(operationId, subjects, 'of another operator', other, 400)
      return
    }
    const before = await ofOperator()
    const { text } = await allowed(operationId, subjects, 'of another operator', other)
    for (const id of idsOf(subjects)) expect(text).not.toContain(id)
    // What `allowed` prepares for a call that writes is one passport and one facility of the operator, whatever was called.
    const prepared = writes === undefined ? 0 : 1
    expect(await ofOperator()).toEqual({
      passports: before.passports + prepared,
      facilities: before.facilities + prepared,
    })
    if (reach === 'made') expect(writes).toBeDefined()
  })

  test('keeps to the workspace of a key, also where the services forget to name it', async () => {
    const ofWorkspace = reach === 'workspace' || reach === 'named of the workspace'
    const refusal = { named: 404, 'named of the workspace': 404, picked: 404, rows: 400 }[reach as string]
    const before = await state()
    for (const caller of ['of another workspace', 'of an operator of another workspace'] as const) {
      const status = ofWorkspace && caller !== 'of another workspace' ? 403 : refusal
      // As many as may wait are soon there.
      await gateway.sqlAs(stranger.id, 'delete from import')
      for (const through of [gateway, forgetful]) {
        const call = callOf(operationId, subjects)
        const answer = await send(call, callers[caller], through)
        const told = [caller, through === forgetful, answer.text]
        if (status === undefined) expect([...told, answer.status < 300]).toEqual([...told, true])
        else expect([...told, answer.status]).toEqual([...told, status])
        for (const id of [workspace.id, ...idsOf(subjects)]) {
          // A facility that is not there is named in the printed message.
          if (!call.path.includes(id)) expect(answer.text).not.toContain(id)
        }
      }
    }
    expect(changedTables(before, await lookedAt())).toEqual([])
  })
})

test('what has been forgotten was in many statements', () => {
  expect(weak.weakened()).toBeGreaterThan(50)
})

const idsOf = ({ passportId, operatorId, facilityId, grantId, unitId }: Subjects) => [
  passportId,
  unitId,
  operatorId,
  facilityId,
  grantId,
]

async function ofOperator(): Promise<{ passports: number; facilities: number }> {
  const [row] = await gateway.sqlAs<{ passports: number; facilities: number }>(
    workspace.id,
    `select (select count(*)::int from passport where operator_id = $1) as passports,
       (select count(*)::int from facility where operator_id = $1) as facilities`,
    [workspace.operatorId],
  )
  return row ?? { passports: 0, facilities: 0 }
}

describe('a limited key that names another operator', () => {
  test.each<[string, (operatorId: string) => Call, number]>([
    [
      'createPassport',
      (operatorId) => ({
        method: 'POST',
        path: '/api/v1/passports',
        json: { productId: newGtin(), metadata: textile(), operatorId },
      }),
      403,
    ],
    [
      'bulkIngestPassports',
      (operatorId) => ({
        method: 'POST',
        path: '/api/v1/passports/bulk',
        json: { passports: [{ productId: newGtin(), metadata: textile(), operatorId }] },
      }),
      400,
    ],
    [
      'registerFacility',
      (operatorId) => ({
        method: 'POST',
        path: '/api/v1/facilities',
        json: { gln: newGln(), name: 'F', country: 'DE', operatorId },
      }),
      403,
    ],
    [
      'issueGrant for the workspace',
      () => ({
        method: 'POST',
        path: '/api/v1/grants',
        json: { granteeName: 'R', scopeType: 'TENANT', expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
      }),
      403,
    ],
  ])('%s', async (_, call, status) => {
    const before = await state()
    for (const operatorId of [workspace.operatorId, workspace.operatorId.toUpperCase()]) {
      const answer = await send(call(operatorId), callers['of another operator'])
      expect([answer.status, answer.text]).toEqual([status, answer.text])
    }
    expect(changedTables(before, await lookedAt())).toEqual([])
  })
})

describe('what needs no credential', () => {
  /** Those who see no more than everybody: a foreign, limited, narrowed or bad credential refuses nothing and shows nothing. */
  const NOBODY_SPECIAL = [
    'of another operator',
    'of another workspace',
    'session',
    "auditor's session",
    'without any permission',
    'revoked',
    'expired',
    'made up',
  ] as const

  let subjects: Subjects
  beforeAll(async () => {
    subjects = { ...(await given('getMediaFile')), serial: 'S-1' }
  })

  test.each(PUBLIC)('%s answers everybody alike', async (operationId) => {
    const call = callOf(operationId, subjects)
    const asked = async (headers: Headers) => {
      const { status, text } = await send(call, headers)
      return [status, text.replace(/"timestamp":"[^"]+"/, '')]
    }
    const anonymous = await asked({})
    const before = await lookedAt()
    for (const caller of NOBODY_SPECIAL) {
      expect([caller, ...(await asked(callers[caller]))]).toEqual([caller, ...anonymous])
    }
    expect(changedTables(before, await lookedAt())).toEqual([])
  })
})
