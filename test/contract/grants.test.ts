// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { withoutOwnCode } from '../browser/render.ts'
import { auditOf } from '../support/audit.ts'
import { BASE_URL, bearer, createWorkspace, startTestGateway, textile } from '../support/gateway.ts'
import { battery, passportClient, REDACTED } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const RESTRICTED = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly']
const UNKNOWN_ID = '0b0e7f5a-9f6d-4d4c-9d0a-6c6c8f1c2b11'

const { gateway, workspace, passports } = await useGateway()
const other = await createWorkspace(gateway)

const grants = (as = workspace.as) => ({
  get: (id: string) => gateway.request('GET', `/api/v1/grants/${id}`, { headers: as }),
  list: (query = '') => gateway.request('GET', `/api/v1/grants${query}`, { headers: as }),
  issue: (json: unknown) => gateway.request('POST', '/api/v1/grants', { headers: as, json }),
  approve: (id: string, json: unknown) =>
    gateway.request('POST', `/api/v1/grants/${id}/approve`, { headers: as, json }),
  deny: (id: string) => gateway.request('POST', `/api/v1/grants/${id}/deny`, { headers: as }),
  revoke: (id: string) => gateway.request('DELETE', `/api/v1/grants/${id}`, { headers: as }),
})
const forPassport = (passportId: string, more: object = {}) => ({
  granteeName: 'Repair Ltd',
  scopeType: 'PASSPORT',
  passportId,
  expiresAt: inDays(30),
  ...more,
})
const request = (passportId: string, form: Record<string, string> = {}) =>
  gateway.request('POST', `/request-access?passport=${passportId}`, {
    form: { granteeName: 'Ada', granteeEmail: 'ada@repair.example', ...form },
  })
/** The confirmation page of a request without its reference. */
const withoutReference = ({ text }: { readonly text: string }) => text.replace(/request-access\/[\w-]{22}/, '')
const pendingOf = async (passportId: string) => {
  const { body } = await grants().list()
  return body.grants.find(
    (row: { passportId: string; status: string }) => row.passportId === passportId && row.status === 'PENDING',
  )
}
const givenBattery = () => passports.given({ metadata: battery() })
const seen = async (id: string, token: string) =>
  (await gateway.request('GET', `/passport/${id}`, { headers: bearer(token) })).body
const isOpen = (document: { metadata: Record<string, unknown> }) =>
  RESTRICTED.every((key) => document.metadata[key] !== REDACTED)

