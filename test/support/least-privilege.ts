import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/permissions.ts'
import type { Answer } from './contract-client.ts'
import { bearer, createWorkspace, newGln, startTestGateway, type TestWorkspace, widenedAuditor } from './gateway.ts'
import { expectStatus, passportClient } from './passport-client.ts'
import { makeRegistrable, NO_REGISTRY } from './registrable.ts'
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
} from './sample-calls.ts'
import { changedTables, type TableDigests, tableDigests } from './table-digests.ts'
import { useGateway } from './use-gateway.ts'
import { withoutOwnFilters } from './without-own-filters.ts'

// Every operation × every kind of credential. Permissions are read from the contract; reach and written tables are
// declared here. A missing operation fails the build. The test files, one per kind of operation, share this.

/** Relation of an operation to the economic operator of a restricted key. */
type Reach =
  /** Addresses data of an operator: 403 for another operator's key, 404 for another workspace. */
  | 'named'
  /** Refers to data of an operator in its rows: 400 each for another operator's key or another workspace. */
  | 'rows'
  /** Selects several and omits those the caller may not see: 404 if none remain. */
  | 'picked'
  /** Returns only what the caller may see. */
  | 'filtered'
  /** Creates something for the operator of the caller. */
  | 'made'
  /** Concerns the whole workspace: denied to restricted keys. */
  | 'workspace'
  /** Like `workspace`, with an id: 404 for another workspace. */
  | 'named of the workspace'
  /** Concerns no tenant data. */
  | 'nobody'
  | 'public'

/** `writes`: tables that an allowed call changes. */
export const CASES: Readonly<Record<string, { reach: Reach; writes?: readonly string[] }>> = {
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
  // A requested link belongs to the requesting workspace.
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
  createDpp: { reach: 'made', writes: ['event', 'passport', 'passport_count', 'rendition', 'workspace_usage'] },
  updateDppById: { reach: 'named', writes: ['event', 'passport', 'passport_history', 'rendition', 'workspace_usage'] },
  updateDataElement: {
    reach: 'named',
    writes: ['event', 'passport', 'passport_history', 'rendition', 'workspace_usage'],
  },
  deleteDppById: {
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
  getGrant: { reach: 'named' },
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
      'readDppById',
      'readDppByProductId',
      'readDppVersionByIdAndDate',
      'readDppVersionByProductIdAndDate',
      'readDppIdsByProductIds',
      'readDataElement',
      'readDataElementCollection',
      'registerProductDpp',
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
export const PUBLIC = Object.keys(CASES).filter((operationId) => CASES[operationId]?.reach === 'public')

/** Kinds of operations, one test file each. */
type OperationKind = 'reads' | 'writes products' | 'writes the rest'

function kindOf(operationId: string): OperationKind {
  if (CASES[operationId]?.writes === undefined) return 'reads'
  const { path } = sampleCalls(absentSubjects())[operationId] as Call
  return /^\/api\/v1\/(?:passports|units|batches)\b/.test(path) ? 'writes products' : 'writes the rest'
}

export type Credentials = Readonly<Record<string, string>>
/** Subjects in the call of each operation. */
const NAMED: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const absent = absentSubjects()
  const marked = Object.fromEntries(Object.keys(absent).map((name) => [name, `<${name}>`])) as unknown as Subjects
  return new Map(
    Object.entries(sampleCalls(marked)).map(([operationId, call]) => [
      operationId,
      new Set([...JSON.stringify(call).matchAll(/<(\w+)>/g)].map(([, name]) => name as string)),
    ]),
  )
})()

const idsOf = ({ passportId, operatorId, facilityId, grantId, unitId }: Subjects) => [
  passportId,
  unitId,
  operatorId,
  facilityId,
  grantId,
]

