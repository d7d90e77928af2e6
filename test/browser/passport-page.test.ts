import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html } from '../../plugins/representations/html/index.ts'
import { type PassportView, Problem } from '../../src/plugin/index.ts'
import { readByZxing } from '../support/code-readers.ts'
import { LANGUAGES, SCRIPTS_AND_LENGTHS } from '../support/languages.ts'
import { useChromium } from './chromium.ts'
import { fixtures, hostileView, largeView } from './fixtures.ts'
import { accessibilityFindings, activeContent, horizontalOverflow, type OpenPage, openPage } from './open-page.ts'
import { type PageServer, startPageServer } from './page-server.ts'
import { HOSTILE_HOST, payloads } from './payloads.ts'
import {
  contextFor,
  renderBatchPage,
  renderCeasedUnitPage,
  renderChoicesPage,
  renderPage,
  renderProblemPage,
  renderUnitPage,
  renderVersionPage,
  withLongestWords,
} from './render.ts'
import { batchFixtures, ceasedUnit, hostileUnit, item, unitFixtures } from './unit-fixtures.ts'

const browser = await useChromium()
let server: PageServer
/** Pages share a tab: creating one takes longer than checking a page. */
let shown: OpenPage

beforeAll(async () => {
  server = await startPageServer()
  shown = await openPage(browser, server.serve('<!doctype html><title>Nothing yet</title>'))
})

const NARROW = { width: 320, height: 640 }
const viewports = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } }

async function show(html: string, viewport = viewports.desktop): Promise<OpenPage> {
  await shown.page.emulateMedia({ media: null, colorScheme: 'light', forcedColors: null, reducedMotion: null })
  await shown.page.setViewportSize(viewport)
  await shown.goTo(server.serve(html))
  return shown
}

/** Opens every collapsed part. */
const unfold = (page: Page) =>
  page.locator('details.more').evaluateAll((list) => {
    for (const details of list) details.setAttribute('open', '')
  })

/** Checks for horizontal scroll bars at 320 px and with text at 200 %. */
async function fits(page: Page): Promise<void> {
  await page.setViewportSize(NARROW)
  expect(await horizontalOverflow(page)).toBe(0)
  // The policy rejects style elements.
  await page.locator('html').evaluate((html) => {
    html.style.fontSize = '200%'
  })
  expect(await horizontalOverflow(page), 'large text').toBe(0)
}

afterAll(async () => {
  await server?.close()
})

/** Units that look different; the others differ only in text. */
const UNITS = [
  'public',
  'history',
  'as many records as there can be',
  'two records within a day',
  'huge values',
  'nothing measured',
  'long words',
] as const

const pages: Record<string, (lang: string) => string> = {
  ...Object.fromEntries(
    Object.entries(fixtures).map(([name, view]) => [name, (lang: string) => renderPage(view, lang)] as const),
  ),
  'larger than a page': (lang) => renderPage(largeView, lang),
  ...Object.fromEntries(
    UNITS.map((name) => [`unit, ${name}`, (lang: string) => renderUnitPage(unitFixtures[name], lang)] as const),
  ),
  'item that is no battery': (lang) => renderUnitPage(item, lang),
  ...Object.fromEntries(
    Object.entries(batchFixtures).map(
      ([name, batch]) => [`batch ${name}`, (lang: string) => renderBatchPage(batch, lang)] as const,
    ),
  ),
  'earlier version': (lang) => renderVersionPage(fixtures.battery, 'ACTIVE', lang),
  'earlier version of what is recalled': (lang) => renderVersionPage(fixtures.battery, 'RECALLED', lang),
  'ceased unit': (lang) => renderCeasedUnitPage(ceasedUnit, lang),
  choices: (lang) => renderChoicesPage(lang),
  hostile: (lang) => renderPage(hostileView('"><img src=x onerror=alert(1)>\u202e'), lang),
  // Others differ in words, which are checked without a browser.
  ...Object.fromEntries(
    [404, 410, 503].map(
      (status) => [`problem ${status}`, (lang: string) => renderProblemPage(new Problem(status, 'No.'), lang)] as const,
    ),
  ),
}

/**
 * Pages whose colours are checked, which takes most of the time: each element on any page is on one of them, within the
 * same elements and classes.
 */
