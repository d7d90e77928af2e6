import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/permissions.ts'
import { newSecret } from '../../src/domain/webhooks.ts'
import { bearer, createWorkspace, newGtin } from '../support/gateway.ts'
import { battery, passportClient } from '../support/passport-client.ts'
import { png } from '../support/pictures.ts'
import { dpp as run, startDpp } from '../support/process.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

/** The command line next to a running gateway, on the same database. */
const { gateway } = await useGateway()
const env = {
  DATABASE_URL: gateway.databaseUrl,
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  BASE_URL: 'https://dpp.example.test',
  // As test gateways.
  CONSOLE: 'off',
}

const dpp = (...args: string[]) => run(args, env)
const json = async (...args: string[]) => {
  const { stdout, stderr, code } = await dpp(...args, '--json')
  expect({ stderr, code, lines: stdout.trimEnd().split('\n').length }).toEqual({ stderr: '', code: 0, lines: 1 })
  return JSON.parse(stdout)
}
const whoami = (headers: Record<string, string>) => gateway.request('GET', '/api/v1/whoami', { headers })

describe('workspaces', () => {
  test('are created with a plan, a subdomain and, on request, a seal key', async () => {
    const workspace = await json(
      'workspace',
      'create',
      '--name',
      'Acme',
      '--legal-name',
      'Acme GmbH',
      '--country',
      'de',
      '--subdomain',
      'acme',
      '--plan',
      'scale',
      '--with-key',
    )
    expect(workspace).toMatchObject({
      name: 'Acme',
      legalName: 'Acme GmbH',
      country: 'DE',
      subdomain: 'acme',
      plan: 'scale',
    })
    expect(workspace.publicKey).toContain('BEGIN PUBLIC KEY')
    const { key } = await json('key', 'create', '--workspace', workspace.id, '--role', 'BRAND_OPERATOR')
    expect((await whoami(bearer(key))).body.tenant).toEqual({
      id: workspace.id,
      name: 'Acme',
      subdomain: 'acme',
      tier: 'scale',
      subscriptionStatus: 'active',
    })
    expect(await dpp('workspace', 'create', '--name', 'Twin', '--subdomain', 'acme')).toMatchObject({
      code: 1,
      stderr: 'subdomain: "acme" is already in use. Choose another.\n',
    })
  })

  test('change plan, subscription, limit and MFA, with immediate effect', async () => {
    const { id } = await json('workspace', 'create', '--name', 'Changing')
    const { key } = await json('key', 'create', '--workspace', id, '--role', 'TENANT_ADMIN')
    expect(
      await json(
        'workspace',
        'set',
        id,
        '--plan',
        'starter',
        '--subscription',
        'grace',
        '--passport-limit',
        '7',
        '--storage-limit',
        '8589934592',
        '--row-limit',
        '9',
        '--require-mfa',
        'on',
      ),
    ).toEqual({
      id,
      name: 'Changing',
      email: null,
      plan: 'starter',
      subscription: 'grace',
      passportLimit: 7,
      storageLimit: 8_589_934_592,
      rowLimit: 9,
      requireMfa: true,
      strictAudiences: false,
    })
    expect((await whoami(bearer(key))).body).toMatchObject({
      tenant: { tier: 'starter', subscriptionStatus: 'grace' },
      usage: { passportLimit: 7 },
    })
    const none = ['passport', 'storage', 'row'].flatMap((limit) => [`--${limit}-limit`, 'none'])
    expect(await json('workspace', 'set', id, ...none)).toMatchObject({
      passportLimit: null,
      storageLimit: null,
      rowLimit: null,
      plan: 'starter',
    })
  })

  test('are listed, and shown with all their data', async () => {
    const { id } = await json('workspace', 'create', '--name', 'Shown', '--country', 'pt', '--plan', 'scale')
    const { workspaces } = await json('workspace', 'list')
    expect(workspaces.find((each: { id: string }) => each.id === id)).toEqual({
      ...{ id, name: 'Shown', plan: 'scale', subscription: 'active', subdomain: null, isSuspended: false },
    })
    expect(await json('workspace', 'show', id)).toMatchObject({
      ...{ id, name: 'Shown', legalName: 'Shown', country: 'PT', plan: 'scale', passportLimit: null },
      ...{ suspendedAt: null, publishedPassports: 0 },
    })
    expect(await dpp('workspace', 'show', 'nobody')).toMatchObject({
      code: 1,
      stderr: 'Workspace nobody not found.\n',
    })
  })

  test('have a logo and an accent colour that can be read', async () => {
    const { id } = await createWorkspace(gateway)
    const folder = mkdtempSync(join(tmpdir(), 'logo-'))
    const logo = join(folder, 'logo.png')
    writeFileSync(logo, await png(40, 20))
    expect(await json('workspace', 'brand', id, '--logo', logo, '--accent', '#0B5F5A')).toEqual({
      accent: '#0b5f5a',
      logo: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const refused = await dpp('workspace', 'brand', id, '--accent', '#ffd700')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/Use a colour such as #[0-9a-f]{6}\.\n$/)])
    rmSync(folder, { recursive: true })
  })

  test('are bound to an operator of another workspace', async () => {
    const [owner, guest] = [
      await json('workspace', 'create', '--name', 'Owner'),
      await json('workspace', 'create', '--name', 'Guest'),
    ]
    const keys = await Promise.all(
      [owner, guest].map(({ id }) => json('key', 'create', '--workspace', id, '--role', 'BRAND_OPERATOR')),
    )
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: bearer(keys[0].key),
      json: { name: 'Shared', regId: 'S1' },
    })
    expect(await json('operator', 'bind', '--operator', body.operator.id, '--workspace', guest.id)).toMatchObject({
      bound: true,
    })
    const seen = await gateway.request('GET', '/api/v1/operators', { headers: bearer(keys[1].key) })
    expect(seen.body.operators).toEqual([body.operator])
    expect(await dpp('operator', 'bind', '--operator', guest.id, '--workspace', guest.id)).toMatchObject({
      code: 1,
      stderr: `Operator ${guest.id} not found.\n`,
    })
  })
})

