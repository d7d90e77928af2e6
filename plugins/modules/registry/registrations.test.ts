import { describe, expect, test } from 'vitest'
import { auditOf } from '../../../test/support/audit.ts'
import { BASE_URL, createWorkspace, textile } from '../../../test/support/gateway.ts'
import { expectStatus } from '../../../test/support/passport-client.ts'
import { TOKEN, useRegistry } from '../../../test/support/registration-client.ts'
import { BACKUP, whole } from '../../../test/support/registry.ts'

const {
  registry,
  gateway,
  without,
  workspace,
  passports,
  given,
  read,
  ask,
  resolved,
  auditDetails,
  stateOf,
  failureNotifications,
  until,
  registered,
} = await useRegistry()

test('a passport is registered after the answer, and says so with identifier, version, hash and proof', async () => {
  const passport = await given()
  const before = await read(passport.id)
  expect(before.checks.every(({ passed }: { passed: boolean }) => passed)).toBe(true)
  expect(before.registration).toBeNull()
  expect(before.metadataSchema).toMatch(
    /^https:\/\/dpp\.example\.test\/api\/v1\/schemas\/textiles\?version=[0-9a-f]{12}$/,
  )
  const entry = {
    upi: passport.digitalLinkUri,
    reoId: `EORI-${passport.regId}`,
    liveURL: `${BASE_URL}/passport/${passport.id}`,
    backupURL: BACKUP.url,
    commodityCode: '61091000',
    facilitiesId: [`GLN-${passport.gln}`],
    granularityLevel: 'MODEL',
  }
  expect(before.entry).toEqual(entry)
  expect(await resolved(passport.id)).not.toHaveProperty('registration')
  const { body } = expectStatus(202, await ask(passport.id))
  expect(body.registration).toMatchObject({ state: 'PENDING', isCurrent: false, identifier: null, proof: null })
  await until(() => stateOf(passport.id)).toBe('REGISTERED')
  expect(auditDetails(passport)).toEqual([{ entry, authorization: `Bearer ${TOKEN}` }])
  const { registration, hash } = await read(passport.id)
  expect(hash).toBe(passport.proof.merkleRoot)
  const shown = {
    registry: new URL(registry.url).origin,
    identifier: expect.stringMatching(/^EU-REG-\d+$/),
    registeredAt: '2026-11-01T10:00:00.000Z',
    version: before.version,
    hash,
    proof: `${BASE_URL}/passport/${passport.id}/registration-proof`,
  }
  expect(registration).toMatchObject({ state: 'REGISTERED', reason: null, isCurrent: true, ...shown })
  const document = await resolved(passport.id)
  expect(document.registration).toEqual(shown)
  const { body: verdict } = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload: document } })
  expect(verdict.verdict).toBe('valid')
  const page = await gateway.request('GET', `/passport/${passport.id}?lang=de`, { headers: { accept: 'text/html' } })
  expect(page.text).toContain(
    `Eingetragen im Register der Produktpässe: ${registration.identifier} (1. November 2026).`,
  )
  expect(page.text).toContain(`<a href="${shown.proof}">Nachweis der Eintragung herunterladen</a>`)
  expect((await auditOf(gateway, workspace.id, passport.id)).map(({ action }) => action)).toContain(
    'registration.requested',
  )
})

test('a new sealed version is registered automatically, and unchanged data are not sent', async () => {
  const passport = await registered()
  const before = await read(passport.id)
  const json = { metadata: whole({ size: 'M' }), changeReason: 'Typing error' }
  expectStatus(200, await passports.revise(passport.id, json))
  await until(async () => (await read(passport.id)).registration.isCurrent).toBe(true)
  const after = await read(passport.id)
  expect(after.hash).not.toBe(before.hash)
  expect(after.registration).toMatchObject({ version: after.version, hash: after.hash, state: 'REGISTERED' })
  expect(after.registration.identifier).toBe(before.registration.identifier)
  expect(auditDetails(passport)).toHaveLength(2)
  // A recall changes nothing that a registry stores of a model.
  expectStatus(200, await passports.setStatus(passport.id, 'RECALLED'))
  const open = `select 1 from pgboss.job where name = 'registration' and state < 'completed' and data ->> 'passportId' = $1`
  await until(() => gateway.sql(open, [passport.id])).toEqual([])
  expect(auditDetails(passport)).toHaveLength(2)
})

