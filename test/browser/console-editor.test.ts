import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BATTERY } from '../support/demo-gateway.ts'
import { freePort } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'
import { useChromium } from './chromium.ts'
import { press, type } from './keyboard.ts'
import { accessibilityFindings, horizontalOverflow } from './open-page.ts'

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

async function signedIn(options: BrowserContextOptions = {}): Promise<Page> {
  const person = { email: `${crypto.randomUUID()}@maker.example`, name: 'Paula', role: 'publisher' }
  const { address } = await consolePeople.invite(workspace.id, person, { workspace: 'Maker', lang: 'en' })
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const page = await context.newPage()
  await page.goto(address)
  await press(page, 'Sign in', 'button')
  return page
}

const idIn = (page: Page): string => /passports\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
const stored = async (id: string) => {
  const [row] = await gateway.sqlAs<{ status: string; metadata: object; sealed: boolean }>(
    workspace.id,
    `select status, metadata, seal_id is not null as sealed from passport where id = '${id}'`,
  )
  return row
}

test('a textile passport is created, filled in, corrected, published and sealed by keyboard, without a script', async () => {
  const page = await signedIn({ javaScriptEnabled: false })
  await press(page, 'Passports', 'a')
  await press(page, 'New passport', 'a')
  await type(page, 'Category', 'Text')
  await type(page, 'Product id', `SHIRT-${crypto.randomUUID()}`)
  await press(page, 'Create draft', 'button')
  await type(page, 'Language', 'English')
  await type(page, 'Text', 'Overshirt')
  await type(page, 'Made in', 'Portugal')
  await press(page, 'Save and continue', 'button')
  await type(page, 'Fibre', 'cotton')
  await type(page, 'Share', 'sixty')
  await press(page, 'Add: Fibre', 'button')
  await type(page, 'Fibre', 'linen')
  await type(page, 'Share', '40')
  await press(page, 'Save and continue', 'button')
  expect(await page.title()).toMatch(/^Error: /)
  await press(page, 'Fibre composition › Share: Enter a number', 'a')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('59,5')
  await press(page, 'Save and continue', 'button')
  expect(await page.locator('#errors').textContent()).toContain('They add up to 99.5')
  await type(page, 'Fibre', 'cotton')
  await type(page, 'Share', '60')
  await press(page, 'Save and close', 'button')
  const id = idIn(page)
  await press(page, 'Check and publish', 'a')
  await press(page, 'Publish', 'button')
  await press(page, 'Seal', 'a')
  await press(page, 'Seal', 'button')
  expect(await page.getByRole('status').textContent()).toContain('is sealed')
  expect(await stored(id)).toMatchObject({
    status: 'ACTIVE',
    sealed: true,
    metadata: {
      productName: { en: 'Overshirt' },
      originCountry: 'PT',
      fiberComposition: [
        { fiber: 'cotton', percentage: 60 },
        { fiber: 'linen', percentage: 40 },
      ],
    },
  })
  await page.context().close()
})

describe('on a phone, with the script', () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

  test('findings appear while typing, entries are added in place, and typed text survives a reload', async () => {
    const page = await signedIn(phone)
    const metadata = {
      category: 'textiles',
      originCountry: 'PT',
      fiberComposition: [{ fiber: 'cotton', percentage: 100 }],
    }
    const { id } = await passports.given({ metadata, draft: true })
    await page.goto(`${BASE_URL}/console/passports/${id}/edit?section=composition`)
    const share = page.locator('[id="f-fiberComposition.0.percentage"]')
    await share.fill('many')
    await share.blur()
    await page.getByText('Fibre composition › Share: Enter a number').waitFor()
    expect(await share.getAttribute('aria-invalid')).toBe('true')
    await share.fill('50')
    await share.blur()
    await page.getByText('They add up to 50').waitFor()

    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await page.getByRole('button', { name: /^Add.*Fibre composition$/ }).click()
    await page.locator('[id="f-fiberComposition.n1.fiber"]').fill('linen')
    const second = page.locator('[id="f-fiberComposition.n1.percentage"]')
    await second.fill('50')
    await Promise.all([
      page.waitForResponse((answer) => answer.request().postData()?.includes('n1.percentage=50') === true),
      second.blur(),
    ])
    await page.getByText('Typed text is kept.').waitFor()
    expect(loads).toBe(0)
    await page.reload()
    await page.getByText('did not save').waitFor()
    expect(await page.locator('[id="f-fiberComposition.n1.fiber"]').inputValue()).toBe('linen')
    await page.getByRole('button', { name: 'Save and close' }).tap()
    await page.waitForURL(`**/console/passports/${id}?done=saved`)
    expect(JSON.stringify((await stored(id))?.metadata)).toContain('"linen","percentage":50')
    await page.context().close()
  })

  test('a passport is created, published and sealed', async () => {
    const page = await signedIn(phone)
    await page.goto(`${BASE_URL}/console/passports/new`)
    await page.getByLabel('Category').selectOption('textiles')
    await page.getByLabel('Product id').fill(`PHONE-${crypto.randomUUID()}`)
    await page.getByRole('button', { name: 'Create draft' }).tap()
    await page.getByLabel('Made in').fill('Portugal')
    await page.getByRole('button', { name: 'Save and close' }).tap()
    await page.getByRole('link', { name: 'Check and publish' }).tap()
    await page.getByRole('button', { name: 'Publish' }).tap()
    await page.getByRole('link', { name: 'Seal', exact: true }).tap()
    await page.getByRole('button', { name: 'Seal', exact: true }).tap()
    await page.getByText('The passport is sealed.').waitFor()
    expect(await stored(idIn(page))).toMatchObject({ status: 'ACTIVE', sealed: true })
    await page.context().close()
  })
})

