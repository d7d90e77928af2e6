import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newGtin } from '../support/gateway.ts'
import { battery } from '../support/passport-client.ts'
import { freePort } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'
import { useChromium } from './chromium.ts'
import { accessibilityFindings, horizontalOverflow } from './open-page.ts'

// Passkeys need a host name, not an IP address.
const port = await freePort()
const BASE_URL = `http://localhost:${port}`
const { gateway, workspace, passports } = await useGateway({
  CONSOLE: 'on',
  BASE_URL,
  PORT: String(port),
  HOST: 'localhost',
})
const browser = await useChromium()

const { consolePeople } = gateway.container.cradle as never as {
  consolePeople: { invite(tenantId: string, input: object, by: object): Promise<{ address: string }> }
}
const invite = async (role = 'owner') => {
  const person = { email: `${role}-${crypto.randomUUID()}@maker.example`, name: 'Olga Ümit', role }
  return (await consolePeople.invite(workspace.id, person, { workspace: 'Maker', lang: 'en' })).address
}
const { id: passportId } = await passports.given({ productId: newGtin(), metadata: battery() })
await gateway.request('POST', `/request-access?passport=${passportId}`, {
  form: {
    granteeName: 'Ada Moreau',
    granteeEmail: 'ada@repair.example',
    organization: 'Repair & Co',
    purpose: 'Repair',
  },
})
const [{ id: grantId } = { id: '' }] = await gateway.sqlAs<{ id: string }>(workspace.id, 'select id from access_grant')

/** Signs in by an invitation, with the keyboard. */
async function signedIn(options: BrowserContextOptions = {}, role?: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const page = await context.newPage()
  await page.goto(await invite(role))
  await press(page, 'Sign in', 'button')
  return page
}