/** Starts two gateways with callers, and returns the expectations for each operation. */
export async function useLeastPrivilege() {
  let otherOperatorId: string
  let stranger: TestWorkspace
  /** Permissions of each operation by the contract. */
  const required = new Map<string, readonly string[]>()
  /** One API key per permission set, created first because a key is a row too. */
  const keys = new Map<string, Credentials>()
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
    Credentials
  >

  const { gateway, workspace } = await useGateway(NO_REGISTRY)
  /** A gateway without the workspace condition in its queries, so that only row-level security protects. */
  const weak = await withoutOwnFilters(gateway.databaseUrl)
  const forgetful = await startTestGateway({ ...NO_REGISTRY, DATABASE_URL: weak.url })
  afterAll(async () => {
    await forgetful.close()
    await weak.close()
  })

  beforeAll(async () => {
    const { workspaces, contract, plugins } = gateway.container.cradle
    // Background work is not observed.
    const queues = plugins.queues.map(({ name }) => name)
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
    const several = [...required.values()].filter((permissions) => permissions.length > 1)
    const sets = new Map<string, readonly string[]>([
      ...several.map((permissions) => [String(permissions), permissions] as const),
      ...PERMISSIONS.flatMap((permission) => [
        [permission, [permission]] as const,
        [`not ${permission}`, PERMISSIONS.filter((other) => other !== permission)] as const,
      ]),
    ])
    await atOnce(sets, async ([name, permissions]) => keys.set(name, await keyOf({ permissions })))
    stranger = await createWorkspace(gateway)
    const [session, auditors] = [await sessionOf('BRAND_OPERATOR'), await sessionOf('AUDITOR')]
    const revoked = await workspaces.createKey({ workspaceId, role: 'BRAND_OPERATOR' })
    await workspaces.revokeKey(revoked.id)
    Object.assign(callers, {
      'all but nothing': await keyOf({ permissions: [...PERMISSIONS] }),
      administrator: await keyOf({ role: 'TENANT_ADMIN' }),
      auditor: await widenedAuditor(gateway, workspaceId),
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
    common = await given('', true)
    // The first read by the owner renders and stores.
    await passportClient(gateway, workspace.as).get(common.passportId)
  })

  /** A commissioning event of the product. */
  async function traced(gtin: string): Promise<string> {
    const json = givenTraceEvent(gtin)
    return expectStatus(201, await gateway.request('POST', '/api/v1/events', { headers: workspace.as, json })).body
      .eventId
  }

  /** Unmodified subjects of the first operator, for reads and for operations without an id. */
  let common: Subjects

  /** Subjects of the first operator in the state that `operationId` needs. */
  async function given(operationId: string, isAll = false): Promise<Subjects> {
    known = undefined
    const { as, operatorId, id: tenantId } = workspace
    const names = (...some: string[]) => isAll || some.some((name) => NAMED.get(operationId)?.has(name))
    const passports = passportClient(gateway, as)
    const isDraft = /^deleteD(?:raftPassport|ppById)$/.test(operationId)
    const { id: passportId, productId } = await passports.given({
      operatorId,
      draft: isDraft,
    })
    if (/^register(?:Passport|Unit)$|RegistryEntries/.test(operationId))
      await makeRegistrable(gateway, workspace, passportId)
    if (operationId === 'revisePassport') expectStatus(200, await passports.seal(passportId))
    const post = async (path: string, content: object) =>
      expectStatus(201, await gateway.request('POST', path, { headers: as, ...content })).body
    const json = { gln: newGln(), name: 'Mill', country: 'PT', operatorId, streetAddress: 'Secret Lane 7' }
    return {
      ...absentSubjects(),
      passportId,
      gtin: productId,
      operatorId,
      category: 'textiles',
      tenantId,
      ...(names('facilityId', 'notificationId') && {
        facilityId: (await post('/api/v1/facilities', { json })).facility.id,
        notificationId: await givenNotification(gateway, tenantId),
      }),
      ...(names('grantId') && { grantId: await requested(operationId, passportId) }),
      ...((isDraft || names('unitId')) && {
        unitId: (await post(`/api/v1/passports/${passportId}/units`, { json: { serialNumber: newSerial() } })).units[0]
          .id,
      }),
      ...((isDraft || names('batchId')) && {
        batchId: (await post(`/api/v1/passports/${passportId}/batches`, { json: { batchNumber: newSerial() } }))
          .batches[0].id,
      }),
      ...(names('subscriptionId', 'deliveryId') && (await givenDelivery(gateway, tenantId, { keepsOthers: true }))),
      ...((/journey/i.test(operationId) || names('traceEventId')) && { traceEventId: await traced(productId) }),
      ...(await more(operationId, passportId)),
    }
  }

  /** Subjects only for `operationId`. */
  async function more(operationId: string, passportId: string): Promise<Partial<Subjects>> {
    known = undefined
    return {
      ...(await printable(operationId, passportId)),
      ...(await pictured(operationId, passportId)),
      ...(await linked(operationId, passportId)),
      ...(NAMED.get(operationId)?.has('captureId') && {
        captureId: await givenCapture(gateway, workspace.id, { isSuccess: true }),
      }),
    }
  }

  /** A request for access to the passport. */
  async function requested(operationId: string, passportId: string): Promise<string> {
    const form = { granteeName: 'Repair Ltd', granteeEmail: 'repair@example.com' }
    await gateway.request('POST', `/request-access?passport=${passportId}`, { form })
    const [grant] = await gateway.sqlAs<{ id: string }>(
      workspace.id,
      `update access_grant set status = case when $2 then 'ACTIVE' else status end where passport_id = $1 returning id`,
      [passportId, operationId === 'renewGrant'],
    )
    return grant?.id ?? ''
  }

  /** Empties queues with a small limit: no worker does. */
  async function clear(operationId: string): Promise<void> {
    if (operationId === 'captureTraceDocument') await gateway.sqlAs(workspace.id, 'delete from capture_job')
    else if (operationId === 'importPassports') {
      await gateway.sqlAs(workspace.id, `delete from import where status = 'waiting'`)
    } else return
    known = undefined
  }

  /** Links and offers, if `operationId` needs them. */
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

  /** An uploaded picture, if `operationId` needs it. */
  const pictured = async (operationId: string, passportId: string): Promise<Partial<Subjects>> =>
    /media/i.test(operationId) ? { mediaId: await givenMedia(gateway, workspace, passportId) } : {}

  /** Imports and labels, if `operationId` needs them. */
  async function printable(operationId: string, passportId: string): Promise<Partial<Subjects>> {
    if (/^getImport/.test(operationId))
      return { importId: await givenImport(gateway, workspace.id, workspace.operatorId) }
    if (!NAMED.get(operationId)?.has('labelJobId')) return {}
    return { labelJobId: await givenLabelJob(gateway, workspace.id, passportId, workspace.operatorId) }
  }

  const callOf = (operationId: string, subjects: Subjects): Call => {
    const call = sampleCalls(subjects)[operationId]
    if (call === undefined) throw new Error(`test/support/sample-calls.ts has no call of ${operationId}.`)
    return call
  }
  const send = ({ method, path, ...content }: Call, headers: Credentials, through = gateway): Promise<Answer> =>
    through.request(method, path, { headers, ...content })

  const atOnce = <const T>(callers: Iterable<T>, call: (caller: T) => Promise<unknown>) =>
    Promise.all([...callers].map(call))

  /** Digests of the workspace; undefined after a preparing write. */
  let known: TableDigests | undefined
  /** Callers since then, whose calls must have changed nothing. */
  let innocent: string[] = []
  const lookedAt = async (): Promise<TableDigests> => {
    known = await tableDigests(gateway, workspace.id)
    return known
  }

  /** Checks that the calls of {@link innocent} changed nothing; call it before preparing anything. */
  async function expectUntouched(): Promise<void> {
    if (innocent.length === 0) return
    if (known === undefined) throw new Error('The workspace was not looked at before these calls.')
    const callers = innocent
    innocent = []
    expect([callers, changedTables(known, await lookedAt())]).toEqual([callers, []])
  }

  /** Response of a call that must be rejected; {@link expectUntouched} checks the workspace. */
  async function refused(
    operationId: string,
    subjects: Subjects,
    caller: string,
    headers: Credentials,
    status: number,
  ) {
    innocent.push(caller)
    const answer = await send(callOf(operationId, subjects), headers)
    expect([caller, answer.status, answer.text]).toEqual([caller, status, answer.text])
    return answer.body
  }

  /** Response of a call that must succeed and change exactly the declared tables. */
  async function allowed(
    operationId: string,
    subjects: Subjects,
    caller: string,
    headers: Credentials,
  ): Promise<Answer> {
    const { writes } = CASES[operationId] as (typeof CASES)[string]
    if (writes !== undefined) {
      await expectUntouched()
      await clear(operationId)
    }
    const before = known ?? (await lookedAt())
    const answer = await send(callOf(operationId, subjects), headers)
    expect([caller, answer.status < 300, answer.text]).toEqual([caller, true, answer.text])
    if (writes === undefined) innocent.push(caller)
    else expect([caller, changedTables(before, await lookedAt())]).toEqual([caller, writes])
    // The next call cannot use an archived operator.
    if (operationId === 'deleteOperator') await send(callOf('restoreOperator', subjects), workspace.as)
    if (operationId === 'updateOperator') {
      await gateway.sqlAs(workspace.id, `update operator set role = 'MANUFACTURER' where id = $1`, [
        workspace.operatorId,
      ])
    }
    if (/^(?:delete|update)Operator$/.test(operationId)) await lookedAt()
    return answer
  }

  async function ofOperator(): Promise<{ passports: number; facilities: number }> {
    const [row] = await gateway.sqlAs<{ passports: number; facilities: number }>(
      workspace.id,
      `select (select count(*)::int from passport where operator_id = $1) as passports,
       (select count(*)::int from facility where operator_id = $1) as facilities`,
      [workspace.operatorId],
    )
    return row ?? { passports: 0, facilities: 0 }
  }

  /** Defines the tests of a kind of operation; `statements` is the minimum number of rewritten queries. */
  function describeOperations(kind: OperationKind, statements: number): void {
    describe.each(PROTECTED.filter((operationId) => kindOf(operationId) === kind))('%s', (operationId) => {
      const one = operation(operationId)

      test('is for an auditor when it reads', one.forAuditors)
      test('is denied to callers without a valid or permitted credential', one.forNoCredential)
      test('keeps to the workspace of a key, also where the services forget to name it', one.keepsToWorkspace)
      test('is for its permissions alone', one.forPermissionsOnly)
      test('keeps to the operator of a limited key', one.keepsToOperator)
    })

    test('the removed condition was in many statements', () => {
      expect(weak.weakened()).toBeGreaterThanOrEqual(statements)
    })
  }

  /** Defines the tests of one operation, inside its `describe`. The first calls change nothing. */
  function operation(operationId: string) {
    const { reach, writes } = CASES[operationId] as (typeof CASES)[string]
    const isWrite = () => callOf(operationId, absentSubjects()).method !== 'GET'
    /** True for operations of EN 18222, whose errors have their own form. */
    const isOfStandard = () => callOf(operationId, absentSubjects()).path.startsWith('/v1/')
    const codeOf = (body: { code?: string; message: { code?: string }[] }) =>
      isOfStandard() ? body.message[0]?.code : body.code
    /** For calls that change nothing. */
    let subjects: Subjects
    /** One for each writing call, the last of them {@link subjects}. */
    const prepared: Subjects[] = []
    let permissions: readonly string[] = []
    const next = () => prepared.shift() ?? subjects
    /** Runs calls one after another if they may write, otherwise concurrently. */
    async function inTurn<const T>(callers: Iterable<T>, call: (caller: T) => Promise<unknown>): Promise<void> {
      if (writes === undefined) await atOnce(callers, call)
      else for (const caller of callers) await call(caller)
    }

    beforeAll(async () => {
      permissions = required.get(operationId) ?? []
      // Replaces the delivery of the previous operation.
      const delivery = /Webhook/.test(operationId) ? await givenDelivery(gateway, workspace.id) : {}
      const named = NAMED.get(operationId) as ReadonlySet<string>
      if (writes !== undefined && named.size > 0) {
        const count = reach === 'workspace' || reach === 'named of the workspace' ? 4 : 5
        // The notification of each is the latest.
        if (named.has('notificationId')) for (let at = 0; at < count; at += 1) prepared.push(await given(operationId))
        else prepared.push(...(await Promise.all(Array.from({ length: count }, () => given(operationId)))))
        subjects = { ...common, ...(prepared.at(-1) as Subjects) }
      } else if (operationId === 'exportRegistryEntries') subjects = await given(operationId, true)
      else subjects = { ...common, ...delivery, ...(await more(operationId, common.passportId)) }
      await lookedAt()
    })
    afterAll(expectUntouched)

    return { forAuditors, forNoCredential, keepsToWorkspace, forPermissionsOnly, keepsToOperator }

    async function forAuditors(): Promise<void> {
      const isForAuditors = permissions.every((permission) => permission.endsWith(':read'))
      await inTurn(['auditor', "auditor's session"], async (caller) => {
        if (isForAuditors) await allowed(operationId, next(), caller, callers[caller])
        else await refused(operationId, subjects, caller, callers[caller], 403)
      })
    }

    async function forNoCredential(): Promise<void> {
      await atOnce(['revoked', 'expired', 'made up', 'anonymous'], async (caller) => {
        const body = await refused(operationId, subjects, caller, callers[caller], 401)
        const isResult = isOfStandard()
        const message = isResult ? [expect.objectContaining({ messageType: 'Error' })] : expect.any(String)
        const form = isResult ? { statusCode: 'ClientNotAuthorized' } : { success: false, error: 'Unauthorized' }
        expect(body).toEqual({ ...form, message })
      })
      if (isWrite()) await refused(operationId, subjects, 'no CSRF token', callers['session without CSRF token'], 403)
    }

    async function keepsToWorkspace(): Promise<void> {
      const ofWorkspace = reach === 'workspace' || reach === 'named of the workspace'
      const refusal = { named: 404, 'named of the workspace': 404, picked: 404, rows: 400 }[reach as string]
      for (const caller of ['of another workspace', 'of an operator of another workspace'] as const) {
        const status = ofWorkspace && caller !== 'of another workspace' ? 403 : refusal
        // The queue limit is reached soon.
        if (operationId === 'importPassports') await gateway.sqlAs(stranger.id, 'delete from import')
        const callThrough = async (through: typeof gateway) => {
          const call = callOf(operationId, subjects)
          innocent.push(caller)
          const answer = await send(call, callers[caller], through)
          const context = [caller, through === forgetful, answer.text]
          if (status === undefined) expect([...context, answer.status < 300]).toEqual([...context, true])
          else expect([...context, answer.status]).toEqual([...context, status])
          for (const id of [workspace.id, ...idsOf(subjects)]) {
            // The printed message contains the id of a missing facility.
            if (!call.path.includes(id)) expect(answer.text).not.toContain(id)
          }
        }
        await Promise.all([gateway, forgetful].map(callThrough))
      }
    }

    async function forPermissionsOnly(): Promise<void> {
      if (permissions.length === 0) {
        const caller = 'without any permission'
        // Subjects that need a permission to be seen are absent.
        if (reach === 'picked') await refused(operationId, subjects, caller, callers[caller], 404)
        else await allowed(operationId, next(), caller, callers[caller])
        return
      }
      const problem = (missing: string | undefined) => {
        const message = `Insufficient permissions. Required: "${missing}".`
        if (!isOfStandard()) return { success: false, error: 'Forbidden', message }
        return { statusCode: 'ClientForbidden', message: [expect.objectContaining({ text: message })] }
      }
      const body = (caller: string, headers: Credentials) => refused(operationId, subjects, caller, headers, 403)
      // A key with all permissions but one covers every key with another single permission.
      await atOnce(permissions, async (permission) => {
        expect(await body(`all but ${permission}`, keys.get(`not ${permission}`) as Credentials)).toEqual(
          problem(permission),
        )
      })
      expect(await body('none', callers['without any permission'])).toEqual(problem(permissions[0]))
      const place = PROTECTED.indexOf(operationId) % PERMISSIONS.length
      const sampled = [...permissions, PERMISSIONS[place] as string].filter((name) => String(permissions) !== name)
      await atOnce(new Set(sampled), async (other) => {
        const missing = permissions.find((permission) => permission !== other)
        expect([other, await body(other, keys.get(other) as Credentials)]).toEqual([other, problem(missing)])
      })
      await allowed(operationId, next(), 'exactly it', keys.get(String(permissions)) as Credentials)
      await inTurn(['all but nothing', 'administrator', 'session'], async (caller) =>
        allowed(operationId, next(), caller, callers[caller]),
      )
    }

    async function keepsToOperator(): Promise<void> {
      const [own, other] = [callers['of the operator'], callers['of another operator']]
      if (reach === 'workspace' || reach === 'named of the workspace') {
        for (const headers of [own, other]) {
          const body = await refused(operationId, subjects, 'limited', headers, 403)
          expect(codeOf(body)).toBe('OPERATOR_SCOPE_FORBIDDEN')
        }
        return
      }
      const status = { named: 403, picked: 404, rows: 400 }[reach as string]
      if (status === undefined) {
        const before = await ofOperator()
        const { text } = await allowed(operationId, subjects, 'of another operator', other)
        for (const id of idsOf(subjects)) expect(text).not.toContain(id)
        expect(await ofOperator()).toEqual(before)
        if (reach === 'made') expect(writes).toBeDefined()
      } else {
        const body = await refused(operationId, subjects, 'of another operator', other, status)
        if (reach === 'named') expect(codeOf(body)).toBe('OPERATOR_SCOPE_FORBIDDEN')
      }
      await allowed(operationId, next(), 'of the operator', own)
    }
  }

  return {
    describeOperations,
    gateway,
    workspace,
    callers,
    required,
    callOf,
    send,
    lookedAt,
    expectUntouched,
    given: async () => ({ ...common, ...(await more('getMediaFile', common.passportId)) }),
    isUntouchedBy: (caller: string) => innocent.push(caller),
  }
}