const COLOURED: ReadonlySet<string> = new Set([
  'journey',
  'batteryRestricted',
  'chemicalArchived',
  'draft',
  'everySign',
  'longWords',
  'larger than a page',
  'unit, history',
  'unit, as many records as there can be',
  'unit, huge values',
  'item that is no battery',
  'batch of textiles',
  'ceased unit',
  'earlier version',
  'hostile',
  'choices',
  'problem 404',
])

it('every look on any page is on a page whose colours are checked', async () => {
  // Style-relevant identity of an element: names and classes of it and its ancestors.
  const looks: string[][] = await shown.page.locator('html').evaluate(
    (html, sources) => {
      const { DOMParser } = html.ownerDocument.defaultView
      return sources.map((source) =>
        [...new DOMParser().parseFromString(source, 'text/html').querySelectorAll('*')].map((element) => {
          let look = ''
          for (let one = element; one !== null; one = one.parentElement) {
            look = `${[one.localName, ...[...one.classList].sort()].join('.')} ${look}`
          }
          return look
        }),
      )
    },
    Object.values(pages).map((page) => page('de')),
  )
  const all = new Set(looks.flat())
  const checked = new Set(looks.filter((_, index) => COLOURED.has(Object.keys(pages)[index] ?? '')).flat())
  expect(all.size).toBeGreaterThan(500)
  expect([...all.difference(checked)]).toEqual([])
})

describe.each(Object.keys(pages))('the page %s', (name) => {
  const page = pages[name] as (lang: string) => string

  it('is accessible (WCAG 2.2 AA) in light and in dark colours, fits, and requests nothing else', async () => {
    const { page: tab, requests, messages } = await show(page('de'), viewports.phone)
    await tab.locator('footer').scrollIntoViewIfNeeded()
    // Visible content loads within the next frames; the page's one script requests nothing.
    await tab.locator('html').evaluate((html) => {
      const { requestAnimationFrame, requestIdleCallback } = html.ownerDocument.defaultView
      return new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)))
    })
    expect(requests).toEqual([])
    expect(messages).toEqual([])
    await unfold(tab)
    expect(await accessibilityFindings(tab, COLOURED.has(name) ? 'all' : 'all but colours'), 'light').toEqual([])
    if (COLOURED.has(name)) {
      await tab.emulateMedia({ colorScheme: 'dark' })
      expect(await accessibilityFindings(tab, 'colours'), 'dark').toEqual([])
      await tab.setViewportSize(viewports.desktop)
      expect(await accessibilityFindings(tab, 'all but colours'), 'desktop').toEqual([])
    }
    await fits(tab)
  })
})

it('review-3-users S4: on a phone Share can be reached while Download is open, and closes it', async () => {
  const { page } = await show(renderPage(fixtures.battery), viewports.phone)
  const tool = (name: string) => page.locator('.tools > details', { has: page.getByText(name, { exact: true }) })
  await tool('Download').locator('summary').click()
  // The click fails if anything covers it.
  await tool('Share').locator('summary').click({ timeout: 5000 })
  expect(await tool('Share').getAttribute('open')).not.toBeNull()
  expect(await tool('Download').getAttribute('open')).toBeNull()
})

it('review-3-users S10: a table of three columns keeps its words whole on a phone', async () => {
  const { page } = await show(renderPage(fixtures.batteryRestricted), viewports.phone)
  const lines = await page
    .locator('.alike tbody th', { hasText: 'Manganese' })
    .first()
    .evaluate((cell) => {
      const range = cell.ownerDocument.createRange()
      range.selectNodeContents(cell)
      return new Set([...range.getClientRects()].map(({ top }: { top: number }) => Math.round(top))).size
    })
  expect(lines).toBe(1)
})

it('review-3-users S8: a page that a token has opened is accessible, and fits with its forms', async () => {
  const granted = html.render(fixtures.batteryRestricted, { ...contextFor('de'), grant: `dpp_li_${'A'.repeat(43)}` })
  const { page } = await show(granted.body, viewports.phone)
  await page.locator('.switcher > summary').click()
  expect(await accessibilityFindings(page)).toEqual([])
  await fits(page)
})

it('a battery passport and a unit fit a narrow phone, in whatever language', async () => {
  for (const render of [
    (lang: string) => renderPage(fixtures.batteryRestricted, lang),
    (lang: string) => renderUnitPage(unitFixtures.history, lang),
  ]) {
    for (const { lang, html } of withLongestWords(LANGUAGES.map((lang) => ({ lang, html: render(lang) })))) {
      const { page: tab } = await show(html, NARROW)
      await unfold(tab)
      expect(await horizontalOverflow(tab), lang).toBe(0)
      // These languages represent all: others differ only in words.
      if (SCRIPTS_AND_LENGTHS.includes(lang)) {
        expect(await accessibilityFindings(tab, 'all but colours'), lang).toEqual([])
      }
    }
  }
})