test('a GS1 company prefix is claimed, listed and released, and passports of others under it are named', async () => {
  const [owner, other] = [await createWorkspace(gateway), await createWorkspace(gateway)]
  const productId = newGtin('3000001')
  const passport = await passportClient(gateway, other.as).given({ productId })
  const claim = { prefix: '3000001', workspaceId: owner.id }
  expect(await json('prefix', 'claim', '--workspace', owner.id, '--prefix', '3000001')).toEqual({
    ...claim,
    others: [{ id: passport.id, workspaceId: other.id, productId }],
  })
  expect(await json('prefix', 'list')).toEqual({
    prefixes: [{ ...claim, workspace: expect.any(String), claimedAt: expect.stringMatching(/^2.*Z$/) }],
  })
  expect(await dpp('prefix', 'release', '3000001')).toMatchObject({ code: 0, stdout: 'Prefix 3000001 is released.\n' })
  expect(await gateway.container.cradle.companyPrefixes.list()).toEqual([])
})

test('a token for an authority is minted, shown once, and opens what it names', async () => {
  const { id: workspace } = await json('workspace', 'create', '--name', 'Watched')
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  const minted = await json('grant', 'authority', '--scope', 'TENANT', '--target', workspace, '--expires', expires)
  expect(minted).toEqual({ id: expect.any(String), token: expect.stringMatching(/^dpp_auth_[0-9a-f]{32}$/) })
  const { key } = await json('key', 'create', '--workspace', workspace, '--role', 'AUDITOR')
  const { body } = await gateway.request('GET', '/api/v1/grants', { headers: bearer(key) })
  expect(body.grants).toMatchObject([{ id: minted.id, kind: 'AUTHORITY', issuerType: 'PLATFORM', revocable: false }])
  expect(JSON.stringify(body)).not.toContain(minted.token)
  expect(
    await dpp('grant', 'authority', '--scope', 'PASSPORT', '--target', workspace, '--expires', expires),
  ).toMatchObject({ code: 1, stderr: `Published passport ${workspace} not found.\n` })
})

