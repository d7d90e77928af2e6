import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { PassportView } from '../../src/plugin/index.ts'
import { ROOT } from '../../src/root.ts'
import { launchChromium } from './chromium.ts'
import { fixtures } from './fixtures.ts'
import { startPageServer } from './page-server.ts'
import { renderPage, renderUnitPage } from './render.ts'
import { unitFixtures } from './unit-fixtures.ts'

/** `SCREENSHOTS=1 npx vitest run test/browser/screenshots.test.ts` makes them anew. */
const isMade = process.env.SCREENSHOTS !== undefined
const folder = join(ROOT, 'docs/screenshots')
const MOST_BYTES = 60 * 1024

const url = `${fixtures.battery.baseUrl}/media/polar-78/960.webp`
const pictured: PassportView = {
  ...fixtures.battery,
  operator: {
    ...fixtures.battery.operator,
    contact: { email: 'service@nordlicht.example', phone: '+49 481 5550178', website: 'https://nordlicht.example/' },
  },
  media: [
    {
      id: 'polar-78',
      kind: 'picture',
      mediaType: 'image/webp',
      title: null,
      url,
      sizes: [{ url, width: 960, height: 640 }],
      bytes: 90_000,
    },
  ],
}
const recalled: PassportView = {
  ...fixtures.electronicsRecalled,
  recall: {
    reason: { en: 'The plug can come off and leave live parts in the socket.' },
    at: '2027-05-04T08:00:00.000Z',
    contact: 'recall@halo.example',
    url: 'https://halo.example/recall/h1-65',
  },
}

/** A battery, drawn. */
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640"><rect width="960" height="640" fill="#dfe9e6"/>
<path d="M120 260 480 150l360 90v210L480 560 120 470z" fill="#2b3a3a"/><path d="M120 260 480 150l360 90-360 110z" fill="#4d6360"/>
<path d="M480 350v210l360-110V240z" fill="#1c2827"/><path d="M200 262 470 180l270 66-260 80z" fill="none" stroke="#7fd1c3" stroke-width="6"/>
<path d="M150 330l290 76M150 380l290 76M150 430l290 76" stroke="#3f5552" stroke-width="10"/><path d="m640 330-50 70h40l-20 60 64-84h-42l30-60z" fill="#7fd1c3"/></svg>`

interface Shot extends BrowserContextOptions {
  readonly html: () => string
  readonly isPrinted?: boolean
}

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 }
const desktop = { viewport: { width: 1280, height: 900 } }

const SHOTS: Readonly<Record<string, Shot>> = {
  phone: { ...phone, html: () => renderPage(pictured) },
  desktop: { ...desktop, html: () => renderPage(pictured) },
  dark: { ...desktop, colorScheme: 'dark', html: () => renderPage(fixtures.textile) },
  print: { viewport: { width: 703, height: 1040 }, isPrinted: true, html: () => renderPage(pictured) },
  recalled: { ...phone, html: () => renderPage(recalled) },
  greek: { ...phone, html: () => renderPage(pictured, 'el') },
  bulgarian: { ...phone, html: () => renderPage(fixtures.textile, 'bg') },
  unit: { ...desktop, html: () => renderUnitPage(unitFixtures.history) },
}

describe.runIf(isMade)('the screenshots', () => {
  it('are made', { timeout: 180_000 }, async () => {
    mkdirSync(folder, { recursive: true })
    const picture = await sharp(Buffer.from(PICTURE)).webp().toBuffer()
    const [browser, server] = await Promise.all([launchChromium(), startPageServer()])
    for (const [name, { html, isPrinted, ...options }] of Object.entries(SHOTS)) {
      const context = await browser.newContext({ serviceWorkers: 'block', ...options })
      await context.route('**/media/**', (route) => route.fulfill({ body: picture, contentType: 'image/webp' }))
      const page = await context.newPage()
      if (isPrinted) await page.emulateMedia({ media: 'print' })
      await page.goto(server.serve(html()), { waitUntil: 'networkidle' })
      const made = await page.screenshot()
      writeFileSync(
        join(folder, `${name}.webp`),
        await sharp(made)
          .webp({ quality: isPrinted ? 40 : 64 })
          .toBuffer(),
      )
      await context.close()
    }
    await Promise.all([browser.close(), server.close()])
  })
})

describe('the folder of screenshots', () => {
  it.each(Object.keys(SHOTS))('has %s, small enough to be kept with the source', (name) => {
    expect(statSync(join(folder, `${name}.webp`)).size).toBeLessThan(MOST_BYTES)
  })

  it('has every picture that is shown', () => {
    const shown = ['README.md', 'docs/tour.md'].flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/screenshots\/[\w.-]+/g)].map(([path]) => `docs/${path}`),
    )
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})