/** Charts that collapse, number and omit, and measures in a table. */
const charted: PassportView = {
  ...fixtures.sku,
  metadata: {
    category: 'batteries',
    originCountry: 'PL',
    productName: { en: 'House battery', pl: 'Bateria domowa' },
    ratedEnergyWh: 5120,
    materialComposition: ['Steel', 'Zinc', 'Glass', 'Copper', 'Nickel', 'Tin', 'Lead', 'Silver', 'PP', 'Paper'].map(
      (material, index) => ({ material, percentage: 19 - 2 * index }),
    ),
    recycledContent: { cobalt: { preConsumer: 4, postConsumer: 20 }, lead: 0 },
    carbonFootprint: { unit: 'kg CO2e per kWh', co2eKg: 61.3, scope1: 8.2, scope2: 14.6, scope3: 38.5 },
    essentialCharacteristics: [
      { name: 'Compressive strength at the age of twenty-eight days', value: 24, unit: 'N/mm2' },
      { name: 'Reaction to fire', value: 'D-s2,d0' },
    ],
  },
}

describe('charts of shares and amounts', () => {
  it.each(['en', 'de', 'el', 'bg', 'pl'])('are accessible and fit a narrow phone in %s', async (lang) => {
    const { page: tab } = await show(renderPage(charted, lang), NARROW)
    await tab.locator('details').evaluateAll((list) => {
      for (const details of list) details.setAttribute('open', '')
    })
    expect(await horizontalOverflow(tab)).toBe(0)
    // Colours are the same in every language.
    expect(await accessibilityFindings(tab, lang === 'en' ? 'all' : 'all but colours')).toEqual([])
    if (lang === 'en') {
      await tab.emulateMedia({ colorScheme: 'dark' })
      expect(await accessibilityFindings(tab, 'colours'), 'dark').toEqual([])
    }
  })

  it('say which table has the same figures, and keep what is folded away in print', async () => {
    const { page } = await show(renderPage(charted))
    expect(await page.getByRole('img', { name: 'Bar with the shares of the table below' }).count()).toBe(2)
    expect(await page.getByRole('rowheader', { name: 'Compressive strength' }).count()).toBe(1)
    const folded = page.getByText('Paper', { exact: true })
    expect(await folded.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await folded.evaluate((element) => element.getBoundingClientRect().height)).toBeGreaterThan(0)
  })

  it('have tracks of one width, each below its name', async () => {
    for (const viewport of Object.values(viewports)) {
      const { page } = await show(renderPage(fixtures.battery), viewport)
      const tracks = await page.locator('.bars > div').evaluateAll((rows) =>
        rows.map((row) => {
          const [track, whole] = [row.querySelector('svg'), row].map((one) => one.getBoundingClientRect())
          return { isWhole: Math.abs(track.width - whole.width) < 1, left: track.left, width: track.width }
        }),
      )
      expect(tracks).toHaveLength(4)
      for (const track of tracks) expect(track).toEqual({ ...tracks[0], isWhole: true })
    }
  })
})

it.each(['phone', 'desktop'] as const)('menus in the head of the page stay within it on a %s', async (device) => {
  const { page } = await show(renderPage(fixtures.battery, 'el'), viewports[device])
  for (const tool of await page.locator('.tool > summary').all()) {
    await tool.click()
    const box = await page.locator('.tool[open] > :not(summary)').boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? Number.NaN)).toBeLessThanOrEqual(viewports[device].width)
    expect(await horizontalOverflow(page)).toBe(0)
    expect(await accessibilityFindings(page)).toEqual([])
    await tool.click()
  }
})

it('the code that is shared is the address of the page', async () => {
  const { page } = await show(renderPage(fixtures.battery), viewports.phone)
  await page.locator('.tool > summary', { hasText: 'Share' }).click()
  const drawn = await page.locator('.scan').screenshot({ scale: 'device' })
  expect((await readByZxing(drawn)).map(({ text }) => text)).toEqual([fixtures.battery.digitalLinkUri])
})