describe('issuing', () => {
  test('answers the whole record and the token, which opens the restricted values and nothing more', async () => {
    const { id } = await givenBattery()
    const { status, body } = await grants().issue(
      forPassport(id, {
        organization: 'Repairers',
        purpose: 'Repair',
        granteeEmail: 'a@b.example',
        kind: 'AUTHORITY',
        x: 1,
      }),
    )
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      warnings: ['kind', 'x'].map((path) => expect.objectContaining({ code: 'UNKNOWN_MEMBER', path })),
      token: expect.stringMatching(/^dpp_li_[0-9a-f]{32}$/),
      grant: {
        id: expect.any(String),
        status: 'ACTIVE',
        kind: 'LEGITIMATE_INTEREST',
        granteeName: 'Repair Ltd',
        granteeEmail: 'a@b.example',
        organization: 'Repairers',
        purpose: 'Repair',
        scopeType: 'PASSPORT',
        passportId: id,
        batteryUnitId: null,
        issuerType: 'TENANT',
        issuerEmail: null,
        decidedAt: null,
        decidedBy: null,
        expiresAt: expect.any(String),
        revokedAt: null,
        lastUsedAt: null,
        useCount: 0,
        createdAt: expect.any(String),
        revocable: true,
        audience: 'legitimateInterest',
        actorKind: null,
        identifierScheme: null,
        identifier: null,
      },
    })
    const document = await seen(id, body.token)
    for (const key of RESTRICTED) {
      expect(document.metadata[key]).toEqual(battery()[key as keyof ReturnType<typeof battery>])
      expect(document[key]).toEqual(document.metadata[key])
    }
    expect(document.facilityDetails).toBe(REDACTED)
    expect(document.metadata.facilityDetails).toBe(REDACTED)
  })

  test('a token is the same in the query and in the header, and is kept nowhere', async () => {
    const { id } = await givenBattery()
    const { token } = (await grants().issue(forPassport(id))).body
    const byHeader = await gateway.request('GET', `/passport/${id}`, { headers: bearer(token) })
    const byQuery = await gateway.request('GET', `/passport/${id}?grant=${token}`)
    expect(byQuery.body).toEqual(byHeader.body)
    expect(isOpen(byQuery.body)).toBe(true)
    for (const { headers } of [byHeader, byQuery]) {
      expect(headers['cache-control']).toBe('private, no-store')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers.vary).toMatch(/Authorization/)
    }
    // Neither the cache of this process nor the store retains it for the next caller.
    const anonymous = await gateway.request('GET', `/passport/${id}`)
    expect(RESTRICTED.map((key) => anonymous.body.metadata[key])).toEqual(RESTRICTED.map(() => REDACTED))
    const stored = await gateway.sqlAs<{ body: string; tier: string }>(
      workspace.id,
      'select body, tier from rendition where passport_id = $1 order by tier',
      [id],
    )
    expect(stored.map(({ tier }) => tier)).toEqual(['legitimateInterest', 'public'])
    for (const { body } of stored) expect(body).not.toContain(token)
    expect(stored.at(-1)?.body).not.toMatch(/ratedCapacity|"note":"(in use|disassembly)"/)
  })

  test('a token in the address is not passed on by a redirect', async () => {
    const { token } = (await grants().issue({ ...forPassport(''), scopeType: 'TENANT' })).body
    const { id, productId } = await passports.given({ metadata: battery({ serialNumber: 'S-9' }) })
    for (const query of [`?grant=${token}`, `?lang=de&grant=${token}`, `?%67rant=${token}&lang=de`]) {
      const { status, headers } = await gateway.request('GET', `/01/${productId}/21/S-9${query}`)
      expect(status).toBe(302)
      expect(headers.location).not.toContain('dpp_li_')
      expect(headers.location).toBe(`${BASE_URL}/passport/${id}${query.includes('lang') ? '?lang=de' : ''}`)
    }
  })

  test('a grant of the workspace opens every published passport of it, and none of another', async () => {
    const { status, body } = await grants().issue({ ...forPassport(''), scopeType: 'TENANT' })
    expect([status, body.grant.passportId]).toEqual([201, null])
    expect(isOpen(await seen((await givenBattery()).id, body.token))).toBe(true)
    const foreign = await passportClient(gateway, other.as).given({ metadata: battery() })
    expect(isOpen(await seen(foreign.id, body.token))).toBe(false)
    const draft = await passports.given({ metadata: battery(), draft: true })
    expect((await gateway.request('GET', `/passport/${draft.id}`, { headers: bearer(body.token) })).status).toBe(404)
  })

  test('a session that issues is named', async () => {
    const session = await gateway.container.cradle.workspaces.createSession({
      workspaceId: workspace.id,
      user: 'ada@acme.example',
      role: 'TENANT_ADMIN',
      mfa: true,
    })
    const { body } = await grants(bearer(session.token)).issue(forPassport((await givenBattery()).id))
    expect(body.grant.issuerEmail).toBe('ada@acme.example')
  })

  test.each([
    [{ granteeName: ' ' }, 'granteeName is required'],
    [{ granteeName: 7 }, 'granteeName is required'],
    [{ granteeEmail: 'nobody' }, 'granteeEmail is invalid'],
    [{ granteeEmail: `${'a'.repeat(250)}@b.example` }, 'granteeEmail is invalid'],
    [{ scopeType: 'ALL' }, 'scopeType must be UNIT, PASSPORT or TENANT'],
    [{ scopeType: undefined }, 'scopeType must be UNIT, PASSPORT or TENANT'],
    [{ expiresAt: undefined }, 'expiresAt is required'],
    [{ expiresAt: 'soon' }, 'expiresAt must be an ISO 8601 date or timestamp'],
    [{ expiresAt: 2_000_000_000 }, 'expiresAt must be an ISO 8601 date or timestamp'],
    [{ expiresAt: `${new Date().getUTCFullYear() + 1}-02-30` }, 'expiresAt must be an ISO 8601 date or timestamp'],
    [{ expiresAt: '2020-01-01' }, 'expiresAt must be in the future'],
    [{ expiresAt: inDays(367) }, 'expiresAt must be at most 366 days ahead'],
  ])('refuses %j', async (change, message) => {
    const { status, body } = await grants().issue(forPassport(UNKNOWN_ID, change))
    expect([status, body]).toEqual([400, { error: 'Bad Request', message }])
  })

  test('cuts what is too long, between characters', async () => {
    const { body } = await grants().issue(
      forPassport((await givenBattery()).id, { granteeName: '😀'.repeat(200), organization: 'o'.repeat(999) }),
    )
    expect(body.grant.granteeName).toBe('😀'.repeat(80))
    expect(body.grant.granteeName.isWellFormed()).toBe(true)
    expect(body.grant.organization).toHaveLength(200)
  })

  test('a target that is absent, foreign, a draft, or not named is not found', async () => {
    const foreign = await passportClient(gateway, other.as).given()
    const draft = await passports.given({ metadata: {}, draft: true })
    for (const target of [
      forPassport(UNKNOWN_ID),
      forPassport(foreign.id),
      forPassport(draft.id),
      forPassport('no-uuid'),
      forPassport(UNKNOWN_ID, { passportId: undefined }),
      forPassport(UNKNOWN_ID, { scopeType: 'UNIT' }),
      forPassport(UNKNOWN_ID, { scopeType: 'UNIT', batteryUnitId: UNKNOWN_ID }),
    ]) {
      const { status, body } = await grants().issue(target)
      expect([status, Object.keys(body)]).toEqual([404, ['error', 'message']])
    }
  })
})

