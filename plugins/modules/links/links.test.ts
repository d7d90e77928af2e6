import { describe, expect, test } from 'vitest'
import { auditOf } from '../../../test/support/audit.ts'
import { BASE_URL, createWorkspace, type TestWorkspace } from '../../../test/support/gateway.ts'
import { passportClient } from '../../../test/support/passport-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const other = await createWorkspace(gateway)
const theirs = passportClient(gateway, other.as)

const send = ({ as }: TestWorkspace, method: string, path: string, json?: object) =>
  gateway.request(method, `/api/v1${path}`, { headers: as, json })
const link = (id: string, json: object, by = workspace) => send(by, 'POST', `/passports/${id}/links`, json)
const listed = async (id: string, by = workspace) => (await send(by, 'GET', `/passports/${id}/links`)).body.links
/** Public responses and the version on the page. */
const read = async (id: string) => (await gateway.request('GET', `/passport/${id}`)).body
const pageOf = async (id: string, lang = 'en') =>
  (await gateway.request('GET', `/passport/${id}?lang=${lang}`, { headers: { accept: 'text/html' } })).text
const addressOf = (id: string) => `${BASE_URL}/passport/${id}`

describe('a link within the workspace', () => {
  test.each([
    ['replaces', 'replacedBy', 'Replaces', 'Replaced by'],
    ['derivedFrom', 'sourceOf', 'Made from', 'Has become'],
    ['hasPart', 'partOf', 'Parts', 'Part of'],
    ['partOf', 'hasPart', 'Part of', 'Parts'],
  ])('%s shows immediately on both passports, as %s on the other', async (rel, inverse, label, inverseLabel) => {
    const [one, two] = [await passports.given(), await passports.given()]
    expect((await read(one.id)).links).toBeUndefined()
    await read(two.id)
    const { status, body } = await link(one.id, { rel, target: two.id })
    expect(status).toBe(201)
    const since = expect.stringMatching(/^\d{4}-.+Z$/)
    expect(body.link).toEqual({
      id: expect.any(String),
      rel,
      status: 'ACCEPTED',
      isIncoming: false,
      target: addressOf(two.id),
      identifier: two.productId,
      askedBy: expect.any(String),
      createdAt: since,
      since,
    })
    expect((await read(one.id)).links).toEqual([
      { rel, target: addressOf(two.id), identifier: two.productId, since: body.link.since },
    ])
    expect((await read(two.id)).links).toEqual([
      { rel: inverse, target: addressOf(one.id), identifier: one.productId, since: body.link.since },
    ])
    expect(await listed(two.id)).toMatchObject([{ id: body.link.id, rel: inverse, isIncoming: true }])
    expect(await pageOf(one.id)).toMatch(new RegExp(`<dt>${label}</dt>`))
    expect(await pageOf(two.id)).toMatch(new RegExp(`<dt>${inverseLabel}</dt>`))
    expect((await auditOf(gateway, workspace.id, one.id)).map(({ action }) => action)).toEqual(['link.added'])
  })

  test('is taken away from both passports, by name of either', async () => {
    const [one, two] = [await passports.given(), await passports.given()]
    const { body } = await link(one.id, { rel: 'replaces', target: addressOf(two.id) })
    expect((await read(two.id)).links).toHaveLength(1)
    expect((await send(workspace, 'DELETE', `/links/${body.link.id}`)).status).toBe(200)
    expect([(await read(one.id)).links, (await read(two.id)).links]).toEqual([undefined, undefined])
    expect((await send(workspace, 'DELETE', `/links/${body.link.id}`)).status).toBe(404)
  })

  test('a sealed passport that is linked still verifies', async () => {
    const [one, two] = [await passports.given(), await passports.given()]
    await passports.seal(one.id)
    await link(one.id, { rel: 'replaces', target: two.id })
    const payload = await read(one.id)
    expect(payload.links).toHaveLength(1)
    expect(payload.granularity).toBe('model')
    const verdict = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload } })
    expect(verdict.body).toMatchObject({ success: true, verified: true })
  })

  test('is in the AAS environment as references', async () => {
    const [one, two] = [await passports.given(), await passports.given()]
    await link(one.id, { rel: 'hasPart', target: two.id })
    const { body } = await gateway.request('GET', `/passport/${one.id}`, {
      headers: { accept: 'application/aas+json' },
    })
    const general = body.submodels.find(({ idShort }: { idShort: string }) => idShort === 'GeneralProductInformation')
    const list = general.submodelElements.find(({ idShort }: { idShort: string }) => idShort === 'hasPart')
    expect(list.value.map((element: { value: { keys: { value: string }[] } }) => element.value.keys[0]?.value)).toEqual(
      [addressOf(two.id)],
    )
  })
})

