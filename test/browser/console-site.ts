import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { freePort } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'
import { launchChromium } from './chromium.ts'

/** Phone with a touch screen. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const

/** A gateway with the console, a workspace, and a browser. Closed after the last test. */
export async function useConsole() {
  // Passkeys need a host name, not an IP address.
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  const env = { CONSOLE: 'on', BASE_URL: baseUrl, PORT: String(port), HOST: 'localhost' }
  const [site, browser] = await Promise.all([useGateway(env), launchChromium()])
  afterAll(() => browser.close())
  const { consolePeople } = site.gateway.container.cradle as never as {
    consolePeople: { invite(tenantId: string, input: object, by: object): Promise<{ address: string }> }
  }
  /** Address of a new invitation. */
  const invite = async (role = 'owner', name = 'Olga Ümit') => {
    const person = { email: `${role}-${crypto.randomUUID()}@maker.example`, name, role }
    return (await consolePeople.invite(site.workspace.id, person, { workspace: 'Maker', lang: 'en' })).address
  }
  /** A page of a new context, signed in by an invitation. */
  const signedIn = async (options: BrowserContextOptions = {}, role?: string): Promise<Page> =>
    useInvitation(browser, await invite(role), options)
  return { ...site, browser, baseUrl, invite, signedIn }
}

async function useInvitation(browser: Browser, address: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const page = await context.newPage()
  await page.goto(address)
  await navigating(page, () => page.getByRole('button', { name: 'Sign in' }).press('Enter'))
  return page
}

/** Waits for the next document after an action, until it is loaded. */
export async function navigating(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated'), act()])
  await page.waitForLoadState('load')
}
