import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace, newGln, newGtin } from '../support/gateway.ts'
import { LANGUAGES } from '../support/languages.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { freePort } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'
import { useChromium } from './chromium.ts'
import { accessibilityFindings, horizontalOverflow } from './open-page.ts'
import { HOSTILE_HOST, payloads } from './payloads.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents are changed in ways that no type allows.
type Document = any

const vectors: {
  readonly vectors: readonly { metadata: object; subject: object; salts: object; root: string; name: string }[]
  readonly documents: Readonly<Record<string, string>>
  readonly sealCa: string
} = JSON.parse(readFileSync(new URL('../conformance/seal-vectors.json', import.meta.url), 'utf8'))

const AT_ONCE = 12
const VALID = /^Unchanged since \d/
const WRONG = 'Do not rely on this'
const OPEN = 'Not confirmed'
const port = await freePort()
// A did:web requires a name instead of an IP address.
const origin = `http://localhost:${port}`
// The page requests only its own origin, so the gateway must be at its own base URL.
const { gateway, workspace, passports } = await useGateway({ BASE_URL: origin, PORT: String(port) })
const browser = await useChromium()
let folder: string
let sealed: Document
let ca: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpp-page-'))
  const metadata = battery({ productName: 'Nordlicht Home', ü: [1.5, null, { b: 1, a: 1e21 }], 21: 'x' })
  const { id } = await passports.given({ productId: newGtin(), metadata })
  expectStatus(200, await passports.seal(id))
  sealed = (await gateway.request('GET', `/passport/${id}`)).body
  ca = (await gateway.request('GET', '/.well-known/opendpp-seal-ca.pem')).text
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

