import { describe, expect, test } from 'vitest'
import { kindsOf } from '../../src/domain/actors.ts'
import { auditOf } from '../support/audit.ts'
import { bearer, createWorkspace } from '../support/gateway.ts'
import { battery, expectStatus, passportClient, REDACTED } from '../support/passport-client.ts'
import { dpp } from '../support/process.ts'
import { inDays } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

// Holder, audience and validity of grants, and revocation of all grants of a holder.

const { gateway, workspace, passports } = await useGateway()
const { grants } = gateway.container.cradle
const issue = (json: object, as = workspace.as) =>
  gateway.request('POST', '/api/v1/grants', {
    headers: as,
    json: { granteeName: 'Repair Ltd', scopeType: 'TENANT', expiresAt: inDays(30), ...json },
  })
const renew = (id: string, expiresAt: string, as = workspace.as) =>
  gateway.request('POST', `/api/v1/grants/${id}/renew`, { headers: as, json: { expiresAt } })
const opens = async (token: string, id: string) =>
  (await gateway.request('GET', `/passport/${id}`, { headers: bearer(token) })).body.circularityAndDisassembly !==
  REDACTED
const CLAUSE = /\(Regulation \(EU\) 2023\/1542, Art\. 77\(2\)\)$/
/** The example of GLEIF, of ISO 17442. */
const LEI = '5493001KJTIIGC8Y1R12'

