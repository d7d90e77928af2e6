import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { REGISTRATIONS } from '../../src/jobs/registrations.ts'
import { auditOf } from '../support/audit.ts'
import {
  BASE_URL,
  createWorkspace,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { hurry, wake } from '../support/jobs.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { BACKUP, givenRegistrable, openRegistry, PROOF, type RegistryServer, whole } from '../support/registry.ts'
import { unitClient } from '../support/unit-client.ts'

// A registry of our own stands in for the one of the European Commission, whose interface is not public.

const TOKEN = 'registry-secret-0123456789'

let registry: RegistryServer
let gateway: TestGateway
let without: TestGateway
let workspace: TestWorkspace
let passports: ReturnType<typeof passportClient>

beforeAll(async () => {
  registry = await openRegistry()
  gateway = await startTestGateway(
    { REGISTRY_URL: registry.url, REGISTRY_TOKEN: TOKEN },
    // An answer takes a fraction of it, and a registry that never answers takes all of it.
    { bounds: { registryTimeout: 1000 } },
  )
  without = await startTestGateway({ DATABASE_URL: gateway.databaseUrl })
  workspace = await createWorkspace(gateway)
  passports = passportClient(gateway, workspace.as)
})
afterAll(async () => {
  await without.close()
  await gateway.close()
  await registry.close()
})
beforeEach(() => {
  registry.mode = 'well'
  registry.before = async () => {}
})

/** A passport that can be registered. */
const given = (more: object = {}) => givenRegistrable(gateway, workspace, more)

const read = async (id: string, at = gateway) =>
  expectStatus(200, await at.request('GET', `/api/v1/passports/${id}/registration`, { headers: workspace.as })).body
const ask = (id: string, { at = gateway, as = workspace.as } = {}) =>
  at.request('POST', `/api/v1/passports/${id}/registration`, { headers: as })
const resolved = async (id: string) => (await gateway.request('GET', `/passport/${id}`)).body
const toldOf = (passport: { digitalLinkUri: string }) =>
  registry.told.filter(({ entry }) => entry.upi === passport.digitalLinkUri)
const stateOf = async (id: string) => (await read(id)).registration?.state
/** What the workspace was told of registrations that have failed. */
async function toldFailures(id: string): Promise<{ message: string }[]> {
  const { body } = await gateway.request('GET', '/api/v1/notifications?limit=200', { headers: workspace.as })
  return body.notifications.filter(
    ({ type, subjectId }: { type: string; subjectId: string }) => type === 'registration.failed' && subjectId === id,
  )
}
/** Polls `check`, and has every worker look for jobs each time. */
const until = (check: () => unknown) =>
  expect.poll(
    () => {
      wake(gateway, REGISTRATIONS)
      return check()
    },
    { timeout: 60_000, interval: 20 },
  )
/** The same, and lets the time pass after which the registry is told again of a passport. */
const untilHurried = (passportId: string, check: () => unknown) =>
  until(async () => {
    await hurry(gateway, REGISTRATIONS, { passportId })
    return check()
  })

/** A passport that is registered. */
async function registered() {
  const passport = await given()
  expectStatus(202, await ask(passport.id))
  await until(() => stateOf(passport.id)).toBe('REGISTERED')
  return passport
}

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
  expect(toldOf(passport)).toEqual([{ entry, authorization: `Bearer ${TOKEN}` }])
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

test('the proof is downloaded as the registry gave it, and a passport without one answers 404', async () => {
  const { id } = await registered()
  const answer = await fetch(`${gateway.origin}/passport/${id}/registration-proof`)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PROOF)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="registration-proof.pdf"',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  const { id: other } = await given()
  for (const missing of [other, 'none', newGtin()]) {
    expect((await gateway.request('GET', `/passport/${missing}/registration-proof`)).status).toBe(404)
  }
})

