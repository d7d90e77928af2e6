import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { consolePages } from '../support/console-pages.ts'
import { BATTERY } from '../support/demo-gateway.ts'
import { newGln, newGtin } from '../support/gateway.ts'
import { LANGUAGES } from '../support/languages.ts'
import { expectStatus } from '../support/passport-client.ts'
import { png } from '../support/pictures.ts'
import { givenLink, givenTraceEvent } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { useConsole } from './console-site.ts'
import { accessibilityFindings, horizontalOverflow, inPage } from './open-page.ts'

const { gateway, workspace, passports, baseUrl, signedIn, invite } = await useConsole()
const { as } = workspace
const post = async (path: string, json: object) =>
  expectStatus(201, await gateway.request('POST', path, { headers: as, json })).body

const draft = (
  await passports.given({ metadata: { ...BATTERY, originCountry: 'Germany', batteryMass: -1 }, draft: true })
).id
const active = (await passports.given({ metadata: BATTERY })).id
const product = await passports.given({ productId: newGtin() })
const sealed = product.id
await passports.seal(sealed)
const recalled = (await passports.given()).id
const recall = { reason: { en: 'The seam opens.' }, contact: 'recall@maker.example' }
await passports.setStatus(recalled, 'RECALLED', { recall })
const corrected = (await passports.given()).id
await passports.update(corrected, { metadata: { ...BATTERY, productName: { en: 'Pack', de: 'Speicher' } } })
const units = unitClient(gateway, as)
const unit = (await units.given(active)).id
await units.measure(unit, 97.5, '2026-01-15T09:30:00.000Z')
await givenLink(gateway, sealed)
expectStatus(
  201,
  await gateway.request('POST', `/api/v1/passports/${draft}/media`, {
    headers: as,
    file: { type: 'image/png', bytes: await png() },
  }),
)
const csv = 'productId,category,originCountry\r\nA-1,textiles,PT\r\nA-2,textiles,Portugal'
const imported = (
  await gateway.request('POST', '/api/v1/imports?dryRun=true', {
    headers: as,
    file: { type: 'text/csv', bytes: Buffer.from(csv) },
  })
).body.import.id
await gateway.request('POST', `/request-access?passport=${active}`, {
  form: { granteeName: 'Ada Moreau', granteeEmail: 'ada@repair.example', purpose: 'Repair' },
})
const [{ id: grant } = { id: '' }] = await gateway.sqlAs<{ id: string }>(workspace.id, 'select id from access_grant')
const { facility } = await post('/api/v1/facilities', { gln: newGln(), name: 'Works', country: 'DE' })
const key = (
  await gateway.container.cradle.workspaces.createKey({ workspaceId: workspace.id, role: 'AUDITOR', name: 'Shop' })
).id
const webhooks = webhookClient(gateway, as)
await webhooks.given('http://127.0.0.1:9/hook')
await passports.given()
await vi.waitFor(async () => expect(await webhooks.deliveries()).not.toEqual([]), 5000)
await invite('editor')
const first = await signedIn({}, 'reader')
await first.context().close()
const [{ person_id: person } = { person_id: '' }] = await gateway.sqlAs<{ person_id: string }>(
  workspace.id,
  `select person_id from console_membership where role = 'reader'`,
)
await gateway.request('POST', '/api/v1/events', { headers: as, json: givenTraceEvent(product.productId) })

