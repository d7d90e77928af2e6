import { describe, expect, test } from 'vitest'
import { auditOf } from '../../../test/support/audit.ts'
import { BASE_URL, createWorkspace, newGtin, type TestWorkspace } from '../../../test/support/gateway.ts'
import { battery, expectStatus, passportClient } from '../../../test/support/passport-client.ts'
import { inDays } from '../../../test/support/sample-calls.ts'
import { unitClient } from '../../../test/support/unit-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)
const other = await createWorkspace(gateway)
const theirs = passportClient(gateway, other.as)

const post = ({ as }: TestWorkspace, path: string, json: object = {}) =>
  gateway.request('POST', `/api/v1${path}`, { headers: as, json })
const withdraw = (id: string, by = workspace) =>
  gateway.request('DELETE', `/api/v1/handovers/${id}`, { headers: by.as })
const accept = (json: object, by = other) => post(by, '/handovers/accept', json)
const readUnit = async (id: string) => (await gateway.request('GET', `/unit/${id}`)).body
const readPassport = async (id: string) => (await gateway.request('GET', `/passport/${id}`)).body

/** An offered unit, and a passport of the other workspace that may receive it. */
async function offered(terms: object = {}) {
  const model = await passports.given({ metadata: battery() })
  const unit = await units.given(model.id)
  const follower = await theirs.given({ metadata: battery() })
  const { body } = expectStatus(201, await post(workspace, `/units/${unit.id}/handover`, terms))
  const terms2 = { code: body.code, passportId: follower.id, serialNumber: 'SECOND-1', status: 'REPURPOSED' }
  return { model, unit, follower, offer: body, acceptance: terms2 }
}

describe('a unit that goes to another workspace', () => {
  test('gets a new record that leads to the old one, which stays and leads to it', async () => {
    const { model, unit, follower, offer, acceptance } = await offered()
    expect(offer).toEqual({
      success: true,
      id: expect.any(String),
      code: expect.stringMatching(/^dpp_handover_[\w-]{32}$/),
      expiresAt: expect.any(String),
    })
    expect((await readUnit(unit.id)).successorUnits).toEqual([])
    const { status, body } = await accept(acceptance)
    expect(status).toBe(201)
    const made = body.unit
    expect(made).toMatchObject({
      serialNumber: 'SECOND-1',
      status: 'REPURPOSED',
      passportId: follower.id,
      tenantId: other.id,
      predecessorUnitId: unit.id,
    })
    expect(body.link).toBeNull()
    const [before, after] = [await readUnit(unit.id), await readUnit(made.id)]
    expect(before.status).toBe('REPURPOSED')
    expect(before.successorUnits).toEqual([
      {
        unitId: made.id,
        serialNumber: 'SECOND-1',
        digitalLinkUri: `${BASE_URL}/01/${follower.productId}/21/SECOND-1`,
        unitUrl: `/unit/${made.id}`,
      },
    ])
    expect(after.repurposedFrom).toMatchObject({ unitId: unit.id, serialNumber: unit.serialNumber })
    expect([before.granularity, after.granularity]).toEqual(['item', 'item'])
    // The old record belongs to the old workspace, the only reader and writer.
    const { events } = (await units.events(unit.id)).body
    expect(events).toMatchObject([
      {
        eventType: 'STATUS_CHANGE',
        payload: { status: 'REPURPOSED', successorUnitId: made.id, successorSerial: 'SECOND-1' },
      },
    ])
    expect((await unitClient(gateway, other.as).events(unit.id)).status).toBe(404)
    expect((await units.events(made.id)).status).toBe(404)
    expect((await units.list(model.id)).body.units).toMatchObject([{ id: unit.id, tenantId: workspace.id }])
  })

  test('leaves entries in both trails, and tells the workspace that offered it', async () => {
    const { unit, offer, acceptance } = await offered()
    const { body } = await accept(acceptance)
    const actions = async (tenantId: string, subject: string) =>
      (await auditOf(gateway, tenantId, subject)).map(({ action }) => action)
    expect(await actions(workspace.id, unit.id)).toEqual([
      'batteryunit.created',
      'handover.offered',
      'handover.accepted',
    ])
    expect(await actions(other.id, body.unit.id)).toEqual(['batteryunit.created', 'handover.accepted'])
    const entry = (await auditOf(gateway, workspace.id, unit.id)).at(-1)
    expect(entry?.detail).toMatchObject({ handover: offer.id, successor: body.unit.id })
    const received = (await gateway.request('GET', '/api/v1/notifications', { headers: workspace.as })).body
      .notifications
    expect(received.find(({ subjectId }: { subjectId: string }) => subjectId === unit.id)?.type).toBe(
      'handover.accepted',
    )
    for (const { id } of [workspace, other]) {
      for await (const verdict of gateway.container.cradle.auditTrail.verify(id)) expect(verdict.faults).toEqual([])
    }
  })

  test('the code is shown once and kept as a hash', async () => {
    const { offer } = await offered()
    const rows = await gateway.sqlAs(workspace.id, 'select h::text as row from handover h')
    expect(JSON.stringify(rows)).not.toContain(offer.code)
    expect(JSON.stringify(await auditOf(gateway, workspace.id, offer.id))).not.toContain(offer.code)
  })
})