describe('a grant', () => {
  test('names what kind of actor has it, and the number under which that is known', async () => {
    const { body } = expectStatus(
      201,
      await issue({ actorKind: 'recycler', identifierScheme: 'LEI', identifier: ` ${LEI} ` }),
    )
    const named = { audience: 'legitimateInterest', actorKind: 'recycler', identifierScheme: 'LEI', identifier: LEI }
    expect(body.grant).toMatchObject(named)
    const list = await gateway.request('GET', '/api/v1/grants', { headers: workspace.as })
    expect(list.body.grants).toContainEqual(expect.objectContaining({ id: body.grant.id, ...named }))
  })

  test.each(kindsOf('legitimateInterest'))('of the workspace can be for a %s', async (actorKind) => {
    expect((await issue({ actorKind, audience: 'legitimateInterest' })).body.grant).toMatchObject({ actorKind })
  })

  test.each<[named: object, what: string]>([
    [{ audience: 'authority' }, 'audience authority'],
    ...kindsOf('authority').map((actorKind): [object, string] => [{ actorKind }, `actorKind ${actorKind}`]),
    [{ audience: 'legitimateInterest', actorKind: 'customs' }, 'actorKind customs'],
  ])('of the workspace for %j is refused with the clause', async (named, what) => {
    const { status, body } = await issue(named)
    expect([status, body.error]).toEqual([400, 'Bad Request'])
    expect(body.message).toMatch(CLAUSE)
    expect(body.message).toContain(`${what} does not fit this grant`)
  })

  test.each([
    [{ actorKind: 'pirate' }, /^actorKind must be one of/],
    [{ actorKind: 5 }, /^actorKind must be/],
    [{ audience: 'public' }, /^audience must be legitimateInterest or authority$/],
    [{ identifierScheme: 'ISBN', identifier: '1' }, /^identifierScheme must be/],
    [{ identifierScheme: 'LEI' }, /^identifierScheme needs an identifier$/],
    [{ identifier: LEI }, /^identifier needs an identifierScheme$/],
    [{ identifierScheme: 'LEI', identifier: LEI.replace('12', '13') }, /^identifier: .*check digits/],
    [
      { identifierScheme: 'DID', identifier: `did:web:${'x'.repeat(600)}` },
      /^identifier must be a text of at most 500/,
    ],
    [{ identifierScheme: 'GLN', identifier: 4 }, /^identifier must be a text/],
  ])('with %j is refused', async (given, message) => {
    const { status, body } = await issue(given)
    expect([status, body]).toEqual([400, { error: 'Bad Request', message: expect.stringMatching(message) }])
  })

  test('of an authority is only for authorities', async () => {
    const mint = (more: object) =>
      grants.issueAuthority({ scope: 'TENANT', target: workspace.id, expires: inDays(1), ...more })
    const { id } = await mint({ actorKind: 'customs', identifierScheme: 'DUNS', identifier: '123456789' })
    const list = await gateway.request('GET', '/api/v1/grants?limit=200', { headers: workspace.as })
    expect(list.body.grants).toContainEqual(
      expect.objectContaining({ id, audience: 'authority', actorKind: 'customs', identifier: '123456789' }),
    )
    await expect(mint({ actorKind: 'repairer' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(CLAUSE),
    })
    await expect(mint({ actorKind: 'pirate' })).rejects.toMatchObject({ status: 400 })
  })
})

describe('the form for access', () => {
  const ask = (passportId: string, form: Record<string, string>) =>
    gateway.request('POST', `/request-access?passport=${passportId}&lang=en`, {
      form: { granteeName: 'Ada', granteeEmail: 'ada@repair.example', ...form },
    })
  const grantOf = async (passportId: string) => {
    const { body } = await gateway.request('GET', '/api/v1/grants?limit=200', { headers: workspace.as })
    return body.grants.find((grant: { passportId: string }) => grant.passportId === passportId)
  }

  test('takes what kind of actor asks, and a number that is right', async () => {
    const { id } = await passports.given({ metadata: battery() })
    expectStatus(201, await ask(id, { actorKind: 'researcher', identifierScheme: 'LEI', identifier: LEI }))
    expect(await grantOf(id)).toMatchObject({ actorKind: 'researcher', identifierScheme: 'LEI', identifier: LEI })
  })

  test('needs no grant', async () => {
    const { id } = await passports.given({ metadata: battery() })
    expectStatus(201, await ask(id, { actorKind: '', identifierScheme: '', identifier: ' ' }))
    expect(await grantOf(id)).toMatchObject({ actorKind: null, identifierScheme: null, identifier: null })
  })

  test('offers no kind of authority', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const { text } = await gateway.request('GET', `/request-access?passport=${id}&lang=en`)
    const offered = [...text.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value)
    expect(offered).toEqual([
      ...['', ...kindsOf('legitimateInterest')],
      ...['', 'EORI', 'VAT', 'LEI', 'GLN', 'DID', 'DUNS'],
    ])
  })

  test.each([
    [{ actorKind: 'customs' }, 'actorKind', 'Please choose one of the options.'],
    [{ identifier: '4' }, 'identifier', 'Please check the number and its kind.'],
    [{ identifierScheme: 'GLN', identifier: '4012345000000' }, 'identifier', 'Please check the number'],
  ])('reports the error next to the field for %j, and stores nothing', async (form, field, message) => {
    const { id } = await passports.given({ metadata: battery() })
    const { text } = expectStatus(400, await ask(id, form as unknown as Record<string, string>))
    expect(text).toMatch(new RegExp(`id="${field}-wrong">${message}`))
    expect(await grantOf(id)).toBeUndefined()
  })
})