describe('a token', () => {
  test('is valid until it is revoked, immediately and in every process', async () => {
    const second = await startTestGateway({ DATABASE_URL: gateway.databaseUrl })
    try {
      const { id } = await givenBattery()
      const { grant, token } = (await grants().issue(forPassport(id))).body
      const there = async () => (await second.request('GET', `/passport/${id}`, { headers: bearer(token) })).body
      expect(isOpen(await there())).toBe(true)
      const revoked = await grants().revoke(grant.id)
      expect(revoked.body).toMatchObject({ success: true, grant: { status: 'REVOKED', revokedAt: expect.any(String) } })
      expect(isOpen(await there())).toBe(false)
      expect(isOpen(await seen(id, token))).toBe(false)
      expect((await grants().revoke(grant.id)).body).toEqual(revoked.body)
    } finally {
      await second.close()
    }
  })

  test('ends with its time', async () => {
    const { id } = await givenBattery()
    const { grant, token } = (await grants().issue(forPassport(id))).body
    const expire = `update access_grant set expires_at = now() - interval '1 second' where id = $1`
    await gateway.sqlAs(workspace.id, expire, [grant.id])
    expect(isOpen(await seen(id, token))).toBe(false)
  })

  test('is counted', async () => {
    const { id } = await givenBattery()
    const { grant, token } = (await grants().issue(forPassport(id))).body
    for (let count = 0; count < 3; count += 1) await seen(id, token)
    await gateway.container.cradle.grants.flush()
    const row = (await grants().list()).body.grants.find((each: { id: string }) => each.id === grant.id)
    expect(row.useCount).toBe(3)
    expect(Date.parse(row.lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(row.createdAt))
  })

  test('opens one passport, and says nothing about others', async () => {
    const [mine, another] = [await givenBattery(), await givenBattery()]
    const { token } = (await grants().issue(forPassport(mine.id))).body
    expect(isOpen(await seen(another.id, token))).toBe(false)
  })

  test.each(['dpp_li_', `dpp_li_${'0'.repeat(32)}`, `dpp_auth_${'0'.repeat(32)}`, `dpp_li_${"'".repeat(32)}`, 'x', ''])(
    'that is not one (%j) shows the public tier and refuses nothing',
    async (token) => {
      const { id } = await givenBattery()
      for (const answer of [
        await gateway.request('GET', `/passport/${id}`, { headers: bearer(token) }),
        await gateway.request('GET', `/passport/${id}?grant=${encodeURIComponent(token)}`),
      ]) {
        expect(answer.status).toBe(200)
        expect(isOpen(answer.body)).toBe(false)
      }
    },
  )

  test('is not a credential of the API', async () => {
    const { token } = (await grants().issue({ ...forPassport(''), scopeType: 'TENANT' })).body
    for (const path of ['/api/v1/passports', '/api/v1/whoami', '/api/v1/grants']) {
      expect((await gateway.request('GET', path, { headers: bearer(token) })).status).toBe(401)
    }
  })

  test('is stored as its hash alone', async () => {
    const { token } = (await grants().issue({ ...forPassport(''), scopeType: 'TENANT' })).body
    const rows = await gateway.sqlAs(workspace.id, 'select to_jsonb(g)::text as text from access_grant g')
    expect(JSON.stringify(rows)).not.toContain(token.slice('dpp_li_'.length))
  })
})

describe('requests', () => {
  test('wait to be decided, and approval mints the token', async () => {
    const { id } = await givenBattery()
    expect((await request(id, { organization: 'Repairers', purpose: 'Repair' })).status).toBe(201)
    const pending = await pendingOf(id)
    expect(pending).toMatchObject({
      granteeName: 'Ada',
      granteeEmail: 'ada@repair.example',
      organization: 'Repairers',
      purpose: 'Repair',
      issuerType: 'REQUEST',
      kind: 'LEGITIMATE_INTEREST',
      scopeType: 'PASSPORT',
      decidedAt: null,
    })
    expect(Math.round((Date.parse(pending.expiresAt) - Date.parse(pending.createdAt)) / 86_400_000)).toBe(90)
    const { status, body } = await grants().approve(pending.id, { expiresAt: inDays(10) })
    expect(status).toBe(200)
    expect(body.grant).toMatchObject({ id: pending.id, status: 'ACTIVE', decidedAt: expect.any(String) })
    expect(body.grant.decidedBy).toMatch(/^API_KEY_[A-Za-z0-9]{8}$/)
    expect(isOpen(await seen(id, body.token))).toBe(true)
  })

  test('are decided once', async () => {
    const { id } = await givenBattery()
    await request(id)
    const pending = await pendingOf(id)
    const answers = await Promise.all(
      [1, 2, 3, 4].flatMap(() => [grants().approve(pending.id, { expiresAt: inDays(1) }), grants().deny(pending.id)]),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    for (const { status, body } of answers) {
      if (status === 409) expect(Object.keys(body)).toEqual(['error', 'message'])
    }
  })

  test('that are denied open nothing', async () => {
    const { id } = await givenBattery()
    await request(id)
    const { body } = await grants().deny((await pendingOf(id)).id)
    expect(body).toMatchObject({ success: true, grant: { status: 'DENIED', decidedBy: expect.any(String) } })
    expect((await grants().approve(body.grant.id, { expiresAt: inDays(1) })).status).toBe(409)
  })

  test.each([
    [{}, 'expiresAt is required'],
    [{ expiresAt: 'x' }, 'expiresAt must be an ISO 8601 date or timestamp'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must be in the future'],
    [{ expiresAt: inDays(400) }, 'expiresAt must be at most 366 days ahead'],
  ])('approval refuses %j', async (json, message) => {
    const { id } = await givenBattery()
    await request(id)
    const { status, body } = await grants().approve((await pendingOf(id)).id, json)
    expect([status, body]).toEqual([400, { error: 'Bad Request', message }])
    expect((await pendingOf(id)).status).toBe('PENDING')
  })

  test('of the same person for the same passport are one', async () => {
    const { id } = await givenBattery()
    await request(id)
    await request(id, { granteeEmail: 'ADA@repair.example' })
    await request(id, { granteeEmail: 'bob@repair.example' })
    const { body } = await grants().list()
    expect(body.grants.filter((row: { passportId: string }) => row.passportId === id)).toHaveLength(2)
  })

  describe('the grantee of a request cannot be impersonated', () => {
    const requestsOf = (passportId: string) =>
      gateway.sqlAs<{ granteeName: string; purpose: string | null }>(
        workspace.id,
        `select grantee_name as "granteeName", purpose from access_grant where passport_id = $1 order by created_at, id`,
        [passportId],
      )

    test('a request with a used address is stored next to the first, and the response is the same', async () => {
      const { id } = await givenBattery()
      const forged = await request(id, { granteeName: 'Mallory', purpose: 'x' })
      const real = await request(id, { granteeName: 'Ada', purpose: 'Repair of a returned pack' })
      const again = await request(id, { granteeName: 'Ada', purpose: 'Repair of a returned pack' })
      expect(await requestsOf(id)).toEqual([
        { granteeName: 'Mallory', purpose: 'x' },
        { granteeName: 'Ada', purpose: 'Repair of a returned pack' },
      ])
      expect([real.status, again.status]).toEqual([forged.status, forged.status])
      const [firstReply, ...others] = [forged, real, again].map(withoutReference)
      expect(others).toEqual([firstReply, firstReply])
      const storedGrants = await gateway.sqlAs<{ id: string }>(
        workspace.id,
        'select id from access_grant where passport_id = $1',
        [id],
      )
      const audits = await Promise.all(storedGrants.map((grant) => auditOf(gateway, workspace.id, grant.id)))
      expect(audits.map((entries) => entries.map(({ action }) => action))).toEqual([
        ['grant.requested'],
        ['grant.requested'],
      ])
    })

    test('thirty equal concurrent ones leave one row', async () => {
      const { id } = await givenBattery()
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          request(id, { granteeEmail: index % 2 === 0 ? 'ada@repair.example' : 'ADA@REPAIR.example' }),
        ),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      expect(await requestsOf(id)).toHaveLength(1)
    })

    test('thirty different ones with one address leave ten, and the response does not disclose it', async () => {
      const { id } = await givenBattery()
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => request(id, { purpose: `Repair ${index}` })),
      )
      expect(new Set(answers.map((answer) => `${answer.status} ${withoutReference(answer)}`)).size).toBe(1)
      expect(await requestsOf(id)).toHaveLength(10)
      // A decision frees capacity; other addresses are never blocked.
      await request(id, { granteeEmail: 'bob@repair.example' })
      const { body } = await grants().list('?limit=200')
      const waiting = body.grants.filter((row: { passportId: string }) => row.passportId === id)
      await grants().deny(waiting.find((row: { granteeEmail: string }) => row.granteeEmail.startsWith('ada')).id)
      await request(id, { purpose: 'The eleventh' })
      expect((await requestsOf(id)).map(({ purpose }) => purpose)).toContain('The eleventh')
      expect(await requestsOf(id)).toHaveLength(12)
    })

    test('one that has expired can be made again', async () => {
      const { id } = await givenBattery()
      await request(id)
      await gateway.sqlAs(
        workspace.id,
        `update access_grant set expires_at = now() - interval '1 day' where passport_id = $1`,
        [id],
      )
      await request(id)
      const [row, ...more] = await gateway.sqlAs<{ id: string; isOpen: boolean }>(
        workspace.id,
        'select id, expires_at > now() as "isOpen" from access_grant where passport_id = $1',
        [id],
      )
      expect([row?.isOpen, more]).toEqual([true, []])
      // Both requests refer to the existing grant.
      const audited = await auditOf(gateway, workspace.id, row?.id ?? '')
      expect(audited.filter(({ action }) => action === 'grant.requested')).toHaveLength(2)
    })
  })

  test('an unknown grant is not found', async () => {
    for (const id of [UNKNOWN_ID, 'x']) {
      for (const { status, body } of [
        await grants().approve(id, { expiresAt: inDays(1) }),
        await grants().deny(id),
        await grants().revoke(id),
      ]) {
        expect([status, body]).toEqual([404, { error: 'Not Found', message: 'Grant not found' }])
      }
    }
  })
})

