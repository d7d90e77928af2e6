import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { endCluster } from '../support/left-cluster.ts'
import { type GatewayProcess, startProcess } from '../support/process.ts'
import { useChromium } from './chromium.ts'
import { navigating } from './console-site.ts'

/** `SCREENSHOTS=1` writes the pictures of docs/guides/console.md, and works at the speed of a person. */
const isShown = process.env.SCREENSHOTS !== undefined
const MAX_SECONDS = 180
/** 5 keys per second, and 4 s to read a page. */
const PERSON = { delay: 200, reading: 4000 }

const folder = mkdtempSync(join(tmpdir(), 'dpp-first-seal-'))
const dataDir = join(folder, 'data')
let gateway: GatewayProcess
let startedAt = 0
const browser = await useChromium()
beforeAll(async () => {
  startedAt = performance.now()
  gateway = await startProcess({ DATA_DIR: dataDir })
})
afterAll(async () => {
  await gateway.end('SIGTERM')
  await endCluster(dataDir)
  await rm(folder, { recursive: true })
})

test('a new user gets from npm start to a sealed passport within three minutes', { timeout: 240_000 }, async () => {
  const output = await gateway.printed(/\/console\/sign-in\/\S+/)
  const [link = ''] = /http\S+\/console\/sign-in\/\S+/.exec(output) ?? []
  const startSeconds = (performance.now() - startedAt) / 1000
  const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1280, height: 860 } })
  let clicks = 0
  const click = async (role: 'link' | 'button', name: string) => {
    if (isShown) await page.waitForTimeout(PERSON.reading)
    clicks += 1
    await navigating(page, () => page.getByRole(role, { name, exact: true }).first().click())
  }
  const type = async (label: string, text: string, within = page.locator('main')) => {
    clicks += 1
    await within.getByLabel(label).first().click()
    await page.keyboard.type(text, isShown ? PERSON : {})
  }
  await page.goto(link)
  await shoot(page, 'sign-in')
  await click('button', 'Sign in')
  await shoot(page, 'home')
  await click('link', 'Passports')
  await click('link', 'New passport')
  await page.getByLabel('Category').selectOption('textiles')
  await page.getByLabel('Economic operator').selectOption({ index: 1 })
  await type('Product id', 'SHIRT-2026')
  await shoot(page, 'new')
  await click('button', 'Create draft')
  await type('Language', 'English')
  await type('Text', 'Overshirt')
  await type('Made in', 'Portugal')
  await shoot(page, 'editor')
  await click('button', 'Save and continue')
  const fibres = page.locator('[id="f-fiberComposition"]')
  await type('Fibre', 'cotton', fibres)
  await type('Share', '100', fibres)
  await click('button', 'Save and close')
  await shoot(page, 'draft')
  await click('link', 'Check and publish')
  await click('button', 'Publish')
  await click('link', 'Seal')
  await click('button', 'Seal')
  expect(await page.getByRole('status').innerText()).toContain('The passport is sealed.')
  await shoot(page, 'sealed')
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`start ${startSeconds.toFixed(1)} s, sealed after ${seconds.toFixed(1)} s, ${clicks} clicks`)
  expect(seconds).toBeLessThan(MAX_SECONDS)
})

async function shoot(page: Page, name: string): Promise<void> {
  if (!isShown) return
  const made = await page.screenshot()
  writeFileSync(
    join(ROOT, `docs/screenshots/console-${name}.webp`),
    await sharp(made).resize({ width: 960 }).webp({ quality: 60 }).toBuffer(),
  )
}
