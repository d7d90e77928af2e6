import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { battery, expectStatus } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'
import { launchChromium } from './chromium.ts'
import { accessibilityFindings, horizontalOverflow } from './open-page.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents are changed in ways that no type allows.
type Document = any

const FILE = new URL('../../src/verify/page.html', import.meta.url)
const vectors: {
  readonly vectors: readonly { metadata: object; subject: object; salts: object; root: string; name: string }[]
  readonly documents: Readonly<Record<string, string>>
  readonly sealCa: string
} = JSON.parse(readFileSync(new URL('../conformance/seal-vectors.json', import.meta.url), 'utf8'))

const VALID = '✓ The seal holds: valid'
const WRONG = '✗ not valid'
const OPEN = '○ fits, but its owner is unknown'
let browser: Browser
let sealed: Document
let ca: string

const { gateway, passports } = await useGateway()

beforeAll(async () => {
  browser = await launchChromium()
  const { id } = await passports.given({ metadata: battery({ ü: [1.5, null, { b: 1, a: 1e21 }], 21: 'x' }) })
  expectStatus(200, await passports.seal(id))
  sealed = (await gateway.request('GET', `/passport/${id}`)).body
  ca = (await gateway.request('GET', '/.well-known/opendpp-seal-ca.pem')).text
})
afterAll(() => browser.close())

/** The page from a file, in a browser without a network. */
async function openOffline(): Promise<{ page: Page; context: BrowserContext; requests: string[] }> {
  const context = await browser.newContext()
  await context.setOffline(true)
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(FILE.href)
  return { page, context, requests }
}

/** The headline, once there is one. */
async function headline(page: Page): Promise<string> {
  await expect.poll(() => page.locator('#verdict').textContent()).not.toBe('')
  return (await page.locator('#verdict').textContent()) as string
}
/** What a person reads after pasting a document, and a certificate, and pressing the button. */
async function checked(page: Page, document: string, pem = '') {
  await page.getByLabel(/^Passport/).fill(document)
  await page.getByLabel(/^Certificate/).fill(pem)
  await page.getByRole('button', { name: 'Check' }).click()
  return { headline: await headline(page), said: (await page.getByRole('status').textContent()) as string }
}
const shownOf = (page: Page, term: string) =>
  page.locator('dt', { hasText: new RegExp(`^${term}$`) }).evaluate((dt) => dt.nextElementSibling?.textContent)