describe('another workspace, and a key that is limited to an operator', () => {
  test('see and decide no request', async () => {
    const { id } = await givenBattery()
    const { grant } = (await grants().issue(forPassport(id))).body
    expect(JSON.stringify((await grants(other.as).list('?limit=200')).body)).not.toContain(grant.id)
    expect((await grants(other.as).revoke(grant.id)).status).toBe(404)
    expect((await grants(other.as).deny(grant.id)).status).toBe(404)
  })

  test('a limited key works with its operator’s passports only', async () => {
    const { workspaces } = gateway.container.cradle
    const { operator } = (
      await gateway.request('POST', '/api/v1/operators', {
        headers: workspace.as,
        json: { name: 'Second', regId: 'SECOND' },
      })
    ).body
    const { key } = await workspaces.createKey({
      workspaceId: workspace.id,
      role: 'BRAND_OPERATOR',
      operatorId: operator.id,
    })
    const limited = grants(bearer(key))
    const own = await passports.given({ metadata: battery(), operatorId: operator.id })
    const foreign = await givenBattery()
    expect((await limited.issue(forPassport(own.id))).status).toBe(201)
    expect((await limited.issue(forPassport(foreign.id))).body.code).toBe('OPERATOR_SCOPE_FORBIDDEN')
    expect((await limited.issue({ ...forPassport(''), scopeType: 'TENANT' })).body.code).toBe(
      'OPERATOR_SCOPE_FORBIDDEN',
    )
    const { grant } = (await grants().issue(forPassport(foreign.id))).body
    for (const answer of [await limited.revoke(grant.id), await limited.get(grant.id)]) {
      expect(answer.body.code).toBe('OPERATOR_SCOPE_FORBIDDEN')
    }
    const { body } = await limited.list('?limit=200')
    expect(body.grants.map(({ passportId }: { passportId: string }) => passportId)).toEqual([own.id])
    expect(body.total).toBe(1)
  })
})

