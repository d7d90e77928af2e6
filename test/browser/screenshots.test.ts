import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { PassportView } from '../../src/plugin/index.ts'
import { ROOT } from '../../src/root.ts'
import { type DemoGateway, startDemoGateway } from '../support/demo-gateway.ts'
import { launchChromium } from './chromium.ts'
import { fixtures } from './fixtures.ts'
import { startPageServer } from './page-server.ts'
import { renderPage } from './render.ts'

/** `SCREENSHOTS=1 npx vitest run test/browser/screenshots.test.ts` writes them. */
const isMade = process.env.SCREENSHOTS !== undefined
const folder = join(ROOT, 'docs/screenshots')
const MAX_BYTES = 60 * 1024

const recalled: PassportView = {
  ...fixtures.electronicsRecalled,
  recall: {
    reason: { en: 'The plug can come off and leave live parts in the socket.' },
    at: '2027-05-04T08:00:00.000Z',
    contact: 'recall@halo.example',
    url: 'https://halo.example/recall/h1-65',
  },
}

interface Shot extends BrowserContextOptions {
  /** Path at the gateway with demo data, or a page without demo. */
  readonly page: string | ((demo: DemoGateway) => string)
  readonly isPrinted?: boolean
}

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 }
const desktop = { viewport: { width: 1280, height: 900 } }
const BATTERY = '/01/09506000134352'
const SHIRT = '/01/09501101530003'

const SHOTS: Readonly<Record<string, Shot>> = {
  phone: { ...phone, page: BATTERY },
  desktop: { ...desktop, page: BATTERY },
  dark: { ...desktop, colorScheme: 'dark', page: SHIRT },
  print: { viewport: { width: 703, height: 1040 }, isPrinted: true, page: BATTERY },
  greek: { ...phone, page: `${BATTERY}?lang=el` },
  bulgarian: { ...phone, page: `${SHIRT}?lang=bg` },
  unit: { ...desktop, page: ({ unitPath }: DemoGateway) => unitPath },
  // The demo has no recalled passport.
  recalled: { ...phone, page: () => renderPage(recalled) },
}

/** Renders the demo's drawings from their sources. */
async function drawDemoPictures(): Promise<void> {
  for (const svg of globSync('plugins/modules/media/demo-pictures/*.svg', { cwd: ROOT })) {
    const source = join(ROOT, svg)
    writeFileSync(source.replace(/svg$/, 'webp'), await sharp(readFileSync(source)).webp().toBuffer())
  }
}

describe.runIf(isMade)('the screenshots', () => {
  it('are made', { timeout: 180_000 }, async () => {
    mkdirSync(folder, { recursive: true })
    await drawDemoPictures()
    const [browser, server, demo] = await Promise.all([launchChromium(), startPageServer(), startDemoGateway()])
    for (const [name, { page: shown, isPrinted, ...options }] of Object.entries(SHOTS)) {
      const context = await browser.newContext({ serviceWorkers: 'block', locale: 'en-GB', ...options })
      const page = await context.newPage()
      if (isPrinted) await page.emulateMedia({ media: 'print' })
      const content = typeof shown === 'string' ? shown : shown(demo)
      const address = content.startsWith('/') ? demo.gateway.origin + content : server.serve(content)
      await page.goto(address, { waitUntil: 'networkidle' })
      const made = await page.screenshot()
      writeFileSync(
        join(folder, `${name}.webp`),
        await sharp(made)
          .webp({ quality: isPrinted ? 40 : 64 })
          .toBuffer(),
      )
      await context.close()
    }
    await Promise.all([browser.close(), server.close(), demo.close()])
  })
})

describe('the folder of screenshots', () => {
  it.each(Object.keys(SHOTS))('has %s, small enough to be kept with the source', (name) => {
    expect(statSync(join(folder, `${name}.webp`)).size).toBeLessThan(MAX_BYTES)
  })

  it('has every picture that is shown', () => {
    const shown = ['README.md', 'docs/guides/tour.md', 'docs/guides/console.md'].flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/screenshots\/[\w.-]+/g)].map(([path]) => `docs/${path}`),
    )
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})
