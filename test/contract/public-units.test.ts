import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { PUBLIC_CACHING } from '../support/answer-rules.ts'
import type { Answer } from '../support/contract-client.ts'
import { BASE_URL, bearer, createWorkspace, newGln, newGtin, type TestWorkspace } from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)
const bound = { timeout: 10_000, interval: 20 }

let productId: string
let passport: { id: string }
let unit: { id: string; serialNumber: string }

beforeEach(async () => {
  productId = newGtin()
  passport = await passports.given({ productId, metadata: battery() })
  unit = await units.given(passport.id)
})

const read = (id: string, headers: Record<string, string> = {}, query = '') =>
  gateway.request('GET', `/unit/${id}${query}`, { headers })

const granted = async (json: object, by: TestWorkspace = workspace): Promise<string> => {
  const grant = { granteeName: 'Repair Ltd', expiresAt: inDays(1), ...json }
  const answer = await gateway.request('POST', '/api/v1/grants', { headers: by.as, json: grant })
  return expectStatus(201, answer).body.token
}
const toUnit = (batteryUnitId: string) => granted({ scopeType: 'UNIT', batteryUnitId })

/** Response of an absent address. */
const NOTHING = { error: 'Not Found', message: 'No public battery unit at this address.' }
const shownAs = ({ status, headers, body }: Answer) => [
  status,
  headers['x-access-tier'],
  body.restrictedData === undefined,
  body.dynamicData !== undefined,
]
const PUBLIC = [200, 'public', false, false]
const RESTRICTED = [200, 'restricted', true, true]

