import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifySealedPassport } from '../../src/verify/seal.ts'
import {
  createWorkspace,
  newGln,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { battery, eventsOf, expectStatus, passportClient } from '../support/passport-client.ts'
import { changedTables, tableDigests } from '../support/table-digests.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

let gateway: TestGateway
let second: TestGateway
let workspace: TestWorkspace
let passports: ReturnType<typeof passportClient>

beforeAll(async () => {
  gateway = await startTestGateway({ WEBHOOK_ALLOW_PRIVATE: 'on' })
  second = await startTestGateway({ DATABASE_URL: gateway.databaseUrl, WEBHOOK_ALLOW_PRIVATE: 'on' })
  workspace = await createWorkspace(gateway)
  passports = passportClient(gateway, workspace.as)
})
afterAll(() => Promise.all([gateway.close(), second.close()]))

const givenSealed = async (json: object = {}) => {
  const { id, productId } = await passports.given(json)
  expectStatus(200, await passports.seal(id))
  return { id: id as string, productId: productId as string }
}
const revision = (more: object = {}, metadata: object = textile({ size: 'L' })) => ({
  metadata,
  changeReason: 'Misspelt',
  ...more,
})
const holds = async (document: object) => {
  const sealCa = (await gateway.request('GET', '/.well-known/opendpp-seal-ca.pem')).text
  const { valid, checks } = await verifySealedPassport(JSON.stringify(document), { sealCa })
  expect([valid, checks.filter(({ ok }) => ok === false)]).toEqual([true, []])
}

describe('a revision', () => {
  test('replaces a sealed passport and seals it again', async () => {
    const { id } = await givenSealed({ metadata: battery() })
    const before = (await passports.get(id)).body
    const { body } = expectStatus(200, await passports.revise(id, revision({}, battery({ color: 'blue' }))))
    expect(body).toMatchObject({ success: true, message: expect.stringContaining('re-sealed') })
    expect(body.passport).toMatchObject({ color: 'blue', digitalSeal: body.digitalSeal, status: 'ACTIVE' })
    expect(body.digitalSeal).not.toBe(before.digitalSeal)
    expect(body.passport.updatedAt).toBe(body.passport.proof.created)
    await holds(body.passport)
    await holds((await passports.get(id)).body)
  })

  test('takes facility and enrichment as an update does', async () => {
    const { id } = await givenSealed()
    const json = { gln: newGln(), name: 'Works', country: 'PT' }
    const { facility } = (await gateway.request('POST', '/api/v1/facilities', { headers: workspace.as, json })).body
    const linked = await passports.revise(id, revision({ facilityId: facility.id, enrichment: { tagline: 'Soft' } }))
    expect(linked.body.passport.manufacturingFacility).toMatchObject({ id: facility.id, name: 'Works' })
    const revised = await passports.revise(id, revision())
    expect(revised.body.passport.manufacturingFacility).toMatchObject({ id: facility.id })
    const page = await gateway.request('GET', `/passport/${id}`, { headers: { accept: 'text/html' } })
    expect(page.text).toContain('Soft')
    expect((await passports.revise(id, revision({ facilityId: null }))).body.passport.manufacturingFacility).toBeNull()
    const unknown = await passports.revise(id, revision({ facilityId: newGln() }))
    expect([unknown.status, unknown.body.code]).toEqual([400, 'FACILITY_NOT_FOUND'])
  })

  test.each(['RECALLED', 'DECOMMISSIONED'])(
    'keeps a passport that is %s in its status, like an update',
    async (status) => {
      const { id } = await givenSealed()
      await passports.setStatus(id, status)
      expect(expectStatus(200, await passports.revise(id, revision())).body.passport.status).toBe(status)
    },
  )

  test('publishes a sealed draft', async () => {
    const { id } = await givenSealed({ draft: true })
    expect((await gateway.request('GET', `/passport/${id}`)).status).toBe(404)
    expect(expectStatus(200, await passports.revise(id, revision())).body.passport.status).toBe('ACTIVE')
    expect((await eventsOf(gateway, id)).slice(1).toSorted()).toEqual(['passport.ingested', 'passport.sealed'])
    // A draft was never published, sealed or not.
    expect((await gateway.request('GET', `/passport/${id}?version=1`)).status).toBe(404)
  })

  test('of a sealed draft needs quota in the plan', async () => {
    const full = await createWorkspace(gateway, { plan: 'scale' })
    const own = passportClient(gateway, full.as)
    const { id } = await own.given({ draft: true })
    expectStatus(200, await own.seal(id))
    await gateway.container.cradle.workspaces.set(full.id, { passportLimit: 0 })
    expect((await own.revise(id, revision())).body).toMatchObject({ code: 'passport_quota_exceeded' })
  })

  test('with a key is done once', async () => {
    const { id } = await givenSealed()
    const headers = { ...workspace.as, 'idempotency-key': newGtin() }
    const revise = () => gateway.request('POST', `/api/v1/passports/${id}/revisions`, { headers, json: revision() })
    const first = expectStatus(200, await revise())
    const again = expectStatus(200, await revise())
    expect(again.body).toEqual(first.body)
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
    expect((await passports.history(id)).body.count).toBe(2)
  })

  test('sends an update and a seal event to its subscribers', async () => {
    const receiver = await startReceiver()
    const webhooks = webhookClient(gateway, workspace.as)
    const { id: subscriptionId } = await webhooks.given(receiver.url)
    const { id } = await givenSealed()
    const { body } = expectStatus(200, await passports.revise(id, revision()))
    const sentEvents = () =>
      receiver.received
        .filter(({ body: event }) => event.data.digitalSeal === body.digitalSeal)
        .map(({ body: event }) => event)
    await expect
      .poll(
        () =>
          sentEvents()
            .map(({ type }) => type)
            .toSorted(),
        { timeout: 60_000 },
      )
      .toEqual(['passport.sealed', 'passport.updated'])
    for (const { data } of sentEvents()) expect(data).toEqual(body.passport)
    await webhooks.remove(subscriptionId)
    await receiver.close()
  })
})

describe('is refused', () => {
  test('for a passport that is not sealed, by the name of the way that is open', async () => {
    const { id } = await passports.given()
    const { status, body } = await passports.revise(id, revision())
    expect([status, body.code]).toEqual([409, 'PASSPORT_NOT_SEALED'])
    expect(body.message).toContain('PUT /api/v1/passports/{id}')
  })

  test('as an update of a sealed passport is, which names this way', async () => {
    const { id } = await givenSealed()
    const { status, body } = await passports.update(id, { metadata: textile() })
    expect([status, body.code]).toEqual([403, 'PASSPORT_SEALED_IMMUTABLE'])
    expect(body.message).toContain('POST /api/v1/passports/{id}/revisions')
  })

  test.each([
    ['without a reason', { changeReason: undefined }],
    ['for a blank reason', { changeReason: '  ' }],
    ['for a reason of 501 characters', { changeReason: 'x'.repeat(501) }],
    ['for a reason that is no text', { changeReason: 5 }],
    ['as a draft', { draft: true }],
    ['without metadata', { metadata: undefined }],
    ['for metadata that is not valid', { metadata: { category: 'textiles' } }],
    ['for nothing to seal', { metadata: {} }],
  ])('%s', async (_, more) => {
    const { id } = await givenSealed()
    const before = await tableDigests(gateway, workspace.id)
    const { status, text } = await passports.revise(id, revision(more))
    expect([status, text]).toEqual([400, text])
    expect(changedTables(before, await tableDigests(gateway, workspace.id))).toEqual([])
  })

  test('and takes reasons of 500 characters', async () => {
    const { id } = await givenSealed()
    expectStatus(200, await passports.revise(id, revision({ changeReason: ` ${'x'.repeat(500)} ` })))
  })
})

describe('the passport is never visible unsealed', () => {
  test('while the signer fails, everything stays as it was', async () => {
    const { id } = await givenSealed()
    const before = await tableDigests(gateway, workspace.id)
    const { signer } = gateway.container.cradle
    const { sign } = signer
    signer.sign = () => Promise.reject(new Error('The signer is away.'))
    try {
      expect((await passports.revise(id, revision())).status).toBe(500)
    } finally {
      signer.sign = sign
    }
    expect(changedTables(before, await tableDigests(gateway, workspace.id))).toEqual([])
  })

  test('during fifty revisions, through either gateway and either lane', async () => {
    const { id } = await givenSealed({ metadata: textile({ size: '0' }) })
    let isOver = false
    const seen = new Set<string>()
    const poll = async (from: TestGateway, path: string) => {
      while (!isOver) {
        const { status, body } = await from.request('GET', path)
        expect([status, typeof body.digitalSeal]).toEqual([200, 'string'])
        // The seal covers the document it is shown with.
        if (!seen.has(body.digitalSeal)) await holds(body)
        seen.add(body.digitalSeal)
        await setImmediate()
      }
    }
    const readers = [gateway, second].flatMap((from) => [
      poll(from, `/passport/${id}`),
      poll(from, `/passport/${id}?pipeline=yes`),
    ])
    for (let size = 1; size <= 50; size += 1) {
      expectStatus(200, await passports.revise(id, revision({}, textile({ size: `${size}` }))))
    }
    isOver = true
    await Promise.all(readers)
    expect(seen.size).toBeGreaterThan(5)
    const { count, versions } = (await passports.history(id, '?limit=50')).body
    expect([count, versions[0].version]).toEqual([50, 51])
  })
})

test('concurrent revisions at two gateways: none is lost, and each seal is over its own', async () => {
  const { id } = await givenSealed({ metadata: textile({ size: 'first' }) })
  const clients = [gateway, second].map((each) => passportClient(each, workspace.as))
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      (clients[index % 2] as typeof passports).revise(id, revision({}, textile({ size: `${index}` }))),
    ),
  )
  for (const { status, body } of answers) {
    if (status === 409) expect(body.code).toBe('PASSPORT_BUSY')
    else expect(status).toBe(200)
  }
  const done = answers.filter(({ status }) => status === 200)
  expect(done.length).toBeGreaterThan(0)
  const { versions } = (await passports.history(id)).body
  expect(versions.map(({ version }: { version: number }) => version).toReversed()).toEqual(
    Array.from({ length: done.length + 1 }, (_, index) => index + 1),
  )
  const stored = await Promise.all(
    versions.map(async ({ version }: { version: number }) => {
      const { body } = await gateway.request('GET', `/passport/${id}?version=${version}`)
      await holds(body)
      return body.size
    }),
  )
  expect(stored.toSorted()).toEqual(['first', ...done.map(({ body }) => body.passport.size)].toSorted())
})

test('concurrent re-seals among revisions: each published one stays readable', async () => {
  const { id } = await givenSealed({ metadata: textile({ size: 'first' }) })
  const clients = [gateway, second].map((each) => passportClient(each, workspace.as))
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => {
      const client = clients[index % 2] as typeof passports
      return index < 4 ? client.seal(id) : client.revise(id, revision({}, textile({ size: `${index}` })))
    }),
  )
  for (const { status, text } of answers) expect([200, 409], text).toContain(status)
  const done = answers.filter(({ status }) => status === 200)
  expect(done.length).toBeGreaterThan(1)
  for (const { body } of done) {
    const read = await gateway.request('GET', `/passport/${id}?asOf=${body.passport.updatedAt}`)
    expect(read.text).toBe(JSON.stringify(body.passport))
  }
})
