import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkCategory } from '../../src/testing/index.ts'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { type GatewayProcess, paste, startProcess } from '../support/process.ts'

/** Follows docs/guides/add-a-category.md literally in a folder outside the repository. */
let folder: string
let gateway: GatewayProcess
let guide: string

beforeAll(async () => {
  guide = await readFile(join(import.meta.dirname, '../../docs/guides/add-a-category.md'), 'utf8')
  folder = await mkdtemp(join(tmpdir(), 'dpp-category-'))
  for (const [name, text] of filesOf(guide)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const plugins = /^PLUGINS=(\S+) npm start$/m.exec(guide)?.[1]?.replace('../footwear', join(folder, 'footwear')) ?? ''
  await preparedDataDir(join(folder, 'data'))
  gateway = await startProcess({ DATA_DIR: join(folder, 'data'), PLUGINS: plugins, RATE_LIMITS: 'off' })
  await gateway.printed('Stop with Ctrl-C')
})
afterAll(async () => {
  await gateway.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

/** Files are named in the sentence before their block, possibly several. */
function filesOf(text: string): Map<string, string> {
  const files = new Map<string, string>()
  let names: string[] = []
  for (const [, sentence, body] of text.matchAll(/([^`]*(?:`[^`\n]+`[^`]*)*?)```(?:json|ts)\n([\s\S]*?)```/g)) {
    names.push(...[...(sentence ?? '').matchAll(/`\.\.\/(footwear\/[^`]+)`/g)].map(([, name]) => name as string))
    const name = names.shift()
    if (name === undefined) break
    files.set(name, body ?? '')
    if (name.endsWith('de.json')) names = []
  }
  return files
}

const key = () => /dpp_key_\S+/.exec(gateway.output())?.[0] ?? ''

test('the files of the page are the whole plugin', () => {
  expect([...filesOf(guide).keys()].sort()).toEqual([
    'footwear/index.ts',
    'footwear/locales/de.json',
    'footwear/locales/en.json',
    'footwear/schemas/footwear.json',
  ])
})

test('the command of the page answers what the page shows', async () => {
  const command = /^curl .*footwear.*$/m.exec(guide)?.[0] ?? ''
  const shown = /```json\n(\{\s*"success": ?false[\s\S]*?)```/.exec(guide)?.[1] ?? ''
  const answer = await paste(command, { BASE: gateway.url, KEY: key() })
  expect(JSON.parse(answer)).toEqual(JSON.parse(shown))
})

const post = (path: string, metadata: object, more: object = {}) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key()}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      productId: 'SHOE-2',
      metadata: { category: 'footwear', originCountry: 'IT', ...metadata },
      ...more,
    }),
  })

test('a passport of the new category is created, and its rules speak German', async () => {
  const refused = await post('/api/v1/passports?lang=de', { vegan: true, upperMaterial: 'Leather' })
  expect(await refused.json()).toMatchObject({
    errors: [{ path: 'vegan', friendlyMessage: 'Ein Schuh aus Leather ist nicht vegan.' }],
  })
  const wrongType = await post('/api/v1/passports', { heelHeightMm: -1 })
  expect(await wrongType.json()).toMatchObject({ errors: [{ path: 'heelHeightMm' }] })
  expect((await post('/api/v1/passports', { soleMaterial: 'Rubber' })).status).toBe(201)
})

test('a key that names a person by its schema is remarked', async () => {
  const answer = await post('/api/v1/passports/validate-only', { cobbler: 'Crispin' })
  expect(await answer.json()).toMatchObject({
    warnings: [{ code: 'NON_GS1_PRODUCT_ID' }, { code: 'PII_SHAPE_DETECTED', path: 'cobbler' }],
  })
})

describe('a passport with every key of the new category', () => {
  const metadata = {
    productName: 'Walker',
    soleMaterial: 'Rubber',
    upperMaterial: 'Canvas',
    vegan: true,
    recycledRubberPct: 40,
    heelHeightMm: 25,
    width: 'wide',
    soleFlexes: 120_000,
  }
  let address: string
  const read = (headers: Record<string, string>) => fetch(address, { headers })

  beforeAll(async () => {
    const listed = await fetch(`${gateway.url}/api/v1/facilities`, { headers: { authorization: `Bearer ${key()}` } })
    const { facilities } = (await listed.json()) as { facilities: [{ id: string }] }
    const created = await post('/api/v1/passports', metadata, {
      productId: 'SHOE-3',
      facilityId: facilities[0].id,
    })
    const { passport } = (await created.json()) as { passport: { id: string } }
    address = `${gateway.url}/passport/${passport.id}`
  })

  test.each([
    [
      'en',
      'Footwear',
      'Materials Recycled and renewable content Share by mass, on a scale from 0 to 100 % Rubber, recycled 40% Upper Canvas Sole Rubber Vegan Yes',
      'Fit and wear Heel height 25 mm Width Wide The sole lasts for 120,000 flexes',
    ],
    [
      'de',
      'Schuhe',
      'Materialien Recycelter und erneuerbarer Anteil Masseanteil, auf einer Skala von 0 bis 100 % Gummi, recycelt 40 % Obermaterial Canvas Sohle Rubber Vegan Ja',
      'Passform und Haltbarkeit Absatzhöhe 25 mm Weite Weit Die Sohle hält 120.000 Biegungen',
    ],
  ])('has its own names, sections and units on the page in %s', async (lang, category, composition, fit) => {
    const page = await (await read({ accept: 'text/html', 'accept-language': lang })).text()
    expect(textOf(page, /<p class="eyebrow">.*?<\/p>/s)).toBe(category)
    expect(textOf(page, /<section class="sheet" id="composition".*?<\/section>/s)).toBe(composition)
    expect(textOf(page, /<section class="sheet" id="own-fit".*?<\/section>/s)).toBe(fit)
    expect(page).toContain('href="#own-fit"')
  })

  test('claims its recycled rubber in a credential, and nothing else', async () => {
    const token = await (await read({ accept: 'application/vc+jwt' })).text()
    const { credentialSubject } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(credentialSubject.performanceClaim).toMatchObject([
      {
        name: 'Recycled part of the rubber, in percent by mass',
        claimedPerformance: [{ measure: { value: 40, unit: 'P1' } }],
        conformityTopic: [
          { id: 'https://vocabulary.uncefact.org/conformity-topic/recycled-content', name: 'Recycled Content' },
        ],
      },
    ])
    expect(credentialSubject.performanceClaim).toHaveLength(1)
  })

  test('names its concept in the Asset Administration Shell', async () => {
    const { submodels } = (await (await read({ accept: 'application/aas+json' })).json()) as { submodels: Submodel[] }
    const elements = submodels.find(({ idShort }) => idShort === 'ComplianceMetadata')?.submodelElements
    expect(elements?.find(({ idShort }) => idShort === 'heelHeightMm')).toMatchObject({
      value: '25',
      semanticId: { keys: [{ type: 'GlobalReference', value: 'https://example.org/footwear#heelHeight' }] },
    })
  })
})

interface Submodel {
  readonly idShort: string
  readonly submodelElements: readonly { readonly idShort: string }[]
}

/** Visible text of a part of the page. */
const textOf = (page: string, part: RegExp) =>
  (part.exec(page)?.[0] ?? '')
    .replaceAll('\u00ad', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('its schema is served like ours', async () => {
  const served = await fetch(`${gateway.url}/api/v1/schemas/footwear`)
  expect(served.headers.get('content-type')).toContain('application/schema+json')
  expect(await served.json()).toMatchObject({ title: 'Footwear', properties: { soleMaterial: { type: 'string' } } })
})

test('it passes the contract kit', async () => {
  const footwear = { category: 'footwear', originCountry: 'IT' }
  await checkCategory(join(folder, 'footwear'), {
    valid: [footwear, { ...footwear, vegan: true, upperMaterial: 'Canvas' }],
    invalid: [
      { metadata: { ...footwear, vegan: true, upperMaterial: 'Suede' }, path: 'vegan' },
      { metadata: { ...footwear, heelHeightMm: 'high' }, path: 'heelHeightMm' },
    ],
  })
})
