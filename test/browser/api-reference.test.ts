import { afterAll, describe, expect, test } from 'vitest'
import { useGateway } from '../support/use-gateway.ts'
import { launchChromium } from './chromium.ts'
import { accessibilityFindings, horizontalOverflow, openPage } from './open-page.ts'

// The API reference as people read it: on a phone and a desk, by day and by night, with a keyboard and without a script.

const { gateway } = await useGateway()
const browser = await launchChromium()
afterAll(() => browser.close())

/** One of each kind of page, and those with the most on them. */
const PAGES = [
  '/docs',
  '/docs/passports',
  '/docs/webhooks',
  '/docs/createPassport',
  '/docs/captureTraceEvents',
  '/docs/errors',
  '/docs/schemas',
  '/docs/schemas/NewPassport',
]

describe('every kind of page', () => {
  test.each(PAGES)(
    '%s is accessible in both schemes, with all that is folded, and asks for nothing',
    { timeout: 120_000 },
    async (path) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, requests, messages, close } = await openPage(browser, gateway.origin + path, { colorScheme })
        await page.locator('html').evaluate((html) => {
          for (const fold of html.querySelectorAll('details')) fold.open = true
        })
        expect(await accessibilityFindings(page)).toEqual([])
        expect([requests, messages]).toEqual([[], []])
        await close()
      }
    },
  )

  test.each(PAGES)('%s fits a narrow phone, folded and open', async (path) => {
    const viewport = { width: 320, height: 640 }
    const { page, close } = await openPage(browser, gateway.origin + path, { viewport })
    expect(await horizontalOverflow(page)).toBe(0)
    await page.locator('html').evaluate((html) => {
      for (const fold of html.querySelectorAll('details')) fold.open = true
    })
    expect(await horizontalOverflow(page)).toBe(0)
    await close()
  })
})

test('whoever types a word sees the operations that have it, and is told how many', async () => {
  const { page, close } = await openPage(browser, `${gateway.origin}/docs`)
  const rows = page.locator('.operations > li')
  const all = await rows.count()
  expect(all).toBeGreaterThan(100)
  await page.getByLabel('Filter operations').fill('SEAL passport')
  await expect.poll(() => rows.filter({ visible: true }).count()).toBeGreaterThan(0)
  const shown = await rows.filter({ visible: true }).count()
  expect(shown).toBeLessThan(all / 4)
  expect(await page.getByRole('link', { name: 'sealPassport' }).isVisible()).toBe(true)
  expect(await page.getByRole('status').textContent()).toBe(`${shown} found`)
  await page.getByLabel('Filter operations').fill('')
  await expect.poll(() => page.getByRole('status').textContent()).toBe('')
  await close()
})

test('without a script all is there, and nothing that does not work', async () => {
  const options = { javaScriptEnabled: false }
  const { page, goTo, close } = await openPage(browser, `${gateway.origin}/docs/createPassport`, options)
  expect(await page.getByText('curl -sS').first().isVisible()).toBe(true)
  expect(await page.getByRole('button').count()).toBe(0)
  await goTo(`${gateway.origin}/docs`)
  expect(await page.getByRole('searchbox').count()).toBe(0)
  await page.getByText('seals: ').click()
  expect(await page.getByRole('link', { name: 'verifySeal' }).isVisible()).toBe(true)
  await close()
})

test('the command is copied as it stands', async () => {
  const { page, close } = await openPage(browser, `${gateway.origin}/docs/sealPassport`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.getByRole('button', { name: 'Copy' }).first().click()
  const copied: string = await page
    .locator('html')
    .evaluate((html) => html.ownerDocument.defaultView.navigator.clipboard.readText())
  expect(copied).toBe(await page.locator('figure code').first().textContent())
  expect(copied).toContain('\\\n  -X POST')
  await close()
})
