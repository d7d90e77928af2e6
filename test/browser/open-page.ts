import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Browser, BrowserContextOptions, JSHandle, Page } from 'playwright-core'
import { OFFLINE_SCRIPT } from '../../plugins/representations/html/offline.ts'

/** A page in the browser with its requests and messages. */
export interface OpenPage {
  readonly page: Page
  /** Requested addresses except the page. */
  readonly requests: readonly string[]
  readonly dialogs: readonly string[]
  /** Console output and uncaught errors. */
  readonly messages: readonly string[]
  /** Replaces the page and clears the records. */
  goTo(url: string): Promise<void>
  close(): Promise<void>
}

/** Playwright's message if a page registers a worker. */
const BLOCKED = 'Service Worker registration blocked by Playwright'

/** Opens an address and blocks every request to other machines. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  // Blocks the service worker of the script that stores copies.
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

// biome-ignore lint/suspicious/noExplicitAny: the types of browsers are not part of this project.
type Element = any
/**
 * Runs a function in the page with its root element. A locator would first add a library of 300 KB to each new document, which takes 150 ms.
 */
export async function inPage<Result, Given = undefined>(
  page: Page,
  work: (html: Element, given: Given) => Result | Promise<Result>,
  given?: Given,
): Promise<Result> {
  const root: JSHandle<Element> = await page.evaluateHandle('document.documentElement')
  return root.evaluate(work as never, given) as Promise<Result>
}

// Half of the size of the package's `source`, which every document has to parse.
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const withAxe = new WeakSet<Page>()
/**
 * Violations of WCAG 2.2, levels A and AA, and of axe-core's good practice.
 * @param scope 'all but colours' if another language or screen with the same colours was checked, since contrast takes
 * most of the time; 'colours' if the page differs only in these
 * @param within selector of the only part that differs from a page that was checked
 */
export async function accessibilityFindings(
  page: Page,
  scope: 'all' | 'all but colours' | 'colours' = 'all',
  within = 'html',
): Promise<string[]> {
  // Evaluated by the debugger, which is exempt from Content Security Policies. Half a megabyte, sent once per tab.
  if (!withAxe.has(page)) {
    withAxe.add(page)
    await page.addInitScript(AXE)
    await page.evaluate(`${AXE};undefined`)
  }
  const { violations }: axe.AxeResults = await inPage(
    page,
    (html, [part, options]) => html.ownerDocument.defaultView.axe.run(part, options),
    [
      within,
      {
        runOnly: scope === 'colours' ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: LEVELS },
        resultTypes: ['violations'],
        selectors: false,
        rules: scope === 'all but colours' ? { 'color-contrast': { enabled: false } } : {},
      } satisfies axe.RunOptions,
    ] as const,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** CSS pixels of content beyond the right edge of the window. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  inPage(page, (html) => Math.max(0, html.scrollWidth - html.clientWidth))

/**
 * Elements and attributes that foreign text must never become.
 * @param sources HTML to parse, without layout and scripts, instead of the shown page
 */
export const activeContent = (page: Page, sources?: readonly string[]): Promise<string[]> =>
  inPage(
    page,
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
          // The one script of every page, allowed by hash in its policy.
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
