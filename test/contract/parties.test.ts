import { expect, test } from 'vitest'
import { IDENTIFIER_SCHEMES } from '../../src/domain/identifier-schemes.ts'
import { COMMON_SCHEMA } from '../../src/plugin/common-schema.ts'
import { newGln, newGtin, textile } from '../support/gateway.ts'
import { LANGUAGES } from '../support/languages.ts'
import { expectStatus } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const PARTIES = [
  {
    role: 'manufacturer',
    name: 'Nordlicht Zellen GmbH',
    identifier: { scheme: 'LEI', value: '529900T8BM49AURSDO55' },
    address: 'Werkstraße 1\n50667 Köln',
    email: 'passport@nordlicht.example',
    phone: '+49 221 1234567',
    website: 'https://nordlicht.example/',
    country: 'DE',
  },
  { role: 'importer', name: 'Importações do Ave, Lda.', identifier: { scheme: 'EORI', value: 'PT509000001' } },
  { role: 'backupProvider', name: 'Second Copy BV', identifier: { scheme: 'VAT', value: 'NL004495445B01' } },
]

const validate = (parties: unknown, lang = 'en') =>
  gateway.request('POST', `/api/v1/passports/validate-only?lang=${lang}`, {
    headers: workspace.as,
    json: { productId: newGtin(), metadata: textile({ parties }) },
  })

test('the schema names the schemes that are checked, and each passport says in which one a number is', () => {
  const { properties } = COMMON_SCHEMA as { properties: { parties: { items: { properties: Record<string, never> } } } }
  const { identifier } = properties.parties.items.properties as unknown as {
    identifier: { properties: { scheme: { enum: string[] } } }
  }
  expect(identifier.properties.scheme.enum).toEqual([...IDENTIFIER_SCHEMES])
})

test('companies in roles are sealed metadata, and no advisory takes them for persons', async () => {
  const { status, body } = await validate(PARTIES)
  expect([status, body.warnings]).toEqual([200, undefined])
  const { id } = await passports.given({ metadata: textile({ parties: PARTIES }) })
  await passports.seal(id)
  const document = (await gateway.request('GET', `/passport/${id}`)).body
  expect(document.metadata.parties).toEqual(PARTIES)
  expect(Object.keys(document.proof.salts)).toContain('parties')
})

test('a number with a wrong digit is refused at its place, in the language of the caller', async () => {
  const [manufacturer, ...others] = PARTIES
  const wrong = [{ ...manufacturer, identifier: { scheme: 'LEI', value: '529900T8BM49AURSDO54' } }, ...others]
  const texts = new Set<string>()
  for (const lang of LANGUAGES) {
    const { status, body } = await validate(wrong, lang)
    expect([status, body.errors.length, body.errors[0].path]).toEqual([400, 1, 'parties[0].identifier.value'])
    expect(body.errors[0].friendlyMessage).toContain('LEI')
    texts.add(body.errors[0].friendlyMessage)
  }
  expect(texts.size).toBe(LANGUAGES.length)
})

test('an importer without an EORI number is refused', async () => {
  const { status, body } = await validate([{ role: 'importer', name: 'Importações do Ave, Lda.' }])
  expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([400, ['parties[0].identifier']])
})

test.each([
  ['an unknown role', { role: 'owner', name: 'A' }, 'parties[0].role'],
  ['no name', { role: 'manufacturer' }, 'parties[0].name'],
  [
    'a scheme that nobody checks',
    { role: 'manufacturer', name: 'A', identifier: { scheme: 'X', value: '1' } },
    'parties[0].identifier.scheme',
  ],
  ['an e-mail address that is none', { role: 'manufacturer', name: 'A', email: 'nobody' }, 'parties[0].email'],
  [
    'an address that is not of the web',
    { role: 'manufacturer', name: 'A', website: 'javascript:1' },
    'parties[0].website',
  ],
])('%s is refused', async (_, party, path) => {
  const { status, body } = await validate([party])
  expect([status, body.errors[0].path]).toEqual([400, path])
})

test('the page shows them with the maker, with their roles in words', async () => {
  const { id } = await passports.given({ metadata: textile({ parties: PARTIES }) })
  for (const [lang, role, keeper] of [
    ['en', 'Importer', 'Provider of the backup copy'],
    ['de', 'Einführer', 'Anbieter der Sicherungskopie'],
  ]) {
    const { text } = await gateway.request('GET', `/passport/${id}?lang=${lang}`, { headers: { accept: 'text/html' } })
    const section = /<section[^>]*id="origin".*?<\/section>/s.exec(text)?.[0] ?? ''
    for (const part of [role, keeper, 'Nordlicht Zellen GmbH', '529900T8BM49AURSDO55']) expect(section).toContain(part)
  }
})

test('a credential names those for whose roles UNTP has a word, with scheme and number', async () => {
  const { facility } = expectStatus(
    201,
    await gateway.request('POST', '/api/v1/facilities', {
      headers: workspace.as,
      json: { gln: newGln(), name: 'Mill', country: 'PT' },
    }),
  ).body
  const { id } = await passports.given({ metadata: textile({ parties: PARTIES }), facilityId: facility.id })
  const { body } = await gateway.request('GET', `/passport/${id}`, { headers: { accept: 'application/vc+ld+json' } })
  const [, ...parties] = body.credentialSubject.relatedParty
  expect(
    parties.map(({ role, party }: { role: string; party: Record<string, unknown> }) => [
      role,
      party.name,
      party.registeredId,
    ]),
  ).toEqual([
    ['manufacturer', 'Nordlicht Zellen GmbH', '529900T8BM49AURSDO55'],
    ['importer', 'Importações do Ave, Lda.', 'PT509000001'],
    ['serviceProvider', 'Second Copy BV', 'NL004495445B01'],
  ])
  expect(parties[0].party.idScheme.name).toBe('LEI')
})
