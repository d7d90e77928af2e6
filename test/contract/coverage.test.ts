import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dictionary } from '../../src/domain/record.ts'
import { MOST_SUBSCRIPTIONS } from '../../src/services/webhooks.ts'
import type { Answer } from '../support/contract-client.ts'
import { cutOff, withoutTable } from '../support/faults.ts'
import {
  bearer,
  createWorkspace,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { givenUnits } from '../support/given-units.ts'
import { pdf } from '../support/pictures.ts'
import { givenProof, makeRegistrable, NO_REGISTRY } from '../support/registrable.ts'
import { FULL_KEY_SCOPE } from '../support/replay-scope.ts'
import {
  absentSubjects,
  type Call,
  givenCapture,
  givenDelivery,
  givenLink,
  givenSubjects,
  inDays,
  newGrai,
  newSerial,
  promisedRows,
  type Subjects,
  sampleCalls,
} from '../support/sample-calls.ts'

// Every row `operation × status × media type` of the contract is answered here by the gateway itself, and the last test
// names the rows that were not. So the tests of this file belong together and run in their order.

const SUFFIX = '.workspaces.example.test'

let gateway: TestGateway
let limited: TestGateway
let workspace: TestWorkspace
let subjects: Subjects

beforeAll(async () => {
  gateway = await startTestGateway({ WORKSPACE_HOST_SUFFIX: SUFFIX, ...NO_REGISTRY })
  limited = await startTestGateway({ RATE_LIMITS: 'on' })
  workspace = await createWorkspace(gateway)
  subjects = await givenSubjects(gateway, workspace)
})
afterAll(() => Promise.all([gateway.close(), limited.close()]))

/** Calls every operation that promises `status`, once per promised media type. */
async function sweep(
  status: number,
  prepare: (
    call: Call,
    operationId: string,
    mediaType: string,
  ) => { call?: Call; headers?: Record<string, string>; raw?: string },
  options: { of?: TestGateway; on?: Subjects; only?: (operationId: string) => boolean } = {},
): Promise<void> {
  const { of = gateway, on = subjects, only = () => true } = options
  for (const { operationId, mediaType } of promisedRows(
    of.client,
    (row) => row.status === status && only(row.operationId),
  )) {
    const sample = callOf(operationId, on)
    const { call = sample, headers = {}, raw } = prepare(sample, operationId, mediaType)
    const accept: Record<string, string> = mediaType === '-' ? {} : { accept: mediaType }
    const { json, form, file } = call
    const answer = await of.request(call.method, call.path, {
      headers: { ...accept, ...headers },
      ...(raw === undefined ? { json, form, file } : { raw }),
    })
    expect([operationId, mediaType, answer.status, answer.text]).toEqual([operationId, mediaType, status, answer.text])
  }
}

function callOf(operationId: string, on = subjects): Call {
  const call = sampleCalls(on)[operationId]
  if (call === undefined) throw new Error(`test/support/sample-calls.ts has no call of ${operationId}.`)
  return call
}

/** Calls of what looks something up where it is given something to look up; their samples give nothing. */
const sought =
  (on: Subjects, prepare: () => { headers?: Record<string, string> } = () => ({})) =>
  (call: Call, operationId: string) => {
    const paths = dictionary<string>({
      getFrontPage: `/?q=${on.gtin}`,
      showAccessRequest: on === subjects ? `/request-access?q=${on.gtin}` : call.path,
      getCodeReader: '/code-reader/none.js',
      getApiReferencePage: '/docs/nothing',
      getApiReferenceSchema: '/docs/schemas/Nothing',
    })
    return { ...prepare(), call: { ...call, path: paths[operationId] ?? call.path } }
  }

/** Whether the operation resolves a GS1 Digital Link, which has links beside what it resolves to. */
const isLink = (operationId: string) => operationId.startsWith('resolveGs1')
const withLinkType = (call: Call, type: string): Call => ({ ...call, path: `${call.path}?linkType=${type}` })

const asOwner = () => ({ headers: workspace.as })
const send = (method: string, path: string, json?: unknown): Promise<Answer> =>
  gateway.request(method, path, { headers: workspace.as, json })

/** Calls an operation, `of` what its path names, with an `Idempotency-Key` that another has for longer than anybody waits. */
async function withHeldKey(operationId: string, of = ''): Promise<Answer> {
  const client = new pg.Client({ connectionString: gateway.inspectorUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.tenant', $1, true)`, [workspace.id])
    await client.query(
      `insert into idempotency_key (tenant_id, endpoint, caller, key, request_hash) values ($1, $2, $3, 'held', '')`,
      [workspace.id, `${operationId}${of}`, FULL_KEY_SCOPE],
    )
    const { method, path, json } = callOf(operationId)
    return await gateway.request(method, path, { headers: { ...workspace.as, 'idempotency-key': 'held' }, json })
  } finally {
    await client.end()
  }
}

async function given(json: object): Promise<{ id: string; productId: string }> {
  const { body, status, text } = await send('POST', '/api/v1/passports', json)
  expect([status, text]).toEqual([201, text])
  return body.passport
}

/** Passports need more for them than those of the other samples have. */
const isOfRegistry = (operationId: string) => /RegistryEntries$|RegistrationProof$/.test(operationId)

describe('success', () => {
  test('every read answers in every representation that it promises', async () => {
    const isRead = (operationId: string) => callOf(operationId).method === 'GET'
    const isOther = (operationId: string) =>
      operationId === 'getCategorySchema' || isOfRegistry(operationId) || isLink(operationId)
    await sweep(200, asOwner, { only: (operationId) => isRead(operationId) && !isOther(operationId) })
    const linksets = new Set(['application/linkset+json', 'application/json'])
    await sweep(
      200,
      (call, _, mediaType) => ({
        call: linksets.has(mediaType) ? withLinkType(call, 'linkset') : call,
        headers: workspace.as,
      }),
      { only: isLink },
    )
    await sweep(200, () => ({}), { only: (operationId) => operationId === 'getCategorySchema' })
    const { id } = await given({ productId: newGtin(), metadata: textile() })
    await makeRegistrable(gateway, workspace, id)
    for (const format of ['json', 'xml']) {
      const path = `/api/v1/registry-entries?ids=${id}&format=${format}`
      expect((await send('GET', path)).headers['content-type']).toContain(format)
    }
    const [unitId = ''] = await givenUnits(gateway, workspace, id, [newSerial()])
    for (const type of ['application/pdf', 'application/xml', 'application/json']) {
      await givenProof(gateway, workspace, id, type)
      await givenProof(gateway, workspace, id, type, unitId)
      for (const path of [`/passport/${id}`, `/unit/${unitId}`]) {
        const answer = await send('GET', `${path}/registration-proof`)
        expect([answer.status, answer.headers['content-type']]).toEqual([200, type])
      }
    }
    for (const path of [`/api/v1/passports/${id}`, `/api/v1/units/${unitId}`]) {
      expect((await send('POST', `${path}/registration`)).status).toBe(202)
    }
  })

  test('an entity tag that still holds is answered without a body', async () => {
    await sweep(304, (call, operationId) => ({
      call: isLink(operationId) ? withLinkType(call, 'linkset') : call,
      headers: { ...workspace.as, 'if-none-match': '*' },
    }))
  })

  test('every write answers', async () => {
    const done = new Set<string>()
    const write = async (operationId: string, status: number, on: Partial<Subjects> = {}) => {
      const { method, path, ...content } = callOf(operationId, { ...subjects, ...on })
      const answer = await gateway.request(method, path, { headers: workspace.as, ...content })
      expect([operationId, answer.status, answer.text]).toEqual([operationId, status, answer.text])
      done.add(operationId)
      return answer.body
    }
    const draft = await given({ productId: 'DRAFT-1', metadata: {}, draft: true })
    await write('validatePassport', 200)
    await write('validatePassportPublic', 200)
    await write('createPassport', 201)
    await write('bulkIngestPassports', 201)
    await write('ingestPassportFromAas', 201)
    const { path, json } = callOf('bulkIngestPassports')
    expect((await send('POST', path, { ...(json as object), dryRun: true })).status).toBe(200)
    const table = callOf('importPassports').file
    for (const status of [202, 200]) {
      const answer = await gateway.request('POST', '/api/v1/imports', { headers: workspace.as, file: table })
      expect([answer.status, answer.text]).toEqual([status, answer.text])
    }
    done.add('importPassports')
    await write('printPassportLabels', 200)
    await write('printUnitLabels', 200)
    await write('captureTraceEvents', 201)
    await write('captureTraceDocument', 202)
    await write('screenEventLineage', 200)
    await write('publishPassportJourney', 200)
    await write('withdrawPassportJourney', 200)
    await write('updatePassport', 200)
    await write('updatePassportStatus', 200)
    await write('arrangePassportMedia', 200)
    await write('deletePassportMedia', 200)
    await write('uploadPassportMedia', 201)
    // See above.
    done.add('registerPassport')
    done.add('registerUnit')
    await write('linkPassport', 201)
    await write('acceptPassportLink', 200)
    await write('deletePassportLink', 200)
    await write('declinePassportLink', 200, { linkId: await givenLink(gateway, subjects.passportId) })
    await write('offerPassportHandover', 201)
    await write('offerUnitHandover', 201)
    await write('acceptHandover', 201)
    await write('withdrawHandover', 200)
    await write('sealPassport', 200)
    await write('revisePassport', 200)
    await write('deleteDraftPassport', 200, { passportId: draft.id })
    await write('rotateTenantKeys', 200)
    await write('denyGrant', 200)
    await write('requestAccess', 201)
    const { grants } = (await send('GET', '/api/v1/grants')).body
    const pending = grants.find(({ status }: { status: string }) => status === 'PENDING')
    await write('approveGrant', 200, { grantId: pending.id })
    await write('renewGrant', 200, { grantId: pending.id })
    await write('revokeGrant', 200, { grantId: pending.id })
    await write('issueGrant', 201)
    const { subscription } = await write('createWebhookSubscription', 201)
    await write('updateWebhookSubscription', 200, { subscriptionId: subscription.id })
    await write('rotateWebhookSecret', 200, { subscriptionId: subscription.id })
    await write('testWebhookSubscription', 200, { subscriptionId: subscription.id })
    await write('deleteWebhookSubscription', 200, { subscriptionId: subscription.id })
    await write('replayWebhookDelivery', 200)
    await write('readNotification', 200)
    await write('verifySeal', 200)
    await write('validateBatteryUnits', 200)
    const { units } = await write('serializeBatteryUnits', 201)
    await write('recordBatteryUnitEvent', 201)
    await write('recordBatteryUnitEvents', 201)
    await write('deleteBatteryUnit', 200, { unitId: units[0].id })
    const { batches } = await write('createBatches', 201)
    await write('deleteBatch', 200, { batchId: batches[0].id })
    const { facility } = await write('registerFacility', 201)
    await write('updateFacility', 200, { facilityId: facility.id })
    await write('deleteFacility', 200, { facilityId: facility.id })
    const { operator } = await write('registerOperator', 201)
    await write('updateOperator', 200, { operatorId: operator.id })
    await write('restoreOperator', 200, { operatorId: operator.id })
    await write('deleteOperator', 200, { operatorId: operator.id })
    const writes = promisedRows(gateway.client, ({ status }) => status === 200 || status === 201)
      .map(({ operationId }) => operationId)
      .filter((operationId) => callOf(operationId).method !== 'GET')
    expect(writes.filter((operationId) => !done.has(operationId))).toEqual([])
  })
})

test('a catalogue and a template come as every kind of file', async () => {
  for (const format of ['csv', 'xlsx', 'jsonl', 'aasx']) {
    expect((await send('GET', `/api/v1/passports/export?format=${format}`)).status).toBe(200)
  }
  for (const format of ['csv', 'xlsx']) {
    expect((await send('GET', `/api/v1/imports/templates/textiles?format=${format}`)).status).toBe(200)
  }
})

test('codes and labels come in every form, and many labels as a job', async () => {
  const { passportId, unitId } = subjects
  for (const path of [`/api/v1/passports/${passportId}/qr`, `/api/v1/units/${unitId}/qr`]) {
    expect((await send('GET', `${path}?format=svg`)).status).toBe(200)
  }
  for (const [operationId, id] of [
    ['printPassportLabels', passportId],
    ['printUnitLabels', unitId],
  ] as const) {
    const { method, path } = callOf(operationId)
    expect((await send(method, path, { ids: [id], format: 'pdf' })).status).toBe(200)
    const { status, body } = await send(method, path, { ids: Array(501).fill(id), format: 'pdf' })
    expect(status).toBe(202)
    const job = `/api/v1/label-jobs/${body.job.id}`
    await expect.poll(async () => (await send('GET', job)).body.job.status, { timeout: 25_000 }).toBe('done')
    expect((await send('GET', `${job}/file`)).status).toBe(200)
  }
})

test('a document is downloaded', async () => {
  const { body } = await gateway.request('POST', `/api/v1/passports/${subjects.passportId}/media`, {
    headers: workspace.as,
    file: { type: 'application/pdf', bytes: pdf() },
  })
  expect((await send('GET', new URL(body.medium.url).pathname)).status).toBe(200)
})

describe('redirection', () => {
  test('a product of several operators is answered with the choices', async () => {
    const other = await createWorkspace(gateway)
    for (const productId of [subjects.gtin, subjects.grai]) {
      const { status } = await gateway.request('POST', '/api/v1/passports', {
        headers: other.as,
        json: { productId, metadata: textile() },
      })
      expect(status).toBe(201)
    }
    const linkset = 'application/linkset+json'
    await sweep(
      300,
      (call, _, mediaType) => ({ call: mediaType === linkset ? withLinkType(call, 'gs1:dpp') : call }),
      // A serial that nobody has leads to the product.
      { on: { ...subjects, serial: 'nobody', unitSerial: 'nobody' } },
    )
    subjects = await givenSubjects(gateway, workspace)
  })

  test('what is sought is led to', () => sweep(303, sought(subjects)))

  test('a serialised link redirects to the unit or the passport, and that of a batch to the batch', () =>
    sweep(302, (call) => ({
      call: call.path.includes('/21/')
        ? call
        : { ...call, path: call.path.replace(/(?<=22\/V-1\/)10\/L-1$/, '21/S-1').replace('L-1', subjects.batchNumber) },
    })))

  test('a link type redirects to its link', () => sweep(307, (call) => ({ call: withLinkType(call, 'gs1:pip') })))
})

test('of a unit that was recycled a notice is left', async () => {
  const unit = { serialNumber: 'GONE', status: 'RECYCLED' }
  const { units } = (await send('POST', `/api/v1/passports/${subjects.passportId}/units`, unit)).body
  await sweep(410, () => ({}), { on: { ...subjects, unitId: units[0].id } })
})

describe('refusal of the caller', () => {
  test('no credential', () => sweep(401, () => ({})))

  test('a lapsed subscription', async () => {
    const { workspaces } = gateway.container.cradle
    await workspaces.set(workspace.id, { subscription: 'lapsed' })
    await sweep(402, asOwner)
    await workspaces.set(workspace.id, { subscription: 'active' })
  })

  test('a missing permission', async () => {
    const { workspaces } = gateway.container.cradle
    const { key } = await workspaces.createKey({ workspaceId: workspace.id, role: 'AUDITOR', permissions: [] })
    const { operations } = gateway.container.cradle.contract
    const open = new Set(['validatePassportPublic', 'listMaterials', 'listNotifications', 'readNotification', 'whoami'])
    expect([...operations.keys()].filter((id) => open.has(id))).toHaveLength(open.size)
    await sweep(403, () => ({ headers: bearer(key) }), {
      only: (operationId) => !open.has(operationId) && operations.get(operationId)?.isPublic === false,
    })
  })

  test('the host of another workspace', () =>
    sweep(403, () => ({ headers: { ...workspace.as, host: `other${SUFFIX}` } })))

  test('a used-up request budget', async () => {
    const on = await createWorkspace(limited, { plan: 'growth' })
    const { operations } = limited.container.cradle.contract
    const isPublic = (operationId: string) => operations.get(operationId)?.isPublic === true
    const isResolver = (operationId: string) =>
      isPublic(operationId) && operations.get(operationId)?.gates.has('resolver-limit') === true
    const use = async (times: number, operationId: string, headers: Record<string, string>) => {
      const { method, path } = callOf(operationId)
      for (let count = 0; count < times; count += 1) await limited.request(method, path, { headers })
    }
    await use(120, 'whoami', on.as)
    await sweep(429, () => ({ headers: on.as }), { of: limited, only: (operationId) => !isPublic(operationId) })
    await use(100, 'getVersion', {})
    await use(600, 'getHealth', {})
    await sweep(429, () => ({}), {
      of: limited,
      only: (operationId) => isPublic(operationId) && !isResolver(operationId),
    })
    await use(30, 'resolveGs1Gtin', {})
    await sweep(429, () => ({}), { of: limited, only: isResolver })
  })
})

describe('refusal of the request', () => {
  test('a request that does not meet the contract', () =>
    sweep(400, (call) => {
      const path = `${call.path}${call.path.includes('?') ? '&' : '?'}q=%00`
      return { call: { ...call, path }, headers: workspace.as }
    }))

  test('something that does not exist', () => {
    const absent = absentSubjects()
    return sweep(404, sought(absent, asOwner), { on: absent })
  })

  test('a passport that cannot be a credential', async () => {
    const gtin = newGtin()
    const grai = newGrai()
    const { id } = await given({ productId: gtin, metadata: textile() })
    await given({ productId: grai, metadata: textile() })
    const { units } = (await send('POST', `/api/v1/passports/${id}/units`, { serialNumber: 'PLAIN' })).body
    const accept = 'application/vc+jwt'
    await sweep(406, () => ({ headers: { ...workspace.as, accept } }), {
      on: { ...subjects, passportId: id, gtin, grai, unitId: units[0].id },
    })
  })

  test('a state that does not allow it', async () => {
    const claimed = newGtin('3000001')
    await gateway.container.cradle.companyPrefixes.claim((await createWorkspace(gateway)).id, '3000001')
    const cases: Record<string, () => Promise<Answer>> = {
      createPassport: () => send('POST', '/api/v1/passports', { productId: subjects.gtin, metadata: textile() }),
      updatePassport: async () => {
        const { id } = await given({ productId: 'SKU-409', metadata: textile() })
        return send('PUT', `/api/v1/passports/${id}`, { metadata: textile({ gtin: claimed }) })
      },
      ingestPassportFromAas: () => {
        const { path, json } = callOf('ingestPassportFromAas')
        return send('POST', path, JSON.parse(JSON.stringify(json).replace(/0\d{13}/, claimed)))
      },
      deleteDraftPassport: () => send('DELETE', `/api/v1/passports/${subjects.passportId}`),
      updatePassportStatus: async () => {
        const { id } = await given({ productId: newGtin(), metadata: {}, draft: true })
        return send('PUT', `/api/v1/passports/${id}/status`, { status: 'ACTIVE' })
      },
      approveGrant: () => send('POST', `/api/v1/grants/${subjects.grantId}/approve`, { expiresAt: inDays(1) }),
      renewGrant: () => send('POST', `/api/v1/grants/${subjects.grantId}/renew`, { expiresAt: inDays(1) }),
      denyGrant: () => send('POST', `/api/v1/grants/${subjects.grantId}/deny`),
      revisePassport: async () => {
        const { id } = await given({ productId: newGtin(), metadata: textile() })
        return send('POST', `/api/v1/passports/${id}/revisions`, { metadata: textile(), changeReason: 'Why' })
      },
      linkPassport: () => {
        const path = `/api/v1/passports/${subjects.passportId}/links`
        return send('POST', path, { rel: 'partOf', target: subjects.passportId })
      },
      acceptPassportLink: async () => {
        await send('POST', `/api/v1/links/${subjects.linkId}/accept`)
        return send('POST', `/api/v1/links/${subjects.linkId}/accept`)
      },
      declinePassportLink: () => send('POST', `/api/v1/links/${subjects.linkId}/decline`),
      offerPassportHandover: async () => {
        const { id } = await given({ productId: newGtin(), metadata: {}, draft: true })
        return send('POST', `/api/v1/passports/${id}/handover`, {})
      },
      offerUnitHandover: async () => {
        const unit = { serialNumber: 'ENDED', status: 'RECYCLED' }
        const { units } = (await send('POST', `/api/v1/passports/${subjects.passportId}/units`, unit)).body
        return send('POST', `/api/v1/units/${units[0].id}/handover`, {})
      },
      acceptHandover: async () => {
        const { method, path, json } = callOf('acceptHandover')
        await send(method, path, json)
        return send(method, path, json)
      },
      withdrawHandover: async () => {
        await send('DELETE', `/api/v1/handovers/${subjects.handoverId}`)
        return send('DELETE', `/api/v1/handovers/${subjects.handoverId}`)
      },
      createBatches: () => withHeldKey('createBatches', ` ${subjects.passportId}`),
      deleteBatch: async () => {
        await send('POST', `/api/v1/passports/${subjects.passportId}/units`, {
          serialNumber: 'OF-BATCH',
          batchNumber: subjects.batchNumber,
        })
        return send('DELETE', `/api/v1/batches/${subjects.batchId}`)
      },
      bulkIngestPassports: () => withHeldKey('bulkIngestPassports'),
      serializeBatteryUnits: () => withHeldKey('serializeBatteryUnits', ` ${subjects.passportId}`),
      recordBatteryUnitEvents: () => withHeldKey('recordBatteryUnitEvents'),
      createWebhookSubscription: async () => {
        const full = await createWorkspace(gateway)
        await gateway.sqlAs(
          full.id,
          `insert into webhook_subscription (id, tenant_id, url, events, secret)
           select gen_random_uuid(), $1, 'https://erp.example/hook', '{*}', '' from generate_series(1, $2)`,
          [full.id, MOST_SUBSCRIPTIONS],
        )
        const { method, path, json } = callOf('createWebhookSubscription')
        return gateway.request(method, path, { headers: full.as, json })
      },
      replayWebhookDelivery: async () => {
        const given = await givenDelivery(gateway, workspace.id)
        await send('PATCH', `/api/v1/webhooks/subscriptions/${given.subscriptionId}`, { isActive: false })
        return send('POST', callOf('replayWebhookDelivery', { ...subjects, ...given }).path)
      },
      rotateTenantKeys: async () => {
        const full = await createWorkspace(gateway)
        // The one of the workspace and 99 more.
        await gateway.sqlAs(
          full.id,
          `insert into tenant_key (id, tenant_id, number, signer_key, public_key_pem, fingerprint, created_at, retired_at)
           select gen_random_uuid(), tenant_id, number + n, signer_key || n, public_key_pem, fingerprint || n, now(), now()
           from tenant_key, generate_series(1, 99) n where tenant_id = $1`,
          [full.id],
        )
        return gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: full.as })
      },
      sealPassport: async () => {
        const { signer } = gateway.container.cradle
        const { sign } = signer
        const { id } = await given({ productId: newGtin(), metadata: textile() })
        // As a slow signer allows it: each time that it signs, the passport has been edited meanwhile.
        signer.sign = async (key, data) => {
          await send('PUT', `/api/v1/passports/${id}`, { metadata: textile() })
          return sign(key, data)
        }
        return send('POST', `/api/v1/passports/${id}/seal`).finally(() => {
          signer.sign = sign
        })
      },
      captureTraceEvents: () => withHeldKey('captureTraceEvents'),
      captureTraceDocument: async () => {
        for (let open = 0; open < 4; open += 1) await givenCapture(gateway, workspace.id)
        const { method, path, json } = callOf('captureTraceDocument')
        return send(method, path, json)
      },
      publishPassportJourney: () => send('PUT', `/api/v1/passports/${subjects.otherPassportId}/journey`, {}),
      registerPassport: () => send('POST', `/api/v1/passports/${subjects.passportId}/registration`),
      registerUnit: () => send('POST', `/api/v1/units/${subjects.unitId}/registration`),
      exportRegistryEntries: () => send('GET', `/api/v1/registry-entries?ids=${subjects.passportId}`),
      importPassports: async () => {
        await gateway.sqlAs(
          workspace.id,
          `insert into import (id, tenant_id, actor, role, format, options, file_hash, bytes, created_at, expires_at)
           select gen_random_uuid(), $1, '', '', 'csv', '{"dryRun":false}', '', 0, now(), now() + interval '1 hour' from generate_series(1, 2)`,
          [workspace.id],
        )
        return gateway.request('POST', '/api/v1/imports', {
          headers: workspace.as,
          file: callOf('importPassports').file,
        })
      },
      printPassportLabels: async () => {
        await openLabelJobs(2)
        return send('POST', '/api/v1/passports/labels', { ids: Array(501).fill(subjects.passportId) })
      },
      printUnitLabels: () => send('POST', '/api/v1/units/labels', { ids: Array(501).fill(subjects.unitId) }),
      downloadLabels: async () => {
        const [job] = await openLabelJobs(1)
        return send('GET', `/api/v1/label-jobs/${job?.id}/file`)
      },
      uploadPassportMedia: async () => {
        await gateway.sqlAs(
          workspace.id,
          `insert into media (id, passport_id, tenant_id, kind, media_type, file, sizes, bytes, position, created_at)
           select gen_random_uuid(), $1, $2, 'picture', 'image/webp', '', '[]', 0, n, now() from generate_series(1, 24) n`,
          [subjects.passportId, workspace.id],
        )
        const { method, path, file } = callOf('uploadPassportMedia')
        return gateway.request(method, path, { headers: workspace.as, file })
      },
      deletePassportMedia: async () => {
        const { id } = await given({ productId: newGtin(), metadata: textile() })
        const path = `/api/v1/passports/${id}/media?documentType=manual&audience=public`
        const file = { type: 'application/pdf', bytes: pdf() }
        const { medium } = (await gateway.request('POST', path, { headers: workspace.as, file })).body
        await send('PUT', `/api/v1/passports/${id}`, { metadata: textile({ documents: [medium.entry] }) })
        return send('DELETE', `/api/v1/passports/${id}/media/${medium.id}`)
      },
      registerFacility: async () => {
        const [{ gln = '' } = {}] = (await send('GET', '/api/v1/facilities')).body.facilities
        return send('POST', '/api/v1/facilities', { gln, name: 'F', country: 'DE' })
      },
      deleteOperator: async () => {
        const { operator } = (await send('POST', '/api/v1/operators', { name: 'O', regId: 'STUCK' })).body
        await gateway.sql(`create function refuse() returns trigger language plpgsql as $$
          begin raise exception 'refused' using errcode = case tg_op when 'DELETE' then '23503' else '55000' end; end $$`)
        await gateway.sql(`create trigger refuse before update or delete on operator for each row
          when (old.reg_id = 'STUCK') execute function refuse()`)
        return send('DELETE', `/api/v1/operators/${operator.id}`)
      },
    }
    const openLabelJobs = (count: number) =>
      gateway.sqlAs<{ id: string }>(
        workspace.id,
        `insert into label_job (id, tenant_id, subject, request, created_at, expires_at)
         select gen_random_uuid(), $1, 'unit', '{}', now(), now() + interval '1 hour' from generate_series(1, $2::int)
         returning id`,
        [workspace.id, count],
      )
    await send('DELETE', `/api/v1/grants/${subjects.grantId}`)
    const promised = promisedRows(gateway.client, ({ status }) => status === 409).map(({ operationId }) => operationId)
    expect(promised.sort()).toEqual(Object.keys(cases).sort())
    for (const [operationId, call] of Object.entries(cases)) {
      const { status, text } = await call()
      expect([operationId, status, text]).toEqual([operationId, 409, text])
    }
  })

  test('a version that If-Match does not name', async () => {
    const on = await givenSubjects(gateway, workspace)
    const sealed = await given({ productId: newGtin(), metadata: textile() })
    expect((await send('POST', `/api/v1/passports/${sealed.id}/seal`)).status).toBe(200)
    const draft = await given({ productId: newGtin(), metadata: {}, draft: true })
    const others = dictionary<string>({ revisePassport: sealed.id, deleteDraftPassport: draft.id })
    await sweep(
      412,
      (call, operationId) => ({
        call: { ...call, path: call.path.replace(on.passportId, others[operationId] ?? on.passportId) },
        headers: { ...workspace.as, 'if-match': '"0"' },
      }),
      { on },
    )
  })

  test('a body over the limit', async () => {
    const { operations } = gateway.container.cradle.contract
    await sweep(413, (_, operationId) => ({
      headers: workspace.as,
      raw: ' '.repeat((operations.get(operationId)?.bodyLimit ?? 0) + 1),
    }))
  })

  test('a body for which there is no memory now', async () => {
    const { bodyBudget, config, contract } = gateway.container.cradle
    const { bodyBytes } = config.bounds
    const { operations } = contract
    const shares = Array.from({ length: 8 }, (_, index) => bodyBudget.open(`192.0.2.${index}`, false))
    for (const share of shares) expect(share.take(bodyBytes / 8)).toBe(true)
    await sweep(503, asOwner, { only: (operationId) => operations.get(operationId)?.bodyType !== undefined })
    for (const share of shares) share.close()
  })

  test('a body that is not declared as JSON', () =>
    sweep(415, () => ({ headers: { ...workspace.as, 'content-type': 'text/plain' }, raw: '{}' })))
})