test('a token for an authority may be for one battery unit', async () => {
  const workspace = await createWorkspace(gateway)
  const { id } = await passportClient(gateway, workspace.as).given({ metadata: battery() })
  const units = unitClient(gateway, workspace.as)
  const [unit, other] = [await units.given(id), await units.given(id)]
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  const mint = ['grant', 'authority', '--scope', 'UNIT', '--expires', expires, '--target']
  const { token } = await json(...mint, unit.id)
  const tierOf = async (path: string) =>
    (await gateway.request('GET', path, { headers: bearer(token) })).headers['x-access-tier']
  const tiers = [`/unit/${unit.id}`, `/unit/${other.id}`, `/passport/${id}`].map(tierOf)
  expect(await Promise.all(tiers)).toEqual(['restricted', 'public', 'public'])
  expect(await dpp(...mint, id)).toMatchObject({ code: 1, stderr: `Published battery unit ${id} not found.\n` })
})

describe('keys and sessions', () => {
  test('a key may narrow its role, expire, and is listed without its secret', async () => {
    const { id: workspace } = await json('workspace', 'create', '--name', 'Keys')
    const narrow = await json(
      'key',
      'create',
      '--workspace',
      workspace,
      '--role',
      'AUDITOR',
      '--permissions',
      'passport:read, facility:read',
      '--name',
      'till',
    )
    expect((await whoami(bearer(narrow.key))).body.auth.permissions).toEqual(['passport:read', 'facility:read'])
    const old = await json(
      'key',
      'create',
      '--workspace',
      workspace,
      '--role',
      'AUDITOR',
      '--expires',
      '2020-01-01T00:00:00Z',
    )
    expect((await whoami(bearer(old.key))).status).toBe(401)
    const { stdout } = await dpp('key', 'list')
    expect(stdout).toContain([narrow.id, 'AUDITOR', 'Keys', 'till'].join('\t'))
    expect(stdout).toContain(`${old.id}\tAUDITOR\tKeys\t\texpires 2020-01-01`)
    expect(stdout).not.toContain(narrow.key.slice(17))
  })

  test('review-3-claims 7.4: a key is refused a permission that its role does not have', async () => {
    const { id: workspace } = await json('workspace', 'create', '--name', 'Narrow')
    const create = ['key', 'create', '--workspace', workspace, '--role', 'AUDITOR', '--permissions']
    expect(await dpp(...create, 'passport:read,passport:create')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'permissions: the role AUDITOR does not have passport:create. Choose another role, or remove them.\n',
    })
    const { stdout } = await dpp('key', 'list')
    expect(stdout).not.toContain('Narrow')
  })

  test('the command line and the API agree on every permission name', async () => {
    const { id: workspace } = await json('workspace', 'create', '--name', 'Names')
    const { key } = await json(
      'key',
      'create',
      '--workspace',
      workspace,
      '--role',
      'TENANT_ADMIN',
      '--permissions',
      PERMISSIONS.join(','),
    )
    expect((await whoami(bearer(key))).body.auth.permissions).toEqual([...PERMISSIONS])
    const needed = new Set(
      JSON.stringify(gateway.container.cradle.contract.document.paths)
        .match(/"[a-z]+:(read|create|update|write|seal)"/g)
        ?.map((name) => JSON.parse(name)),
    )
    for (const name of needed) expect(PERMISSIONS).toContain(name)
  })

  test('a session works as bearer and as cookie with its CSRF token', async () => {
    const { id: workspace } = await json('workspace', 'create', '--name', 'Sessions')
    const session = await json(
      'session',
      'create',
      '--workspace',
      workspace,
      '--user',
      'ada@example.org',
      '--role',
      'TENANT_ADMIN',
      '--mfa',
    )
    expect((await whoami(bearer(session.token))).body.auth).toMatchObject({
      role: 'TENANT_ADMIN',
      isApiKeySession: false,
    })
    expect((await whoami({ cookie: session.cookie })).status).toBe(200)
    const write = (headers: Record<string, string>) =>
      gateway.request('POST', '/api/v1/operators', {
        headers: { cookie: session.cookie, ...headers },
        json: { name: 'N', regId: 'R' },
      })
    expect((await write({})).status).toBe(403)
    expect((await write({ 'x-csrf-token': session.csrf })).status).toBe(201)
  })
})