function fileOf(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

interface Opened {
  readonly page: Page
  readonly context: BrowserContext
  readonly requests: string[]
  readonly complaints: string[]
}

async function opened(
  address: string,
  options: { isOffline?: boolean; width?: number; dark?: boolean } = {},
): Promise<Opened> {
  const { isOffline = false, width = 1200, dark = false } = options
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: dark ? 'dark' : 'light' })
  await context.setOffline(isOffline)
  const page = await context.newPage()
  const [requests, complaints]: [string[], string[]] = [[], []]
  page.on('request', (request) => requests.push(request.url().replace(origin, '')))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`))
  await page.goto(address)
  return {
    page,
    context,
    get requests() {
      return requests.filter((path) => path !== '/favicon.ico')
    },
    complaints,
  }
}

/** Path of the saved page. */
async function savedPage(lang: string): Promise<string> {
  const { text } = await gateway.request('GET', `/verify?lang=${lang}`)
  return pathToFileURL(fileOf(`verify-${lang}.html`, text)).href
}

/** Opens the saved page in an offline browser. */
async function openSaved(lang = 'en', more = {}): Promise<Opened & { readonly address: string }> {
  const address = await savedPage(lang)
  return { address, ...(await opened(address, { isOffline: true, ...more })) }
}

async function headline(page: Page): Promise<string> {
  await expect.poll(() => page.locator('#verdict').textContent()).not.toBe('')
  return (await page.locator('#verdict').textContent()) as string
}

/** Verdict shown after pasting a document and a certificate and pressing the button. */
async function checked(page: Page, document: string, pem?: string) {
  await page.locator('#input').evaluate((details: Document) => Object.assign(details, { open: true }))
  await page.locator('#document').fill(document)
  if (pem !== undefined) {
    await page.locator('#trust').evaluate((details: Document) => Object.assign(details, { open: true }))
    await page.locator('#ca').fill(pem)
  }
  await page.locator('#form button').click()
  return { headline: await headline(page), statusText: (await page.getByRole('status').textContent()) as string }
}

/** Like {@link checked}, with every detail unfolded, in one round trip to the browser. */
const checkedWithin = (
  page: Page,
  document: string,
  pem: string,
): Promise<{ outcome: string; statusText: string; text: string; overflow: number }> =>
  page.locator('html').evaluate(
    async (html: Document, [document, pem]) => {
      const at = (selector: string) => html.querySelector(selector)
      for (const details of html.querySelectorAll('details')) details.open = true
      at('#document').value = document
      at('#ca').value = pem
      at('#form').requestSubmit()
      while (at('#verdict').textContent === '') await new Promise((resolve) => setTimeout(resolve))
      for (const details of html.querySelectorAll('details')) details.open = true
      return {
        outcome: at('#outcome').className,
        statusText: at('[role=status]').textContent,
        text: at('main').textContent,
        overflow: Math.max(0, html.scrollWidth - html.clientWidth),
      }
    },
    [document, pem] as const,
  )
const rowsOf = (page: Page) => page.locator('#rows > li').allTextContents()
const factOf = (page: Page, term: string) =>
  page.locator('#facts dt', { hasText: term }).evaluate((dt: Document) => dt.nextElementSibling?.textContent)

describe('the page saved as a file, with the network cut', () => {
  test('rebuilds every published root', async () => {
    const { page, context } = await openSaved()
    for (const { name, metadata, root, ...proof } of vectors.vectors) {
      const rebuilt = page.evaluate(`rebuildRoot(${JSON.stringify({ metadata, proof })})`)
      expect(await rebuilt, name).toBe(root)
    }
    await context.close()
  })

  test('a person pastes a passport and the certificate, and reads first what they asked', async () => {
    const { page, context, requests, complaints, address } = await openSaved()
    const open = await checked(page, JSON.stringify(sealed))
    expect(open.headline).toBe(OPEN)
    expect(open.statusText).toContain('Anyone can make such a seal')
    expect(open.statusText).not.toContain('Legal Name')

    const { headline, statusText } = await checked(page, JSON.stringify(sealed), ca)
    expect(headline).toMatch(VALID)
    expect(statusText).toMatch(/Sealed by Legal Name \d+ GmbH, Germany\./)
    expect(statusText).toContain(`For: Nordlicht Home (${sealed.productId})`)
    expect(statusText).toContain('Status in the document: Active. The seal does not cover it')
    expect(await factOf(page, 'Responsible economic operator')).toContain(sealed.economicOperator.regId)
    expect(await factOf(page, 'Sealed at')).toContain(sealed.proof.created.slice(0, 10))
    expect(await factOf(page, 'Sealed, but hidden from you')).toContain('facilityDetails')
    expect(await factOf(page, 'SHA-256 fingerprint')).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    expect(await factOf(page, 'Source of the certificate')).toBe('You entered it.')
    expect((await rowsOf(page)).map((row) => row[0]).join('')).toBe('✓✓✓✓✓○○○')
    // The verdict is above the collapsed document.
    expect(await page.locator('#document').isVisible()).toBe(false)
    expect(await page.locator('#rows').isVisible()).toBe(false)
    expect(requests).toEqual([address])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a changed value and a foreign authority are reported with the next step', async () => {
    const { page, context } = await openSaved()
    await page.locator('#trust').evaluate((details: Document) => Object.assign(details, { open: true }))
    await page.locator('#caFile').setInputFiles(fileOf('ca.pem', ca))
    await expect.poll(() => page.locator('#ca').inputValue()).toBe(ca.replaceAll('\r\n', '\n'))
    // A file is verified when chosen.
    const changed = JSON.stringify(sealed).replaceAll('"DE"', '"FR"')
    await page.locator('#documentFile').setInputFiles(fileOf('passport.json', changed))
    expect(await headline(page)).toBe(WRONG)
    expect(await page.getByRole('status').textContent()).toContain('inform the responsible company')
    expect(await page.locator('#detail').textContent()).toContain('differ from the sealed values')
    expect((await rowsOf(page)).map((row) => row[0]).join('')).toBe('✓✓✗○○○')

    const foreign = await checked(page, JSON.stringify(sealed), vectors.sealCa)
    expect(foreign.headline).toBe(WRONG)
    expect(foreign.statusText).toContain('does not certify this seal')
    expect(await page.locator('#detail').textContent()).toContain('was not issued by this seal CA')

    for (const [name, content] of [
      ['large.json', ' '.repeat(3_145_729)],
      ['latin.json', Buffer.from('{"a":"\xfc"}', 'latin1')],
    ] as const) {
      await page.locator('#documentFile').setInputFiles(fileOf(name, content))
      await expect.poll(() => page.locator('#verdict').textContent()).toBe('This file cannot be read')
      expect(await page.locator('#document').inputValue()).toBe('')
    }
    await context.close()
  })

  test('an invalid seal CA is reported, without a verdict on the passport', async () => {
    const { page, context } = await openSaved()
    for (const pem of ['seal CA', sealed.proof.publicKeyPem, `${ca}and${ca}`]) {
      const { headline, statusText } = await checked(page, JSON.stringify(sealed), pem)
      expect(headline).toBe('This is not a certificate of a certificate authority for seals')
      expect(statusText).toContain('The passport was not checked')
    }
    expect((await checked(page, JSON.stringify(sealed).replaceAll('"DE"', '"FR"'), 'seal CA')).headline).toBe(WRONG)
    await context.close()
  })

  test('review-3-users S14: names the value that was altered in the red card, in the language of the page', async () => {
    const { page, context } = await openSaved('de')
    const altered = { ...sealed, originCountry: 'FR' }
    const { statusText } = await checked(page, JSON.stringify(altered), ca)
    expect(await page.locator('#outcome').getAttribute('class')).toBe('bad')
    expect(statusText).toContain('Der Wert „originCountry“ ist nicht der gesiegelte.')
    // Skipped steps are not shown as passed.
    const marks = await page
      .locator('#rows > li')
      .evaluateAll((rows: { className: string }[]) => rows.map(({ className }) => className))
    expect(marks).toEqual(['unknown', 'unknown', 'bad', 'unknown', 'unknown', 'unknown'])
    const subject = structuredClone(sealed)
    subject.economicOperator.regId = 'DE000'
    expect((await checked(page, JSON.stringify(subject), ca)).statusText).toContain('„economicOperator.regId“')
    await context.close()
  })

  test('raises no alarm over what it cannot check', async () => {
    const { page, context, requests, address } = await openSaved()
    for (const [text, expected] of [
      ['', 'Nothing to check yet'],
      ['https://dpp.example/01/09506000134352', 'Nothing found here'],
      ['09506000134352', 'Nothing found here'],
      ['hello', 'Nothing found here'],
      ['"https://dpp.example/01/1"', 'This cannot be checked here'],
      ['{"type":["VerifiableCredential"],"proof":{"type":"DataIntegrityProof"}}', 'This cannot be checked here'],
      [JSON.stringify({ ...sealed, proof: null, digitalSeal: null }), 'Not sealed'],
    ] as const) {
      expect((await checked(page, text)).headline, text).toBe(expected)
      expect(await page.locator('#outcome').getAttribute('class')).toBe('open')
    }
    // Displayed shell commands escape quotes.
    const { statusText } = await checked(page, "https://dpp.example/01/1';reboot;'")
    expect(statusText).toContain(" 'https://dpp.example/01/1%27;reboot;%27' >")
    expect(requests).toEqual([address])
    await context.close()
  })

  test('foreign texts stay text', async () => {
    const { page, context, complaints, requests, address } = await openSaved()
    const document = structuredClone(sealed)
    // Payloads that the gateway rejects occur in no document. Several in one text: each run verifies a whole seal.
    const names = payloads.filter((text) => text.isWellFormed() && !text.includes('\0'))
    for (let first = 0; first < names.length; first += AT_ONCE) {
      const some = names.slice(first, first + AT_ONCE)
      document.economicOperator.name = some.join(' · ')
      expect((await checked(page, JSON.stringify(document), ca)).headline, some[0]).toMatch(VALID)
      const shown = await factOf(page, 'Responsible economic operator')
      for (const name of some) expect(shown).toContain(name.trim())
    }
    // Within the page: a round trip for each takes ten times as long.
    const verdicts: string[] = await page.locator('#form').evaluate(async (form: Document, texts) => {
      const [area, verdict] = ['document', 'verdict'].map((id) => form.ownerDocument.getElementById(id))
      const read: string[] = []
      for (const text of texts) {
        area.value = text
        area.dispatchEvent(new form.ownerDocument.defaultView.Event('input'))
        form.requestSubmit()
        while (verdict.textContent === '') await new Promise((resolve) => setTimeout(resolve))
        read.push(verdict.textContent)
      }
      return read
    }, payloads)
    expect(verdicts).toEqual(
      payloads.map(() => expect.stringMatching(/^(?:Nothing found here|This cannot be|Do not rely)/)),
    )
    expect(await page.locator('main img, main iframe, main object').count()).toBe(0)
    expect(complaints.filter((text) => text.includes(HOSTILE_HOST) || text.startsWith('dialog'))).toEqual([])
    expect(requests).toEqual([address])
    await context.close()
  }, 240_000)

  test.each([false, true])('is accessible and fits a phone with every verdict (dark: %s)', async (dark) => {
    const { page, context } = await openSaved('en', { width: 320, dark })
    // Dark mode differs only in colours.
    const scope = dark ? 'colours' : 'all'
    expect(await accessibilityFindings(page, scope)).toEqual([])
    const genuine = JSON.stringify(sealed)
    for (const [text, pem, expected] of [
      [genuine, ca, VALID],
      [genuine, '', OPEN],
      [genuine.replaceAll('"DE"', '"FR"'), ca, WRONG],
      ['https://dpp.example/01/09506000134352', '', 'Nothing found here'],
    ] as const) {
      expect((await checked(page, text, pem)).headline).toMatch(expected)
      for (const id of ['checked', 'input']) {
        await page.locator(`#${id}`).evaluate((details: Document) => Object.assign(details, { open: true }))
      }
      expect(await accessibilityFindings(page, scope), String(expected)).toEqual([])
      expect(await horizontalOverflow(page), String(expected)).toBe(0)
    }
    await context.close()
  })

  // Shared by the tests: creating a tab takes longer than checking the page.
  let tab: Opened | undefined
  afterAll(() => tab?.context.close())
  test.each(LANGUAGES)('says the verdict in %s', async (lang) => {
    tab ??= await opened('about:blank', { isOffline: true, width: 320 })
    const { page } = tab
    await page.goto(await savedPage(lang))
    expect(await page.locator('html').getAttribute('lang')).toBe(lang)
    const { outcome, statusText, text, overflow } = await checkedWithin(page, JSON.stringify(sealed), ca)
    expect(outcome).toBe('good')
    const country = new Intl.DisplayNames(lang, { type: 'region' }).of('DE')
    // A browser that does not know the language shows its code.
    expect(
      [`GmbH, ${country}`, 'GmbH, DE'].some((name) => statusText.includes(name)),
      statusText,
    ).toBe(true)
    expect(lang === 'en' || !statusText.includes('Germany')).toBe(true)
    expect(text).not.toMatch(/verify\.|\{|\}/)
    expect(overflow).toBe(0)
  })
})