test('a proof is fetched from the registry itself, and from nobody else', async () => {
  registry.mode = 'well, with a proof of its own address'
  const own = await registered()
  expect((await gateway.request('GET', `/passport/${own.id}/registration-proof`)).status).toBe(200)
  const asked = registry.asked.length
  registry.mode = "well, with a proof of somebody else's address"
  const foreign = await registered()
  expect((await read(foreign.id)).registration).toMatchObject({
    state: 'REGISTERED',
    isCurrent: true,
    proof: null,
    reason: 'The registry names an address for its proof that is not its own.',
  })
  expect(registry.asked).toHaveLength(asked)
})

test('a proof that cannot be fetched yet fails no registration, and is fetched later', async () => {
  registry.mode = 'well, with a proof that comes later'
  const passport = await given()
  let heldBack = await read(passport.id)
  registry.before = async () => {
    heldBack = await read(passport.id)
  }
  expectStatus(202, await ask(passport.id))
  await untilHurried(passport.id, async () => (await read(passport.id)).registration.proof).not.toBeNull()
  // As it was when the registry was asked once more.
  expect(heldBack.registration).toMatchObject({
    state: 'REGISTERED',
    isCurrent: true,
    proof: null,
    reason: 'The registry answered 503 when it was asked for its proof.',
  })
  expect((await read(passport.id)).registration).toMatchObject({ state: 'REGISTERED', reason: null })
  expect(toldOf(passport)).toHaveLength(2)
  expect((await gateway.request('GET', `/passport/${passport.id}/registration-proof`)).status).toBe(200)
})

test('a proof that is no document is not kept, and fails no registration', async () => {
  registry.mode = 'well, with a proof that nobody takes'
  const { id } = await registered()
  const { registration } = await read(id)
  expect(registration).toMatchObject({ state: 'REGISTERED', proof: null })
  expect(registration.reason).toContain('no PDF, XML or JSON')
  expect((await gateway.request('GET', `/passport/${id}/registration-proof`)).status).toBe(404)
})

test('a new sealed version is registered by itself, and what changes nothing is not told', async () => {
  const passport = await registered()
  const before = await read(passport.id)
  const json = { metadata: whole({ size: 'M' }), changeReason: 'Typing error' }
  expectStatus(200, await passports.revise(passport.id, json))
  await until(async () => (await read(passport.id)).registration.isCurrent).toBe(true)
  const after = await read(passport.id)
  expect(after.hash).not.toBe(before.hash)
  expect(after.registration).toMatchObject({ version: after.version, hash: after.hash, state: 'REGISTERED' })
  expect(after.registration.identifier).toBe(before.registration.identifier)
  expect(toldOf(passport)).toHaveLength(2)
  // A recall is no change of what a registry is told of a model.
  expectStatus(200, await passports.setStatus(passport.id, 'RECALLED'))
  const open = `select 1 from pgboss.job where name = 'registration' and state < 'completed' and data ->> 'passportId' = $1`
  await until(() => gateway.sql(open, [passport.id])).toEqual([])
  expect(toldOf(passport)).toHaveLength(2)
})

