import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  BASE_URL,
  bearer,
  createWorkspace,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway({ WORKSPACE_HOST_SUFFIX: '.dpp.example.test' })
const workspace = await createWorkspace(gateway, { subdomain: 'atelier' })

const openSession = (more: { role?: string; mfa?: boolean; workspaceId?: string } = {}) =>
  gateway.container.cradle.workspaces.createSession({
    workspaceId: workspace.id,
    user: 'user@atelier.example',
    role: 'BRAND_OPERATOR',
    mfa: false,
    ...more,
  })
const newPassport = () => ({ productId: newGtin(), metadata: textile() })
const create = (headers: Record<string, string>) => passportClient(gateway, headers).create(newPassport())
const whoami = (headers: Record<string, string>) => gateway.request('GET', '/api/v1/whoami', { headers })

describe('a session', () => {
  test('works as bearer and as cookie, and is distinguished from a key', async () => {
    const { token, cookie, csrf } = await openSession({ role: 'TENANT_ADMIN' })
    for (const headers of [bearer(token), { cookie }]) {
      const { status, body } = await whoami(headers)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        tenant: { id: workspace.id, subdomain: 'atelier', tier: 'enterprise', subscriptionStatus: 'active' },
        auth: { role: 'TENANT_ADMIN', isApiKeySession: false, operatorId: null },
      })
      expect(body.auth.permissions).toContain('passport:seal')
    }
    expect((await whoami(workspace.as)).body.auth.isApiKeySession).toBe(true)
    const created = expectStatus(201, await create({ cookie, 'x-csrf-token': csrf }))
    await passportClient(gateway, bearer(token)).update(created.body.passport.id, { metadata: textile() })
    const [history] = await gateway.sqlAs<{ changed_by: string }>(
      workspace.id,
      'select changed_by from passport_history',
    )
    expect(history?.changed_by).toBe('user@atelier.example')
  })

  test('has the permissions of its role and no more', async () => {
    const { token } = await openSession({ role: 'AUDITOR' })
    expect((await passportClient(gateway, bearer(token)).list()).status).toBe(200)
    const { status, body } = await create(bearer(token))
    expect(status).toBe(403)
    expect(body.message).toBe('Insufficient permissions. Required: "passport:create".')
  })

  test('in a cookie counts for nothing next to an Authorization header', async () => {
    const { cookie } = await openSession()
    expect((await whoami({ cookie, ...bearer('dpp_key_nonsense') })).status).toBe(401)
    expect((await create({ cookie, ...workspace.as })).status).toBe(201)
  })

  test('lives at most twelve hours', async () => {
    const { token } = await openSession()
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ iss: BASE_URL, aud: 'dpp-console', tenant: workspace.id, mfa: false })
    expect(claims.exp - claims.iat).toBeLessThanOrEqual(12 * 3600)
  })
})

describe('trap 6: double submit', () => {
  test('a cookie session writes only with the header and the cookie that belong to it', async () => {
    const session = await openSession()
    const foreign = await openSession({ mfa: true })
    expect(session.csrf).not.toBe(foreign.csrf)
    const sessionCookie = `dpp_session=${session.token}`
    for (const headers of [
      { cookie: session.cookie },
      { cookie: session.cookie, 'x-csrf-token': '' },
      { cookie: session.cookie, 'x-csrf-token': `${session.csrf}A` },
      { cookie: session.cookie, 'x-csrf-token': foreign.csrf },
      { cookie: sessionCookie, 'x-csrf-token': session.csrf },
      { cookie: `${sessionCookie}; dpp_csrf=${foreign.csrf}`, 'x-csrf-token': foreign.csrf },
      { cookie: `${sessionCookie}; dpp_csrf=${foreign.csrf}`, 'x-csrf-token': session.csrf },
      { cookie: `${sessionCookie}; dpp_csrf=`, 'x-csrf-token': '' },
    ] as Record<string, string>[]) {
      const { status, body } = await create(headers)
      expect(`${JSON.stringify(headers)} ${status}`).toBe(`${JSON.stringify(headers)} 403`)
      expect(body).toMatchObject({ success: false, error: 'Forbidden' })
    }
    expect((await create({ cookie: session.cookie, 'x-csrf-token': session.csrf })).status).toBe(201)
  })

  test('every write asks for it and no read does', async () => {
    const { cookie } = await openSession()
    const client = passportClient(gateway, { cookie })
    expect((await client.list()).status).toBe(200)
    const id = '00000000-0000-4000-8000-000000000000'
    for (const { status } of [
      await client.validate(newPassport()),
      await client.update(id, {}),
      await client.remove(id),
      await client.seal(id),
      await client.setStatus(id, 'ACTIVE'),
      await gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: { cookie } }),
      await gateway.request('PATCH', `/api/v1/operators/${id}`, { headers: { cookie }, json: {} }),
      await gateway.request('POST', '/api/v1/passports/validate-only-public', {
        headers: { cookie },
        json: newPassport(),
      }),
    ]) {
      expect(status).toBe(403)
    }
  })

  test('a bearer session and an API key need none', async () => {
    const { token } = await openSession()
    expect((await create(bearer(token))).status).toBe(201)
    expect((await create(workspace.as)).status).toBe(201)
  })
})