/** Addresses of each page: below it, or with its ids. A new page needs an entry. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  '': [''],
  access: ['access', 'access?state=ENDED'],
  'access/{id}': [`access/${grant}`],
  'access/{id}/revoke': [`access/${grant}/revoke`],
  audit: ['audit'],
  'audit/passports': ['audit/passports'],
  billing: ['billing'],
  company: ['company'],
  'company/brand': ['company/brand'],
  'company/prefixes': ['company/prefixes'],
  confirm: ['confirm'],
  'facilities/new': ['facilities/new'],
  'facilities/{id}': [`facilities/${facility.id}`],
  'facilities/{id}/remove': [`facilities/${facility.id}/remove`],
  'files/{id}': [`files/${draft}`, `files/${sealed}`],
  help: ['help?page=/console/passports'],
  imports: ['imports'],
  'imports/{id}': [`imports/${imported}`],
  'imports/{id}/columns': [`imports/${imported}/columns`],
  keys: ['keys'],
  'keys/new': ['keys/new'],
  'keys/{id}': [`keys/${key}`],
  'keys/{id}/revoke': [`keys/${key}/revoke`],
  me: ['me'],
  'operators/new': ['operators/new'],
  'operators/{id}': [`operators/${workspace.operatorId}`],
  'operators/{id}/remove': [`operators/${workspace.operatorId}/remove`],
  passkeys: ['passkeys'],
  passports: ['passports', 'passports?q=none'],
  'passports/new': ['passports/new'],
  'passports/seal-selected': [`passports/seal-selected?ids=${active},${draft}`],
  'passports/{id}': [draft, active, sealed, recalled].map((id) => `passports/${id}`),
  'passports/{id}/correct': [`passports/${sealed}/correct`],
  'passports/{id}/delete': [`passports/${draft}/delete`],
  'passports/{id}/edit': [
    ...['product', 'composition', 'performance', 'use', 'use.circularityAndDisassembly'].map(
      (name) => `passports/${draft}/edit?section=${name}&check=1`,
    ),
    `passports/${active}/edit`,
  ],
  'passports/{id}/history': [`passports/${sealed}/history`, `passports/${corrected}/history`],
  'passports/{id}/journey': [`passports/${sealed}/journey`],
  'passports/{id}/links': [`passports/${sealed}/links`],
  'passports/{id}/preview': [`passports/${draft}/preview`],
  'passports/{id}/publish': [`passports/${draft}/publish`],
  'passports/{id}/recall': [`passports/${active}/recall`, `passports/${recalled}/recall`],
  'passports/{id}/registry': [`passports/${sealed}/registry`],
  'passports/{id}/screening': [`passports/${sealed}/screening`],
  'passports/{id}/seal': [`passports/${active}/seal`, `passports/${corrected}/seal`, `passports/${draft}/seal`],
  'passports/{id}/status': [`passports/${active}/status`, `passports/${recalled}/status`],
  'passports/{id}/units': [`passports/${active}/units`],
  'passports/{id}/use': [`passports/${sealed}/use`],
  people: ['people'],
  'people/new': ['people/new'],
  'people/{id}': [`people/${person}`],
  'people/{id}/remove': [`people/${person}/remove`],
  'people/{id}/rights': [`people/${person}/rights`],
  registrations: ['registrations'],
  sessions: ['sessions'],
  'sign-out': ['sign-out'],
  'units/{id}': [`units/${unit}`],
  webhooks: ['webhooks'],
  'webhooks/new': ['webhooks/new'],
}
/** Files, frames, and addresses of forms that show another page. */
const WITHOUT_OWN_PAGE = [
  ...['access/{id}/approve', 'access/{id}/deny', 'access/{id}/renew', 'audit/export'],
  ...[
    'countries',
    'deliveries/{id}',
    'files/{id}/file',
    'imports/new',
    'imports/{id}/corrected',
    'imports/{id}/template',
  ],
  ...['operators/{id}/restore', 'passkeys/remove', 'passports/export', 'passports/{id}/code', 'passports/{id}/page'],
  ...['passports/{id}/registry-entry', 'people/{id}/uninvite', 'webhooks/{id}/remove', 'webhooks/{id}/rotate'],
  ...['webhooks/{id}/switch', 'webhooks/{id}/test'],
]
const ADDRESSES = [...Object.values(PAGES).flat(), 'language', 'nothing'].map((path) =>
  `${baseUrl}/console/${path}`.replace(/\/$/, ''),
)
const texts: object = JSON.parse(readFileSync(join(ROOT, 'plugins/modules/console/locales/en.json'), 'utf8'))
const KEY = new RegExp(`\\b(${Object.keys(texts).join('|')})(\\.[a-zA-Z]+)+\\b`, 'g')
const nameOf = (address: string) => address.slice(`${baseUrl}/console`.length) || '/'

test('every page of the module has an address', async () => {
  const found = (await consolePages(gateway)).filter(({ show }) => show !== undefined).map(({ path }) => path)
  expect(found.sort()).toEqual([...Object.keys(PAGES), ...WITHOUT_OWN_PAGE].sort())
})

