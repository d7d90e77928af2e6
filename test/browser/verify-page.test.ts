import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace, startTestGateway, type TestGateway, type TestWorkspace } from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { launchChromium } from './chromium.ts'
import { accessibilityFindings } from './open-page.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents are changed in ways that no type allows.
type Document = any

const FILE = new URL('../../src/verify/page.html', import.meta.url)
const { vectors, forgery, signature } = JSON.parse(
  readFileSync(new URL('../conformance/seal-vectors.json', import.meta.url), 'utf8'),
)

let gateway: TestGateway
let workspace: TestWorkspace
let browser: Browser
let sealed: Document
let ca: string

beforeAll(async () => {
  gateway = await startTestGateway()
  workspace = await createWorkspace(gateway)
  browser = await launchChromium()
  const passports = passportClient(gateway, workspace.as)
  const { id } = await passports.given({ metadata: battery({ ü: [1.5, null, { b: 1, a: 1e21 }], 21: 'x' }) })
  expectStatus(200, await passports.seal(id))
  sealed = (await gateway.request('GET', `/passport/${id}`)).body
  ca = (await gateway.request('GET', '/.well-known/opendpp-seal-ca.pem')).text
})
afterAll(async () => {
  await browser.close()
  await gateway.close()
})

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
/** Runs the page's own verifier. */
const verifyIn = (page: Page, document: Document, pem = '') =>
  page.evaluate(`verifySeal(${JSON.stringify(document)}, ${JSON.stringify(pem)})`) as Promise<Document>
const rebuildIn = (page: Page, metadata: object, salts: object, redacted: object = {}) =>
  page.evaluate(
    `rebuildRoot(${[metadata, salts, redacted].map((part) => JSON.stringify(part)).join(',')}).catch((error) => 'refused: ' + error.message)`,
  ) as Promise<string>