test('a registered passport that can no longer be registered fails, and its workspace is told', async () => {
  const passport = await registered()
  const metadata = textile({ commodityCode: '61091000' })
  expectStatus(200, await passports.revise(passport.id, { metadata, changeReason: 'No copy' }))
  await until(() => stateOf(passport.id)).toBe('FAILED')
  const { registration } = await read(passport.id)
  expect(registration.reason).toContain('metadata.backup')
  // What the registry knows stays true.
  expect((await resolved(passport.id)).registration).toMatchObject({ identifier: registration.identifier })
  expect((await toldFailures(passport.id)).length).toBe(1)
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
    // As if the metadata had been written before the schema had its present version.
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

describe('a unit', () => {
  const units = () => unitClient(gateway, workspace.as)
  const path = (id: string) => `/api/v1/units/${id}/registration`
  const readUnit = async (id: string) =>
    expectStatus(200, await gateway.request('GET', path(id), { headers: workspace.as })).body
  const isCurrent = (id: string) => async () => (await readUnit(id)).registration?.isCurrent

  /** A unit that is registered, with the passport of its product. */
  async function registeredUnit() {
    const passport = await given()
    const unit = await units().given(passport.id)
    expectStatus(202, await gateway.request('POST', path(unit.id), { headers: workspace.as }))
    await until(isCurrent(unit.id)).toBe(true)
    return { passport, unit }
  }

  test('is registered as an item with what its product says, and has a proof of its own', async () => {
    const { passport, unit } = await registeredUnit()
    const entry = {
      upi: unit.digitalLinkUri,
      reoId: `EORI-${passport.regId}`,
      liveURL: `${BASE_URL}/unit/${unit.id}`,
      backupURL: BACKUP.url,
      commodityCode: '61091000',
      facilitiesId: [`GLN-${passport.gln}`],
      granularityLevel: 'ITEM',
      deactivated: false,
    }
    expect(toldOf(unit).map((one) => one.entry)).toEqual([entry])
    const body = await readUnit(unit.id)
    expect(body.entry).toEqual(entry)
    const proof = `${BASE_URL}/unit/${unit.id}/registration-proof`
    expect(body.registration).toMatchObject({ state: 'REGISTERED', reason: null, hash: body.hash, proof })
    const answer = await fetch(`${gateway.origin}/unit/${unit.id}/registration-proof`)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PROOF)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="registration-proof.pdf"')
    // It is the unit's alone.
    expect((await read(passport.id)).registration).toBeNull()
    expect(await resolved(passport.id)).not.toHaveProperty('registration')
    for (const other of [`/passport/${unit.id}`, `/unit/${passport.id}`, `/passport/${passport.id}`]) {
      expect((await gateway.request('GET', `${other}/registration-proof`)).status).toBe(404)
    }
    expect((await auditOf(gateway, workspace.id, unit.id)).map(({ action }) => action)).toContain(
      'registration.requested',
    )
  })

  test.each(['DECOMMISSIONED', 'WASTE', 'RECYCLED'] as const)('%s is told as deactivated', async (status) => {
    const { unit } = await registeredUnit()
    await units().setStatus(unit.id, status)
    await until(() => toldOf(unit).length).toBe(2)
    expect(toldOf(unit)[1]?.entry).toMatchObject({ upi: unit.digitalLinkUri, deactivated: true })
    await until(isCurrent(unit.id)).toBe(true)
  })

  test('that is measured, or moves to another status of use, is no news', async () => {
    const { unit } = await registeredUnit()
    await units().measure(unit.id, 90, '2026-11-01T00:00:00Z')
    await units().setStatus(unit.id, 'REUSED')
    const open = `select 1 from pgboss.job where name = 'registration' and state < 'completed' and data ->> 'unitId' = $1`
    await until(() => gateway.sql(open, [unit.id])).toEqual([])
    expect(toldOf(unit)).toHaveLength(1)
    expect(await isCurrent(unit.id)()).toBe(true)
  })

  test('that becomes another by a successor is told where that is news', async () => {
    const { passport, unit } = await registeredUnit()
    await units().setStatus(unit.id, 'DECOMMISSIONED')
    await until(() => toldOf(unit).length).toBe(2)
    await units().given(passport.id, { predecessorUnitId: unit.id, predecessorStatus: 'REPURPOSED' })
    await until(() => toldOf(unit).length).toBe(3)
    expect(toldOf(unit)[2]?.entry).toMatchObject({ deactivated: false })
  })

  test('follows the passport of its product, which itself is not registered', async () => {
    const { passport, unit } = await registeredUnit()
    const json = { metadata: whole({ commodityCode: '61099020' }), changeReason: 'Wrong code' }
    expectStatus(200, await passports.revise(passport.id, json))
    await until(() => toldOf(unit).length).toBe(2)
    expect(toldOf(unit)[1]?.entry).toMatchObject({ commodityCode: '61099020', granularityLevel: 'ITEM' })
    await until(isCurrent(unit.id)).toBe(true)
    expect(toldOf(passport)).toEqual([])
  })

  test('of a passport that would be refused is refused with its checks, and nothing is kept', async () => {
    const { id } = await passports.given()
    const unit = await units().given(id)
    const { status, body } = await gateway.request('POST', path(unit.id), { headers: workspace.as })
    expect([status, body.code]).toEqual([409, 'REGISTRATION_CHECKS_FAILED'])
    expect(body.message).toContain('would refuse the unit')
    expect((await readUnit(unit.id)).registration).toBeNull()
  })

  test('is neither read nor registered by another workspace, nor under the address of a passport', async () => {
    const { passport, unit } = await registeredUnit()
    const { as } = await createWorkspace(gateway)
    for (const method of ['GET', 'POST']) {
      expect((await gateway.request(method, path(unit.id), { headers: as })).status).toBe(404)
      expect((await gateway.request(method, path(passport.id), { headers: workspace.as })).status).toBe(404)
      const asPassport = `/api/v1/passports/${unit.id}/registration`
      expect((await gateway.request(method, asPassport, { headers: workspace.as })).status).toBe(404)
    }
    const file = `/api/v1/registry-entries?ids=${unit.id}`
    expect((await gateway.request('GET', file, { headers: as })).status).toBe(404)
  })

  test('is in a file beside passports', async () => {
    const passport = await given()
    const unit = await units().given(passport.id)
    const file = `/api/v1/registry-entries?ids=${unit.id},${passport.id}`
    const { body } = expectStatus(200, await without.request('GET', file, { headers: workspace.as }))
    expect(body.map(({ upi, granularityLevel }: Record<string, string>) => [upi, granularityLevel])).toEqual([
      [unit.digitalLinkUri, 'ITEM'],
      [passport.digitalLinkUri, 'MODEL'],
    ])
  })
})

test('a facility that is deleted is news: what is registered from there fails, and is told', async () => {
  const passport = await registered()
  const { body } = await gateway.request('GET', '/api/v1/facilities', { headers: workspace.as })
  const facility = body.facilities.find(({ gln }: { gln: string }) => gln === passport.gln)
  expectStatus(200, await gateway.request('DELETE', `/api/v1/facilities/${facility.id}`, { headers: workspace.as }))
  await until(() => stateOf(passport.id)).toBe('FAILED')
  const { registration } = await read(passport.id)
  expect(registration.reason).toContain('facilityId')
  expect(registration.identifier).not.toBeNull()
  expect((await toldFailures(passport.id)).length).toBe(1)
})

describe('what speaks against a registration', () => {
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

describe('a registry that misbehaves', () => {
  test.each([
    ['sends too much', 'The answer has more than'],
    ['redirects', 'answered 307'],
    ['sends no JSON', 'without a registration identifier'],
    ['sends JSON of another kind', 'without a registration identifier'],
    ['fails', 'answered 500'],
  ] as const)('%s: it is asked again, and the reason is shown', async (mode, reason) => {
    registry.mode = mode
    const passport = await given()
    expectStatus(202, await ask(passport.id))
    await until(async () => (await read(passport.id)).registration.reason).toContain(reason)
    expect(await stateOf(passport.id)).toBe('PENDING')
    registry.mode = 'well'
    await untilHurried(passport.id, () => stateOf(passport.id)).toBe('REGISTERED')
    expect((await read(passport.id)).registration.reason).toBeNull()
    expect(registry.asked).not.toContain('POST /elsewhere')
  })

  test('one that fails once is asked again by itself', async () => {
    registry.mode = 'fails once'
    const passport = await given()
    expectStatus(202, await ask(passport.id))
    await untilHurried(passport.id, () => stateOf(passport.id)).toBe('REGISTERED')
    expect(toldOf(passport)).toHaveLength(2)
    expect(toldOf(passport)[1]).toEqual(toldOf(passport)[0])
    expect((await read(passport.id)).registration.reason).toBeNull()
    expect(await toldFailures(passport.id)).toEqual([])
  })

  test.each([
    ['refuses the credentials', 'The registry answered 401: who are you?'],
    ['forbids it', 'The registry answered 403: not you'],
  ] as const)('one that %s is not asked again, and that is told', async (mode, reason) => {
    registry.mode = mode
    const passport = await given()
    expectStatus(202, await ask(passport.id))
    await until(() => stateOf(passport.id)).toBe('FAILED')
    const told = `${reason} Whoever runs this gateway has to correct REGISTRY_TOKEN.`
    expect((await read(passport.id)).registration.reason).toBe(told)
    expect((await toldFailures(passport.id)).map(({ message }) => message)).toEqual([expect.stringContaining(told)])
    expect(toldOf(passport)).toHaveLength(1)
    const open = `select 1 from pgboss.job where name = 'registration' and state < 'completed' and data ->> 'passportId' = $1`
    await until(() => gateway.sql(open, [passport.id])).toEqual([])
    // Once it has been corrected it is asked for anew.
    registry.mode = 'well'
    expectStatus(202, await ask(passport.id))
    await until(() => stateOf(passport.id)).toBe('REGISTERED')
  })

  test('one that is slow with a passport holds up no other', async () => {
    const slow = await given()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    registry.before = async () => {
      if (registry.told.at(-1)?.entry.upi === slow.digitalLinkUri) await released
    }
    expectStatus(202, await ask(slow.id))
    await until(() => toldOf(slow).length).toBe(1)
    await registered()
    expect(await stateOf(slow.id)).toBe('PENDING')
    release()
    await until(() => stateOf(slow.id)).toBe('REGISTERED')
  })

  test('one that never answers is given up, and asked again', async () => {
    registry.mode = 'is slow'
    const { id } = await given()
    expectStatus(202, await ask(id))
    await until(async () => (await read(id)).registration.reason).toContain('no whole answer')
    expect(await stateOf(id)).toBe('PENDING')
    registry.mode = 'well'
    await untilHurried(id, () => stateOf(id)).toBe('REGISTERED')
  })

  test('the last attempt that fails is told', async () => {
    registry.mode = 'fails'
    const { id } = await given()
    expectStatus(202, await ask(id))
    await until(async () => (await read(id)).registration.reason).toContain('500')
    const last = () => hurry(gateway, REGISTRATIONS, { passportId: id }, 'retry_count = retry_limit - 1')
    await until(last).toBe(1)
    await until(() => stateOf(id)).toBe('FAILED')
  })

  test('one that knows the passport already has registered it', async () => {
    registry.mode = 'knows it'
    const { id } = await registered()
    expect((await read(id)).registration).toMatchObject({ state: 'REGISTERED', isCurrent: true, proof: null })
    registry.mode = 'knows it and does not say as what'
    // Asked anew, the identifier is the one that it has given.
    const { identifier } = (await read(id)).registration
    expectStatus(202, await ask(id))
    await until(() => stateOf(id)).toBe('REGISTERED')
    expect((await read(id)).registration.identifier).toBe(identifier)
    const unknown = await given()
    expectStatus(202, await ask(unknown.id))
    await until(() => stateOf(unknown.id)).toBe('FAILED')
  })

  test('a secret that it repeats is shown to nobody', async () => {
    registry.mode = 'refuses and repeats the secret'
    const { id } = await given()
    expectStatus(202, await ask(id))
    await until(() => stateOf(id)).toBe('FAILED')
    const { registration } = await read(id)
    expect(registration.reason).toBe('The registry answered 422.')
    const { text } = await gateway.request('GET', '/api/v1/notifications', { headers: workspace.as })
    expect(text).toContain('The registry answered 422.')
    expect(text).not.toContain(TOKEN)
    // Not even where the queue keeps why a job has failed.
    const rows = await gateway.sql(`select output::text, data::text from pgboss.job where name = 'registration'`)
    expect(JSON.stringify(rows)).not.toContain(TOKEN)
  })

  test('a passport that changes while it is told is told once more', async () => {
    const passport = await given()
    let isFirst = true
    registry.before = async () => {
      if (!isFirst) return
      isFirst = false
      const json = { metadata: whole({ size: 'L' }), changeReason: 'Meanwhile' }
      expectStatus(200, await passports.revise(passport.id, json))
    }
    expectStatus(202, await ask(passport.id))
    await until(() => toldOf(passport).length).toBe(2)
    await until(async () => (await read(passport.id)).registration.isCurrent).toBe(true)
    expect((await resolved(passport.id)).registration.hash).toBe((await read(passport.id)).hash)
  })
})

describe('several gateways with one registry', () => {
  test('two tell it of each passport once, also where both are asked at once', async () => {
    const second = await startTestGateway({
      DATABASE_URL: gateway.databaseUrl,
      REGISTRY_URL: registry.url,
      REGISTRY_TOKEN: TOKEN,
    })
    try {
      const several = []
      for (let made = 0; made < 6; made += 1) several.push(await given())
      const askedAt = (place: number) => (place % 2 === 0 ? gateway : second)
      const answers = await Promise.all(several.map(({ id }, place) => ask(id, { at: askedAt(place) })))
      expect(answers.map(({ status }) => status)).toEqual(several.map(() => 202))
      for (const { id } of several) await until(() => stateOf(id)).toBe('REGISTERED')
      expect(several.map((passport) => toldOf(passport).length)).toEqual(several.map(() => 1))

      const one = await given()
      const both = await Promise.all([ask(one.id), ask(one.id, { at: second })])
      expect(both.map(({ status }) => status)).toEqual([202, 202])
      const open = `select 1 from pgboss.job where name = 'registration' and state < 'completed' and data ->> 'passportId' = $1`
      await until(() => gateway.sql(open, [one.id])).toEqual([])
      const { registration } = await read(one.id)
      expect(registration).toMatchObject({ state: 'REGISTERED', isCurrent: true })
      expect(await read(one.id, second)).toEqual(await read(one.id))
      expect(new Set(toldOf(one).map(({ entry }) => JSON.stringify(entry))).size).toBe(1)
    } finally {
      await second.close()
    }
  })
})

describe('the file to upload', () => {
  const download = (ids: readonly string[], format: string) =>
    without.request('GET', `/api/v1/registry-entries?ids=${ids}&format=${format}`, { headers: workspace.as })

  test('has the entries in the order asked for, as JSON and as XML that says the same', async () => {
    const url = 'https://copies.example/?a=1&b=2#c'
    const first = await given({ metadata: whole({ backup: { url } }) })
    const second = await given()
    const ids = [second.id, first.id]
    const json = expectStatus(200, await download(ids, 'json'))
    expect(json.headers['content-disposition']).toBe('attachment; filename="registry-entries.json"')
    expect(json.body.map(({ upi }: { upi: string }) => upi)).toEqual([second.digitalLinkUri, first.digitalLinkUri])
    const xml = expectStatus(200, await download(ids, 'xml'))
    expect(xml.headers['content-type']).toContain('application/xml')
    const flat = json.body.map((entry: object) => Object.entries(entry).map(([name, value]) => [name, String(value)]))
    expect(readXml(xml.text)).toEqual(flat)
  })

  test('is refused for one passport that would be, which is named with its reason', async () => {
    const good = await given()
    const bad = await given({ metadata: whole({ commodityCode: undefined }) })
    const { status, body } = await download([good.id, bad.id], 'xml')
    expect(status).toBe(409)
    expect(body.errors).toEqual([expect.stringContaining(`${bad.id}: COMMODITY_CODE: Add the commodity code`)])
  })

  test.each(['', 'x', Array(101).fill('3f0c6a52-0000-4000-8000-000000000001').join()])(
    'is of 1 to 100 passports',
    async (ids) => {
      expect((await download([ids], 'json')).status).toBe(400)
    },
  )
})

/** Members of each entry, read by Python's parser. */
function readXml(text: string): string[][][] {
  const program = `import json, sys, xml.etree.ElementTree as t
print(json.dumps([[[m.tag, m.text] for m in e] for e in t.fromstring(sys.stdin.buffer.read())]))`
  return JSON.parse(execFileSync('python3', ['-c', program], { input: text }).toString())
}