describe('valid targets of a link', () => {
  test.each(['https://DPP.Example.Test.', 'http://dpp.example.test', 'https://dpp.example.test:4102'])(
    'review-3-security S6: %s is an address of this gateway, so that its owner is asked',
    async (host) => {
      const [one, stranger] = [await passports.given(), await createWorkspace(gateway)]
      const theirs = await passportClient(gateway, stranger.as).given()
      const target = `${host}/01/${theirs.productId}`
      const answer = await link(one.id, { rel: 'replaces', target, identifier: theirs.productId })
      expect([answer.status, answer.body.link.status, answer.body.link.target]).toEqual([
        201,
        'PENDING',
        addressOf(theirs.id),
      ])
    },
  )

  test('a Digital Link of this gateway, and an address elsewhere with an identifier', async () => {
    const [one, two] = [await passports.given(), await passports.given()]
    const here = await link(one.id, { rel: 'replaces', target: `${BASE_URL}/01/${two.productId}` })
    expect(here.body.link.target).toBe(addressOf(two.id))
    const target = 'https://passports.example.org/p/1?x=1'
    const away = await link(one.id, { rel: 'hasPart', target, identifier: 'CELL-9' })
    expect(away.body.link).toMatchObject({ status: 'ACCEPTED', target, identifier: 'CELL-9' })
    expect((await read(one.id)).links).toMatchObject([
      { rel: 'replaces' },
      { rel: 'hasPart', target, identifier: 'CELL-9' },
    ])
  })

  test.each([
    ['no address', { target: 'somewhere' }, 400],
    ['no https', { target: 'http://a.example/1', identifier: 'A' }, 400],
    ['a password', { target: 'https://u:p@a.example/1', identifier: 'A' }, 400],
    ['nothing of this gateway', { target: `${BASE_URL}/about`, identifier: 'A' }, 400],
    ['an address elsewhere without an identifier', { target: 'https://a.example/1' }, 400],
    ['a passport that is not there', { target: '00000000-0000-4000-8000-000000000000' }, 404],
  ])('%s', async (_, more, status) => {
    const { id } = await passports.given()
    expect((await link(id, { rel: 'replaces', ...more })).status).toBe(status)
    expect(await listed(id)).toEqual([])
  })

  test('no draft on either side; the draft of another workspace is not even there', async () => {
    const [one, draft] = [await passports.given(), await passports.given({ draft: true })]
    for (const [from, to] of [
      [one.id, draft.id],
      [draft.id, one.id],
    ]) {
      const { status, body } = await link(from, { rel: 'replaces', target: to })
      expect([status, body.code]).toEqual([409, 'LINK_TARGET_DRAFT'])
      expect(body.message).toContain('Regulation (EU) 2024/1781, Article 11(d)')
    }
    const hidden = await theirs.given({ draft: true })
    expect((await link(one.id, { rel: 'replaces', target: hidden.id })).status).toBe(404)
  })

  test('not the passport itself, nothing twice, and no circle of any length', async () => {
    const [a, b, c] = [await passports.given(), await passports.given(), await passports.given()]
    const refused = async (from: string, rel: string, target: string) => {
      const { status, body } = await link(from, { rel, target })
      return [status, body.code]
    }
    expect(await refused(a.id, 'partOf', a.id)).toEqual([409, 'LINK_CIRCLE'])
    expect((await link(a.id, { rel: 'partOf', target: b.id })).status).toBe(201)
    expect(await refused(a.id, 'partOf', b.id)).toEqual([409, 'LINK_EXISTS'])
    expect(await refused(b.id, 'hasPart', a.id)).toEqual([409, 'LINK_EXISTS'])
    expect((await link(c.id, { rel: 'hasPart', target: b.id })).status).toBe(201)
    expect(await refused(c.id, 'partOf', a.id)).toEqual([409, 'LINK_CIRCLE'])
    expect(await refused(a.id, 'hasPart', c.id)).toEqual([409, 'LINK_CIRCLE'])
    expect(await refused(a.id, 'hasPart', b.id)).toEqual([409, 'LINK_CIRCLE'])
    expect((await link(c.id, { rel: 'replaces', target: a.id })).status).toBe(201)
  })

  test('one of two concurrent links that would close a cycle succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await passports.given(), await passports.given()]
      const answers = await Promise.all([
        link(a.id, { rel: 'partOf', target: b.id }),
        link(b.id, { rel: 'partOf', target: a.id }),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    }
  })

  test('no more than a hundred', async () => {
    const { id } = await passports.given()
    await gateway.sqlAs(
      workspace.id,
      `insert into passport_link (id, passport_id, rel, target_url, identifier, status, created_at, accepted_at)
       select gen_random_uuid(), $1, 'hasPart', 'https://a.example/' || n, 'P', 'ACCEPTED', now(), now()
       from generate_series(1, 100) as n`,
      [id],
    )
    const { status, body } = await link(id, { rel: 'hasPart', target: 'https://a.example/101', identifier: 'P' })
    expect([status, body.code]).toEqual([409, 'LINK_LIMIT_REACHED'])
  })

  test('requested links have a separate quota, and use the regular one when accepted', async () => {
    const { id } = await passports.given()
    const requesters = await Promise.all(Array.from({ length: 50 }, () => theirs.given()))
    await gateway.sqlAs(
      other.id,
      `insert into passport_link (id, passport_id, rel, target_id, identifier, status, created_at)
       select gen_random_uuid(), asking, rel, $1, '', 'PENDING', now()
       from unnest($2::uuid[]) as asking, unnest(array['replaces', 'derivedFrom']) as rel`,
      [id, requesters.map((passport) => passport.id)],
    )
    const ask = async () => link((await theirs.given()).id, { rel: 'replaces', target: id }, other)
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'LINK_LIMIT_REACHED' } })
    expect((await link(id, { rel: 'hasPart', target: 'https://a.example/1', identifier: 'P' })).status).toBe(201)
    const [first, second] = await listed(id)
    expect((await send(workspace, 'POST', `/links/${first.id}/accept`)).status).toBe(200)
    expect((await ask()).status).toBe(201)
    await gateway.sqlAs(
      workspace.id,
      `insert into passport_link (id, passport_id, rel, target_url, identifier, status, created_at, accepted_at)
       select gen_random_uuid(), $1, 'hasPart', 'https://b.example/' || n, 'P', 'ACCEPTED', now(), now()
       from generate_series(1, 98) as n`,
      [id],
    )
    expect(await send(workspace, 'POST', `/links/${second.id}/accept`)).toMatchObject({
      status: 409,
      body: { code: 'LINK_LIMIT_REACHED' },
    })
  })
})

