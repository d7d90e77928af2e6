import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/contract-client.ts'
import { createWorkspace, newGln, textile } from '../support/gateway.ts'
import { battery, eventsOf, expectStatus } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const send = (method: string, path: string, ifMatch?: string, json?: unknown, more: Record<string, string> = {}) =>
  gateway.request(method, path, {
    headers: { ...workspace.as, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }), ...more },
    json,
  })
const tagAt = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
  expectStatus(200, await send('GET', path, undefined, undefined, headers)).headers.etag ?? ''

interface Given {
  readonly path: string
  /** Changes the entity tag. */
  readonly change: () => Promise<Answer>
}

let counter = 0
const unique = () => {
  counter += 1
  return `Name ${counter}`
}

async function givenPassport(json: object = {}): Promise<Given & { id: string }> {
  const { id } = await passports.given({ metadata: battery(), ...json })
  return { id, path: `/api/v1/passports/${id}`, change: () => passports.setStatus(id, 'RECALLED') }
}

async function givenSealed() {
  const given = await givenPassport()
  expectStatus(200, await passports.seal(given.id))
  return given
}

async function givenOperator(): Promise<Given> {
  const { body } = expectStatus(
    201,
    await send('POST', '/api/v1/operators', undefined, { name: unique(), regId: `REG ${unique()}` }),
  )
  const path = `/api/v1/operators/${body.operator.id}`
  return { path, change: () => send('PATCH', path, undefined, { name: unique() }) }
}

async function givenFacility(): Promise<Given> {
  const json = { gln: newGln(), name: unique(), country: 'PT' }
  const { body } = expectStatus(201, await send('POST', '/api/v1/facilities', undefined, json))
  const path = `/api/v1/facilities/${body.facility.id}`
  return { path, change: () => send('PUT', path, undefined, { name: unique() }) }
}

/** Writes that take `If-Match`, with their subjects. */
const WRITES: Readonly<
  Record<string, readonly [() => Promise<Given>, (path: string, ifMatch: string) => Promise<Answer>]>
> = {
  updatePassport: [givenPassport, (path, tag) => send('PUT', path, tag, { metadata: battery({ color: unique() }) })],
  updatePassportStatus: [
    givenPassport,
    (path, tag) => send('PUT', `${path}/status`, tag, { status: 'DECOMMISSIONED' }),
  ],
  sealPassport: [givenPassport, (path, tag) => send('POST', `${path}/seal`, tag)],
  revisePassport: [
    givenSealed,
    (path, tag) =>
      send('POST', `${path}/revisions`, tag, { metadata: battery({ color: unique() }), changeReason: 'Typing error' }),
  ],
  deleteDraftPassport: [
    async () => {
      const given = await givenPassport({ draft: true })
      return {
        ...given,
        change: () => passports.update(given.id, { metadata: battery({ color: unique() }), draft: true }),
      }
    },
    (path, tag) => send('DELETE', path, tag),
  ],
  updateOperator: [givenOperator, (path, tag) => send('PATCH', path, tag, { name: unique() })],
  deleteOperator: [givenOperator, (path, tag) => send('DELETE', path, tag)],
  updateFacility: [givenFacility, (path, tag) => send('PUT', path, tag, { name: unique() })],
  deleteFacility: [givenFacility, (path, tag) => send('DELETE', path, tag)],
}
const writes = Object.keys(WRITES)
const writeOf = (name: string) => WRITES[name] as (typeof WRITES)[string]

test('these are the operations that take If-Match', () => {
  const { document } = gateway.container.cradle.contract
  const takes = Object.values<Record<string, { operationId?: string; parameters?: { $ref?: string }[] }>>(
    document.paths,
  )
    .flatMap((item) => Object.values(item))
    .filter(({ parameters }) => parameters?.some(({ $ref }) => $ref?.endsWith('/ifMatch')))
    .map(({ operationId }) => operationId)
  expect(takes.sort()).toEqual(writes.toSorted())
})