/** Runs work for every address, with two tabs of one session. */
async function onAll(
  addresses: readonly string[],
  work: (page: Page, address: string) => Promise<void>,
): Promise<void> {
  const page = await signedIn({ viewport: { width: 1280, height: 900 } })
  const waiting = [...addresses]
  const tab = async (own: Page) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(own, next)
  }
  await Promise.all([tab(page), tab(await page.context().newPage())])
  await page.context().close()
}

/** Every page in four languages, and three pages in each of the 28, take ten minutes. */
const IS_WHOLE = process.env.CONSOLE_LANGUAGES === 'all'
const inLanguage = (address: string, lang: string) => `${address}${address.includes('?') ? '&' : '?'}lang=${lang}`

describe('axe finds nothing', () => {
  test('on any page in light, in dark and at 320 px', { timeout: 600_000 }, async () => {
    const findings: string[] = []
    await onAll(ADDRESSES, async (page, address) => {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.goto(address)
      expect(page.url()).toBe(address)
      const found = await accessibilityFindings(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      found.push(...(await accessibilityFindings(page, 'colours')))
      await page.setViewportSize({ width: 320, height: 700 })
      found.push(
        ...(await accessibilityFindings(page, 'all but colours')),
        ...(await tooWide(page)),
        ...(await untranslated(page)),
      )
      findings.push(...found.map((finding) => `${nameOf(address)}: ${finding}`))
    })
    expect(findings).toEqual([])
  })

  test('on any page in long words and other scripts, one language a page', { timeout: 600_000 }, async () => {
    const all = ['de', 'el', 'bg', 'mt']
    const addresses = ADDRESSES.flatMap((address, index) =>
      (IS_WHOLE ? all : [all[index % all.length] as string]).map((lang) => inLanguage(address, lang)),
    )
    expect(await findingsIn(addresses)).toEqual([])
  })

  test('in any of the 28 languages at home, in the list or in the editor', { timeout: 600_000 }, async () => {
    const shown = ['', '/passports', `/passports/${draft}/edit?section=composition`]
    expect(LANGUAGES.length).toBe(28)
    const addresses = LANGUAGES.flatMap((lang, index) =>
      (IS_WHOLE ? shown : [shown[index % shown.length] as string]).map((path) =>
        inLanguage(`${baseUrl}/console${path}`, lang),
      ),
    )
    expect(await findingsIn(addresses)).toEqual([])
  })

  /** Texts without a translation show their key. */
  async function untranslated(page: Page): Promise<string[]> {
    const text = await inPage(page, (html): string => {
      // Actions are shown with their code, which filters and files have.
      for (const code of html.querySelectorAll('code')) code.hidden = true
      return html.innerText
    })
    return [...text.matchAll(KEY)].map(([name]) => `${name} is not translated`)
  }

  async function findingsIn(addresses: readonly string[]): Promise<string[]> {
    const findings: string[] = []
    await onAll(addresses, async (page, address) => {
      await page.setViewportSize({ width: 320, height: 700 })
      await page.goto(address)
      const found = [
        ...(await accessibilityFindings(page, 'all but colours')),
        ...(await tooWide(page)),
        ...(await untranslated(page)),
      ]
      findings.push(...found.map((finding) => `${nameOf(address)}: ${finding}`))
    })
    return findings
  }

  async function tooWide(page: Page): Promise<string[]> {
    const overflow = await horizontalOverflow(page)
    return overflow > 0 ? [`${overflow} px too wide`] : []
  }
})

test('texts of the list do not lie over each other', async () => {
  const json = { name: 'Nordlicht Energiespeicher GmbH' }
  expectStatus(200, await gateway.request('PATCH', `/api/v1/operators/${workspace.operatorId}`, { headers: as, json }))
  const page = await signedIn()
  for (const width of [320, 800, 1000, 1280, 1600]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${baseUrl}/console/passports`)
    const found = await inPage(page, (html) => {
      const texts = [...html.querySelectorAll('.passports li')].map((row) =>
        [...row.children].map((part) => {
          const range = html.ownerDocument.createRange()
          range.selectNodeContents(part)
          return range.getBoundingClientRect()
        }),
      )
      const isOver = (a: (typeof texts)[0][0], b: typeof a) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
      const isMixed = (row: (typeof texts)[0]) => row.some((a, place) => row.slice(place + 1).some((b) => isOver(a, b)))
      return { rows: texts.length > 0, mixed: texts.filter(isMixed).length }
    })
    expect([width, found]).toEqual([width, { rows: true, mixed: 0 }])
  }
  await page.context().close()
})

const MAX_REQUESTS = 3
const MAX_BYTES = 60_000
const MAX_SENT = 20_000

test('every page has at most 3 requests, 60 KB and 20 KB compressed, and a strict policy', {
  timeout: 240_000,
}, async () => {
  const sizes: { readonly page: string; readonly requests: number; readonly bytes: number; readonly sent: number }[] =
    []
  // Without cache: the weight of a first visit.
  const page = await signedIn()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  const weigh = async (address: string) => {
    const responses: Response[] = []
    const listener = (response: Response) => void responses.push(response)
    page.on('response', listener)
    const response = await page.goto(address)
    page.off('response', listener)
    // The preview frames a public page, and pictures are files of the workspace.
    const own = responses.filter((one) => one.frame() === page.mainFrame() && one.request().resourceType() !== 'image')
    const bodies = await Promise.all(own.map((one) => one.body()))
    const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
    const sent = bodies.reduce((sum, body) => sum + brotliCompressSync(body).length, 0)
    sizes.push({ page: nameOf(address), requests: own.length, bytes, sent })
    return response?.headers() ?? {}
  }
  for (const address of ADDRESSES) {
    const headers = await weigh(address)
    expect(headers['content-security-policy'], address).not.toContain('unsafe')
    expect(headers['content-security-policy'], address).toContain("frame-ancestors 'none'")
    expect(headers['cache-control'], address).toBe('private, no-store')
    expect(await inPage(page, (html) => html.querySelectorAll('[style], [onclick], style').length), address).toBe(0)
  }
  const heaviest = [...sizes].sort((a, b) => b.bytes - a.bytes).slice(0, 3)
  for (const one of heaviest) {
    // Two bytes per letter.
    for (const lang of ['bg', 'el', 'uk']) await weigh(inLanguage(`${baseUrl}/console${one.page}`, lang))
  }
  await page.context().close()
  console.log(`heaviest page: ${JSON.stringify(sizes.sort((a, b) => b.bytes - a.bytes)[0])}`)
  const isHeavy = (one: (typeof sizes)[number]) =>
    one.requests > MAX_REQUESTS || one.bytes > MAX_BYTES || one.sent > MAX_SENT
  expect(sizes.filter(isHeavy)).toEqual([])
})

test('the call of the API on each page is in the contract', async () => {
  const operations = [...gateway.container.cradle.contract.operations.values()]
  const known = operations.map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const wrong: string[] = []
  await onAll(ADDRESSES, async (page, address) => {
    await page.goto(address)
    const text = (await page.locator('.api code').allTextContents()).join('\n')
    for (const [call, method, path = ''] of text.matchAll(/^(GET|POST|PUT|PATCH|DELETE) ([^\s?]+)/gm)) {
      if (!known.some((one) => one.method === method && one.path.test(path))) wrong.push(`${nameOf(address)}: ${call}`)
    }
  })
  expect(wrong).toEqual([])
})

const FOLDER = process.env.CONSOLE_SCREENSHOTS

test.skipIf(FOLDER === undefined)(
  'screenshots on desktop and phone, light and dark',
  { timeout: 600_000 },
  async () => {
    for (const [device, width] of Object.entries({ desktop: 1280, phone: 390 })) {
      await onAll(ADDRESSES, async (page, address) => {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(address)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const name = nameOf(address)
            .replaceAll(/[0-9a-f-]{36}/g, (id) => NAMES.get(id) ?? 'id')
            .replaceAll(/[/?=&]/g, '_')
          writeFileSync(
            join(FOLDER ?? '', `${device}-${colorScheme}${name}.png`),
            await page.screenshot({ fullPage: true }),
          )
        }
      })
    }
  },
)
const NAMES = new Map([
  [draft, 'draft'],
  [active, 'active'],
  [sealed, 'sealed'],
  [recalled, 'recalled'],
])
