import { brotliDecompressSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { ConsoleBrowser, signIn } from '../../../test/support/console-client.ts'
import { BASE_URL, createWorkspace, MASTER_KEY, startTestGateway } from '../../../test/support/gateway.ts'
import { dpp } from '../../../test/support/process.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import { greet } from './greet.ts'

const { gateway, workspace } = await useGateway({ CONSOLE: 'on' })
const opened: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(opened.map((one) => one.close())))

const pathOf = (address: string) => new URL(address).pathname
const { consolePeople, consoleSignIn } = gateway.container.cradle as never as {
  consolePeople: { invite(tenantId: string, input: object, by: object): Promise<{ address: string }> }
  consoleSignIn: { newLink(tenantId: string, personId: string): Promise<string> }
}
const invite = async (input: object = {}) => {
  const person = { email: `anna-${crypto.randomUUID()}@maker.example`, name: 'Anna <b>', role: 'owner', ...input }
  return pathOf((await consolePeople.invite(workspace.id, person, { workspace: 'Maker', lang: 'en' })).address)
}
const personOf = async () =>
  (
    await gateway.sqlAs<{ person_id: string }>(
      workspace.id,
      'select person_id from console_membership order by created_at desc limit 1',
    )
  )[0]?.person_id ?? ''

test('without CONSOLE=on no address of the console exists', async () => {
  const off = await startTestGateway()
  opened.push(off)
  const ids = [...off.container.cradle.contract.operations.values()].filter(({ path }) => path.startsWith('/console'))
  expect(ids).toEqual([])
  for (const path of ['/console', '/console/sign-in', '/console/people']) {
    expect((await off.client.send('GET', path)).status).toBe(404)
  }
})