describe('an offer is refused', () => {
  const refused = async (json: object, by = other) => {
    const { status, body } = await accept(json, by)
    return [status, body.code]
  }

  test('a second time', async () => {
    const { acceptance } = await offered()
    expect((await accept(acceptance)).status).toBe(201)
    expect(await refused({ ...acceptance, serialNumber: 'SECOND-2' })).toEqual([409, 'HANDOVER_CLOSED'])
  })

  test('when it was withdrawn, or another took its place', async () => {
    const first = await offered()
    expect((await withdraw(first.offer.id, other)).status).toBe(404)
    expect((await withdraw(first.offer.id)).status).toBe(200)
    expect(await refused(first.acceptance)).toEqual([409, 'HANDOVER_CLOSED'])
    expect((await withdraw(first.offer.id)).body.code).toBe('HANDOVER_CLOSED')
    const second = await offered()
    await post(workspace, `/units/${second.unit.id}/handover`)
    expect(await refused(second.acceptance)).toEqual([409, 'HANDOVER_CLOSED'])
  })

  test('when it has expired', async () => {
    const { offer, acceptance } = await offered({ expiresAt: inDays(1) })
    await gateway.sqlAs(workspace.id, `update handover set expires_at = now() - interval '1 s' where id = $1`, [
      offer.id,
    ])
    expect(await refused(acceptance)).toEqual([409, 'HANDOVER_CLOSED'])
  })

  test('by its own workspace, and by one that it is not for', async () => {
    const own = await offered()
    const model = await passports.given({ metadata: battery() })
    expect(await refused({ ...own.acceptance, passportId: model.id }, workspace)).toEqual([403, 'HANDOVER_NOT_MEANT'])
    const third = await createWorkspace(gateway)
    const meant = await offered({ forWorkspaceId: third.id })
    expect(await refused(meant.acceptance)).toEqual([403, 'HANDOVER_NOT_MEANT'])
    const follower = await passportClient(gateway, third.as).given({ metadata: battery() })
    expect((await accept({ ...meant.acceptance, passportId: follower.id }, third)).status).toBe(201)
  })

  test('for an operator with another registration id than it names', async () => {
    const [{ regId = '' } = {}] = await gateway.sqlAs<{ regId: string }>(
      other.id,
      'select reg_id as "regId" from operator where id = $1',
      [other.operatorId],
    )
    const wrong = await offered({ forRegId: 'SOMEBODY-ELSE' })
    expect(await refused(wrong.acceptance)).toEqual([403, 'HANDOVER_NOT_MEANT'])
    const right = await offered({ forRegId: regId })
    expect((await accept(right.acceptance)).status).toBe(201)
  })

  test('once the battery has been recycled', async () => {
    const { unit, acceptance } = await offered()
    await units.record(unit.id, { eventType: 'STATUS_CHANGE', status: 'RECYCLED' })
    expect(await refused(acceptance)).toEqual([409, 'UNIT_CEASED'])
    const again = await post(workspace, `/units/${unit.id}/handover`)
    expect([again.status, again.body.code]).toEqual([409, 'UNIT_CEASED'])
  })

  test('with an unknown code, an absent or draft passport, and an invalid or used serial number', async () => {
    const { follower, acceptance } = await offered()
    for (const code of ['x', `dpp_handover_${'A'.repeat(32)}`]) {
      expect(await refused({ ...acceptance, code })).toEqual([404, 'HANDOVER_INVALID'])
    }
    const draft = await theirs.given({ draft: true })
    expect(await refused({ ...acceptance, passportId: draft.id })).toEqual([409, 'LINK_TARGET_DRAFT'])
    const foreign = await passports.given()
    expect((await accept({ ...acceptance, passportId: foreign.id })).status).toBe(404)
    expect((await accept({ ...acceptance, serialNumber: 'no spaces' })).status).toBe(400)
    expect((await accept({ ...acceptance, serialNumber: undefined })).status).toBe(400)
    await unitClient(gateway, other.as).given(follower.id, { serialNumber: 'SECOND-1' })
    expect(await refused(acceptance)).toEqual([409, 'UNIT_DUPLICATE'])
    // Failed attempts do not consume the offer.
    expect((await accept({ ...acceptance, serialNumber: 'SECOND-2' })).status).toBe(201)
  })

  test('for an end that is past or too far', async () => {
    const model = await passports.given({ metadata: battery() })
    const unit = await units.given(model.id)
    for (const expiresAt of ['2020-01-01', inDays(400), 'soon']) {
      expect((await post(workspace, `/units/${unit.id}/handover`, { expiresAt })).status).toBe(400)
    }
  })
})