describe.each(writes)('%s', (name) => {
  const [given, write] = writeOf(name)

  test('is done for the tag that was read, and for *', async () => {
    for (const ifMatch of [undefined, '*', 'list'] as const) {
      const { path } = await given()
      const tag = await tagAt(path)
      const sent = ifMatch === undefined ? tag : ifMatch === '*' ? '*' : `"x", W/"y" , ${tag}`
      expect([sent, (await write(path, sent)).status]).toEqual([sent, 200])
    }
  })

  test('is not done for the tag of what has been changed, and says so in the standard form', async () => {
    const { path, change } = await given()
    const tag = await tagAt(path)
    expectStatus(200, await change())
    const before = await send('GET', path)
    const answer = await write(path, tag)
    expect([answer.status, answer.body]).toEqual([
      412,
      {
        success: false,
        error: 'Precondition Failed',
        code: 'VERSION_CHANGED',
        message: expect.stringContaining('Read it again'),
      },
    ])
    const after = await send('GET', path)
    expect([after.headers.etag, after.text]).toEqual([before.headers.etag, before.text])
    expect((await write(path, before.headers.etag ?? '')).status).toBe(200)
  })

  test('is not done for a weak tag, or for another', async () => {
    const { path } = await given()
    const tag = await tagAt(path)
    for (const ifMatch of [`W/${tag}`, '"nothing"', '""', '"0"']) {
      expect([ifMatch, (await write(path, ifMatch)).status]).toEqual([ifMatch, 412])
    }
    expect(await tagAt(path)).toBe(tag)
  })

  test('rejects an invalid or too long list of tags', async () => {
    const { path } = await given()
    const tag = await tagAt(path)
    for (const ifMatch of ['3', '"3', '*, "3"', ',', Array(65).fill(tag).join()]) {
      const { status, body } = await write(path, ifMatch)
      expect([ifMatch, status, body.message]).toEqual([
        ifMatch,
        400,
        expect.stringMatching(/^Invalid If-Match: send \*/),
      ])
    }
    expect(await tagAt(path)).toBe(tag)
  })

  test('is 404 for what is not there, whatever is asked for', async () => {
    const { path } = await given()
    const absent = path.replace(/[0-9a-f-]{36}$/, '00000000-0000-4000-8000-000000000000')
    for (const ifMatch of ['*', '"1"']) expect((await write(absent, ifMatch)).status).toBe(404)
  })

  test('one of many concurrent writes with one tag succeeds', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { path } = await given()
      const tag = await tagAt(path)
      const answers = await Promise.all(Array.from({ length: 6 }, () => write(path, tag)))
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([200, ...Array(5).fill(name.startsWith('delete') ? 404 : 412)])
    }
  })
})

test('an update and a change of status with one tag: one of them is done', async () => {
  const done = { update: 0, status: 0 }
  for (let round = 0; round < 6; round += 1) {
    const { id, path } = await givenPassport()
    const tag = await tagAt(path)
    const writes = [
      send('PUT', path, tag, { metadata: battery({ color: 'blue' }) }),
      send('PUT', `${path}/status`, tag, { status: 'RECALLED' }),
    ]
    const [updated, moved] = await Promise.all(writes)
    expect([updated?.status, moved?.status].sort()).toEqual([200, 412])
    done[updated?.status === 200 ? 'update' : 'status'] += 1
    expect(await eventsOf(gateway, id)).toEqual([
      'passport.ingested',
      updated?.status === 200 ? 'passport.updated' : 'passport.recalled',
    ])
  }
  expect(done.update + done.status).toBe(6)
})

test('a passport is written by its product id, and its tag is that of the passport', async () => {
  const { productId } = await passports.given()
  const path = `/api/v1/passports/${productId}`
  const tag = await tagAt(path)
  expect((await send('PUT', `${path}/status`, tag, { status: 'RECALLED' })).status).toBe(200)
  expect((await send('PUT', `${path}/status`, tag, { status: 'ACTIVE' })).status).toBe(412)
})