describe('a unit in public', () => {
  test('is shown with its product, and says why nothing more', async () => {
    await units.measure(unit.id, 97.5, '2026-10-01T00:00:00.000Z')
    const { status, headers, body, text } = await read(unit.id)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'x-access-tier': 'public',
      'cache-control': PUBLIC_CACHING,
      vary: 'Accept, Authorization',
      'access-control-allow-origin': '*',
      'content-type': 'application/ld+json',
    })
    const link = `${BASE_URL}/01/${productId}/21/${unit.serialNumber}`
    expect(body).toMatchObject({
      '@type': 'BatteryUnit',
      '@id': link,
      id: unit.id,
      serialNumber: unit.serialNumber,
      digitalLinkUri: link,
      status: 'IN_SERVICE',
      repurposedFrom: null,
      successorUnits: [],
      restrictedData: {
        reason: 'LEGITIMATE_INTEREST_REQUIRED',
        reference: 'Regulation (EU) 2023/1542, Annex XIII(2)-(4)',
        howToRequest: `/request-access?unit=${unit.id}`,
      },
    })
    expect(body.ofModel).toEqual((await gateway.request('GET', `/passport/${passport.id}`)).body)
    for (const name of ['currentState', 'dynamicData']) expect(body).not.toHaveProperty(name)
    expect(text).not.toContain('97.5')
    expect(await read(unit.id.toUpperCase())).toMatchObject({ status: 200, text })
  })

  test('is absent if no unit has the id', async () => {
    for (const id of [randomUUID(), passport.id, 'x', `${unit.id}x`, `${unit.id}%20`, "'", '%F0%9F%98%80'])
      for (const headers of [{}, workspace.as]) {
        const { status, body } = await read(id, headers)
        expect([id, status, body]).toEqual([id, 404, NOTHING])
      }
  })

  test('answers HEAD and what is known already without a body', async () => {
    const { headers } = await read(unit.id)
    for (const query of ['', '?x=1']) {
      const head = await gateway.request('HEAD', `/unit/${unit.id}${query}`)
      expect([head.status, head.headers.etag, head.text]).toEqual([200, headers.etag, ''])
      const known = await read(unit.id, { 'if-none-match': headers.etag ?? '' }, query)
      expect([known.status, known.text]).toEqual([304, ''])
    }
  })

  test('resolves what it was made of and what it has become (trap 93)', async () => {
    const first = await units.given(passport.id, { predecessorUnitId: unit.id })
    const other = await passports.given({ metadata: battery() })
    const second = await units.given(other.id, { predecessorUnitId: unit.id })
    const reference = (productId: string, { id, serialNumber }: typeof unit) => ({
      unitId: id,
      serialNumber,
      digitalLinkUri: `${BASE_URL}/01/${productId}/21/${serialNumber}`,
      unitUrl: `/unit/${id}`,
    })
    const [was, is] = [reference(productId, unit), [reference(productId, first), reference(other.productId, second)]]
    for (const headers of [{}, bearer(await toUnit(unit.id)), workspace.as]) {
      const { body } = await read(unit.id, headers)
      expect([body.status, body.repurposedFrom, body.successorUnits]).toEqual(['REPURPOSED', null, is])
    }
    expect((await read(first.id)).body).toMatchObject({ repurposedFrom: was, successorUnits: [] })
    expect((await read(second.id)).body).toMatchObject({ repurposedFrom: was, successorUnits: [] })
    expect((await read(first.id)).body.repurposedFrom).toEqual(was)
  })

  test('does not tell of the units of a draft, and tells of them when it is published', async () => {
    const other = await passports.given({ metadata: battery() })
    const successor = await units.given(other.id, { predecessorUnitId: unit.id })
    const successors = async () =>
      (await read(unit.id)).body.successorUnits.map((one: { unitId: string }) => one.unitId)
    const predecessor = async () => (await read(successor.id)).body.repurposedFrom?.unitId
    expect([await successors(), await predecessor()]).toEqual([[successor.id], unit.id])
    await passports.update(other.id, { metadata: {}, draft: true })
    await expect.poll(successors, bound).toEqual([])
    await passports.update(other.id, { metadata: battery() })
    await expect.poll(successors, bound).toEqual([successor.id])
    await passports.update(passport.id, { metadata: {}, draft: true })
    await expect.poll(predecessor, bound).toBeUndefined()
  })

  test('forgets a unit that is gone', async () => {
    const first = await units.given(passport.id, { predecessorUnitId: unit.id })
    for (const _ of [1, 2]) expect((await read(unit.id)).body.successorUnits).toHaveLength(1)
    for (const _ of [1, 2]) expect((await read(first.id)).status).toBe(200)
    await units.remove(first.id)
    expect((await read(unit.id)).body.successorUnits).toEqual([])
    expect((await read(first.id)).status).toBe(404)
    const second = await units.given(passport.id, { predecessorUnitId: unit.id })
    for (const _ of [1, 2]) expect((await read(second.id)).body.repurposedFrom.unitId).toBe(unit.id)
    await units.remove(unit.id)
    expect((await read(second.id)).body.repurposedFrom).toBeNull()
  })
})

