import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newGtin } from '../support/gateway.ts'
import { LANGUAGES } from '../support/languages.ts'
import { battery, expectStatus } from '../support/passport-client.ts'
import { freePort } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'
import { useChromium } from './chromium.ts'
import { accessibilityFindings, horizontalOverflow } from './open-page.ts'
import { HOSTILE_HOST, payloads } from './payloads.ts'
import { withLongestWords, withoutScripts, words } from './render.ts'

// From the front page to a passport, and offline.

const port = await freePort()
const origin = `http://localhost:${port}`
const { gateway, workspace, passports } = await useGateway({ BASE_URL: origin, PORT: String(port) })
const browser = await useChromium()
let folder: string
let passport: { readonly id: string; readonly productId: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpp-door-'))
  passport = await passports.given({ productId: newGtin(), metadata: battery({ productName: 'Nordlicht Home' }) })
  expectStatus(200, await passports.seal(passport.id))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function open(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const page = await context.newPage()
  const [requests, complaints]: [string[], string[]] = [[], []]
  page.on('request', (request) => requests.push(request.url().replace(origin, '')))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(origin + path)
  return { page, context, requests, complaints }
}
const title = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const isOnPassport = (page: Page) => expect.poll(() => title(page)).toContain('Nordlicht Home')

/** A photograph of the passport's code, rotated, on grey. */
async function photoOfCode(degrees: number): Promise<Buffer> {
  const answer = await gateway.request('GET', `/api/v1/passports/${passport.id}/qr?format=svg`, {
    headers: workspace.as,
  })
  const context = await browser.newContext({ viewport: { width: 900, height: 900 }, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.setContent(
    `<style>svg{width:420px;height:auto}</style><body style="background:#b9b4a8;display:grid;place-items:center;height:100vh;margin:0">
     <div style="transform:rotate(${degrees}deg);background:#fff;padding:20px">${answer.text}</div></body>`,
  )
  const picture = await page.screenshot()
  await context.close()
  return picture
}

function fileOf(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

describe('a person with a product', () => {
  test.each([true, false])('types the number and reads the passport (script: %s)', async (javaScriptEnabled) => {
    const { page, context } = await open('/?lang=en', { javaScriptEnabled })
    await page.getByLabel('Number or link').fill(Number(passport.productId).toString())
    await page.getByRole('button', { name: 'Open passport' }).click()
    await isOnPassport(page)
    expect(new URL(page.url()).pathname).toBe(`/01/${passport.productId}`)
    await context.close()
  })

  test('mistypes it, gets a suggestion, and reaches the passport by it', async () => {
    const { page, context } = await open('/?lang=en')
    const wrong = passport.productId.slice(0, -1) + ((Number(passport.productId.at(-1)) + 1) % 10)
    await page.getByLabel('Number or link').fill(wrong)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('is wrong')
    expect(await page.getByLabel('Number or link').inputValue()).toBe(wrong)
    expect(await page.locator(':focus').getAttribute('id')).toBe('q')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.getByRole('link', { name: passport.productId }).click()
    await isOnPassport(page)
    await context.close()
  })

  test.each([0, 8, 37, 90, 180])(
    'chooses a photo of the code, turned by %s degrees, which stays in the browser',
    async (degrees) => {
      const { page, context, requests, complaints } = await open('/?lang=en')
      const photo = fileOf(`code-${degrees}.png`, await photoOfCode(degrees))
      await page.getByLabel('Or choose a photo of the code').setInputFiles(photo)
      await isOnPassport(page)
      const paths = requests.filter((path) => !path.startsWith('/favicon'))
      const reader = paths.filter((path) => path.startsWith('/code-reader/'))
      expect(reader.length === 0 || reader.length === 2).toBe(true)
      expect(paths.filter((path) => !reader.includes(path))).toEqual([
        '/?lang=en',
        expect.stringMatching(/^\/\?lang=en&q=/),
        expect.stringMatching(/^\/01\//),
      ])
      expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([])
      await context.close()
    },
  )

  test('sees a message for a picture without code, or a file without picture', async () => {
    const { page, context } = await open('/?lang=en')
    const [blank] = await Promise.all([page.screenshot()])
    const input = page.getByLabel('Or choose a photo of the code')
    await input.setInputFiles(fileOf('blank.png', blank as Buffer))
    await expect.poll(() => page.getByRole('status').textContent()).toContain('No code was found')
    await input.setInputFiles(fileOf('broken.png', 'no picture'))
    await expect.poll(() => page.getByRole('status').textContent()).toContain('neither a picture nor a passport')
    await context.close()
  })

  test('drops a passport on the page, and reads whether it is unchanged', async () => {
    const { page, context } = await open('/?lang=en')
    const { text } = await gateway.request('GET', `/passport/${passport.id}`)
    const transfer = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], 'p.json')); return data })()`,
    )
    await page.locator('main').dispatchEvent('drop', { dataTransfer: transfer })
    await page.waitForURL('**/verify?lang=en')
    await expect.poll(() => page.locator('#verdict').textContent()).toMatch(/^Unchanged since/)
    await context.close()
  })

  test('finds the form for access through it, with the mistakes in front', async () => {
    const { page, context } = await open('/request-access?lang=en')
    expect(await page.locator(':focus').getAttribute('id')).toBe('q')
    await page.getByLabel('Number or link').fill(passport.productId)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => title(page)).toBe('Request access to protected data')
    expect(await page.getByText('Nordlicht Home').count()).toBe(1)
    await page.getByRole('button', { name: 'Send request' }).click()
    await expect.poll(() => page.title()).toMatch(/^Error: /)
    expect(await page.locator(':focus').getAttribute('role')).toBe('alert')
    expect(await accessibilityFindings(page)).toEqual([])
    await context.close()
  })

  test('enters any text, and no part of it runs', async () => {
    const { page, context, complaints, requests } = await open('/?lang=en')
    // The field limits its length, an address does not.
    for (const payload of payloads.slice(0, 25)) {
      await page.goto(`${origin}/?lang=en&q=${encodeURIComponent(payload)}`)
      if (new URL(page.url()).pathname === '/')
        expect(await page.locator('#q').inputValue()).toBe(payload.replace(/[\r\n]/g, '').trim())
      expect(await page.locator('main img, main script, main iframe').count(), payload).toBe(0)
    }
    expect(complaints.filter((text) => text.startsWith('dialog') || text.includes(HOSTILE_HOST))).toEqual([])
    expect(requests.filter((path) => !path.startsWith('/'))).toEqual([])
    await context.close()
  })
})

const PATHS = ['/', '/?q=09506000134353', '/request-access', '/verify', '/no/page', '/01/09506000134353']
const inLanguage = (path: string, lang: string) => `${origin}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`

async function htmlIn(path: string, lang: string): Promise<string> {
  const html = await (await fetch(inLanguage(path, lang), { headers: { accept: 'text/html' } })).text()
  // Links to other languages have a `lang` too.
  expect(/<html\b[^>]* lang="(\w+)"/.exec(html)?.[1], `${path} ${lang}`).toBe(lang)
  return html
}

describe('the pages', () => {
  test('are in all languages, accessible, and fit a phone', async () => {
    const narrow = { viewport: { width: 320, height: 640 }, serviceWorkers: 'block' } as const
    const { page, context } = await open('/', narrow)
    for (const path of PATHS) {
      const pages = await Promise.all(LANGUAGES.map(async (lang) => ({ lang, html: await htmlIn(path, lang) })))
      for (const { lang, html } of pages) {
        expect(words(withoutScripts(html)), `${path} ${lang}`).not.toMatch(/\b(door|verify|problem|saved)\.[a-z]/)
      }
      for (const { lang } of withLongestWords(pages)) {
        await page.goto(inLanguage(path, lang))
        const at = `${path} ${lang}`
        expect(await page.locator('html').getAttribute('lang'), at).toBe(lang)
        expect(await horizontalOverflow(page), at).toBe(0)
        // Colours are the same in every language, elements in those of a script.
        const scope = lang === 'de' ? 'all' : 'all but colours'
        if (['de', 'el'].includes(lang)) expect(await accessibilityFindings(page, scope), at).toEqual([])
      }
    }
    await page.goto(`${origin}/ns/dpp`)
    expect(await accessibilityFindings(page)).toEqual([])
    await context.close()
  })

  test('can be read in the dark', async () => {
    const { page, context } = await open('/', {
      ...{ colorScheme: 'dark', viewport: { width: 320, height: 640 }, serviceWorkers: 'block' },
    })
    for (const path of [...PATHS, '/ns/dpp']) {
      await page.goto(inLanguage(path, 'el'))
      expect(await accessibilityFindings(page, 'colours'), path).toEqual([])
    }
    await context.close()
  })
})

describe('without a network', () => {
  test('a page that was opened before is there, and says that it is a copy', async () => {
    const { page, context } = await open(`/passport/${passport.id}?lang=en`)
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
    expect(await page.locator('[data-saved]').first().isVisible()).toBe(false)
    // The worker sees pages opened after its activation.
    for (const path of [
      `/passport/${passport.id}?lang=en`,
      `/passport/${passport.id}?lang=de`,
      '/?lang=en',
      '/verify?lang=en',
    ]) {
      await page.goto(origin + path)
    }
    await expect
      .poll(() => page.evaluate("caches.open('pages-1').then((kept) => kept.keys()).then((keys) => keys.length)"))
      .toBe(4)
    await context.setOffline(true)
    /** The note of a page, opened until it shows one: the browser answers from its own cache within `stale-while-revalidate`. */
    const noteOf = async (lang: string, text: string) => {
      const note = page.getByText(text)
      await expect
        .poll(async () => {
          await page.goto(`${origin}/passport/${passport.id}?lang=${lang}`)
          await isOnPassport(page)
          return note.isVisible()
        })
        .toBe(true)
      return note
    }
    const notice = await noteOf('en', 'There is no network: this is a saved copy of')
    expect(await notice.textContent()).toMatch(/saved copy of \d.*may have been recalled since then/)
    expect(await accessibilityFindings(page)).toEqual([])
    await noteOf('de', 'Dies ist eine gespeicherte Kopie vom')
    await page.goto(`${origin}/verify?lang=en`)
    // A response that is fresh for an hour is not shown as a stored copy within the hour.
    expect(await page.locator('#document').isVisible()).toBe(true)
    await expect(page.goto(`${origin}/ns/dpp`)).rejects.toThrow()
    // Online, the current page is shown without a note.
    await context.setOffline(false)
    await page.goto(`${origin}/passport/${passport.id}?lang=en`)
    expect(await notice.isVisible()).toBe(false)
    await context.close()
  })

  test('pages opened by a token, forms and errors are never stored, and deleted ones are dropped', async () => {
    const { page, context } = await open('/?lang=en')
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
    const keys = () =>
      page.evaluate("caches.open('pages-1').then((kept) => kept.keys()).then((keys) => keys.map(({ url }) => url))")
    const door = `${origin}/?lang=en`
    await expect.poll(keys).toEqual([door])
    const draft = await passports.given({ productId: newGtin(), metadata: battery() })
    await page.goto(`${origin}/passport/${draft.id}`)
    await expect.poll(keys).toEqual([door, `${origin}/passport/${draft.id}`])
    for (const path of [
      `/passport/${passport.id}?grant=dpp_li_${'x'.repeat(43)}`,
      `/passport/${passport.id}?%67rant=dpp_li_${'x'.repeat(43)}`,
      `/request-access?passport=${passport.id}`,
      '/no/page',
      '/01/09506000134353',
    ]) {
      await page.goto(origin + path)
    }
    expect(await keys()).toEqual([door, `${origin}/passport/${draft.id}`])
    expectStatus(200, await passports.update(draft.id, { draft: true, metadata: battery() }))
    // Within `stale-while-revalidate`, the browser answers from its own cache.
    await expect
      .poll(async () => {
        await page.goto(`${origin}/passport/${draft.id}`)
        return keys()
      })
      .toEqual([door])
    await context.close()
  })

  test('review-3-users S3: the page of the first visit is kept, and one that a token has opened is not', async () => {
    const cachedIn = (page: Page) =>
      page.evaluate("caches.open('pages-1').then((kept) => kept.keys()).then((keys) => keys.map(({ url }) => url))")
    const address = `/passport/${passport.id}?lang=en`
    const first = await open(address)
    await expect.poll(() => cachedIn(first.page)).toEqual([origin + address])
    await first.context.setOffline(true)
    await first.page.reload()
    expect(await first.page.getByText('There is no network: this is a saved copy of').isVisible()).toBe(true)
    await first.context.close()
    const granted = await open(`/passport/${passport.id}?grant=dpp_li_${'x'.repeat(43)}`)
    await expect.poll(() => granted.page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
    await granted.page.goto(origin + address)
    await expect.poll(() => cachedIn(granted.page)).toEqual([origin + address])
    await granted.context.close()
  })
})