describe('authorities', () => {
  test('get a token that the workspace sees and cannot revoke', async () => {
    const { id } = await givenBattery()
    const { grants: service } = gateway.container.cradle
    const minted = await service.issueAuthority({ scope: 'PASSPORT', target: id, expires: inDays(5) })
    expect(minted.token).toMatch(/^dpp_auth_[0-9a-f]{32}$/)
    expect(isOpen(await seen(id, minted.token))).toBe(true)
    const row = (await grants().list('?limit=200')).body.grants.find((each: { id: string }) => each.id === minted.id)
    expect(row).toMatchObject({ kind: 'AUTHORITY', issuerType: 'PLATFORM', revocable: false })
    const { status, body } = await grants().revoke(minted.id)
    expect([status, Object.keys(body)]).toEqual([403, ['error', 'message']])
    expect(isOpen(await seen(id, minted.token))).toBe(true)
    const tenant = await service.issueAuthority({ scope: 'TENANT', target: workspace.id, expires: inDays(5) })
    expect(isOpen(await seen(id, tenant.token))).toBe(true)
  })

  test.each([
    [{ scope: 'ALL' }, /scope must be/],
    [{ target: UNKNOWN_ID }, /^Published passport .* not found\.$/],
    [{ scope: 'UNIT' }, /^Published battery unit .* not found\.$/],
    [{ expires: 'never' }, /expiresAt must be/],
  ])('are refused %j', async (change, message) => {
    const call = gateway.container.cradle.grants.issueAuthority({
      scope: 'PASSPORT',
      target: UNKNOWN_ID,
      expires: inDays(1),
      ...change,
    })
    await expect(call).rejects.toThrow(message)
  })
})