describe('measurements', () => {
  test('is shown with a grant and to the owner, newest first, with the product in the same tier', async () => {
    const times = Array.from({ length: 3 }, (_, day) => `2026-0${day + 1}-01T00:00:00.000Z`)
    for (const [index, time] of [...times].reverse().entries()) await units.measure(unit.id, 90 - index, time, [index])
    const token = await granted({ scopeType: 'PASSPORT', passportId: passport.id })
    for (const [headers, tier] of [
      [bearer(token), 'restricted'],
      [workspace.as, 'owner'],
    ] as const) {
      const answer = await read(unit.id, headers)
      expect(answer.headers).toMatchObject({ 'x-access-tier': tier, 'cache-control': 'private, no-store' })
      expect(answer.headers['referrer-policy']).toBe('no-referrer')
      expect(answer.body.dynamicData.map((event: { recordedAt: string }) => event.recordedAt)).toEqual(times.reverse())
      times.reverse()
      expect(answer.body.dynamicData[0]).toEqual({
        '@type': 'BatteryUnitEvent',
        eventType: 'SOH_MEASUREMENT',
        stateOfHealth: 90,
        cycleCount: null,
        remainingCapacityAh: null,
        temperatureC: null,
        payload: [0],
        recordedAt: times[2],
      })
      expect(answer.body).not.toHaveProperty('restrictedData')
      expect(answer.body.currentState).not.toBeNull()
      const { body } = await gateway.request('GET', `/passport/${passport.id}`, { headers })
      expect(answer.body.ofModel).toEqual(body)
      expect(answer.body.ofModel.detailedPerformance).toEqual({ ratedCapacity: { value: 94, unit: 'Ah' } })
    }
  })

  test('shows in the next answer, and moves neither the public document nor its tag', async () => {
    const token = await toUnit(unit.id)
    const before = await read(unit.id)
    for (const [index, health] of [99, 98, 97].entries()) {
      await units.measure(unit.id, health, `2026-01-0${index + 1}T00:00:00.000Z`)
      for (const headers of [bearer(token), workspace.as]) {
        const { currentState, dynamicData } = (await read(unit.id, headers)).body
        expect([currentState.stateOfHealth, dynamicData.length]).toEqual([health, index + 1])
      }
      expect(await read(unit.id)).toMatchObject({ text: before.text, headers: { etag: before.headers.etag } })
    }
  })

  test('is shown 500 times at most', async () => {
    const days = Array.from({ length: 502 }, (_, day) => ({
      unitId: unit.id,
      eventType: 'CHARGE_CYCLE',
      cycleCount: day,
      recordedAt: new Date(Date.now() - day * 86_400_000).toISOString(),
    }))
    expectStatus(201, await units.recordAll(days))
    const { dynamicData } = (await read(unit.id, workspace.as)).body
    expect(dynamicData.map((event: { cycleCount: number }) => event.cycleCount)).toEqual([...Array(500).keys()])
  })
})