describe('sign-in', () => {
  test('replay: a link is used by its button, once', async () => {
    const path = await invite()
    const browser = new ConsoleBrowser(gateway)
    for (const _ of [1, 2]) expect((await browser.open(path)).status).toBe(200)
    expect(browser.page?.text).toContain('Anna &lt;b&gt;')
    const home = await browser.submit(path)
    expect([home.status, home.text]).toEqual([200, expect.stringContaining('To do')])
    const other = new ConsoleBrowser(gateway)
    expect((await other.post(path, {})).status).toBe(404)
    expect((await other.open(path)).text).toContain('This link has ended')
  })

  test('replay: two concurrent uses of a link open one session', async () => {
    const path = await invite()
    const answers = await Promise.all([1, 2, 3].map(() => new ConsoleBrowser(gateway).post(path, {})))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404])
  })

  test('the cookie is bound to the host and unreadable for scripts', async () => {
    const path = await invite()
    const [line = ''] = (await new ConsoleBrowser(gateway).post(path, {})).headers['set-cookie'] ?? []
    expect(line).toMatch(/^__Host-dpp_console_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  })

  test('fixation: a sign-in begins a new session, whatever cookie the browser had', async () => {
    const eve = await signIn(gateway, workspace.id, 'reader')
    const before = eve.cookieNamed('session') ?? ''
    for (const planted of ['A'.repeat(43), before]) {
      const browser = new ConsoleBrowser(gateway)
      browser.setCookie('__Host-dpp_console_session', planted)
      const path = await invite({ name: 'Victor' })
      await browser.open(path)
      await browser.submit(path)
      expect(browser.cookieNamed('session')).not.toBe(planted)
      expect((await browser.open('/console/me')).text).toContain('Victor')
    }
    expect((await eve.open('/console/me')).text).not.toContain('Victor')
    const unknown = new ConsoleBrowser(gateway)
    unknown.setCookie('__Host-dpp_console_session', 'A'.repeat(43))
    expect((await unknown.send('GET', '/console/me')).status).toBe(303)
  })

  test('CSRF: forms of other sites are rejected, with and without Fetch Metadata', async () => {
    const path = await invite()
    const browser = new ConsoleBrowser(gateway)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
      { 'sec-fetch-site': '', origin: 'null' },
    ]) {
      const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
      expect((await browser.send('POST', path, { form: {}, headers: sent })).status).toBe(403)
    }
    expect((await browser.send('POST', path, { form: {} })).status).toBe(403)
    expect(
      (await browser.send('POST', path, { form: {}, headers: { origin: 'https://dpp.example.test' } })).status,
    ).toBe(303)
  })

  test('BREACH: a page is compressed, unless another site caused the request', async () => {
    const browser = await signIn(gateway, workspace.id, 'owner')
    const sent = async (site?: string) => {
      const headers = { 'accept-encoding': 'br', ...(site === undefined ? {} : { 'sec-fetch-site': site }) }
      const { bytes, headers: answered } = await browser.send('GET', '/console', { headers })
      const html = answered['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes
      expect(String(html)).toContain('<body class="inside"')
      return [answered['content-encoding'], bytes.length < html.length / 2]
    }
    expect([await sent('same-origin'), await sent('none')]).toEqual([
      ['br', true],
      ['br', true],
    ])
    expect([await sent('cross-site'), await sent('same-site'), await sent()]).toEqual([
      [undefined, false],
      [undefined, false],
      [undefined, false],
    ])
  })

  test('CSRF: a form needs the token of the session', async () => {
    const [anna, eve] = [await signIn(gateway, workspace.id, 'owner'), await signIn(gateway, workspace.id, 'owner')]
    const tokenOf = (browser: ConsoleBrowser) => /name="csrf" value="([^"]+)"/.exec(browser.page?.text ?? '')?.[1] ?? ''
    expect((await anna.post('/console/sign-out', {})).status).toBe(403)
    expect((await anna.post('/console/sign-out', { csrf: tokenOf(eve) })).status).toBe(403)
    expect(
      (await anna.post('/console/sign-out', { csrf: tokenOf(anna) }, { 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403)
    expect((await anna.open('/console')).text).toContain('To do')
    const warned = await anna.submit('/sign-out')
    expect(warned.text).toContain('You have no passkey.')
    expect((await anna.open('/console/me')).status).toBe(200)
    await anna.open('/console/sign-out')
    anna.page = { ...anna.page, text: (anna.page?.text ?? '').split('<main')[1] ?? '' } as never
    const left = await anna.submit('/sign-out')
    expect(left.text).toContain('You have signed out.')
    expect((await anna.send('GET', '/console')).status).toBe(303)
  })

  test('a form that is sent after the session ended is kept until the next sign-in', async () => {
    const browser = await signIn(gateway, workspace.id, 'owner')
    await browser.open('/console/operators/new')
    await gateway.sqlAs(workspace.id, 'delete from console_session')
    const kept = await browser.submit('/operators/new', { name: 'Typed & kept', regId: '1', regIdScheme: 'OTHER' })
    expect([kept.status, kept.text]).toEqual([
      401,
      expect.stringContaining('The session has ended. Sign in in a new tab'),
    ])
    const fresh = await signIn(gateway, workspace.id, 'owner')
    fresh.page = kept
    const again = await fresh.submit('/operators/new')
    expect([again.status, again.text]).toEqual([403, expect.stringContaining('value="Typed &amp; kept"')])
    expect(again.text).toContain('Your session had ended. Check the form and send it again.')
    const typed = { name: 'Typed & kept', regId: '1', regIdScheme: 'OTHER', role: 'MANUFACTURER' }
    expect((await fresh.submit('/operators/new', typed)).text).toContain('Saved.')
    const foreign = await browser.send('POST', '/console/operators/new', {
      form: { name: 'x' },
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(foreign.status).toBe(303)
  })

  test.each<[string, Record<string, string>]>([
    ['/console/sign-out', {}],
    ['/console/sign-out', { sure: 'yes' }],
    ['/console/confirm', { by: 'link' }],
  ])('of an ended session, %s leads to the sign-in page and then home', async (path, form) => {
    const browser = await signIn(gateway, workspace.id, 'owner')
    await gateway.sqlAs(workspace.id, 'delete from console_session')
    for (const answer of [await browser.post(path, { csrf: 'old', ...form }), await browser.send('GET', path)]) {
      expect([answer.status, answer.headers.location]).toEqual([303, '/console/sign-in?next=%2Fconsole&done=ended'])
    }
  })

  test('after a sign-in by link, the page that was asked for opens', async () => {
    const browser = new ConsoleBrowser(gateway)
    const asked = await browser.open(`/console/passports?status=DRAFT&q=men's%20(a)!*`)
    expect(asked.text).toContain('Sign in')
    const path = await invite()
    await browser.open(path)
    expect(browser.cookieNamed('next')).toBeDefined()
    await browser.submit(path)
    expect(browser.page?.text).toContain('value="men&#39;s (a)!*"')
    expect(browser.cookieNamed('next')).toBeUndefined()
  })

  test('a member without a passkey is advised to add one', async () => {
    const browser = await signIn(gateway, workspace.id, 'reader')
    expect((await browser.open('/console')).text).toContain('Add a passkey now.')
  })

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/console/../x', '/console//evil', '/other'])(
    'open redirect: after sign-in, %s is not followed',
    async (next) => {
      const browser = await signIn(gateway, workspace.id, 'reader')
      const answer = await browser.send('GET', `/console/sign-in?next=${encodeURIComponent(next)}`)
      expect([answer.status, answer.headers.location]).toEqual([303, '/console'])
    },
  )

  test.each(['/console/language?to=en&', '/console/confirm?'])(
    'open redirect: %s names no other host',
    async (path) => {
      const browser = await signIn(gateway, workspace.id, 'reader')
      const answer = await browser.send('GET', `${path}next=${encodeURIComponent('//evil.example/x')}`)
      expect([answer.headers.location ?? '', answer.text].join()).not.toContain('evil.example')
    },
  )

  test('invitation guessing: unknown, short, long and altered secrets look alike, and open nothing', async () => {
    const real = (await invite()).split('/').at(-1) ?? ''
    const altered = `${real.slice(0, -1)}${real.endsWith('A') ? 'E' : 'A'}`
    const browser = new ConsoleBrowser(gateway)
    const texts = new Set<string>()
    for (const secret of ['x', 'A'.repeat(43), 'A'.repeat(44), altered, real.toLowerCase(), `${real}=`]) {
      const page = await browser.send('GET', `/console/sign-in/${secret}`)
      const used = await browser.post(`/console/sign-in/${secret}`, {})
      expect([page.status, used.status, used.headers['set-cookie']]).toEqual([404, 404, undefined])
      texts.add(page.text.replaceAll(/nonce="[^"]*"|sign-in%2F[^"]*/g, ''))
    }
    expect(texts.size).toBe(1)
    expect((await browser.open(`/console/sign-in/${real}`)).status).toBe(200)
  })

  test('ended session: it is refused at the next request, by every process', async () => {
    const second = await startTestGateway({ CONSOLE: 'on', DATABASE_URL: gateway.databaseUrl })
    opened.push(second)
    const browser = await signIn(gateway, workspace.id, 'owner')
    const headers = { cookie: browser.cookie }
    expect((await second.request('GET', '/console/me', { headers })).status).toBe(200)
    await gateway.sqlAs(workspace.id, 'delete from console_session')
    for (const each of [gateway, second]) {
      const answer = await each.request('GET', '/console/me', { headers })
      expect([answer.status, answer.headers.location]).toEqual([
        303,
        '/console/sign-in?next=%2Fconsole%2Fme&done=ended',
      ])
    }
  })

  test.each([
    ['30 idle minutes', `seen_at = now() - interval '31 minutes'`],
    ['12 hours', `created_at = now() - interval '12 hours 1 minute'`],
  ])('a session ends after %s', async (_, change) => {
    const browser = await signIn(gateway, workspace.id, 'owner')
    await gateway.sqlAs(workspace.id, `update console_session set ${change}`)
    expect((await browser.send('GET', '/console')).status).toBe(303)
  })

  test('a sign-in link of a member holds 15 minutes', async () => {
    await signIn(gateway, workspace.id, 'owner')
    const path = pathOf(await consoleSignIn.newLink(workspace.id, await personOf()))
    expect((await new ConsoleBrowser(gateway).open(path)).status).toBe(200)
    await gateway.sqlAs(workspace.id, `delete from console_link`)
    expect((await new ConsoleBrowser(gateway).open(path)).status).toBe(404)
  })

  test('on a public host without https sign-in is refused', async () => {
    const unsafe = await startTestGateway({ CONSOLE: 'on', BASE_URL: 'http://dpp.example.test' })
    opened.push(unsafe)
    const answer = await unsafe.request('GET', '/console/sign-in')
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('https address in BASE_URL')])
  })

  test('a suspended workspace is closed', async () => {
    const other = await createWorkspace(gateway)
    const browser = await signIn(gateway, other.id, 'owner')
    await gateway.container.cradle.workspaces.suspend(other.id, 'unpaid')
    const answer = await browser.send('GET', '/console')
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('suspended')])
  })
})

