// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { createWorkspace, newGtin, textile } from '../support/gateway.ts'
import { givenUnits } from '../support/given-units.ts'
import { pdf } from '../support/pictures.ts'
import { givenProof, makeRegistrable } from '../support/registrable.ts'
import { givenLink, newGrai, newSerial, promisedRows, type Subjects } from '../support/sample-calls.ts'
import { isLink, useSweep, withLinkType } from '../support/sweep.ts'

// Requests every row `operation × status × media type` of the contract, rejections in `coverage-refusals.test.ts`; the
// last tests list missing rows and check all responses. The tests of this file run in order.

const swept = await useSweep()
const { gateway, hasModules, workspace, callOf, sweep, sought, send, given, asOwner, tooManyAtOnce } = swept

/** These operations need a more complete passport. */
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
  })

  test('an entity tag that still holds is answered without a body', async () => {
    await sweep(304, (call, operationId) => ({
      call: isLink(operationId) ? withLinkType(call, 'linkset') : call,
      headers: { ...workspace.as, 'if-none-match': '*' },
    }))
  })

  test.runIf(hasModules)('registrations and their proofs answer in every format', async () => {
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

  test('every write answers', async () => {
    const done = new Set<string>()
    const write = async (operationId: string, status: number, on: Partial<Subjects> = {}) => {
      const { method, path, ...content } = callOf(operationId, { ...swept.subjects, ...on })
      const answer = await gateway.request(method, path, { headers: workspace.as, ...content })
      expect([operationId, answer.status, answer.text]).toEqual([operationId, status, answer.text])
      done.add(operationId)
      return answer.body
    }
    const writeOfModules = async () => {
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
      await write('arrangePassportMedia', 200)
      await write('deletePassportMedia', 200)
      await write('uploadPassportMedia', 201)
      const { digitalProductPassportId } = await write('createDpp', 201)
      const of = { passportId: digitalProductPassportId.split('/').at(-1) }
      await write('updateDppById', 200, of)
      await write('updateDataElement', 200, of)
      await write('readDppIdsByProductIds', 200)
      const { method, path: size } = callOf('updateDataElement', { ...swept.subjects, ...of })
      const removed = await gateway.request(method, size, { headers: workspace.as, raw: 'null' })
      expect(removed.status).toBe(204)
      const { id } = await given({ productId: 'DRAFT-2', metadata: {}, draft: true })
      await write('deleteDppById', 204, { passportId: id })
      // Recorded above.
      done.add('registerPassport')
      done.add('registerUnit')
      await write('linkPassport', 201)
      await write('acceptPassportLink', 200)
      await write('deletePassportLink', 200)
      await write('declinePassportLink', 200, { linkId: await givenLink(gateway, swept.subjects.passportId) })
      await write('offerPassportHandover', 201)
      await write('offerUnitHandover', 201)
      await write('acceptHandover', 201)
      await write('withdrawHandover', 200)
      await write('readNotification', 200)
      const { batches } = await write('createBatches', 201)
      await write('deleteBatch', 200, { batchId: batches[0].id })
    }
    const draft = await given({ productId: 'DRAFT-1', metadata: {}, draft: true })
    await write('validatePassport', 200)
    await write('validatePassportPublic', 200)
    await write('createPassport', 201)
    await write('bulkIngestPassports', 201)
    await write('ingestPassportFromAas', 201)
    const { path, json } = callOf('bulkIngestPassports')
    expect((await send('POST', path, { ...(json as object), dryRun: true })).status).toBe(200)
    await write('updatePassport', 200)
    await write('updatePassportStatus', 200)
    if (hasModules) await writeOfModules()
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
    await write('verifySeal', 200)
    await write('validateBatteryUnits', 200)
    const { units } = await write('serializeBatteryUnits', 201)
    await write('recordBatteryUnitEvent', 201)
    await write('recordBatteryUnitEvents', 201)
    await write('deleteBatteryUnit', 200, { unitId: units[0].id })
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

test.runIf(hasModules)('a catalogue and a template come as every kind of file', async () => {
  for (const format of ['csv', 'xlsx', 'jsonl', 'aasx']) {
    expect((await send('GET', `/api/v1/passports/export?format=${format}`)).status).toBe(200)
  }
  for (const format of ['csv', 'xlsx']) {
    expect((await send('GET', `/api/v1/imports/templates/textiles?format=${format}`)).status).toBe(200)
  }
})

test('codes come in every form', async () => {
  const { passportId, unitId } = swept.subjects
  for (const path of [`/api/v1/passports/${passportId}/qr`, `/api/v1/units/${unitId}/qr`]) {
    expect((await send('GET', `${path}?format=svg`)).status).toBe(200)
  }
})

test.runIf(hasModules)('labels come in every form, and many as a job', async () => {
  const { passportId, unitId } = swept.subjects
  for (const [operationId, id] of [
    ['printPassportLabels', passportId],
    ['printUnitLabels', unitId],
  ] as const) {
    const { method, path } = callOf(operationId)
    expect((await send(method, path, { ids: [id], format: 'pdf' })).status).toBe(200)
    const { status, body } = await send(method, path, { ids: tooManyAtOnce(id), format: 'pdf' })
    expect(status).toBe(202)
    const job = `/api/v1/label-jobs/${body.job.id}`
    await expect.poll(async () => (await send('GET', job)).body.job.status, { timeout: 25_000 }).toBe('done')
    expect((await send('GET', `${job}/file`)).status).toBe(200)
  }
})

test.runIf(hasModules)('a document is downloaded', async () => {
  const { body } = await gateway.request('POST', `/api/v1/passports/${swept.subjects.passportId}/media`, {
    headers: workspace.as,
    file: { type: 'application/pdf', bytes: pdf() },
  })
  expect((await send('GET', new URL(body.medium.url).pathname)).status).toBe(200)
})

describe('redirection', () => {
  test('a product of several operators is answered with the choices', async () => {
    const [gtin, grai] = [newGtin(), newGrai()]
    for (const { as: headers } of [workspace, await createWorkspace(gateway)]) {
      for (const productId of [gtin, grai]) {
        const json = { productId, metadata: textile() }
        expect((await gateway.request('POST', '/api/v1/passports', { headers, json })).status).toBe(201)
      }
    }
    const linkset = 'application/linkset+json'
    await sweep(
      300,
      (call, _, mediaType) => ({ call: mediaType === linkset ? withLinkType(call, 'gs1:dpp') : call }),
      // An unknown serial number leads to the product.
      { on: { ...swept.subjects, gtin, grai, serial: 'nobody', unitSerial: 'nobody' } },
    )
  })

  test.runIf(hasModules)('lookups find the product', () => sweep(303, sought(swept.subjects)))

  test('a serialised link redirects to the unit or the passport, and that of a batch to the batch', () =>
    sweep(302, (call) => ({
      call: call.path.includes('/21/')
        ? call
        : {
            ...call,
            path: call.path.replace(/(?<=22\/V-1\/)10\/L-1$/, '21/S-1').replace('L-1', swept.subjects.batchNumber),
          },
    })))

  test('a link type redirects to its link', () => sweep(307, (call) => ({ call: withLinkType(call, 'gs1:pip') })))
})

swept.testRecording((status) => status < 400)