describe('renewal', () => {
  test('gives a grant another end, and the token stays', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const { grant, token } = (await issue({})).body
    const { body } = expectStatus(200, await renew(grant.id, inDays(60)))
    expect(body).toEqual({ success: true, grant: { ...grant, expiresAt: expect.any(String) } })
    expect(Date.parse(body.grant.expiresAt)).toBeGreaterThan(Date.parse(grant.expiresAt))
    expect(await opens(token, id)).toBe(true)
    expect(await auditOf(gateway, workspace.id, grant.id)).toMatchObject([
      { action: 'grant.issued' },
      { action: 'grant.renewed', detail: { from: grant.expiresAt, to: body.grant.expiresAt } },
    ])
  })

  test('lets one that has expired hold again', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const { grant, token } = (await issue({})).body
    await gateway.sqlAs(workspace.id, `update access_grant set expires_at = now() - interval '1 day' where id = $1`, [
      grant.id,
    ])
    expect(await opens(token, id)).toBe(false)
    expectStatus(200, await renew(grant.id, inDays(1)))
    expect(await opens(token, id)).toBe(true)
  })

  test('is refused for what was revoked, denied, or is not decided', async () => {
    const { id: passportId } = await passports.given({ metadata: battery() })
    const revoked = (await issue({})).body.grant.id
    await gateway.request('DELETE', `/api/v1/grants/${revoked}`, { headers: workspace.as })
    await gateway.request('POST', `/request-access?passport=${passportId}`, {
      form: { granteeName: 'Ada', granteeEmail: 'ada@repair.example' },
    })
    const [pending] = await gateway.sqlAs<{ id: string }>(
      workspace.id,
      'select id from access_grant where passport_id = $1',
      [passportId],
    )
    const refused = async (id: string) => {
      const { status, body } = await renew(id, inDays(1))
      return [status, body.message]
    }
    expect(await refused(revoked)).toEqual([409, expect.stringMatching(/this one is REVOKED\.$/)])
    expect(await refused(pending?.id ?? '')).toEqual([409, expect.stringMatching(/this one is PENDING\.$/)])
    await gateway.request('POST', `/api/v1/grants/${pending?.id}/deny`, { headers: workspace.as })
    expect(await refused(pending?.id ?? '')).toEqual([409, expect.stringMatching(/this one is DENIED\.$/)])
  })

  test('is not the workspace’s where an authority holds it, nor another workspace’s', async () => {
    const { id } = await grants.issueAuthority({ scope: 'TENANT', target: workspace.id, expires: inDays(1) })
    const other = await createWorkspace(gateway)
    expect((await renew(id, inDays(2))).status).toBe(403)
    expect((await renew(id, inDays(2), other.as)).status).toBe(404)
    expect((await renew(id, '2020-01-01')).body.message).toBe('expiresAt must be in the future')
  })
})

describe('the end of everything that is held', () => {
  /** A workspace with two batteries, and a grant for each scope. */
  async function world() {
    const own = await createWorkspace(gateway)
    const client = passportClient(gateway, own.as)
    const [one, two] = [await client.given({ metadata: battery() }), await client.given({ metadata: battery() })]
    const unit = await unitClient(gateway, own.as).given(one.id)
    const tokens = {
      one: (await issue({ scopeType: 'PASSPORT', passportId: one.id, granteeEmail: 'Ada@Repair.example' }, own.as))
        .body,
      unit: (await issue({ scopeType: 'UNIT', batteryUnitId: unit.id }, own.as)).body,
      two: (
        await issue({ scopeType: 'PASSPORT', passportId: two.id, identifierScheme: 'LEI', identifier: LEI }, own.as)
      ).body,
      authority: await grants.issueAuthority({ scope: 'TENANT', target: own.id, expires: inDays(1) }),
    }
    const open = async () => {
      const seen: string[] = []
      if (await opens(tokens.one.token, one.id)) seen.push('one')
      const { body } = await gateway.request('GET', `/unit/${unit.id}`, { headers: bearer(tokens.unit.token) })
      if (body.restrictedData === undefined) seen.push('unit')
      if (await opens(tokens.two.token, two.id)) seen.push('two')
      if (await opens(tokens.authority.token, two.id)) seen.push('authority')
      return seen
    }
    return { own, one, two, tokens, open }
  }

  test('of a passport, with its units', async () => {
    const { one, open, own, tokens } = await world()
    expect(await open()).toEqual(['one', 'unit', 'two', 'authority'])
    expect(await grants.revokeAll({ passport: one.id })).toEqual({ revoked: 2 })
    expect(await open()).toEqual(['two', 'authority'])
    expect(await auditOf(gateway, own.id, tokens.unit.grant.id)).toMatchObject([
      { action: 'grant.issued' },
      { action: 'grant.revoked', actor: 'platform' },
    ])
    expect(await grants.revokeAll({ passport: one.id })).toEqual({ revoked: 0 })
  })

  test('of a workspace, authorities included, and of no other', async () => {
    const [here, elsewhere] = [await world(), await world()]
    expect(await grants.revokeAll({ workspace: here.own.id })).toEqual({ revoked: 4 })
    expect(await here.open()).toEqual([])
    expect(await elsewhere.open()).toHaveLength(4)
  })

  test('of a grantee, in every workspace or in one, by address or by number', async () => {
    const [here, elsewhere] = [await world(), await world()]
    expect(await grants.revokeAll({ workspace: here.own.id, grantee: 'ada@repair.EXAMPLE' })).toEqual({ revoked: 1 })
    expect(await here.open()).toEqual(['unit', 'two', 'authority'])
    const { revoked } = await grants.revokeAll({ grantee: LEI })
    expect(revoked).toBeGreaterThanOrEqual(2)
    expect([await here.open(), await elsewhere.open()]).toEqual([
      ['unit', 'authority'],
      ['one', 'unit', 'authority'],
    ])
  })

  test('requires an existing holder or scope', async () => {
    const unknownId = '00000000-0000-4000-8000-000000000000'
    for (const [of, status] of [
      [{}, 400],
      [{ workspace: unknownId }, 404],
      [{ passport: unknownId }, 404],
      [{ passport: 'x' }, 404],
    ] as const) {
      await expect(grants.revokeAll(of)).rejects.toMatchObject({ status })
    }
    expect(await grants.revokeAll({ grantee: 'nobody@nowhere.example' })).toEqual({ revoked: 0 })
  })
})