test('if the workspace requires it, sessions without MFA do not write; keys and reads are exempt', async () => {
  const strict = await createWorkspace(gateway)
  await gateway.container.cradle.workspaces.set(strict.id, { requireMfa: true })
  const [plain, strong] = [
    await openSession({ workspaceId: strict.id }),
    await openSession({ workspaceId: strict.id, mfa: true }),
  ]
  for (const headers of [bearer(plain.token), { cookie: plain.cookie, 'x-csrf-token': plain.csrf }]) {
    const { status, body } = await create(headers)
    expect(status).toBe(403)
    expect(body).toMatchObject({ success: false, error: 'Forbidden', message: expect.stringMatching(/multi-factor/) })
  }
  expect((await passportClient(gateway, bearer(plain.token)).list()).status).toBe(200)
  expect((await create(bearer(strong.token))).status).toBe(201)
  expect((await create(strict.as)).status).toBe(201)
})

describe('a token that this node did not issue, or not for this', () => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = (more: object = {}) => {
    const now = Math.floor(Date.now() / 1000)
    return {
      iss: BASE_URL,
      aud: 'dpp-console',
      sub: 'u',
      tenant: workspace.id,
      role: 'BRAND_OPERATOR',
      mfa: true,
      iat: now,
      exp: now + 3600,
      ...more,
    }
  }
  const es256 = { alg: 'ES256', typ: 'JWT' }
  /** A token with arbitrary claims and the node's own signature. */
  const issued = async (payload: object, header: object = es256) => {
    await openSession()
    const [key] = await gateway.sql<{ signer_key: string }>(`select signer_key from node_key where purpose = 'session'`)
    const input = `${encode(header)}.${encode(payload)}`
    const signature = await gateway.container.cradle.signer.sign(key?.signer_key ?? '', Buffer.from(input))
    return `${input}.${Buffer.from(signature).toString('base64url')}`
  }
  const expectRefused = async (token: string) => {
    for (const headers of [bearer(token), { cookie: `dpp_session=${token}` }]) {
      const { status, body } = await whoami(headers)
      expect(status).toBe(401)
      expect(body).toEqual({ success: false, error: 'Unauthorized', message: expect.any(String) })
    }
  }

  test('the same claims with the right signature are accepted, so that the refusals below mean something', async () => {
    expect((await whoami(bearer(await issued(claims())))).status).toBe(200)
  })

  test.each([
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 60 }],
    ['that was issued long ago', { iat: Math.floor(Date.now() / 1000) - 13 * 3600 }],
    ['that is not valid yet', { nbf: Math.floor(Date.now() / 1000) + 3600 }],
    ['for another audience', { aud: 'other' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without expiry', { exp: undefined }],
    ['without issue time', { iat: undefined }],
    ['without subject', { sub: undefined }],
    ['without workspace', { tenant: undefined }],
    ['for a workspace that is not there', { tenant: '00000000-0000-4000-8000-000000000000' }],
    ['with hostile text as workspace', { tenant: "' or true --" }],
  ])('%s is refused', async (_name, more) => expectRefused(await issued(claims(more))))

  test('with a role that is not there may do nothing', async () => {
    const token = await issued(claims({ role: 'SUPER_ADMIN' }))
    expect((await passportClient(gateway, bearer(token)).list()).status).toBe(403)
  })

  test('with alg none, with HS256 under the public key, and of another key are refused', async () => {
    await openSession()
    const [{ public_jwk: jwk } = { public_jwk: {} }] = await gateway.sql<{ public_jwk: object }>(
      `select public_jwk from node_key where purpose = 'session'`,
    )
    const publicKey = createPublicKey({ key: jwk as never, format: 'jwk' })
    const input = (header: object) => `${encode(header)}.${encode(claims())}`
    for (const alg of ['none', 'None', 'NONE']) {
      await expectRefused(`${input({ alg, typ: 'JWT' })}.`)
      await expectRefused(`${input({ alg, typ: 'JWT' })}.AAAA`)
    }
    const symmetric = input({ alg: 'HS256', typ: 'JWT' })
    for (const secret of [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(jwk),
    ]) {
      await expectRefused(`${symmetric}.${createHmac('sha256', secret).update(symmetric).digest('base64url')}`)
    }
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const signed = (text: string) =>
      `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
    await expectRefused(signed(input(es256)))
    const own = createPublicKey(privateKey).export({ format: 'jwk' })
    await expectRefused(signed(input({ ...es256, jwk: own })))
    await expectRefused(signed(input({ ...es256, jku: 'https://evil.example/keys', kid: '../../etc/passwd' })))
  })

  test('a session with changed claims or signature is rejected', async () => {
    const { token } = await openSession()
    const [header, , signature] = token.split('.')
    await expectRefused(`${header}.${encode(claims())}.${signature}`)
    await expectRefused(token.slice(0, -4))
    for (const text of ['a.b.c', '..', 'e30.e30.e30', `${token}.${token}`]) await expectRefused(text)
  })
})

describe('trap 5: a workspace host', () => {
  const at = (host: string, headers: Record<string, string> = workspace.as) => whoami({ ...headers, host })

  test('must agree with the credential and never selects the workspace', async () => {
    const other = await createWorkspace(gateway, { subdomain: 'other' })
    const nameless = await createWorkspace(gateway)
    await createWorkspace(gateway, { subdomain: 'null' })
    expect((await at('atelier.dpp.example.test')).status).toBe(200)
    expect((await at('ATELIER.dpp.example.test:3000')).status).toBe(200)
    expect((await at('dpp.example.test')).status).toBe(200)
    for (const [host, headers] of [
      ['other.dpp.example.test', workspace.as],
      ['atelier.dpp.example.test', other.as],
      ['nobody.dpp.example.test', workspace.as],
      ['x.atelier.dpp.example.test', workspace.as],
      ['atelier.dpp.example.test', nameless.as],
      ['null.dpp.example.test', nameless.as],
      ['other.dpp.example.test.', workspace.as],
    ] as const) {
      const { status, body } = await at(host, headers)
      expect(`${host} ${status}`).toBe(`${host} 403`)
      expect(body).toMatchObject({ success: false, error: 'Forbidden' })
    }
    const seen = await at('atelier.dpp.example.test')
    expect(seen.body.tenant.id).toBe(workspace.id)
  })

  test('is checked for sessions too, and before anything is written', async () => {
    const { token } = await openSession()
    await createWorkspace(gateway, { subdomain: 'third' })
    const host = 'third.dpp.example.test'
    expect((await at(host, bearer(token))).status).toBe(403)
    const json = newPassport()
    const headers = { ...workspace.as, host }
    expect((await gateway.request('POST', '/api/v1/passports', { headers, json })).status).toBe(403)
    expect((await gateway.request('GET', `/01/${json.productId}`)).status).toBe(404)
  })
})

describe('the host of a workspace', () => {
  const suffix = '.dpp.example.test'
  let foreign: TestWorkspace
  let passportId: string

  beforeAll(async () => {
    foreign = await createWorkspace(gateway, { subdomain: 'rival' })
    passportId = expectStatus(201, await create(workspace.as)).body.passport.id
  })

  const paths = () => [`/passport/${passportId}`, `/passport/${passportId}?x=1`, `/api/v1/passports/${passportId}`]

  test('has to agree with the credential on public operations too', async () => {
    for (const path of paths()) {
      const ask = (host: string, headers: Record<string, string>) =>
        gateway.request('GET', path, { headers: { ...headers, host } })
      const own = await ask(`atelier${suffix}`, workspace.as)
      expect([own.status, own.headers['x-access-tier']]).toEqual([200, 'owner'])
      for (const host of [
        `other${suffix}`,
        `OTHER${suffix}`,
        `other${suffix}.`,
        `other${suffix}:8443`,
        `other${suffix}.:1`,
      ]) {
        const { status, body } = await ask(host, workspace.as)
        expect([path, host, status, body.error]).toEqual([path, host, 403, 'Forbidden'])
      }
    }
    const credential = `/credentials/${passportId}`
    const headers = { ...workspace.as, host: `other${suffix}` }
    expect((await gateway.request('GET', credential, { headers })).status).toBe(403)
    const link = `/01/${newGtin()}/21/x`
    expect((await gateway.request('GET', link, { headers })).status).toBe(403)
  })

  test('says nothing about callers without a valid credential, in both lanes', async () => {
    for (const headers of [{}, bearer('dpp_key_x'), bearer(`dpp_li_${'0'.repeat(32)}`)] as Record<string, string>[]) {
      for (const path of paths().slice(0, 2)) {
        const answer = await gateway.request('GET', path, { headers: { ...headers, host: `other${suffix}` } })
        expect([answer.status, answer.headers['x-access-tier']]).toEqual([200, 'public'])
      }
    }
  })

  test.each([
    'other.dpp.example.test:x',
    'other.dpp.example.test..',
    'other..dpp.example.test',
    '.dpp.example.test',
    'a b',
    'a/b',
    'user@other.dpp.example.test',
    'other.dpp.example.test:123456',
    'other.dpp.example.test:',
    '[::1',
    'a,b',
    'ä.example.test',
    `${'a'.repeat(64)}.example.test`,
    'x\ty',
  ])('an invalid host name is rejected for every caller, in both lanes: %j', async (host) => {
    for (const path of [...paths(), '/health']) {
      for (const headers of [{}, workspace.as, foreign.as] as Record<string, string>[]) {
        const { status, body } = await gateway.client.send('GET', path, { headers: { ...headers, host } })
        expect([path, status, body]).toEqual([
          path,
          400,
          { statusCode: 400, error: 'Bad Request', message: expect.stringMatching(/host/) },
        ])
      }
    }
  })

  test.each(['', 'localhost', '127.0.0.1:3000', '[::1]:3000', '[::1]', 'a_b.example.test', 'EXAMPLE.test.'])(
    'may be any other: %j',
    async (host) => {
      for (const path of paths())
        expect((await gateway.request('GET', path, { headers: { ...workspace.as, host } })).status).toBe(200)
    },
  )

  test('is what a trusted proxy says, and only then', async () => {
    const ask = (of: TestGateway, host: string, forwarded: string) =>
      of.request('GET', paths()[1] ?? '', { headers: { ...workspace.as, host, 'x-forwarded-host': forwarded } })
    const [own, other] = [`atelier${suffix}`, `other${suffix}`]
    expect((await ask(gateway, own, other)).status).toBe(200)
    expect((await ask(gateway, other, own)).status).toBe(403)
    const env = { WORKSPACE_HOST_SUFFIX: suffix, DATABASE_URL: gateway.databaseUrl }
    for (const trust of ['1', 'loopback']) {
      const behind = await startTestGateway({ ...env, TRUST_PROXY: trust })
      try {
        expect((await ask(behind, 'internal', own)).status).toBe(200)
        expect((await ask(behind, other, own)).status).toBe(200)
        expect((await ask(behind, own, other)).status).toBe(403)
        expect((await ask(behind, own, `${own}, ${other}`)).status).toBe(403)
        expect((await ask(behind, own, `${other}, ${own}`)).status).toBe(403)
        expect((await ask(behind, own, `${other}:x`)).status).toBe(400)
        expect((await ask(behind, own, `${other}..`)).status).toBe(400)
      } finally {
        await behind.close()
      }
    }
    const elsewhere = await startTestGateway({ ...env, TRUST_PROXY: '192.0.2.1' })
    expect((await ask(elsewhere, own, other)).status).toBe(200)
    await elsewhere.close()
  })

  test('of the request target counts where it is an address', async () => {
    const ask = (host: string) =>
      gateway.client.send('GET', `http://${host}${paths()[1]}`, {
        headers: { ...workspace.as, host: `atelier${suffix}` },
      })
    expect((await ask(`atelier${suffix}`)).status).toBe(200)
    expect((await ask(`other${suffix}`)).status).toBe(403)
    expect((await ask(`other${suffix}:x`)).status).toBe(400)
  })
})