describe('the page as the gateway serves it', () => {
  test('is linked from the passport, verifies it immediately, and requests nothing else', async () => {
    const { page, context } = await opened(`${origin}/passport/${sealed.id}`)
    const href = await page.locator('a[href*="/verify"]').first().getAttribute('href')
    const verifier = await opened(href as string)
    expect(await headline(verifier.page)).toMatch(VALID)
    const statusText = await verifier.page.getByRole('status').textContent()
    expect(statusText).toContain('comes from this server')
    expect(statusText).toContain('Current status on this gateway: Active')
    expect((await rowsOf(verifier.page)).map((row) => row[0]).join('')).toBe('✓✓✓✓✓✓○○')
    expect(verifier.requests).toEqual([
      '/verify?lang=en',
      `/passport/${sealed.id}`,
      '/.well-known/opendpp-seal-ca.pem',
      '/.well-known/opendpp-seal-crl/1',
    ])
    expect(verifier.complaints.filter((text) => !text.includes('favicon'))).toEqual([])
    await Promise.all([context.close(), verifier.context.close()])
  })

  test('says that a product was recalled, whatever its seal says', async () => {
    const { id } = await passports.given({ productId: newGtin(), metadata: battery() })
    expectStatus(200, await passports.seal(id))
    const json = { status: 'RECALLED' }
    expectStatus(200, await gateway.request('PUT', `/api/v1/passports/${id}/status`, { headers: workspace.as, json }))
    const { page, context } = await opened(`${origin}/verify#passport/${id}`)
    expect(await headline(page)).toMatch(VALID)
    expect(await page.locator('#status').textContent()).toBe('Current status on this gateway: Recalled')
    expect(await page.locator('#status').getAttribute('class')).toBe('alarm')
    await context.close()
  })

  test('checks an earlier version that its page leads to, and not the present one', async () => {
    const { id } = await passports.given({ metadata: battery({ color: 'red' }) })
    expectStatus(200, await passports.seal(id))
    const json = { metadata: battery({ color: 'blue' }), changeReason: 'Misspelt' }
    expectStatus(200, await passports.revise(id, json))
    const { page, context } = await opened(`${origin}/verify#passport/${id}?version=1`)
    expect(await headline(page)).toMatch(VALID)
    expect(JSON.parse(await page.locator('#document').inputValue()).color).toBe('red')
    await context.close()
  })

  test('looks up numbers and links here, of other hosts too, and asks no other host', async () => {
    const { page, context, requests } = await opened(`${origin}/verify?lang=en`)
    for (const sought of [sealed.productId, `https://brand.example/01/${sealed.productId}`, sealed.id]) {
      expect((await checked(page, sought)).headline).toMatch(VALID)
    }
    for (const sought of ['https://brand.example/shop', '09506000134353', '00000000-0000-4000-8000-000000000000']) {
      expect((await checked(page, sought)).headline).toBe('Nothing found here')
    }
    expect(requests.filter((path) => path.startsWith('http'))).toEqual([])
    await context.close()
  })

  test('knows its own authority for its own passports, and takes the reader’s', async () => {
    const { page, context } = await opened(`${origin}/verify?lang=en`)
    expect((await checked(page, JSON.stringify(sealed))).headline).toMatch(VALID)
    expect(await factOf(page, 'Source of the certificate')).toContain('comes from this server')
    expect((await checked(page, JSON.stringify(sealed), vectors.sealCa)).headline).toBe(WRONG)
    await context.close()
  })

  test('continues offline, without a result on revocation', async () => {
    const { page, context } = await opened(`${origin}/verify?lang=en`)
    await context.setOffline(true)
    const { headline, statusText } = await checked(page, JSON.stringify(sealed), ca)
    expect([headline, statusText]).toEqual([OPEN, expect.stringContaining('or its revocation could not be checked')])
    expect((await rowsOf(page)).map((row) => row[0]).join('')).toBe('✓✓✓✓✓○○○')
    expect((await checked(page, JSON.stringify(sealed).replaceAll('"DE"', '"FR"'), ca)).headline).toBe(WRONG)
    await context.close()
  })

  test('asks whether the certificate was revoked: before the seal it is wrong, and later it is open', async () => {
    const other = await createWorkspace(gateway)
    const of = passportClient(gateway, other.as)
    const { id } = await of.given({ productId: newGtin(), metadata: battery() })
    expectStatus(200, await of.seal(id))
    const { seals, sealCa } = gateway.container.cradle
    await seals.rotateKeys(other.id, { actor: 'test' })
    const read = async () => {
      const { page, context } = await opened(`${origin}/verify?lang=en#passport/${id}`)
      const shown = [await headline(page), await page.getByRole('status').textContent()]
      const mark = (await rowsOf(page)).find((row) => row.endsWith('has not been revoked'))?.[0]
      await context.close()
      return [...shown, mark]
    }
    expect(await read()).toEqual([expect.stringMatching(VALID), expect.any(String), '✓'])
    const revoke = (since: number) =>
      sealCa.revoke(other.id, 1, { reason: 'keyCompromise', since: new Date(Date.now() + since) })
    await revoke(60_000)
    expect(await read()).toEqual([OPEN, expect.stringContaining('was revoked later'), '○'])
    await revoke(-60_000)
    expect(await read()).toEqual([WRONG, expect.stringContaining('was already revoked'), '✗'])
  })
})

