import { beforeAll, describe, expect, test } from 'vitest'
import { useGateway } from '../support/use-gateway.ts'
import { useChromium } from './chromium.ts'
import { accessibilityFindings, horizontalOverflow, type OpenPage, openPage } from './open-page.ts'

// The API reference on a phone and a desktop, in light and dark, by keyboard and without scripts.

const { gateway } = await useGateway()
const browser = await useChromium()

/** One page of each kind, and the longest ones. */
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

const NARROW = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 720 }

describe('every kind of page', () => {
  let tab: OpenPage
  beforeAll(async () => {
    tab = await openPage(browser, `${gateway.origin}/docs`)
  })
  test.each(PAGES)(
    '%s is accessible in both schemes and fits a narrow phone, folded and open, and asks for nothing',
    { timeout: 120_000 },
    async (path) => {
      const { page, requests, messages, goTo } = tab
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(NARROW)
      await goTo(gateway.origin + path)
      expect(await horizontalOverflow(page), 'folded').toBe(0)
      await page.locator('html').evaluate((html) => {
        for (const fold of html.querySelectorAll('details')) fold.open = true
      })
      expect(await horizontalOverflow(page), 'open').toBe(0)
      await page.setViewportSize(DESKTOP)
      expect(await accessibilityFindings(page), 'light').toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await accessibilityFindings(page, 'colours'), 'dark').toEqual([])
      expect([requests, messages]).toEqual([[], []])
    },
  )
})

test('a typed word filters the operations, with their number', async () => {
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
  // The first block sets the variables of the command.
  await page.getByRole('button', { name: 'Copy' }).nth(1).click()
  const copied: string = await page
    .locator('html')
    .evaluate((html) => html.ownerDocument.defaultView.navigator.clipboard.readText())
  expect(copied).toBe(await page.locator('figure code').nth(1).textContent())
  expect(copied).toContain('\\\n  -X POST')
  await close()
})