describe('one grant', () => {
  test('is shown as in the list, without its token', async () => {
    const { id } = await givenBattery()
    const { grant, token } = (await grants().issue(forPassport(id))).body
    const { status, body, text } = await grants().get(grant.id)
    expect([status, body]).toEqual([200, { success: true, grant }])
    expect(text).not.toContain(token)
    const [listed] = (await grants().list('?limit=200')).body.grants.filter(({ id }: { id: string }) => id === grant.id)
    expect(listed).toEqual(grant)
  })

  test('is not found under another id or in another workspace', async () => {
    const { grant } = (await grants().issue(forPassport((await givenBattery()).id))).body
    for (const answer of [
      await grants().get(UNKNOWN_ID),
      await grants().get('no-uuid'),
      await grants(other.as).get(grant.id),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { error: 'Not Found', message: 'Grant not found' }])
    }
  })
})

describe('the list', () => {
  test('is one page, by status and then newest first', async () => {
    const fresh = await createWorkspace(gateway)
    const client = passportClient(gateway, fresh.as)
    const mine = grants(fresh.as)
    const { id } = await client.given({ metadata: battery() })
    for (const granteeName of ['First', 'Second', 'Third']) await mine.issue(forPassport(id, { granteeName }))
    await gateway.request('POST', `/request-access?passport=${id}`, {
      form: { granteeName: 'Asking', granteeEmail: 'a@b.example' },
    })
    const { body } = await mine.list()
    expect(body).toMatchObject({ success: true, count: 4, page: 1, limit: 100, total: 4, totalPages: 1 })
    expect(body.grants.map(({ granteeName }: { granteeName: string }) => granteeName)).toEqual([
      'Third',
      'Second',
      'First',
      'Asking',
    ])
    expect((await mine.list('?page=2&limit=3')).body).toMatchObject({ count: 1, page: 2, limit: 3, totalPages: 2 })
    expect((await mine.list('?page=x&limit=y')).body).toMatchObject({ page: 1, limit: 100 })
    expect((await mine.list('?page=0&limit=999')).body).toMatchObject({ page: 1, limit: 200 })
  })
})