describe('credentials', () => {
  const credential = async (id: string, type: string) =>
    expectStatus(200, await gateway.request('GET', `/credentials/${id}`, { headers: { Accept: type } })).text
  /** A passport that fulfils the requirements of a credential. */
  const issuable = async () => {
    const facility = { gln: newGln(), name: 'Works', country: 'DE' }
    const { body } = await gateway.request('POST', '/api/v1/facilities', { headers: workspace.as, json: facility })
    return passports.given({ productId: newGtin(), metadata: battery(), facilityId: body.facility.id })
  }
  const forged = (token: string, change: (payload: Document) => void) => {
    const [head, body = '', ...rest] = token.split('.')
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString())
    change(payload)
    return [head, Buffer.from(JSON.stringify(payload)).toString('base64url'), ...rest].join('.')
  }

  test.each(['application/vc+jwt', 'application/dc+sd-jwt'])(
    '%s of this server are confirmed, and revocation shows',
    async (type) => {
      const { id } = await issuable()
      const token = await credential(id, type)
      const { page, context, requests } = await opened(`${origin}/verify?lang=en`)
      expect((await checked(page, token)).headline, (await page.locator('#detail').textContent()) ?? '').toMatch(VALID)
      expect((await rowsOf(page)).map((row) => row[0]).join('')).toBe('✓✓✓✓✓✓○')
      const other = forged(token, (payload) => Object.assign(payload, { exp: 4e9 }))
      expect((await checked(page, other)).headline).toBe(WRONG)
      const json = { status: 'RECALLED' }
      expectStatus(200, await gateway.request('PUT', `/api/v1/passports/${id}/status`, { headers: workspace.as, json }))
      expect((await checked(page, token)).headline).toMatch(/^Not valid: /)
      expect(requests.every((path) => path.startsWith('/'))).toBe(true)
      await context.close()
    },
  )

  test('confirms nothing of another issuer, or offline', async () => {
    const { id } = await issuable()
    const [jwt, sd] = await Promise.all(
      ['application/vc+jwt', 'application/dc+sd-jwt'].map((type) => credential(id, type)),
    )
    const saved = await openSaved()
    for (const token of [jwt as string, sd as string]) {
      expect((await checked(saved.page, token)).headline).toBe(OPEN)
    }
    await saved.context.close()
    const { page, context, requests } = await opened(`${origin}/verify?lang=en`)
    const did = 'did:web:elsewhere.example:tenants:1'
    const [head, body] = (jwt as string).split('.')
    const header = JSON.parse(Buffer.from(head as string, 'base64url').toString())
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const payload = JSON.parse(Buffer.from(body as string, 'base64url').toString())
    const foreign = [
      encoded({ ...header, kid: `${did}#key-1` }),
      encoded({ ...payload, iss: did, issuer: { ...payload.issuer, id: did } }),
      'AAAA',
    ]
    expect((await checked(page, foreign.join('.'))).headline).toBe(OPEN)
    expect(requests).toEqual(['/verify?lang=en'])
    for (const [change, expected] of [
      [{ alg: 'none' }, WRONG],
      [{ crit: ['x'] }, WRONG],
      [{ kid: `${did}#key-1` }, WRONG],
    ] as const) {
      const token = [encoded({ ...header, ...change }), ...(jwt as string).split('.').slice(1)].join('.')
      expect((await checked(page, token)).headline).toBe(expected)
    }
    await context.close()
  })
})