describe('a grant', () => {
  test('for a unit opens that unit alone', async () => {
    const sibling = await units.given(passport.id)
    const token = await toUnit(unit.id)
    for (const ask of [
      (id: string) => read(id, bearer(token)),
      (id: string) => read(id, {}, `?grant=${token}`),
      (id: string) => read(id, { authorization: 'Bearer nobody' }, `?lang=de&grant=${token}`),
    ]) {
      expect(shownAs(await ask(unit.id))).toEqual(RESTRICTED)
      expect(shownAs(await ask(sibling.id))).toEqual(PUBLIC)
    }
    const { headers } = await gateway.request('GET', `/passport/${passport.id}`, { headers: bearer(token) })
    expect(headers['x-access-tier']).toBe('public')
  })

  test('for a passport or a workspace opens the units below it, and none of others', async () => {
    const other = await createWorkspace(gateway)
    const theirs = await passportClient(gateway, other.as).given({ metadata: battery() })
    const foreign = await unitClient(gateway, other.as).given(theirs.id)
    const second = await passports.given({ metadata: battery() })
    const aside = await units.given(second.id)
    const { grants } = gateway.container.cradle
    const authority = async (scope: string, target: string) =>
      (await grants.issueAuthority({ scope, target, expires: inDays(1) })).token
    const opens = async (token: string) => {
      const answers = await Promise.all([unit, aside, foreign].map(({ id }) => read(id, bearer(token))))
      return answers.map(({ headers }) => headers['x-access-tier'] === 'restricted')
    }
    expect(await opens(await granted({ scopeType: 'PASSPORT', passportId: passport.id }))).toEqual([true, false, false])
    expect(await opens(await granted({ scopeType: 'TENANT' }))).toEqual([true, true, false])
    expect(await opens(await granted({ scopeType: 'TENANT' }, other))).toEqual([false, false, true])
    expect(await opens(await authority('UNIT', unit.id))).toEqual([true, false, false])
    expect(await opens(await authority('UNIT', foreign.id.toUpperCase()))).toEqual([false, false, true])
    expect(await opens(await authority('PASSPORT', second.id))).toEqual([false, true, false])
    expect(await opens(await authority('TENANT', other.id))).toEqual([false, false, true])
  })

  test('a revoked or expired one opens nothing, immediately', async () => {
    const revoked = await toUnit(unit.id)
    const expired = await toUnit(unit.id)
    const shown = async () => [
      shownAs(await read(unit.id, bearer(revoked))),
      shownAs(await read(unit.id, bearer(expired))),
    ]
    expect(await shown()).toEqual([RESTRICTED, RESTRICTED])
    const { grants } = (await gateway.request('GET', '/api/v1/grants', { headers: workspace.as })).body
    const [last, first] = grants.filter((grant: { batteryUnitId: string }) => grant.batteryUnitId === unit.id)
    expect(
      (await gateway.request('DELETE', `/api/v1/grants/${first.id}`, { headers: workspace.as })).body.grant,
    ).toMatchObject({ scopeType: 'UNIT', status: 'REVOKED' })
    await gateway.sql(`update access_grant set expires_at = now() where id = $1`, [last.id])
    expect(await shown()).toEqual([PUBLIC, PUBLIC])
  })

  test('for a unit is issued for one of a published passport of the workspace alone', async () => {
    const other = await createWorkspace(gateway)
    const theirs = await passportClient(gateway, other.as).given({ metadata: battery() })
    const foreign = await unitClient(gateway, other.as).given(theirs.id)
    const draft = await passports.given({ metadata: battery(), draft: true })
    const hidden = await units.given(draft.id)
    const issue = (json: object) =>
      gateway.request('POST', '/api/v1/grants', {
        headers: workspace.as,
        json: { granteeName: 'R', scopeType: 'UNIT', expiresAt: inDays(1), ...json },
      })
    const wrong = [foreign.id, hidden.id, randomUUID(), passport.id, 'x', '', undefined, 5]
    for (const batteryUnitId of wrong) {
      const { status, body } = await issue({ batteryUnitId, passportId: passport.id })
      expect([batteryUnitId, status, body]).toEqual([
        batteryUnitId,
        404,
        { error: 'Not Found', message: 'Battery unit not found' },
      ])
    }
    const { body } = expectStatus(201, await issue({ batteryUnitId: unit.id.toUpperCase(), passportId: theirs.id }))
    expect(body.grant).toMatchObject({ scopeType: 'UNIT', batteryUnitId: unit.id, passportId: passport.id })
    const rows = (await gateway.request('GET', '/api/v1/grants', { headers: workspace.as })).body.grants
    expect(rows.find(({ id }: { id: string }) => id === body.grant.id)).toEqual(body.grant)
    const { grants } = gateway.container.cradle
    for (const target of [hidden.id, passport.id, randomUUID(), 'x'])
      await expect(grants.issueAuthority({ scope: 'UNIT', target, expires: inDays(1) })).rejects.toMatchObject({
        status: 404,
        message: `Published battery unit ${target} not found.`,
      })
  })

  test('for a unit is its operator’s, whose key issues, sees and uses no other', async () => {
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name: 'Second', regId: `REG-${newGtin()}` },
    })
    const operatorId: string = body.operator.id
    const theirs = await units.given((await passports.given({ metadata: battery(), operatorId })).id)
    const { key } = await gateway.container.cradle.workspaces.createKey({
      workspaceId: workspace.id,
      role: 'BRAND_OPERATOR',
      operatorId,
    })
    const issue = (batteryUnitId: string) =>
      gateway.request('POST', '/api/v1/grants', {
        headers: bearer(key),
        json: { granteeName: 'R', scopeType: 'UNIT', expiresAt: inDays(1), batteryUnitId },
      })
    expect((await issue(unit.id)).status).toBe(403)
    const { grant } = expectStatus(201, await issue(theirs.id)).body
    await toUnit(unit.id)
    const page = (await gateway.request('GET', '/api/v1/grants', { headers: bearer(key) })).body
    expect([page.total, page.grants]).toEqual([1, [grant]])
    const tiers = [await read(theirs.id, bearer(key)), await read(unit.id, bearer(key))]
    expect(tiers.map(({ headers }) => headers['x-access-tier'])).toEqual(['owner', 'public'])
  })

  test('for a unit goes with it', async () => {
    const token = await toUnit(unit.id)
    await units.remove(unit.id)
    const rows = await gateway.sql('select 1 from access_grant where battery_unit_id = $1', [unit.id])
    expect(rows).toEqual([])
    expect((await read(unit.id, bearer(token))).status).toBe(404)
  })
})