describe('the page alone, with the network cut', () => {
  test('rebuilds every published root', async () => {
    const { page, context } = await openOffline()
    for (const { name, metadata, root, ...proof } of vectors.vectors) {
      const rebuilt = page.evaluate(`rebuildRoot(${JSON.stringify({ metadata, proof })})`)
      expect(await rebuilt, name).toBe(root)
    }
    await context.close()
  })

  test('a person pastes a redacted passport and the certificate, and reads whose seal it is', async () => {
    const { page, context, requests } = await openOffline()
    const open = await checked(page, JSON.stringify(sealed))
    expect(open.headline).toBe(OPEN)
    expect(open.said).toContain('/.well-known/opendpp-seal-ca.pem')
    expect(open.said).not.toContain('Legal Name')
    expect(await shownOf(page, 'Sealed by')).toMatch(/^unknown/)

    const valid = await checked(page, JSON.stringify(sealed), ca)
    expect(valid.headline).toBe(VALID)
    expect(valid.said).toMatch(/Sealed by Legal Name \d+ GmbH/)
    expect(await shownOf(page, 'Product')).toBe(sealed.productId)
    expect(await shownOf(page, 'Operator')).toContain(sealed.economicOperator.regId)
    expect(await shownOf(page, 'Sealed at')).toContain(sealed.proof.created.slice(0, 10))
    expect(await shownOf(page, 'Values')).toContain('facilityDetails')
    expect(await page.getByRole('heading', { name: 'Not sealed' }).isVisible()).toBe(true)
    expect(await shownOf(page, 'Status')).toBe('ACTIVE')
    expect(await shownOf(page, 'Name and role of the operator')).toContain(sealed.economicOperator.name)
    expect(requests).toEqual([FILE.href])
    await context.close()
  })

  test('a person chooses files; a changed value and a foreign authority are told, and what to do next', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dpp-page-'))
    const file = (name: string, content: string | Buffer) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    const { page, context } = await openOffline()
    const chosen = page.getByLabel('File with the passport')
    await chosen.setInputFiles(file('passport.json', JSON.stringify(sealed).replaceAll('"DE"', '"FR"')))
    await page.getByLabel('File with the certificate').setInputFiles(file('ca.pem', ca))
    await expect.poll(() => page.getByLabel(/^Certificate/).inputValue()).toBe(ca.replaceAll('\r\n', '\n'))
    await page.getByRole('button', { name: 'Check' }).click()
    expect(await headline(page)).toBe(WRONG)
    const said = await page.getByRole('status').textContent()
    expect(said).toMatch(/not those that were sealed.*do not rely on it/s)
    expect(await page.getByRole('heading', { name: 'Sealed', exact: true }).isVisible()).toBe(false)

    const foreign = await checked(page, JSON.stringify(sealed), vectors.sealCa)
    expect([foreign.headline, foreign.said]).toEqual([WRONG, expect.stringContaining('was not issued by this seal CA')])

    for (const [name, content] of [
      ['large.json', ' '.repeat(3_145_729)],
      ['latin.json', Buffer.from('{"a":"\xfc"}', 'latin1')],
    ] as const) {
      await chosen.setInputFiles(file(name, content))
      await expect.poll(() => page.locator('#verdict').textContent()).toBe('The file cannot be read')
      expect(await page.getByLabel(/^Passport/).inputValue()).toBe('')
    }
    await rm(folder, { recursive: true })
    await context.close()
  })

  test('what is no seal CA is told, and nothing is said against the passport', async () => {
    const { page, context } = await openOffline()
    for (const pem of ['seal CA', sealed.proof.publicKeyPem, ca + ca]) {
      const { headline, said } = await checked(page, JSON.stringify(sealed), pem)
      expect(headline).toBe('This is not the certificate of a seal CA')
      expect(said).toContain('Nothing is said about the passport')
    }
    expect((await checked(page, JSON.stringify(sealed).replaceAll('"DE"', '"FR"'), 'seal CA')).headline).toBe(WRONG)
    await context.close()
  })

  test('a link is told apart from a broken seal', async () => {
    const { page, context, requests } = await openOffline()
    for (const link of [
      'https://dpp.example/01/09506000134352',
      ' https://dpp.example/01/09506000134352/21/SN-1?grant=x\n',
      'http://127.0.0.1:3000/passport/0f5d3c1e-7a34-4c8e-9d55-3b1f6a2c9e01',
      'dpp.example/8003/04012345123456A1',
      '/01/09506000134352',
    ]) {
      const { headline, said } = await checked(page, link)
      expect(headline, link).toBe('This is a link, not the passport itself')
      expect(said).toMatch(/Nothing was checked.*application\/ld\+json/)
    }
    expect(await page.getByRole('button', { name: 'Load' }).count()).toBe(0)
    // What is shown for a shell has no way out of its quotes.
    const { said } = await checked(page, "https://dpp.example/01/1';reboot;'")
    expect(said).toContain(" 'https://dpp.example/01/1%27;reboot;%27' >")
    for (const text of ['hello', '{"@id":"https://dpp.example/01/09506000134352"}', '"https://dpp.example/01/1"']) {
      expect((await checked(page, text)).headline, text).toBe(WRONG)
    }
    expect((await checked(page, '  ')).headline).toBe('There is nothing to check yet')
    expect(requests).toEqual([FILE.href])
    await context.close()
  })

  test('a document that is not sealed is told so', async () => {
    const { page, context } = await openOffline()
    const { said } = await checked(page, JSON.stringify({ ...sealed, proof: null, digitalSeal: null }), ca)
    expect(said).toContain('This passport is not sealed: it has no proof.')
    await context.close()
  })

  test('names that look like markup stay text', async () => {
    const { page, context } = await openOffline()
    const name = '<img src=x onerror="document.title=1">'
    const document = structuredClone(sealed)
    document.economicOperator.name = name
    expect((await checked(page, JSON.stringify(document), ca)).headline).toBe(VALID)
    expect(await shownOf(page, 'Name and role of the operator')).toContain(name)
    expect(await page.locator('main img').count()).toBe(0)
    await context.close()
  })

  test.each(['light', 'dark'] as const)(
    'is accessible and fits a phone with every verdict (%s)',
    async (colorScheme) => {
      const context = await browser.newContext({ viewport: { width: 320, height: 640 }, colorScheme })
      const page = await context.newPage()
      await page.goto(FILE.href)
      const genuine = JSON.stringify(sealed)
      for (const [text, pem, expected] of [
        [genuine, ca, VALID],
        [genuine, '', OPEN],
        [genuine.replaceAll('"DE"', '"FR"'), ca, WRONG],
        ['https://dpp.example/01/09506000134352', '', 'This is a link, not the passport itself'],
      ] as const) {
        expect((await checked(page, text, pem)).headline).toBe(expected)
        expect(await accessibilityFindings(page), expected).toEqual([])
        expect(await horizontalOverflow(page), expected).toBe(0)
      }
      await context.close()
    },
  )
})