const draft = (
  await passports.given({ metadata: { ...BATTERY, originCountry: 'Germany', batteryMass: -1 }, draft: true })
).id
const active = (await passports.given({ metadata: BATTERY })).id
const sealed = (await passports.given()).id
await passports.seal(sealed)

const PAGES = [
  '/passports',
  '/passports?q=none',
  '/passports/new',
  '/imports',
  ...['composition', 'performance', 'use', 'product'].map(
    (section) => `/passports/${draft}/edit?section=${section}&check=1`,
  ),
  `/passports/${sealed}/correct`,
  ...['', '/publish', '/delete', '/history', '/preview'].map((page) => `/passports/${draft}${page}`),
  ...['', '/seal', '/recall', '/status', '/use'].map((page) => `/passports/${active}${page}`),
]

describe('every page', () => {
  test('has no accessibility finding in light, in dark and at 320 px', { timeout: 240_000 }, async () => {
    const page = await signedIn({ viewport: { width: 1280, height: 900 } })
    const findings: string[] = []
    for (const path of PAGES) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(`${BASE_URL}/console${path}`)
      for (const finding of await accessibilityFindings(page)) findings.push(`${path}: ${finding}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      for (const finding of await accessibilityFindings(page, 'colours')) findings.push(`${path} dark: ${finding}`)
      await page.setViewportSize({ width: 320, height: 700 })
      const overflow = await horizontalOverflow(page)
      if (overflow > 0) findings.push(`${path}: ${overflow} px too wide`)
    }
    expect(findings).toEqual([])
    await page.context().close()
  })

  test('is small, has three requests and a strict policy', async () => {
    const page = await signedIn()
    for (const path of PAGES.filter((one) => !one.endsWith('/preview'))) {
      const sizes: Promise<Buffer>[] = []
      const listener = (answer: { body(): Promise<Buffer> }) => void sizes.push(answer.body())
      page.on('response', listener)
      const response = await page.goto(`${BASE_URL}/console${path}`)
      page.off('response', listener)
      const parts = await Promise.all(sizes)
      expect(parts.length, path).toBeLessThanOrEqual(3)
      expect((await response?.body())?.length, path).toBeLessThan(60_000)
      expect(
        parts.reduce((sum, part) => sum + brotliCompressSync(part).length, 0),
        path,
      ).toBeLessThan(20_000)
      expect(response?.headers()['content-security-policy'], path).not.toContain('unsafe')
      expect(await page.locator('[style], [onclick], style').count(), path).toBe(0)
    }
    await page.context().close()
  })

  test('in a frame shows the page of each audience, which no other site may frame', async () => {
    const page = await signedIn()
    await page.goto(`${BASE_URL}/console/passports/${active}/preview?as=authority`)
    const frame = page.frameLocator('iframe')
    expect(await frame.getByRole('heading', { level: 1 }).textContent()).toContain('Nordlicht')
    const { headers } = await gateway.client.send('GET', `/console/passports/${active}/page`)
    expect(headers['content-security-policy'] ?? '').not.toContain('frame-ancestors *')
    await page.context().close()
  })
})

const FOLDER = process.env.CONSOLE_SCREENSHOTS

test.skipIf(FOLDER === undefined)(
  'screenshots on desktop and phone, light and dark',
  { timeout: 240_000 },
  async () => {
    for (const [name, width] of [
      ['desktop', 1280],
      ['phone', 390],
    ] as const) {
      const page = await signedIn({ viewport: { width, height: 844 } })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const path of PAGES) {
          await page.goto(`${BASE_URL}/console${path}`)
          const file = `${name}-${colorScheme}${path.replaceAll(/[/?=&]/g, '_').replaceAll(/[0-9a-f-]{36}/g, 'id')}.png`
          writeFileSync(join(FOLDER ?? '', file), await page.screenshot({ fullPage: true }))
        }
      }
      await page.context().close()
    }
  },
)