test('the command line revokes, stops and continues', async () => {
  const { id } = await passports.given({ metadata: battery() })
  const { token } = (await issue({ scopeType: 'PASSPORT', passportId: id })).body
  const env = {
    DATABASE_URL: gateway.databaseUrl,
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    BASE_URL: 'https://dpp.example.test',
  }
  const run = (...args: string[]) => dpp(args, env)
  expect(await run('grant', 'revoke-all')).toMatchObject({ code: 2 })
  expect(await run('grant', 'revoke-all', '--passport', id)).toMatchObject({ code: 0, stdout: 'Revoked grants: 1.\n' })
  expect(await opens(token, id)).toBe(false)
  const whoami = async () => (await gateway.request('GET', '/api/v1/whoami', { headers: workspace.as })).status
  const suspended = await run('workspace', 'suspend', workspace.id, '--reason', 'Leak', '--json')
  expect(JSON.parse(suspended.stdout)).toEqual({ id: workspace.id, suspendedAt: expect.any(String), reason: 'Leak' })
  expect(await whoami()).toBe(403)
  expect(await run('workspace', 'resume', workspace.id)).toMatchObject({ code: 0 })
  expect(await whoami()).toBe(200)
  const set = await run('workspace', 'set', workspace.id, '--strict-audiences', 'on', '--json')
  expect(JSON.parse(set.stdout)).toMatchObject({ strictAudiences: true })
  expect(await run('workspace', 'set', workspace.id, '--strict-audiences', 'maybe')).toMatchObject({ code: 2 })
})

test('a document for an audience is stored once for its tokens until the passport changes; a page, which contains the token, is not', async () => {
  const { id } = await passports.given({ metadata: battery() })
  const tokens = [(await issue({})).body.token, (await issue({})).body.token]
  const storedFor = () =>
    gateway.sqlAs(
      workspace.id,
      `select representation, version from rendition where passport_id = $1 and tier = 'legitimateInterest' order by 1`,
      [id],
    )
  const read = (token: string, accept: string) =>
    gateway.request('GET', `/passport/${id}`, { headers: { ...bearer(token), accept } })
  const [first, second] = [
    await read(tokens[0], 'application/ld+json'),
    await read(tokens[1], 'application/ld+json'),
  ].map((answer) => expectStatus(200, answer))
  expect(first?.text).toContain('"circularityAndDisassembly"')
  expect([second?.text, second?.headers.etag]).toEqual([first?.text, first?.headers.etag])
  for (const token of tokens) expect((await read(token, 'text/html')).text).toContain(token)
  expect(await storedFor()).toEqual([{ representation: 'jsonld', version: 1 }])

  await passports.update(id, { metadata: { ...battery(), productName: 'Changed' } })
  expect((await read(tokens[1], 'application/ld+json')).text).toContain('Changed')
  expect(await storedFor()).toEqual([{ representation: 'jsonld', version: 2 }])
})