describe('failure', () => {
  test('the database fails under a request', async () => {
    const { operations } = gateway.container.cradle.contract
    const isPublic = (operationId: string) => operations.get(operationId)?.isPublic === true
    await withoutTable(gateway, 'api_key', () => sweep(500, asOwner, { only: (operationId) => !isPublic(operationId) }))
    // Of a key of these nothing is known without its table, and of a passport nothing is asked before.
    const byKey = new Set(['getDidDocument', 'getJwtVcIssuer', 'getStatusList', 'getTokenStatusList', 'verifySeal'])
    await withoutTable(gateway, 'tenant_key', () => sweep(500, () => ({}), { only: (id) => byKey.has(id) }))
    const byProof = new Set(['getRegistrationProof', 'getUnitRegistrationProof'])
    await withoutTable(gateway, 'registration', () => sweep(500, () => ({}), { only: (id) => byProof.has(id) }))
    const isOther = (operationId: string) => byKey.has(operationId) || byProof.has(operationId)
    const readsPassports = (operationId: string) => isPublic(operationId) && !isOther(operationId)
    await withoutTable(gateway, 'passport', () => sweep(500, sought(subjects), { only: readsPassports }))
  })

  test('the database does not answer, and then it does again', async () => {
    await cutOff(gateway, async () => {
      await expect.poll(async () => (await gateway.request('GET', '/health')).status).toBe(503)
      await sweep(503, sought(subjects, asOwner))
    })
    await expect.poll(async () => (await gateway.request('GET', '/health')).status).toBe(200)
  })
})

test('everything that the contract promises has been seen', () => {
  const seen = new Set([...gateway.client.seen, ...limited.client.seen])
  expect(gateway.client.promised().filter((row) => !seen.has(row))).toEqual([])
})
