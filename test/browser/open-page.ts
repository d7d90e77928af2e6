import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { OFFLINE_SCRIPT } from '../../src/plugin/offline.ts'

/** A page in the browser with everything that it did beside being shown. */
export interface OpenPage {
  readonly page: Page
  /** Addresses asked for, the page itself left out. */
  readonly requests: readonly string[]
  readonly dialogs: readonly string[]
  /** Console output and uncaught errors. */
  readonly messages: readonly string[]
  /** Opens another page in its place, of which nothing has been seen yet. */
  goTo(url: string): Promise<void>
  close(): Promise<void>
}

/** What Playwright itself says where a page asks for a worker. */
const BLOCKED = 'Service Worker registration blocked by Playwright'

/** Opens an address and keeps every request from leaving the machine. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  // The script that keeps a copy asks for a worker, which is no part of the page.
  const context = await browser.newContext({ serviceWorkers: 'block', ...options })
  const page = await context.newPage()
  const requests: string[] = []
  const dialogs: string[] = []
  const messages: string[] = []
  let current = url
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.text() !== BLOCKED) messages.push(message.text())
  })
  page.on('pageerror', (error) => messages.push(error.message))
  await context.route('**', (route) => {
    if (route.request().url() === current) return route.continue()
    requests.push(route.request().url())
    return route.abort()
  })
  const goTo = async (next: string) => {
    current = next
    for (const seen of [requests, dialogs, messages]) seen.length = 0
    await page.goto(next, { waitUntil: 'load' })
  }
  await goTo(url)
  return { page, requests, dialogs, messages, goTo, close: () => context.close() }
}

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Tabs whose pages have axe-core. */
const withAxe = new WeakSet<Page>()
/**
 * Violations of WCAG 2.2, levels A and AA, and of the good practice of axe-core.
 * @param scope 'all but colours' if a test has checked the same colours in another language or on another screen, since contrast
 *   takes most of the time; 'colours' if the page differs from a checked one only in these
 */
export async function accessibilityFindings(
  page: Page,
  scope: 'all' | 'all but colours' | 'colours' = 'all',
): Promise<string[]> {
  // Evaluated by the debugger, which a Content Security Policy does not bind. Half a megabyte is sent once for each tab.
  if (!withAxe.has(page)) {
    withAxe.add(page)
    await page.addInitScript(axe.source)
    await page.evaluate(axe.source)
  }
  const { violations }: axe.AxeResults = await page
    .locator('html')
    .evaluate((html, options) => html.ownerDocument.defaultView.axe.run(options), {
      runOnly: scope === 'colours' ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: LEVELS },
      // What is in order needs no description.
      resultTypes: ['violations'],
      selectors: false,
      rules: scope === 'all but colours' ? { 'color-contrast': { enabled: false } } : {},
    } satisfies axe.RunOptions)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** How far the content reaches beyond the right edge of the window, in CSS pixels. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.locator('html').evaluate((html) => Math.max(0, html.scrollWidth - html.clientWidth))

/**
 * Elements and attributes that foreign text must never turn into.
 * @param sources what is looked at in place of the page that is shown: HTML, which this browser reads and neither lays out nor runs
 */
export const activeContent = (page: Page, sources?: readonly string[]): Promise<string[]> =>
  page.locator('html').evaluate(
    (shown, { own, texts }) => {
      const { DOMParser } = shown.ownerDocument.defaultView
      const roots = texts?.map((text) => new DOMParser().parseFromString(text, 'text/html').documentElement) ?? [shown]
      const unwanted =
        'script,iframe,object,embed,base,form,input,video,audio,math,foreignObject,animate,set,' +
        'meta[http-equiv=refresh],link[rel=stylesheet]'
      const addresses = ['href', 'src', 'xlink:href', 'action', 'formaction', 'srcdoc', 'srcset']
      return roots.flatMap((html) => {
        const findings: string[] = []
        for (const element of html.querySelectorAll(unwanted)) {
          // The one script that every page has; its policy names it by its hash.
          if (element.outerHTML !== own) findings.push(element.outerHTML)
        }
        if (html.querySelectorAll('style').length !== 1) findings.push('more than one <style>')
        for (const element of html.querySelectorAll('*')) {
          const isIcon = element.localName === 'link' && element.getAttribute('rel') === 'icon'
          for (const { name, value } of element.attributes) {
            if (name === 'style' || name.startsWith('on')) findings.push(`${element.localName} ${name}`)
            if (
              addresses.includes(name) &&
              !isIcon &&
              !/^(https?:\/\/[^/@]+(\/|$)|#|\/media\/|\?(format=[a-z-]+&)?lang=[a-z]{2}$)/.test(value)
            ) {
              findings.push(`${name}=${value}`)
            }
          }
        }
        return findings
      })
    },
    { own: `<script>${OFFLINE_SCRIPT}</script>`, texts: sources },
  )