describe('the contract and the plugins', () => {
  test('openapi prints the document that the gateway serves', async () => {
    const served = (await gateway.request('GET', '/openapi.json')).body
    expect(JSON.parse((await dpp('openapi')).stdout)).toEqual(served)
    const { parse } = await import('yaml')
    expect(parse((await dpp('openapi', '--yaml')).stdout)).toEqual(served)
  })

  test('plugins and migrate answer', async () => {
    const { plugins } = await json('plugins')
    expect(plugins.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['batteries', 'html', 'jsonld', 'local']),
    )
    expect(await json('migrate')).toEqual({ migrated: [] })
  })
})

describe('a mistake', () => {
  test.each([
    [['key', 'create'], 2, /--workspace is missing\.\nUsage: dpp key create/],
    [['workspace', 'create', '--nme', 'x'], 2, /Unknown option '--nme'/],
    [['key', 'revoke', 'a', 'b'], 2, /Unexpected argument "b"/],
    [['workspace', 'set', 'x', '--require-mfa', 'maybe'], 2, /--require-mfa must be on or off/],
    [['verify'], 2, /FILE, FOLDER, URL or - is missing\.\nUsage: dpp verify/],
    [['verify', 'x', '--offline', '/nowhere/at/all'], 3, /folder \/nowhere\/at\/all not found/],
    [['verify', 'x', '--seal-ca', '/nowhere/at/all'], 3, /^File \/nowhere\/at\/all not found/],
    [['verify', 'x', '--crl', '/nowhere/at/all'], 3, /^File .* not found/],
    [['verify', 'x', '--tsa-ca', '/dev/null'], 3, /does not contain PEM certificates/],
    [['verify', '--from', '/nowhere/at/all'], 3, /^File .* not found/],
    [['completeness', '09506000134352'], 3, /dpp passport completeness 09506000134352/],
    [['restore', '/nowhere/at/all'], 3, /\/nowhere\/at\/all/],
    [['workspace', 'brand', 'x', '--logo', '/nowhere/at/all'], 3, /^File .* not found/],
    [['verify', '/nowhere/at/all'], 3, /^File .* not found/],
    [['key', 'create', '--workspace', 'x', '--role', 'AUDITOR'], 1, /Workspace x not found./],
    [['workspace', 'set', '00000000-0000-4000-8000-000000000000', '--plan', 'scale'], 1, /Workspace .* not found/],
    [['workspace', 'create', '--name', 'x', '--plan', 'gold'], 2, /--plan must be one of: /],
    [['workspace', 'create', '--name', 'x', '--country', 'UK'], 1, /country: UK is not an ISO 3166-1 code/],
    [['fly'], 2, /Unknown command "fly"/],
  ])('%j is said in one line, with exit code %i', async (args, expected, message) => {
    const { code, stderr } = await dpp(...args)
    expect(code).toBe(expected)
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test('is an object with --json', async () => {
    const { stdout, code } = await dpp('key', 'revoke', 'nope', '--json')
    expect({ code, body: JSON.parse(stdout) }).toEqual({ code: 1, body: { error: 'Key nope not found.' } })
  })

  test.each([
    [['fly', '--json'], /Unknown command "fly"/],
    [['key', '--json'], /"key" is a group/],
    [['key', 'crate', '--json'], /Did you mean "key create"/],
    [['key', 'revoke', '--json'], /ID is missing/],
    [['key', 'revoke', 'x', '--jsn', '--json'], /Unknown option '--jsn'/],
  ])('of usage is an object with --json too: %j', async (args, message) => {
    const { stdout, stderr, code } = await dpp(...args)
    expect([code, stderr, JSON.parse(stdout)]).toEqual([2, '', { error: expect.stringMatching(message) }])
  })

  test('help names every command', async () => {
    const { stdout, code } = await dpp('--help')
    expect(code).toBe(0)
    for (const name of [
      'workspace create',
      'workspace set',
      'workspace brand',
      'operator bind',
      'key create',
      'key list',
      'key revoke',
      'session create',
      'grant authority',
      'openapi',
      'plugins',
      'migrate',
    ]) {
      expect(stdout).toContain(`  ${name}`)
    }
  })
})

describe('webhooks', { timeout: 120_000 }, () => {
  const given = async () => {
    const workspace = await createWorkspace(gateway)
    const receiver = await startReceiver()
    const webhooks = webhookClient(gateway, workspace.as)
    const subscription = await webhooks.given(receiver.url)
    receiver.verifyWith(subscription.secret)
    return { workspace, receiver, webhooks, passports: passportClient(gateway, workspace.as) }
  }
  const delivered = async (webhooks: ReturnType<typeof webhookClient>, count: number) => {
    await expect.poll(() => webhooks.deliveries('?status=DELIVERED'), { timeout: 10_000 }).toHaveLength(count)
    return webhooks.deliveries()
  }

  test('are sent again, one or those of a time span', async () => {
    const { workspace, receiver, webhooks, passports } = await given()
    await passports.given()
    const [first] = await delivered(webhooks, 1)
    expect(await json('webhook', 'replay', '--delivery', first.id)).toEqual({ deliveries: [first.id] })
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(2)
    await passports.given()
    const [second] = await delivered(webhooks, 2)
    const span = ['--workspace', workspace.id, '--from', second.createdAt, '--to', '2100-01-01T00:00:00Z']
    expect(await json('webhook', 'replay', ...span)).toEqual({ deliveries: [second.id] })
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(4)
    const ids = receiver.received.map(({ id }) => id)
    expect(new Set(ids)).toEqual(new Set([first.webhookId, second.webhookId]))
    await receiver.close()
  })

  test('are refused where nothing is named, or nothing is there', async () => {
    const unknownId = '00000000-0000-4000-8000-000000000000'
    expect(await dpp('webhook', 'replay')).toMatchObject({ code: 2, stderr: expect.stringContaining('--workspace') })
    expect(await dpp('webhook', 'replay', '--delivery', unknownId)).toMatchObject({
      code: 1,
      stderr: 'Webhook delivery not found in your workspace.\n',
    })
    const forward = ['--workspace', unknownId, '--forward', 'file:///etc/passwd']
    expect((await dpp('webhook', 'listen', ...forward)).code).toBe(2)
  })

  test('are shown as they happen, and sent to an address of the caller’s, signed', async () => {
    const workspace = await createWorkspace(gateway)
    const passports = passportClient(gateway, workspace.as)
    await passports.given()
    const receiver = await startReceiver()
    const secret = newSecret()
    receiver.verifyWith(secret)
    const listening = await startDpp(
      ['webhook', 'listen', '--workspace', workspace.id, '--forward', receiver.url, '--secret', secret],
      env,
    )
    await listening.printed('Listening')
    const registered = 'select 1 from webhook_listener where expires_at > now()'
    await expect.poll(() => gateway.sqlAs(workspace.id, registered), { timeout: 10_000 }).toHaveLength(1)
    const { id } = await passports.given()
    await expect.poll(() => receiver.received.map(({ body }) => body.data.id), { timeout: 10_000 }).toEqual([id])
    await listening.printed(/passport\.ingested +HTTP 204/)
    await passports.seal(id)
    await listening.printed(/passport\.sealed +HTTP 204/)
    expect(await listening.end('SIGINT')).toBe(0)
    expect(listening.output()).toMatch(/Events: 2\.\n$/)
    expect(await gateway.sqlAs(workspace.id, 'select 1 from webhook_listener')).toEqual([])
    await receiver.close()
  })
})