describe('a request for access to a unit', () => {
  const form = { granteeName: 'Repair Ltd', granteeEmail: 'repair@example.com', purpose: 'repair' }
  const ask = (query: string, more: object = {}) =>
    gateway.request('POST', `/request-access?${query}`, { form: { ...form, ...more } })
  const waiting = async () =>
    (await gateway.request('GET', '/api/v1/grants', { headers: workspace.as })).body.grants.filter(
      (grant: { passportId: string; status: string }) => grant.passportId === passport.id && grant.status === 'PENDING',
    )

  test('is made on the page that its document names, and its approval opens it', async () => {
    const { howToRequest } = (await read(unit.id)).body.restrictedData
    const page = await gateway.request('GET', howToRequest)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`action="?unit=${unit.id}&amp;lang=en"`)
    expect(page.text).toContain(`href="${BASE_URL}/unit/${unit.id}"`)
    expect((await ask(`unit=${unit.id}`)).status).toBe(201)
    const [request, ...others] = await waiting()
    expect(others).toEqual([])
    expect(request).toMatchObject({ scopeType: 'UNIT', batteryUnitId: unit.id, issuerType: 'REQUEST', ...form })
    const approval = { headers: workspace.as, json: { expiresAt: inDays(1) } }
    const { token } = (await gateway.request('POST', `/api/v1/grants/${request.id}/approve`, approval)).body
    expect(shownAs(await read(unit.id, bearer(token)))).toEqual(RESTRICTED)
    expect(
      (await gateway.request('GET', `/passport/${passport.id}`, { headers: bearer(token) })).headers,
    ).toMatchObject({ 'x-access-tier': 'public' })
  })

  test('is kept once for each unit, and ten of one address for all of a passport', async () => {
    const siblings = await Promise.all(Array.from({ length: 10 }, () => units.given(passport.id)))
    for (const query of [`unit=${unit.id}`, `unit=${unit.id}`, `passport=${passport.id}`, `unit=${unit.id}&passport=x`])
      expect((await ask(query)).status).toBe(201)
    expect(await waiting()).toHaveLength(2)
    for (const { id } of siblings) expect((await ask(`unit=${id}`)).status).toBe(201)
    expect(await waiting()).toHaveLength(10)
    await ask(`unit=${unit.id}`, { granteeEmail: 'another@example.com' })
    expect(await waiting()).toHaveLength(11)
  })

  test('is not made for what is not public', async () => {
    const draft = await passports.given({ metadata: battery(), draft: true })
    const hidden = await units.given(draft.id)
    const ceased = await units.given(passport.id, { status: 'RECYCLED' })
    for (const id of [hidden.id, ceased.id, randomUUID(), passport.id, 'x', ''])
      for (const answer of [await gateway.request('GET', `/request-access?unit=${id}`), await ask(`unit=${id}`)])
        expect([id, answer.status]).toEqual([id, 404])
    expect(await waiting()).toEqual([])
  })
})