describe('the tag of a passport', () => {
  test('is another for each representation and language, and any of them names the version', async () => {
    const { id, path } = await givenPassport()
    const { representations } = gateway.container.cradle.plugins
    const types = representations.filter(({ isSigned }) => !isSigned).map(({ mediaTypes: [first] }) => first)
    const tags = new Set<string>()
    for (const accept of types) tags.add(await tagAt(path, { accept }))
    tags.add(await tagAt(path, { accept: 'text/html', 'accept-language': 'de' }))
    expect(tags.size).toBe(types.length + 1)
    for (const tag of tags) {
      expect(tag).toMatch(/^"\d+\.[\w-]{27}"$/)
      expectStatus(200, await passports.update(id, { metadata: battery() }))
      expect((await send('PUT', path, tag, { metadata: battery() })).status).toBe(412)
    }
    for (const accept of types) {
      const tag = await tagAt(path, { accept })
      expect((await send('PUT', path, tag, { metadata: battery() })).status).toBe(200)
    }
  })

  test('is the one that If-None-Match asks for', async () => {
    const { id, path } = await givenPassport()
    const tag = await tagAt(path)
    const known = { 'if-none-match': `"x", ${tag}` }
    const unchanged = await send('GET', path, undefined, undefined, known)
    expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', tag])
    expectStatus(200, await passports.setStatus(id, 'RECALLED'))
    expect((await send('GET', path, undefined, undefined, known)).status).toBe(200)
  })

  test('moves with what a reader sees of the operator', async () => {
    const { path } = await givenPassport()
    const tag = await tagAt(path)
    expectStatus(200, await send('PATCH', `/api/v1/operators/${workspace.operatorId}`, undefined, { name: unique() }))
    expect((await send('PUT', path, tag, { metadata: battery() })).status).toBe(412)
  })

  test('is not a tag of a public address, nor of an earlier time', async () => {
    const { id, path } = await givenPassport()
    const { createdAt } = (await passports.get(id)).body
    expectStatus(200, await passports.setStatus(id, 'RECALLED'))
    for (const [at, query] of [
      [`/passport/${id}`, ''],
      [path, `?asOf=${createdAt}`],
    ]) {
      const tag = await tagAt(`${at}${query}`)
      expect((await send('PUT', path, tag, { metadata: battery() })).status).toBe(412)
    }
  })

  test('is read by a session too', async () => {
    const { path } = await givenPassport()
    const { workspaces } = gateway.container.cradle
    const session = { workspaceId: workspace.id, user: 'u', role: 'BRAND_OPERATOR', mfa: true }
    const { cookie, csrf } = await workspaces.createSession(session)
    const headers = { cookie, 'x-csrf-token': csrf }
    const { headers: read } = await gateway.request('GET', path, { headers })
    const write = () =>
      gateway.request('PUT', path, {
        headers: { ...headers, 'if-match': read.etag ?? '' },
        json: { metadata: battery() },
      })
    expect([(await write()).status, (await write()).status]).toEqual([200, 412])
  })
})

test('operators and facilities are read again only if they have changed', async () => {
  for (const given of [givenOperator, givenFacility]) {
    const { path, change } = await given()
    const tag = await tagAt(path)
    const known = { 'if-none-match': tag }
    const unchanged = await send('GET', path, undefined, undefined, known)
    expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', tag])
    expectStatus(200, await change())
    const changed = await send('GET', path, undefined, undefined, known)
    expect([changed.status, changed.headers.etag === tag]).toEqual([200, false])
  }
})

describe('checks before the condition', () => {
  test('a sealed passport is 403, a draft without status 409, and other callers learn nothing', async () => {
    const sealed = await givenSealed()
    expect((await send('PUT', sealed.path, '"0"', { metadata: battery() })).status).toBe(403)
    const draft = await givenPassport({ draft: true })
    expect((await send('PUT', `${draft.path}/status`, '"0"', { status: 'ACTIVE' })).status).toBe(409)
    const other = await createWorkspace(gateway)
    for (const ifMatch of ['*', '"1"']) {
      const headers = { ...other.as, 'if-match': ifMatch }
      const answer = await gateway.request('PUT', draft.path, { headers, json: { metadata: battery() } })
      expect(answer.status).toBe(404)
    }
  })

  test('and what comes after it: content is not judged for a version that is gone', async () => {
    const { path } = await givenPassport()
    expect((await send('PUT', path, '"0"', { metadata: {} })).status).toBe(412)
    expect((await send('PUT', path, await tagAt(path), { metadata: {} })).status).toBe(400)
  })
})

test('the key of a refused revision is free for the next attempt, and a repeated one is not refused', async () => {
  const { path, change } = await givenSealed()
  const stale = await tagAt(path)
  expectStatus(200, await change())
  const revise = (tag: string) =>
    send(
      'POST',
      `${path}/revisions`,
      tag,
      { metadata: battery(), changeReason: 'Typing error' },
      { 'idempotency-key': 'once' },
    )
  expect((await revise(stale)).status).toBe(412)
  const tag = await tagAt(path)
  const first = await revise(tag)
  const again = await revise(tag)
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text])
  expect(again.headers['idempotent-replayed']).toBe('true')
})

test('without If-Match the last one wins, as ever', async () => {
  const { id } = await passports.given()
  const answers = await Promise.all(
    ['S', 'M', 'L'].map((size) => passports.update(id, { metadata: textile({ size }) })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
})