test('audited events', async () => {
  const { id } = await passports.given({ metadata: textile() })
  await request(id)
  const pending = await pendingOf(id)
  await grants().approve(pending.id, { expiresAt: inDays(1) })
  await grants().revoke(pending.id)
  const rows = await auditOf(gateway, workspace.id, pending.id)
  expect(rows.map(({ action }) => action)).toEqual(['grant.requested', 'grant.approved', 'grant.revoked'])
  expect(rows[0]?.actor).toBe('public')
})

describe('the page', () => {
  const page = (query: string, headers = {}) => gateway.request('GET', `/request-access${query}`, { headers })

  test('shows a form that works without script, in the language of the reader', async () => {
    const { id } = await givenBattery()
    const { status, text, headers } = await page(`?passport=${id}`, { 'accept-language': 'pl' })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(text).toContain('<html lang="pl">')
    expect(text).toContain('name="granteeEmail"')
    expect(withoutOwnCode(text)).not.toContain('<script')
  })

  test('reports the error next to the input, and stores nothing', async () => {
    const { id } = await givenBattery()
    const { status, text } = await request(id, {
      granteeName: '',
      granteeEmail: '"><script>1</script>',
      purpose: 'Repair',
    })
    expect(status).toBe(400)
    expect(text).toContain('Please enter your name.')
    expect(text).toContain('aria-invalid="true"')
    expect(text).toContain('Repair</textarea>')
    expect(withoutOwnCode(text)).not.toContain('<script')
    expect(await pendingOf(id)).toBeUndefined()
  })

  test('review-3-users S9: without a mail server the receipt links to the status, and the company gets in touch', async () => {
    const { id } = await givenBattery()
    const sent = await request(id)
    expect(sent.status).toBe(201)
    expect(sent.text).toMatch(/If it is approved, .*Operator.* will get in touch with you\./)
    const [, followed = ''] = /href="([^"]*\/request-access\/[\w-]{22})\?lang=en"/.exec(sent.text) ?? []
    const status = async () => (await gateway.request('GET', new URL(followed).pathname)).text
    expect(await status()).toContain('has not decided yet.')
    expect(await status()).not.toContain('e-mail')
    const { id: grantId } = await pendingOf(id)
    expect((await grants().approve(grantId, { expiresAt: inDays(10) })).status).toBe(200)
    expect(await status()).toMatch(/Your request has been approved until .* will get in touch with you\./)
  })

  test('is not there for a draft, for nothing, and for a unit that does not exist', async () => {
    const draft = await passports.given({ metadata: {}, draft: true })
    const hasSearch = gateway.container.cradle.plugins.modules.some(({ findSubject }) => findSubject !== undefined)
    for (const query of [
      '',
      '?passport=x',
      `?passport=${draft.id}`,
      `?passport=${UNKNOWN_ID}`,
      `?unit=${UNKNOWN_ID}`,
    ]) {
      expect((await page(query)).status).toBe(query === '' && hasSearch ? 200 : 404)
      expect((await gateway.request('POST', `/request-access${query}`, { form: { granteeName: 'A' } })).status).toBe(
        404,
      )
    }
  })

  test('the passport page leads to it where something can be asked for', async () => {
    const html = async (id: string, headers = {}) =>
      (await gateway.request('GET', `/passport/${id}`, { headers: { accept: 'text/html', ...headers } })).text
    const { id } = await givenBattery()
    const link = `${BASE_URL}/request-access?passport=${id}`
    expect(await html(id)).toContain(link)
    expect(await html(id, workspace.as)).not.toContain(link)
    expect(await html((await passports.given()).id)).not.toContain('/request-access')
  })
})