describe('the requester of a job is checked again when it is done', () => {
  const { identity } = gateway.container.cradle
  const ofKey = async (headers: Record<string, string>) => {
    const principal = await identity.fromBearer(headers.authorization?.slice('Bearer '.length) ?? '')
    if (principal === undefined) throw new Error('There is no such key.')
    return principal
  }

  test('a key keeps its identity, only in its own workspace', async () => {
    const principal = await ofKey(workspace.as)
    expect(await identity.stillOf(principal)).toEqual(principal)
    const foreign = await createWorkspace(gateway)
    expect(await identity.stillOf({ ...principal, tenantId: foreign.id })).toBeUndefined()
    expect(await identity.stillOf({ ...principal, actor: 'api-key:zzzzzzzz' })).toBeUndefined()
  })

  test('a session has the permissions of its role, as long as its workspace is there', async () => {
    const session = { tenantId: workspace.id, actor: 'anna', role: 'AUDITOR' }
    const principal = await identity.stillOf(session)
    expect(principal).toMatchObject({ kind: 'session', ...session, mfa: false, workspace: { id: workspace.id } })
    expect(principal?.permissions.has('passport:read')).toBe(true)
    expect(principal?.permissions.has('passport:create')).toBe(false)
    const ofUnknown = { ...session, tenantId: '00000000-0000-4000-8000-000000000000' }
    expect(await identity.stillOf(ofUnknown)).toBeUndefined()
  })
})
