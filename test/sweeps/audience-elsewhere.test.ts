import { afterAll, describe, expect, test } from 'vitest'
import {
  assertNoLeak,
  assertWhole,
  canary,
  contentOf,
  HEALTH,
  MEASURED,
  metadataOf,
  useAudienceMatrix,
} from '../support/audience-matrix.ts'
import { bearer } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

// Audiences outside of the matrix of audience-matrix.test.ts: after a switch, in headers, lists and events.

const { gateway, plain, keepApart, world, readersIn, given } = await useAudienceMatrix()
const receiver = await startReceiver()
afterAll(() => receiver.close())

test('a switch of strictness applies immediately, also in stored forms, and back again', async () => {
  const of = await world()
  const passportId = await given(of, 'batteries', 'ACTIVE', true)
  const { id: unitId } = await of.units.given(passportId)
  await of.units.measure(unitId, HEALTH, '2026-01-01T00:00:00.000Z', { note: 'canary-payload' })
  const { representations } = gateway.container.cradle.plugins
  for (const isStrict of [false, true, false, true]) {
    await keepApart(of, isStrict)
    const reader = isStrict ? 'strictAuthority' : 'authority'
    for (const { name, mediaTypes, renderUnit } of representations) {
      for (const path of [`/passport/${passportId}`, ...(renderUnit === undefined ? [] : [`/unit/${unitId}`])]) {
        const at = `${path} ${reader} ${name}`
        const answer = await gateway.request('GET', path, {
          headers: { ...of.readers.authority, accept: mediaTypes[0] },
        })
        expect([at, answer.status]).toEqual([at, 200])
        const content = await contentOf(answer)
        assertNoLeak(content, reader, 'batteries', at)
        if (isStrict) for (const measured of MEASURED) expect(content, at).not.toContain(measured)
        // The credential of a unit repeats no data of its model.
        const isWhole = name === 'jsonld' || (name === 'sd-jwt-vc' && !path.startsWith('/unit/'))
        if (isWhole) assertWhole(content, reader, 'batteries', at)
      }
    }
  }
})

test('the header names the audience next to the tier', async () => {
  const id = await given(plain, 'batteries', 'ACTIVE', false)
  const answers = await Promise.all(
    readersIn(plain).map(async ([reader, headers]) => {
      const answer = await gateway.request('GET', `/passport/${id}`, { headers })
      return [reader, answer.headers['x-access-tier'], answer.headers['x-access-audience']]
    }),
  )
  expect(answers).toEqual([
    ['anonymous', 'public', undefined],
    ['legitimateInterest', 'restricted', 'legitimateInterest'],
    ['authority', 'restricted', 'authority'],
    ['owner', 'owner', undefined],
  ])
})

describe('other places', () => {
  /** A role without full read permission gets the public view. */
  const asAdministrator = async () => {
    const { key } = await gateway.container.cradle.workspaces.createKey({
      workspaceId: plain.workspace.id,
      role: 'TENANT_ADMIN',
    })
    return bearer(key)
  }

  test('in the list, in the history, of earlier versions and in answers to writes', async () => {
    const id = await given(plain, 'batteries', 'ACTIVE', true)
    const administrator = await asAdministrator()
    const metadata = metadataOf('batteries', { color: 'blue' })
    const revised = await plain.passports.revise(id, { metadata, changeReason: 'Misspelt' })
    expect(revised.status).toBe(200)
    assertNoLeak(await contentOf(revised), 'anonymous', 'batteries', 'revision')
    for (const [reader, as] of [
      ['owner', plain.readers.owner],
      ['anonymous', administrator],
    ] as const) {
      const caller = passportClient(gateway, as)
      for (const [name, answer] of [
        ['list', await caller.list('?limit=100')],
        ['history', await caller.history(id)],
      ] as const) {
        expect([name, answer.status]).toEqual([name, 200])
        // Neither contains addresses of facilities.
        const content = await contentOf(answer)
        if (reader === 'anonymous') assertNoLeak(content, reader, 'batteries', name)
        else expect(content, name).toContain(name === 'list' ? canary('complianceEvidence') : 'blue')
      }
    }
    for (const [reader, headers] of readersIn(plain)) {
      for (const query of ['?version=1', '?version=2']) {
        const answer = await gateway.request('GET', `/passport/${id}${query}`, { headers })
        const at = `${reader} ${query}`
        expect([at, answer.status]).toEqual([at, 200])
        assertNoLeak(await contentOf(answer), reader, 'batteries', at)
      }
    }
  })

  test('a change of a hidden value is not a change in the history of readers without access', async () => {
    const id = await given(plain, 'batteries', 'ACTIVE', false)
    const { metadata } = (await plain.passports.get(id)).body
    await plain.passports.update(id, { metadata: { ...metadata, testReportReferences: ['canary-other'] } })
    const { text, body } = await passportClient(gateway, await asAdministrator()).history(id)
    expect(text).not.toContain('canary')
    expect(body.versions[0].changes).toEqual([])
    expect((await plain.passports.history(id)).text).toContain('canary-other')
  })

  test('in events to receivers', async () => {
    const webhooks = webhookClient(gateway, plain.workspace.as)
    const { secret } = await webhooks.given(receiver.url)
    receiver.verifyWith(secret)
    const id = await given(plain, 'batteries', 'RECALLED', true)
    await expect.poll(() => receiver.received.filter(({ text }) => text.includes(id)).length).toBeGreaterThanOrEqual(2)
    for (const { text, body } of receiver.received) {
      assertNoLeak(text, 'anonymous', 'batteries', body.type)
    }
  })
})