describe('the page as the gateway serves it', () => {
  const openServed = async (path: string) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(gateway.origin + path)
    const withoutIcon = () => ({
      requests: requests.filter((path) => path !== '/favicon.ico'),
      complaints: complaints.filter((text) => !text.includes('favicon')),
    })
    return { page, context, requests, seen: withoutIcon }
  }

  test('is reached from the passport, checks it at once, and asks nobody else', async () => {
    const { page, context, requests, seen } = await openServed(`/passport/${sealed.id}`)
    const href = await page.getByRole('link', { name: 'Check this seal in your browser' }).getAttribute('href')
    requests.length = 0
    await page.goto(gateway.origin + (href as string).slice('https://dpp.example.test'.length))
    expect(await headline(page)).toBe(VALID)
    expect(await shownOf(page, 'Seal CA')).toContain(new URL(gateway.origin).host)
    expect(seen()).toEqual({
      requests: ['/verify', `/passport/${sealed.id}`, '/.well-known/opendpp-seal-ca.pem'],
      complaints: [],
    })
    await context.close()
  })

  test('checks an earlier version that its page leads to, and not the present one', async () => {
    const { id } = await passports.given({ metadata: battery({ color: 'red' }) })
    expectStatus(200, await passports.seal(id))
    const json = { metadata: battery({ color: 'blue' }), changeReason: 'Misspelt' }
    expectStatus(200, await passports.revise(id, json))
    const { page, context, requests } = await openServed(`/passport/${id}?version=1`)
    const href = await page.getByRole('link', { name: 'Check this seal in your browser' }).getAttribute('href')
    requests.length = 0
    await page.goto(gateway.origin + (href as string).slice('https://dpp.example.test'.length))
    expect(await headline(page)).toBe(VALID)
    expect(JSON.parse(await page.getByLabel(/^Passport/).inputValue()).color).toBe('red')
    await context.close()
  })

  test('a pasted link of this server is loaded when asked for, and no other one is', async () => {
    const { page, context, seen } = await openServed('/verify')
    const elsewhere = await checked(page, `https://dpp.example.test/passport/${sealed.id}`)
    expect(elsewhere.headline).toBe('This is a link, not the passport itself')
    expect(await page.getByRole('button', { name: 'Load' }).count()).toBe(0)

    await checked(page, `${gateway.origin}/passport/${sealed.id}`)
    expect(seen().requests).toEqual(['/verify'])
    await page.getByRole('button', { name: 'Load the document and check it' }).click()
    await expect.poll(() => page.locator('#verdict').textContent()).toBe(VALID)

    await checked(page, `${gateway.origin}/passport/00000000-0000-4000-8000-000000000000`)
    await page.getByRole('button', { name: 'Load the document and check it' }).click()
    await expect.poll(() => page.locator('#verdict').textContent()).toBe('The passport could not be loaded')
    expect(await page.getByRole('status').textContent()).toContain('answered 404')
    await context.close()
  })

  test('goes on checking after the network is gone', async () => {
    const { page, context } = await openServed('/verify')
    await context.setOffline(true)
    expect((await checked(page, JSON.stringify(sealed), ca)).headline).toBe(VALID)
    await context.close()
  })
})