test('a registered passport that can no longer be registered fails, and its workspace is notified', async () => {
  const passport = await registered()
  const metadata = textile({ commodityCode: '61091000' })
  expectStatus(200, await passports.revise(passport.id, { metadata, changeReason: 'No copy' }))
  await until(() => stateOf(passport.id)).toBe('FAILED')
  const { registration } = await read(passport.id)
  expect(registration.reason).toContain('metadata.backup')
  // The registry's entry stays valid.
  expect((await resolved(passport.id)).registration).toMatchObject({ identifier: registration.identifier })
  expect((await failureNotifications(passport.id)).length).toBe(1)
})

describe('the schema that the metadata was checked against', () => {
  test('is named with its version, which is served, and led to', async () => {
    const { id } = await given()
    const answer = await gateway.request('GET', `/api/v1/passports/${id}/registration`, { headers: workspace.as })
    const { metadataSchema } = answer.body
    expect(answer.headers.link).toBe(`<${metadataSchema}>; rel="describedby"; type="application/schema+json"`)
    const served = await gateway.request('GET', metadataSchema.slice(BASE_URL.length))
    expect([served.status, served.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^application\/schema\+json/),
    ])
  })

  test('is that of the time at which the metadata was written, and each version keeps its own', async () => {
    const { id } = await given()
    const { metadataSchema } = await read(id)
    // Simulates metadata written under an earlier schema version.
    const earlier = '0123456789ab'
    await gateway.sqlAs(workspace.id, 'update passport set schema_version = $2 where id = $1', [id, earlier])
    expect((await read(id)).metadataSchema).toBe(metadataSchema.replace(/[0-9a-f]{12}$/, earlier))
    expectStatus(200, await passports.setStatus(id, 'RECALLED'))
    expect((await read(id)).metadataSchema).toContain(earlier)
    const json = { metadata: whole({ size: 'M' }), changeReason: 'Typing error' }
    expectStatus(200, await passports.revise(id, json))
    expect((await read(id)).metadataSchema).toBe(metadataSchema)
    const history = await gateway.request('GET', `/api/v1/passports/${id}/history`, { headers: workspace.as })
    const named = history.body.versions.map((version: { metadataSchema: string }) => version.metadataSchema.slice(-12))
    expect(named).toEqual([metadataSchema.slice(-12), earlier, earlier])
  })

  test('is nothing for a category without one', async () => {
    const { id } = await passports.given({ metadata: { category: 'toys', originCountry: 'DE' } })
    const answer = await gateway.request('GET', `/api/v1/passports/${id}/registration`, { headers: workspace.as })
    expect(answer.body.metadataSchema).toBeNull()
    expect(answer.headers.link).toBeUndefined()
  })
})

test('deletion of a facility is sent: its registered passports fail, with a notification', async () => {
  const passport = await registered()
  const { body } = await gateway.request('GET', '/api/v1/facilities', { headers: workspace.as })
  const facility = body.facilities.find(({ gln }: { gln: string }) => gln === passport.gln)
  expectStatus(200, await gateway.request('DELETE', `/api/v1/facilities/${facility.id}`, { headers: workspace.as }))
  await until(() => stateOf(passport.id)).toBe('FAILED')
  const { registration } = await read(passport.id)
  expect(registration.reason).toContain('facilityId')
  expect(registration.identifier).not.toBeNull()
  expect((await failureNotifications(passport.id)).length).toBe(1)
})

describe('obstacles to a registration', () => {
  test('every check that fails says what to do, by its clause, and nothing is kept', async () => {
    const { id } = await passports.given()
    const { checks, entry, registration } = await read(id)
    const failed = checks.filter(({ passed }: { passed: boolean }) => !passed)
    expect(failed.map(({ code }: { code: string }) => code)).toEqual([
      'SEALED',
      'COMMODITY_CODE',
      'BACKUP',
      'OPERATOR',
      'FACILITY',
    ])
    expect([entry, registration]).toEqual([null, null])
    const { status, body } = await ask(id)
    expect([status, body.code, body.checks]).toEqual([409, 'REGISTRATION_CHECKS_FAILED', failed])
    expect((await read(id)).registration).toBeNull()
  })

  test('without a registry the answer names the export', async () => {
    const { id } = await given()
    const { status, body } = await ask(id, { at: without })
    expect([status, body.code]).toEqual([409, 'REGISTRY_NOT_CONFIGURED'])
    expect(body.message).toContain('GET /api/v1/registry-entries')
  })

  test('another workspace sees and registers nothing', async () => {
    const { id } = await registered()
    const { as } = await createWorkspace(gateway)
    expect((await gateway.request('GET', `/api/v1/passports/${id}/registration`, { headers: as })).status).toBe(404)
    expect((await ask(id, { as })).status).toBe(404)
    expect((await gateway.request('GET', `/api/v1/registry-entries?ids=${id}`, { headers: as })).status).toBe(404)
  })
})