describe('concurrently', () => {
  test('one of many acceptances of an offer succeeds, and the others leave nothing', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { unit, acceptance } = await offered()
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, n) => accept({ ...acceptance, serialNumber: `RACE-${n}` })),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
      expect((await readUnit(unit.id)).successorUnits).toHaveLength(1)
      expect((await units.events(unit.id)).body.count).toBe(1)
    }
  })

  test('one of acceptance and withdrawal succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { unit, offer, acceptance } = await offered()
      const [accepted, withdrawn] = await Promise.all([accept(acceptance), withdraw(offer.id)])
      expect([accepted.status, withdrawn.status]).toEqual(accepted.status === 201 ? [201, 409] : [409, 200])
      expect((await readUnit(unit.id)).successorUnits).toHaveLength(accepted.status === 201 ? 1 : 0)
    }
  })

  test('one of two offers of a unit is open', async () => {
    const model = await passports.given({ metadata: battery() })
    const unit = await units.given(model.id)
    const offers = await Promise.all([1, 2].map(() => post(workspace, `/units/${unit.id}/handover`)))
    expect(offers.map(({ status }) => status)).toEqual([201, 201])
    const follower = await theirs.given({ metadata: battery() })
    const answers = []
    for (const { body } of offers) {
      const { status } = await accept({ code: body.code, passportId: follower.id, serialNumber: body.id.slice(0, 18) })
      answers.push(status)
    }
    expect(answers.toSorted()).toEqual([201, 409])
  })
})

describe('a passport that another workspace follows on', () => {
  test.each([
    ['derivedFrom', 'sourceOf'],
    ['replaces', 'replacedBy'],
  ])('%s: both passports are linked, and both trails know', async (rel, inverse) => {
    const [old, next] = [await passports.given(), await theirs.given()]
    const { body } = expectStatus(201, await post(workspace, `/passports/${old.id}/handover`))
    const answer = await accept({ code: body.code, passportId: next.id, rel })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ unit: null, link: { rel, identifier: old.productId } })
    expect((await readPassport(next.id)).links).toMatchObject([{ rel, target: `${BASE_URL}/passport/${old.id}` }])
    expect((await readPassport(old.id)).links).toMatchObject([
      { rel: inverse, target: `${BASE_URL}/passport/${next.id}`, identifier: next.productId },
    ])
    expect((await auditOf(gateway, workspace.id, old.id)).map(({ action }) => action)).toEqual([
      'handover.offered',
      'handover.accepted',
    ])
    expect((await auditOf(gateway, other.id, next.id)).map(({ action }) => action)).toEqual(['handover.accepted'])
    const again = await accept({ code: body.code, passportId: next.id, rel })
    expect([again.status, again.body.code]).toEqual([409, 'HANDOVER_CLOSED'])
  })

  test('a draft is not offered', async () => {
    const draft = await passports.given({ draft: true })
    const { status, body } = await post(workspace, `/passports/${draft.id}/handover`)
    expect([status, body.code]).toEqual([409, 'LINK_TARGET_DRAFT'])
  })
})

test('review-3-security S4: a unit is not taken over below a prefix that a third workspace has claimed', async () => {
  const { acceptance, follower } = await offered()
  const gtin = newGtin()
  const claimed = await passportClient(gateway, other.as).given({ productId: gtin, metadata: battery() })
  const { companyPrefixes } = gateway.container.cradle
  await companyPrefixes.claim((await createWorkspace(gateway)).id, gtin.slice(1, 9))
  try {
    const { status, body } = await accept({ ...acceptance, passportId: claimed.id })
    expect([status, body.code]).toEqual([409, 'GTIN_PREFIX_CLAIMED'])
  } finally {
    await companyPrefixes.release(gtin.slice(1, 9))
  }
  // Nothing was stored: the offer is still open.
  expect((await accept({ ...acceptance, passportId: follower.id })).status).toBe(201)
})