describe('a link to a passport of another workspace', () => {
  const requestLink = async (rel = 'partOf') => {
    const [ours, foreign] = [await passports.given(), await theirs.given()]
    const { status, body } = await link(ours.id, { rel, target: foreign.id })
    expect([status, body.link.status, body.link.since]).toEqual([201, 'PENDING', null])
    return { ours, foreign, id: body.link.id }
  }
  const notificationsTo = async ({ as }: TestWorkspace, subjectId: string) =>
    (await gateway.request('GET', '/api/v1/notifications', { headers: as })).body.notifications
      .filter((notification: { subjectId: string }) => notification.subjectId === subjectId)
      .map(({ type, message }: { type: string; message: string }) => ({ type, message }))

  test('is pending: only the two workspaces see it, and the other is notified of the requester', async () => {
    const { ours, foreign, id } = await requestLink()
    expect([(await read(ours.id)).links, (await read(foreign.id)).links]).toEqual([undefined, undefined])
    const [incoming] = await listed(foreign.id, other)
    expect(incoming).toMatchObject({
      id,
      rel: 'hasPart',
      status: 'PENDING',
      isIncoming: true,
      identifier: ours.productId,
    })
    const [notification] = await notificationsTo(other, id)
    expect(notification.type).toBe('link.requested')
    for (const part of [incoming.askedBy, ours.productId, foreign.productId])
      expect(notification.message).toContain(part)
    expect(await notificationsTo(workspace, id)).toEqual([])
    const third = await createWorkspace(gateway)
    expect((await send(third, 'GET', `/passports/${ours.id}/links`)).status).toBe(404)
    for (const [method, path] of [
      ['POST', `/links/${id}/accept`],
      ['POST', `/links/${id}/decline`],
      ['DELETE', `/links/${id}`],
    ] as const) {
      expect((await send(third, method, path)).status).toBe(404)
    }
  })

  test('shows on both once it is accepted; the requester is notified, and cannot accept it himself', async () => {
    const { ours, foreign, id } = await requestLink()
    expect((await send(workspace, 'POST', `/links/${id}/accept`)).status).toBe(404)
    const { status, body } = await send(other, 'POST', `/links/${id}/accept`)
    expect([status, body.link.status, body.link.rel]).toEqual([200, 'ACCEPTED', 'hasPart'])
    expect((await read(ours.id)).links).toMatchObject([{ rel: 'partOf', target: addressOf(foreign.id) }])
    expect((await read(foreign.id)).links).toMatchObject([{ rel: 'hasPart', target: addressOf(ours.id) }])
    expect((await notificationsTo(workspace, id)).map(({ type }: { type: string }) => type)).toEqual(['link.decided'])
    const again = await send(other, 'POST', `/links/${id}/accept`)
    expect([again.status, again.body.code]).toEqual([409, 'LINK_DECIDED'])
    expect((await auditOf(gateway, other.id, foreign.id)).map(({ action }) => action)).toEqual(['link.accepted'])
    expect((await send(other, 'DELETE', `/links/${id}`)).status).toBe(200)
    expect((await read(ours.id)).links).toBeUndefined()
  })

  test('declined: it is deleted, and the requester is notified', async () => {
    const { ours, id } = await requestLink()
    expect((await send(other, 'POST', `/links/${id}/decline`)).status).toBe(200)
    expect(await listed(ours.id)).toEqual([])
    expect((await notificationsTo(workspace, id)).map(({ type }: { type: string }) => type)).toEqual(['link.decided'])
  })

  test('withdrawn by the requester: there is nothing left to accept', async () => {
    const { foreign, id } = await requestLink()
    expect((await send(workspace, 'DELETE', `/links/${id}`)).status).toBe(200)
    expect(await listed(foreign.id, other)).toEqual([])
    expect((await send(other, 'POST', `/links/${id}/accept`)).status).toBe(404)
  })

  test('one of concurrent acceptance and withdrawal succeeds, and both passports agree', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ours, foreign, id } = await requestLink()
      const [accepted, withdrawn] = await Promise.all([
        send(other, 'POST', `/links/${id}/accept`),
        send(workspace, 'DELETE', `/links/${id}`),
      ])
      expect([200, 404]).toContain(accepted.status)
      expect(withdrawn.status).toBe(200)
      expect([(await read(ours.id)).links, (await read(foreign.id)).links]).toEqual([undefined, undefined])
    }
  })

  test('a circle across workspaces is found when it is accepted', async () => {
    const { ours, foreign, id } = await requestLink('partOf')
    const back = await link(foreign.id, { rel: 'partOf', target: ours.id }, other)
    expect(back.status).toBe(201)
    expect((await send(other, 'POST', `/links/${id}/accept`)).status).toBe(200)
    const closing = await send(workspace, 'POST', `/links/${back.body.link.id}/accept`)
    expect([closing.status, closing.body.code]).toEqual([409, 'LINK_CIRCLE'])
  })
})