/** Moves the focus by Tab to a control with this name, and presses Enter. */
async function press(page: Page, name: string, tag: 'a' | 'button'): Promise<void> {
  await focus(page, (element) => element.tag === tag && element.name.startsWith(name), name)
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await focus(page, (element) => element.label.startsWith(label), label)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

interface Focused {
  readonly tag: string
  readonly name: string
  readonly label: string
}

async function focus(page: Page, isMeant: (element: Focused) => boolean, what: string): Promise<void> {
  for (let step = 0; step < 120; step += 1) {
    await page.keyboard.press('Tab')
    const found = await page.locator(':focus').evaluateAll((elements) =>
      elements.map((element) => ({
        tag: element.tagName.toLowerCase(),
        name: (element.textContent ?? '').trim(),
        label: (element.labels?.[0]?.textContent ?? '').trim(),
      })),
    )
    if (found[0] !== undefined && isMeant(found[0])) return
  }
  throw new Error(`The keyboard does not reach ${what} at ${page.url()}`)
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()

describe('by keyboard, without a script', () => {
  const options = { javaScriptEnabled: false }

  test('a person is invited, and a wrong form says what is wrong', async () => {
    const page = await signedIn(options)
    expect(await heading(page)).toBe('To do')
    await press(page, 'People', 'a')
    await press(page, 'Invite a person', 'a')
    await type(page, 'Name', 'Emil')
    await press(page, 'Invite a person', 'button')
    expect(await page.title()).toMatch(/^Error: /)
    expect(await page.locator('#errors').textContent()).toContain('Enter an e-mail address.')
    expect(await page.locator('#f-email').getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('#f-name').inputValue()).toBe('Emil')
    await type(page, 'E-mail', 'emil@maker.example')
    await press(page, 'Invite a person', 'button')
    expect(await heading(page)).toBe('Person invited')
    await page.context().close()
  })

  test('a request for access is approved from the home page', async () => {
    const page = await signedIn(options)
    await press(page, '1', 'a')
    await press(page, 'Ada Moreau', 'a')
    await press(page, 'Approve', 'button')
    expect(await heading(page)).toBe('Access approved')
    expect(await page.locator('#f-url').inputValue()).toMatch(/\?grant=dpp_li_/)
    await page.context().close()
  })

  test('a key is created', async () => {
    const page = await signedIn(options)
    await press(page, 'API keys', 'a')
    await press(page, 'Create a key', 'a')
    await type(page, 'Name', 'Shop')
    await press(page, 'Create a key', 'button')
    expect(await page.locator('#f-key').inputValue()).toMatch(/^dpp_key_/)
    await page.context().close()
  })

  test('the language is chosen and stays', async () => {
    const page = await signedIn(options)
    await page.goto(`${BASE_URL}/console/language?next=/console/people`)
    await press(page, 'Deutsch', 'a')
    expect(new URL(page.url()).pathname).toBe('/console/people')
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.context().close()
  })
})

describe('passkeys', () => {
  test('are added, sign in, confirm, and hold once for each challenge', async () => {
    const page = await signedIn()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(`${BASE_URL}/console/passkeys`)
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.waitForURL('**/console/me**')
    expect(await page.locator('main').textContent()).toContain('The passkey was added.')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/console/sign-in**')
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST'),
      page.getByRole('button', { name: 'Sign in with a passkey' }).click(),
    ])
    await page.waitForURL(`${BASE_URL}/console`)
    const sessions = await gateway.sqlAs(
      workspace.id,
      `select method, mfa from console_session where method = 'passkey'`,
    )
    expect(sessions).toEqual([{ method: 'passkey', mfa: true }])

    const form = Object.fromEntries(new URLSearchParams(sent.postData() ?? ''))
    const replayed = await gateway.request('POST', '/console/passkey', {
      form,
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect([replayed.status, replayed.headers['set-cookie']]).toEqual([400, undefined])

    await gateway.sqlAs(workspace.id, `update console_session set authenticated_at = now() - interval '1 hour'`)
    await page.goto(`${BASE_URL}/console/keys/new`)
    expect(await heading(page)).toBe('Confirm that it is you')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(`${BASE_URL}/console/keys/new`)
    expect(await heading(page)).toBe('Create a key')
    await page.context().close()
  })

  test('of another origin or without verification are refused', async () => {
    const page = await signedIn()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: false,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(`${BASE_URL}/console/passkeys`)
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.getByText('The passkey was not used. Try again.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/passkeys')
    await page.context().close()
  })
})

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

const PAGES = [
  '',
  '/passports',
  '/passports/new',
  `/passports/${passportId}`,
  `/passports/${passportId}/history`,
  '/imports',
  '/people',
  '/people/new',
  '/access',
  '/access?state=ENDED',
  `/access/${grantId}`,
  '/company',
  '/operators/new',
  `/operators/${workspace.operatorId}`,
  '/facilities/new',
  '/keys',
  '/keys/new',
  '/webhooks',
  '/webhooks/new',
  '/audit',
  '/billing',
  '/sessions',
  '/me',
  '/passkeys',
  '/confirm',
  '/language',
  '/nothing',
]

describe('every page', () => {
  test('has no accessibility finding in light, in dark and at 320 px', { timeout: 240_000 }, async () => {
    const page = await signedIn({ viewport: { width: 1280, height: 900 } })
    const findings: string[] = []
    for (const path of PAGES) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(`${BASE_URL}/console${path}`)
      expect(page.url()).toBe(`${BASE_URL}/console${path}`)
      for (const finding of await accessibilityFindings(page)) findings.push(`${path}: ${finding}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      for (const finding of await accessibilityFindings(page, 'colours')) findings.push(`${path} dark: ${finding}`)
      await page.setViewportSize({ width: 320, height: 700 })
      for (const finding of await accessibilityFindings(page, 'all but colours'))
        findings.push(`${path} 320: ${finding}`)
      const overflow = await horizontalOverflow(page)
      if (overflow > 0) findings.push(`${path}: ${overflow} px too wide`)
    }
    expect(findings).toEqual([])
    await page.context().close()
  })

  test('is small, has three requests and a strict policy', async () => {
    const page = await signedIn()
    for (const path of PAGES) {
      const requests: Request[] = []
      const listener = (request: Request) => void requests.push(request)
      page.on('request', listener)
      const response = await page.goto(`${BASE_URL}/console${path}`, { waitUntil: 'load' })
      page.off('request', listener)
      expect(page.url()).toBe(`${BASE_URL}/console${path}`)
      const loaded = await Promise.all(requests.map(async (one) => ({ one, response: await one.response() })))
      const kept = loaded.filter(({ response: answer }) => (answer?.status() ?? 0) < 300)
      const parts = await Promise.all(
        kept.map(({ one }) => one).map(async (one) => (await one.response())?.body() ?? Buffer.alloc(0)),
      )
      expect(kept.length, path).toBeLessThanOrEqual(3)
      expect(sumOf(parts.map((part) => part.length)), path).toBeLessThan(60_000)
      expect(sumOf(parts.map((part) => brotliCompressSync(part).length)), path).toBeLessThan(20_000)
      const headers = response?.headers() ?? {}
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['cache-control']).toBe('private, no-store')
      expect(await page.locator('[style], [onclick], style').count(), path).toBe(0)
    }
    await page.context().close()
  })
})

const FOLDER = process.env.CONSOLE_SCREENSHOTS

test.skipIf(FOLDER === undefined)(
  'screenshots on desktop and phone, light and dark',
  { timeout: 240_000 },
  async () => {
    for (const [name, options] of Object.entries({
      desktop: { viewport: { width: 1280, height: 900 } },
      phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
    })) {
      const page = await signedIn(options)
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        for (const path of PAGES) {
          await page.goto(`${BASE_URL}/console${path}`)
          const file = `${name}-${scheme}${path.replaceAll(/[/?=]/g, '_').replaceAll(/[0-9a-f-]{36}/g, 'id')}.png`
          writeFileSync(join(FOLDER ?? '', file), await page.screenshot({ fullPage: true }))
        }
      }
      await page.context().close()
    }
  },
)