describe('the first person', () => {
  test('gets a link at each start, until a sign-in', async () => {
    const { gateway: fresh, workspace: only } = await useGateway({ CONSOLE: 'on' })
    const linkIn = (lines: readonly string[]) => new URL(lines.at(-1)?.trim() ?? '').pathname
    const first = linkIn(await greet(fresh.container.cradle as never))
    const second = linkIn(await greet(fresh.container.cradle as never))
    const browser = new ConsoleBrowser(fresh)
    expect((await browser.open(first)).status).toBe(404)
    await browser.open(second)
    await browser.submit(second)
    expect((await browser.open('/console/me')).text).toContain('Owner')
    expect(await greet(fresh.container.cradle as never)).toEqual([])
    expect(only.id).toBeDefined()
  })

  test('is invited at the command line, and gets further links there', async () => {
    const env = { DATABASE_URL: gateway.databaseUrl, MASTER_KEY, BASE_URL }
    const person = ['--email', 'Cara@maker.example', '--name', 'Cara', '--workspace', workspace.id, '--json']
    const invited = JSON.parse((await dpp(['console', 'invite', ...person], env)).stdout)
    const browser = new ConsoleBrowser(gateway)
    await browser.open(pathOf(invited.address))
    await browser.submit(pathOf(invited.address))
    expect((await browser.open('/console/me')).text).toContain('cara@maker.example')
    const { links } = JSON.parse(
      (await dpp(['console', 'link', '--email', 'cara@maker.example', '--json'], env)).stdout,
    )
    const later = new ConsoleBrowser(gateway)
    await later.open(pathOf(links[0].address))
    expect((await later.submit(pathOf(links[0].address))).text).toContain('To do')
    const unknown = await dpp(['console', 'link', '--email', 'no@maker.example'], env)
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('No workspace has a member')])
  })

  test('of two workspaces switches between them', async () => {
    const other = await createWorkspace(gateway)
    const email = `dora-${crypto.randomUUID()}@maker.example`
    await signIn(gateway, other.id, 'reader', { email })
    const browser = await signIn(gateway, workspace.id, 'owner', { email })
    expect((await browser.open('/console/me')).text).toContain('Your workspaces')
    const before = browser.cookieNamed('session')
    await browser.submit('/workspace')
    expect(browser.cookieNamed('session')).not.toBe(before)
    expect((await browser.open('/console/me')).text).toContain('Reader')
    const csrf = /name="csrf" value="([^"]+)"/.exec(browser.page?.text ?? '')?.[1] ?? ''
    const third = await createWorkspace(gateway)
    const refused = await browser.post('/console/workspace', { csrf, workspace: third.id })
    expect(refused.headers.location).toBe('/console/me')
  })
})
