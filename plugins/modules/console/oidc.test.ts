import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser, formsIn, signIn } from '../../../test/support/console-client.ts'
import { BASE_URL } from '../../../test/support/gateway.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const CLIENT = {
  client_id: 'console',
  client_secret: 'a-secret-of-the-test',
  redirect_uris: [`${BASE_URL}/console/oidc`],
}

const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const provider = new Provider(issuer, {
  clients: [CLIENT],
  cookies: { keys: ['cookie-key-of-the-test'] },
  claims: { openid: ['sub', 'amr'] },
  findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  pkce: { required: () => true },
})
/** Account of the next login. */
let account = ''
server.on('request', (req, res) =>
  req.url?.startsWith('/interaction/') === true ? interact(req, res) : provider.callback()(req, res),
)
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** Logs in without a page, and consents. */
async function interact(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(req, res)
  const amr = account.startsWith('mfa') ? ['pwd', 'mfa'] : ['pwd']
  if (prompt.name === 'login') return provider.interactionFinished(req, res, { login: { accountId: account, amr } })
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  grant.addOIDCScope('openid')
  return provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } })
}

const { gateway, workspace } = await useGateway({
  CONSOLE: 'on',
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.client_id,
  OIDC_CLIENT_SECRET: CLIENT.client_secret,
  OIDC_NAME: 'Acme',
})

/** A browser at the provider, with this account. @returns path of the callback */
async function authorize(address: string, login: string): Promise<string> {
  account = login
  const cookies = new Map<string, string>()
  for (let [url, step] = [address, 0]; step < 15; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`)
    if (location.startsWith(BASE_URL)) return location.slice(BASE_URL.length)
    url = new URL(location, url).href
  }
  throw new Error(`The provider does not return from ${address}.`)
}

async function begin(browser: ConsoleBrowser, fields: Record<string, string> = {}): Promise<string> {
  const answer = await browser.post('/console/oidc', fields)
  expect(answer.status).toBe(303)
  return answer.headers.location ?? ''
}

async function connected(login: string): Promise<ConsoleBrowser> {
  const browser = await signIn(gateway, workspace.id, 'owner')
  const page = await browser.open('/console/me')
  const csrf = formsIn(page.text).find(({ action }) => action === '/console/oidc')?.fields.csrf ?? ''
  const callback = await authorize(await begin(browser, { csrf, purpose: 'connect' }), login)
  expect((await browser.open(callback)).text).toContain('Your account is connected with Acme.')
  return browser
}

describe('single sign-on', () => {
  test.each([
    ['mfa-anna', true],
    ['otto', false],
  ])('%s connects the account, and signs in by it', async (login, mfa) => {
    await connected(login)
    const browser = new ConsoleBrowser(gateway)
    expect((await browser.open('/console/sign-in')).text).toContain('Continue with Acme')
    const home = await browser.open(await authorize(await begin(browser), login))
    expect(home.text).toContain('To do')
    const rows = await gateway.sqlAs(
      workspace.id,
      `select mfa from console_session where method = 'oidc' order by created_at desc limit 1`,
    )
    expect(rows).toEqual([{ mfa }])
  })

  test('an account that is not connected opens nothing, whatever its address', async () => {
    const browser = new ConsoleBrowser(gateway)
    const answer = await browser.open(await authorize(await begin(browser), 'stranger'))
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('not connected here')])
    expect(browser.cookieNamed('session')).toBeUndefined()
  })

  test('an account belongs to one person', async () => {
    await connected('shared')
    const other = await signIn(gateway, workspace.id, 'owner')
    const callback = await authorize(await begin(other, { purpose: 'connect' }), 'shared')
    expect((await other.open(callback)).status).toBe(409)
  })

  test('confirms a session by a new login', async () => {
    const browser = await connected('confirmer')
    await gateway.sqlAs(workspace.id, `update console_session set authenticated_at = now() - interval '1 hour'`)
    expect((await browser.open('/console/keys/new')).text).toContain('Continue with Acme')
    const address = await begin(browser, { next: '/console/keys/new' })
    expect(new URL(address).searchParams.get('prompt')).toBe('login')
    expect((await browser.open(await authorize(address, 'confirmer'))).text).toContain('Create a key')
  })
})

describe('attacks on single sign-on', () => {
  const refused = async (browser: ConsoleBrowser, callback: string) => {
    const answer = await browser.send('GET', callback)
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
  }
  const changed = (callback: string, name: string, value: string | undefined) => {
    const url = new URL(callback, BASE_URL)
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    return url.pathname + url.search
  }

  test.each([
    ['another state', 'state', 'x'],
    ['no state', 'state', undefined],
    ['provider mix-up: the issuer of another provider', 'iss', 'https://evil.example'],
    ['provider mix-up: no issuer', 'iss', undefined],
    ['another code', 'code', 'x'],
  ])('%s', async (_, name, value) => {
    await connected(`victim-${crypto.randomUUID()}`)
    const browser = new ConsoleBrowser(gateway)
    const callback = await authorize(await begin(browser), 'victim')
    await refused(browser, changed(callback, name, value))
    // The request has ended.
    await refused(browser, callback)
  })

  test('a code of another browser, with and without its own request', async () => {
    const [eve, victim] = [new ConsoleBrowser(gateway), new ConsoleBrowser(gateway)]
    const callback = await authorize(await begin(eve), 'eve')
    await refused(victim, callback)
    const own = new URL(await begin(victim)).searchParams.get('state') ?? ''
    await refused(victim, changed(callback, 'state', own))
  })

  test('replay: a callback is used once', async () => {
    await connected('replayed')
    const browser = new ConsoleBrowser(gateway)
    const callback = await authorize(await begin(browser), 'replayed')
    expect((await browser.send('GET', callback)).status).toBe(303)
    await refused(browser, callback)
  })

  test('CSRF: a form of another site does not begin a request', async () => {
    const answer = await new ConsoleBrowser(gateway).post('/console/oidc', {}, { 'sec-fetch-site': 'cross-site' })
    expect(answer.status).toBe(403)
  })

  test('open redirect: after single sign-on no other host is named', async () => {
    await connected('redirected')
    const browser = new ConsoleBrowser(gateway)
    const callback = await authorize(await begin(browser, { next: 'https://evil.example' }), 'redirected')
    const answer = await browser.send('GET', callback)
    expect([answer.status, answer.headers.location]).toEqual([303, '/console'])
  })
})