describe('a draft', () => {
  test('hides its units from all but its owner', async () => {
    const token = await granted({ scopeType: 'TENANT' })
    const stranger = await createWorkspace(gateway)
    expect((await read(unit.id)).status).toBe(200)
    expect((await read(unit.id)).status).toBe(200)
    await passports.update(passport.id, { metadata: battery(), draft: true })
    const session = await gateway.container.cradle.workspaces.createSession({
      workspaceId: workspace.id,
      user: 'u@x.example',
      role: 'BRAND_OPERATOR',
      mfa: true,
    })
    const strangers: Record<string, string>[] = [{}, bearer(token), stranger.as, bearer(session.token)]
    for (const headers of [...strangers, { accept: 'application/vc+jwt' }]) {
      for (const id of [unit.id, randomUUID()]) {
        const { status, body } = await read(id, headers)
        expect([status, body]).toEqual([404, NOTHING])
        expect((await gateway.request('GET', `/credentials/unit/${id}`, { headers })).body).toEqual(NOTHING)
      }
    }
    const own = await read(unit.id, workspace.as)
    expect([own.status, own.headers['x-access-tier'], own.body.ofModel.status]).toEqual([200, 'owner', 'DRAFT'])
    await passports.update(passport.id, { metadata: battery() })
    expect((await read(unit.id)).status).toBe(200)
  })

  test('hides what is left of them', async () => {
    const draft = await passports.given({ metadata: battery(), draft: true })
    const ceased = await units.given(draft.id, { status: 'RECYCLED' })
    expect((await read(ceased.id)).body).toEqual(NOTHING)
    expect((await read(ceased.id, workspace.as)).status).toBe(410)
  })
})

describe('a unit that was recycled', () => {
  test('leaves a permanent notice for every reader in every form (trap 94)', async () => {
    await units.measure(unit.id, 80, '2026-01-01T00:00:00.000Z')
    const tokens = [await toUnit(unit.id), await granted({ scopeType: 'TENANT' })]
    const callers = [{}, workspace.as, ...tokens.map(bearer)]
    for (const headers of callers) expect((await read(unit.id, headers)).status).toBe(200)
    expect((await read(unit.id)).status).toBe(200)
    await units.setStatus(unit.id, 'RECYCLED')
    expect((await read(unit.id)).status).toBe(410)
    const notice = (await read(unit.id)).body
    expect(notice).toEqual({
      '@context': [`${BASE_URL}/context/v1`, expect.any(Object)],
      '@type': 'BatteryUnit',
      '@id': `${BASE_URL}/01/${productId}/21/${unit.serialNumber}`,
      id: unit.id,
      serialNumber: unit.serialNumber,
      status: 'RECYCLED',
      ceasedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      notice: expect.any(String),
      ofModelUrl: `/passport/${passport.id}`,
    })
    const { representations } = gateway.container.cradle.plugins
    for (const status of [undefined, 'IN_SERVICE', 'REUSED', 'WASTE'] as const) {
      if (status !== undefined) await units.setStatus(unit.id, status)
      for (const headers of callers) {
        for (const { mediaTypes, renderCeasedUnit } of representations) {
          const accepts = [...mediaTypes, `${mediaTypes[0]};profile="none"`]
          for (const accept of accepts) {
            const answer = await read(unit.id, { ...headers, accept })
            expect([accept, answer.status]).toEqual([accept, 410])
            if (renderCeasedUnit === undefined) expect(answer.body).toEqual(notice)
            else expect(answer.headers['content-type']).toContain(mediaTypes[0])
            expect(answer.text).not.toMatch(/restrictedData|stateOfHealth/)
          }
        }
        for (const path of [`/credentials/unit/${unit.id}`, `/unit/${unit.id}?lang=de&x=1`]) {
          const answer = await gateway.request('GET', path, { headers: { ...headers, 'if-none-match': '*' } })
          expect([answer.status, answer.body]).toEqual([410, notice])
          expect(answer.headers['cache-control']).toBe('private, no-store')
          expect(answer.headers['access-control-allow-origin']).toBe('*')
        }
      }
    }
    const head = await gateway.request('HEAD', `/unit/${unit.id}`)
    expect([head.status, head.text]).toEqual([410, ''])
  })
})