it.each(['el', 'bg', 'de'])('no label is broken within a word on a phone in %s', async (lang) => {
  const { page } = await show(renderPage(fixtures.battery, lang), viewports.phone)
  const broken = await page.locator('dt, h1, h2, .contents a, .tool > summary').evaluateAll((list) =>
    list.flatMap((element) => {
      const texts = element.ownerDocument.createTreeWalker(element, 4)
      const found = []
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const { 0: word, index } of text.data.matchAll(/[\p{L}]+/gu)) {
          const range = element.ownerDocument.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          if (range.getClientRects().length > 1) found.push(word)
        }
      }
      return found
    }),
  )
  expect(broken).toEqual([])
})

it('can be read in forced colours', async () => {
  const { page } = await show(renderPage(fixtures.battery))
  await page.emulateMedia({ forcedColors: 'active' })
  const code = page.locator('.scan')
  await page.locator('.tool > summary', { hasText: 'Share' }).click()
  expect((await readByZxing(await code.screenshot({ scale: 'device' }))).map(({ text }) => text)).toHaveLength(1)
  expect(await accessibilityFindings(page)).toEqual([])
})

it('does not move where the reader wants no motion', async () => {
  const { page } = await show(renderPage(fixtures.battery))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const behaviour = () =>
    page.locator('html').evaluate((html) => html.ownerDocument.defaultView.getComputedStyle(html).scrollBehavior)
  expect(await behaviour()).toBe('auto')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await behaviour()).toBe('smooth')
})

describe('a chart over time', () => {
  it('draws round dots within its axes, whatever the width of the page', async () => {
    for (const viewport of [{ width: 320, height: 640 }, viewports.desktop]) {
      const { page } = await show(renderUnitPage(unitFixtures.history), viewport)
      const charts = await page.locator('.plot').evaluateAll((list) =>
        list.map((plot) => {
          const [grid, line] = ['.grid', '.line'].map((name) => plot.querySelector(name).getBoundingClientRect())
          const lowest = [...plot.querySelectorAll('.grid')].map((rule) => rule.getBoundingClientRect().top)
          const labels = [...plot.querySelectorAll('text')].map((text) => text.getBoundingClientRect())
          return {
            isInside:
              line.left >= grid.left - 1 &&
              line.right <= grid.right + 1 &&
              line.top >= Math.min(...lowest) - 1 &&
              line.bottom <= Math.max(...lowest) + 2,
            labelsAreBeside: labels.every(({ left, right }) => left >= 0 && right <= grid.left),
            dots: plot.ownerDocument.defaultView.getComputedStyle(plot.querySelector('.dots')).vectorEffect,
          }
        }),
      )
      expect(charts).toHaveLength(4)
      for (const chart of charts)
        expect(chart).toEqual({ isInside: true, labelsAreBeside: true, dots: 'non-scaling-stroke' })
    }
  })

  it('is read out as its title and its figures', async () => {
    const { page } = await show(renderUnitPage(unitFixtures.history))
    const image = page.getByRole('img', { name: /^State of health 20 March 2027 to .*latest [\d.]+%\.$/ })
    expect(await image.count()).toBe(1)
  })

  it('has its records in print, though they are folded away', async () => {
    const { page } = await show(renderUnitPage(unitFixtures.history))
    const row = page.getByText('Werkstatt Süd')
    expect(await row.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await row.evaluate((element) => element.getBoundingClientRect().height)).toBeGreaterThan(0)
  })
})

