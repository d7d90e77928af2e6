import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { freePort } from '../support/process.ts'
import { selfSigned } from '../support/self-signed.ts'
import { useGateway } from '../support/use-gateway.ts'
import { useChromium } from './chromium.ts'

/** Phone with a touch screen. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const

/**
 * A gateway with the console, a workspace, and a browser. Closed after the last test.
 * @param isSecure behind TLS with a self-signed certificate, as the registry requires; browsers allow no passkeys there
 */
export async function useConsole({ isSecure = false } = {}) {
  const port = await freePort()
  const tls = isSecure ? await startTls(port) : undefined
  // Passkeys need a host name, not an IP address.
  const baseUrl = tls?.baseUrl ?? `http://localhost:${port}`
  const env = { CONSOLE: 'on', BASE_URL: baseUrl, PORT: String(port), HOST: 'localhost' }
  const [site, browser] = await Promise.all([useGateway(env), useChromium()])
  afterAll(() => tls?.close())
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
  const context = await browser.newContext({ locale: 'en-GB', ignoreHTTPSErrors: true, ...options })
  const page = await context.newPage()
  await page.goto(address)
  await navigating(page, () => page.getByRole('button', { name: 'Sign in' }).press('Enter'))
  return page
}

/** A TLS endpoint in front of the gateway. */
async function startTls(port: number): Promise<{ readonly baseUrl: string; close(): void }> {
  const server = createServer(await selfSigned(), (from, to) => {
    const forwarded = request({ port, host: 'localhost', method: from.method, path: from.url, headers: from.headers })
    forwarded.on('response', (response) => {
      to.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(to)
    })
    forwarded.on('error', () => to.destroy())
    from.pipe(forwarded)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    baseUrl: `https://localhost:${address.port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Waits for the next document after an action, until it is loaded, and its `autofocus` has the focus: a Tab before it would begin at the top. */
export async function navigating(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated'), act()])
  await page.waitForLoadState('load')
  const hasFocus = (await page.locator('[autofocus]').count()) > 0 && new URL(page.url()).hash === ''
  if (hasFocus) await page.locator(':focus').waitFor({ state: 'attached' })
}