describe('stored records', () => {
  const stored = async () =>
    (
      await gateway.sqlAs<{ kind: string }>(
        workspace.id,
        `select representation || ' ' || tier || ' ' || unit_version || ' ' || passport_version as kind from unit_rendition
         where unit_id = $1 order by 1`,
        [unit.id],
      )
    ).map(({ kind }) => kind)

  test('is what the public sees of a version of both, and nothing that was measured', async () => {
    const token = await toUnit(unit.id)
    expect(await stored()).toEqual([])
    for (const headers of [bearer(token), workspace.as]) await read(unit.id, headers)
    expect(await stored()).toEqual([])
    await read(unit.id)
    expect(await stored()).toEqual(['jsonld public 1 1'])
    await units.measure(unit.id, 90, '2026-01-01T00:00:00.000Z')
    await read(unit.id)
    expect(await stored()).toEqual(['jsonld public 1 1'])
    await passports.setStatus(passport.id, 'RECALLED')
    expect((await read(unit.id)).body.ofModel.status).toBe('RECALLED')
    expect(await stored()).toEqual(['jsonld public 1 2'])
    await units.setStatus(unit.id, 'WASTE')
    expect((await read(unit.id)).body.status).toBe('WASTE')
    expect(await stored()).toEqual(['jsonld public 2 2'])
  })

  test('is a credential too, once for each audience that it shows, and whatever is measured', async () => {
    const { body } = await gateway.request('POST', '/api/v1/facilities', {
      headers: workspace.as,
      json: { gln: newGln(), name: 'Works', country: 'PT' },
    })
    await passports.update(passport.id, { metadata: battery(), facilityId: body.facility.id })
    const token = await toUnit(unit.id)
    const callers = [{}, bearer(token), workspace.as]
    const seen = async (accept: string) => {
      const answers: string[] = []
      for (const headers of callers) {
        const answer = await read(unit.id, { ...headers, accept })
        expect([answer.status, answer.headers['content-type']]).toEqual([200, accept])
        answers.push(answer.text)
      }
      return answers
    }
    const first = [await seen('application/vc+jwt'), await seen('application/dc+sd-jwt')]
    expect([new Set(first[0]).size, new Set(first[1]).size]).toEqual([1, 3])
    await units.measure(unit.id, 90, '2026-01-01T00:00:00.000Z')
    expect([await seen('application/vc+jwt'), await seen('application/dc+sd-jwt')]).toEqual(first)
    expect(await stored()).toEqual([
      'sd-jwt-vc legitimateInterest 1 2',
      'sd-jwt-vc owner 1 2',
      'sd-jwt-vc public 1 2',
      'untp-vc-jwt public 1 2',
    ])
    await gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: workspace.as })
    const again = await read(unit.id, { accept: 'application/vc+jwt' })
    expect(again.text).not.toBe(first[0]?.[0])
  })
})

test('the access audit names the unit next to its passport, with only the network of the address', async () => {
  const token = await toUnit(unit.id)
  for (const headers of [{}, {}, {}, bearer(token), workspace.as]) await read(unit.id, headers)
  await read(unit.id, {}, '?x=1')
  await read(randomUUID())
  await gateway.request('GET', `/passport/${passport.id}`)
  await gateway.container.cradle.accessAudit.flush()
  const rows = await gateway.sqlAs(
    workspace.id,
    `select unit_id, representation, tier, network, sum(accesses)::int as accesses from access_audit
     where passport_id = $1 group by 1, 2, 3, 4 order by unit_id nulls first, tier`,
    [passport.id],
  )
  const row = { unit_id: unit.id, representation: 'jsonld', network: '127.0.0.0/24' }
  expect(rows).toEqual([
    { ...row, unit_id: null, tier: 'public', accesses: 1 },
    { ...row, tier: 'owner', accesses: 1 },
    { ...row, tier: 'public', accesses: 4 },
    { ...row, tier: 'restricted', accesses: 1 },
  ])
})