describe('the printed page', () => {
  it.each(['battery', 'textile', 'electronicsRecalled', 'sku', 'chemicalArchived'] as const)(
    'takes two sheets at most, and no key is on them: %s',
    async (name) => {
      for (const lang of ['en', 'de', 'el']) {
        const { page } = await show(renderPage(fixtures[name], lang))
        const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
        expect(pdf.match(/\/Type\s*\/Page\b/g)?.length, lang).toBeLessThanOrEqual(2)
        await page.emulateMedia({ media: 'print' })
        for (const hidden of ['.tools', '.contents', '.switcher', '#masked', '.raw', '.button']) {
          for (const element of await page.locator(hidden).all()) expect(await element.isVisible()).toBe(false)
        }
      }
    },
  )

  it('asks for nothing either', async () => {
    const { page, requests } = await show(renderPage(fixtures.battery))
    await page.pdf()
    expect(requests).toEqual([])
  })

  it.each(['light', 'dark'] as const)('carries its code, which a %s screen does not show', async (colorScheme) => {
    for (const [view, address] of [
      [fixtures.battery, fixtures.battery.digitalLinkUri],
      [fixtures.sku, `${fixtures.sku.baseUrl}/passport/${fixtures.sku.id}`],
    ] as const) {
      const { page } = await show(renderPage(view))
      await page.emulateMedia({ colorScheme })
      const code = page.locator('.code')
      expect(await code.isVisible()).toBe(false)
      await page.emulateMedia({ media: 'print', colorScheme })
      expect(await code.isVisible()).toBe(true)
      expect(await code.innerText()).toBe(address)
      const drawn = code.locator('svg')
      const { width = 0 } = (await drawn.boundingBox()) ?? {}
      // A millimetre has 96 / 25.4 CSS pixels; modules must be at least 0.396 mm wide.
      const modules = Number(/^0 0 (\d+)/.exec((await drawn.getAttribute('viewBox')) ?? '')?.[1])
      expect((width / modules) * (25.4 / 96)).toBeGreaterThan(0.396)
      expect((await readByZxing(await drawn.screenshot({ scale: 'device' }))).map(({ text }) => text)).toEqual([
        address,
      ])
    }
  })

  it('is black on white for readers of dark pages too', async () => {
    const { page } = await show(renderPage(fixtures.battery))
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const colours = await page.locator('body').evaluate((body) => {
      const { backgroundColor, color } = body.ownerDocument.defaultView.getComputedStyle(body)
      return { backgroundColor, color }
    })
    expect(colours).toEqual({ backgroundColor: 'rgb(255, 255, 255)', color: 'rgb(20, 32, 30)' })
  })
})

describe('every address on the page', () => {
  it('can be hit with a finger: at least 24 px high where it does not stand in a sentence (WCAG 2.5.8)', async () => {
    const { page } = await show(renderPage(fixtures.battery), viewports.phone)
    const small = await page
      .locator('nav a, .documents a, .answer h2 a, .tool a, .button, summary')
      .evaluateAll((list) =>
        list.filter((element) => element.getBoundingClientRect().height < 24).map((element) => element.textContent),
      )
    expect(small).toEqual([])
  })
})

describe('hostile content', () => {
  // One shared window: hundreds of separate ones would take minutes.
  let opened: OpenPage
  beforeAll(async () => {
    opened = await openPage(browser, server.serve(renderPage(fixtures.sku)))
  })
  afterAll(() => opened?.close())

  // Rendering a page takes a hundred times as long as parsing it: each is parsed individually and rendered in a group.
  const AT_ONCE = 16
  const lots = Array.from({ length: Math.ceil(payloads.length / AT_ONCE) }, (_, index) => ({
    lot: payloads.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
    from: payloads[index * AT_ONCE],
  }))
  const pagesOf = (payload: string) => [renderPage(hostileView(payload)), renderUnitPage(hostileUnit(payload))]

  it.each(lots)('in every field stays text, and does nothing: from $from', async ({ lot }) => {
    expect(await activeContent(opened.page, lot.flatMap(pagesOf))).toEqual([])
    for (const page of pagesOf(lot.join('\n'))) {
      await opened.goTo(server.serve(page))
      await opened.page.mouse.move(100, 300)
      await opened.page.keyboard.press('Tab')
      expect(await activeContent(opened.page)).toEqual([])
      expect(opened.dialogs).toEqual([])
      expect(opened.requests).toEqual([])
      expect(opened.messages).toEqual([])
    }
  })

  it.each(['<script>alert(1)</script>', '<img src=x onerror="alert(1)">', '<a href="javascript:alert(1)">x</a>'])(
    'is found where it is read, once it is markup: %s',
    async (markup) => {
      const clean = renderPage(fixtures.sku)
      expect(await activeContent(opened.page, [clean])).toEqual([])
      expect(await activeContent(opened.page, [clean, clean.replace('</main>', `${markup}</main>`)])).not.toEqual([])
    },
  )

  it('cannot run even where it gets into the page, because of the policy', async () => {
    const page = renderPage(fixtures.sku).replace(
      '</main>',
      `<script>alert(1)</script><img src="data:," onerror="alert(2)"><link rel="stylesheet" href="https://${HOSTILE_HOST}/x.css"></main>`,
    )
    const opened = await openPage(browser, server.serve(page))
    expect(opened.dialogs).toEqual([])
    expect(opened.requests).toEqual([])
    expect(opened.messages.join('\n')).toContain('Content Security Policy')
    await opened.close()
  })
})