describe('the page alone, with the network cut', () => {
  test('computes every published vector, whole and redacted, and refuses the forgery', async () => {
    const { page, context } = await openOffline()
    for (const { name, metadata, masked, salts, leaves, root } of vectors) {
      expect(await rebuildIn(page, metadata, salts), name).toBe(root)
      const pick = (record: Record<string, string>, isWanted: (key: string) => boolean) =>
        Object.fromEntries(Object.entries(record).filter(([key]) => isWanted(key)))
      const shown = { ...metadata }
      for (const key of masked) shown[key] = '[REDACTED - Privileged Access Required]'
      const isMasked = (key: string) => masked.includes(key)
      expect(
        await rebuildIn(
          page,
          shown,
          pick(salts, (key) => !isMasked(key)),
          pick(leaves, isMasked),
        ),
        name,
      ).toBe(root)
    }
    const forged = await rebuildIn(page, forgery.metadata, forgery.salts, forgery.redactedLeaves)
    expect(forged).toMatch(/^refused: originCountry: sealed at another place/)
    const { root, base64, publicKeyPem } = signature
    const signed = `isSignedBy(fromPem(${JSON.stringify(publicKeyPem)}, 'PUBLIC KEY'), fromBase64('${base64}'), utf8.encode('${root}'))`
    expect(await page.evaluate(signed)).toBe(true)
    await context.close()
  })

  test('a person pastes a redacted passport and the certificate, and reads whose seal it is', async () => {
    const { page, context, requests } = await openOffline()
    await page.getByLabel(/^Passport/).fill(JSON.stringify(sealed))
    await page.getByRole('button', { name: 'Check' }).click()
    await expect.poll(() => page.getByRole('status').textContent()).toMatch(/whose it is was not checked/)
    await page.getByLabel(/^Certificate/).fill(ca)
    await page.getByRole('button', { name: 'Check' }).click()
    await expect.poll(() => page.getByRole('status').textContent()).toBe('✓ The seal holds.')
    expect(await page.getByText(/The key is of Legal Name \d+ GmbH/).count()).toBe(1)
    expect(requests).toEqual([FILE.href])
    await context.close()
  })

  test('a person chooses files; a changed value and a foreign authority are told', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dpp-page-'))
    writeFileSync(join(folder, 'passport.json'), JSON.stringify(sealed).replaceAll('"DE"', '"FR"'))
    writeFileSync(join(folder, 'ca.pem'), ca)
    const { page, context } = await openOffline()
    await page.getByLabel('File with the passport').setInputFiles(join(folder, 'passport.json'))
    await page.getByLabel('File with the certificate').setInputFiles(join(folder, 'ca.pem'))
    await expect.poll(() => page.getByLabel(/^Certificate/).inputValue()).toBe(ca.replaceAll('\r\n', '\n'))
    await page.getByRole('button', { name: 'Check' }).click()
    await expect.poll(() => page.getByRole('status').textContent()).toBe('✗ The seal does not hold.')
    expect(await page.getByText('The values do not give the root of the proof.').count()).toBe(1)
    await rm(folder, { recursive: true })
    await context.close()
  })

  test('refuses what was changed', async () => {
    const { page, context } = await openOffline()
    const other = await startTestGateway()
    const foreignCa = (await other.request('GET', '/.well-known/opendpp-seal-ca.pem')).text
    await other.close()
    const changes: Record<string, (document: Document) => void> = {
      'a repeated value': (d) => (d.originCountry = 'FR'),
      'a further member': (d) => (d.recycled = true),
      'a leaf hash': (d) => (d.proof.redactedLeaves.facilityDetails = 'a'.repeat(64)),
      'a masked value that is shown': (d) => (d.metadata.facilityDetails = d.facilityDetails = []),
      'a salt': (d) => (d.proof.salts.category = d.proof.salts.originCountry),
      'the root': (d) => (d.proof.merkleRoot = 'a'.repeat(64)),
      'the signature': (d) => (d.digitalSeal = d.proof.signatureValue = signature.base64),
      'the key': (d) => (d.signingPublicKey = d.proof.publicKeyPem = signature.publicKeyPem),
      'the kind': (d) => (d.proof.type = 'Proof'),
      'the time of the seal': (d) => (d.proof.created = '2020-01-01T00:00:00.000Z'),
      'a bit of the certificate': (d) => {
        const bytes = Buffer.from(d.proof.x5c[0], 'base64')
        bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
        d.proof.x5c = [bytes.toString('base64')]
      },
      'the proof': (d) => (d.proof = null),
    }
    for (const [name, change] of Object.entries(changes)) {
      const document = structuredClone(sealed)
      change(document)
      expect((await verifyIn(page, document, ca)).valid, name).toBe(false)
    }
    expect(await verifyIn(page, sealed, ca)).toMatchObject({ valid: true })
    expect((await verifyIn(page, sealed, foreignCa)).checks).toContainEqual({
      name: 'certificate',
      ok: false,
      detail: 'The certificate was not issued by this seal CA.',
    })
    for (const odd of [null, 5, [], { metadata: 1 }, { metadata: {}, proof: {} }]) {
      expect((await verifyIn(page, odd, ca)).valid).toBe(false)
    }
    await context.close()
  })
})

describe('the page as the gateway serves it', () => {
  test('is reached from the passport, checks it at once, and asks nobody else', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(`${gateway.origin}/passport/${sealed.id}`)
    const href = await page.getByRole('link', { name: 'Check this seal in your browser' }).getAttribute('href')
    requests.length = 0
    await page.goto(gateway.origin + (href as string).slice('https://dpp.example.test'.length))
    await expect.poll(() => page.getByRole('status').textContent()).toBe('✓ The seal holds.')
    expect(requests.filter((path) => path !== '/favicon.ico')).toEqual([
      '/verify',
      `/passport/${sealed.id}`,
      '/.well-known/opendpp-seal-ca.pem',
    ])
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([])
    await context.close()
  })

  test('goes on checking after the network is gone, and is accessible', async () => {
    const context = await browser.newContext({ bypassCSP: true })
    const page = await context.newPage()
    await page.goto(`${gateway.origin}/verify`)
    await context.setOffline(true)
    expect(await verifyIn(page, sealed, ca)).toMatchObject({ valid: true })
    await page.getByLabel(/^Passport/).fill(JSON.stringify(sealed))
    await page.getByRole('button', { name: 'Check' }).click()
    await expect.poll(() => page.getByRole('status').textContent()).not.toBe('')
    expect(await accessibilityFindings(page)).toEqual([])
    await context.close()
  })
})
