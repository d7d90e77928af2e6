import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import type { Json } from '../../../src/domain/metadata.ts'
import type { UnitOutline } from '../../../src/domain/unit.ts'
import type { PassportView } from '../../../src/domain/view.ts'
import { standard } from '../../../test/support/reference-tools.ts'
import { proofTypeOf, type RegistrySubject, registryChecks, registryEntry, registryXml } from './registry-entry.ts'

const view = {
  baseUrl: 'https://dpp.example',
  id: '3f0c6a52-0000-4000-8000-000000000001',
  productId: '09506000134352',
  identifier: { scheme: 'gtin', value: '09506000134352' },
  digitalLinkUri: 'https://dpp.example/01/09506000134352',
  status: 'ACTIVE',
  seal: {},
  operator: { regId: 'DE1' },
  facility: { gln: '4012345000009' },
  metadata: { commodityCode: '85076000', backup: { url: 'https://copies.example/1' } },
} as unknown as PassportView
const sealed = { productId: '09506000134352', operator: { regId: 'DE1' } }
const subject: RegistrySubject = { view, regIdScheme: 'EORI', findings: [], sealed }
const unit = {
  id: '3f0c6a52-0000-4000-8000-000000000002',
  digitalLinkUri: 'https://dpp.example/01/09506000134352/21/A1',
  status: 'IN_SERVICE',
  ceasedAt: null,
} as UnitOutline
const failedOf = (more: Partial<PassportView>, beside: Partial<RegistrySubject> = {}) =>
  registryChecks({ ...subject, view: { ...view, ...more }, ...beside })
    .filter(({ passed }) => !passed)
    .map(({ code }) => code)

const schema = standard('aas/cirpass2/mock-registry-metadata.schema.json')

test.skipIf(schema === undefined)('an entry is one by the schema of the exploratory registry', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile(JSON.parse(readFileSync(schema ?? '', 'utf8')))
  const entries = [registryEntry(subject), registryEntry({ ...subject, unit })]
  for (const entry of entries) expect([validate(entry), validate.errors]).toEqual([true, null])
  expect(validate({ ...entries[0], deactivated: false })).toBe(false)
})

test.each([
  ['IN_SERVICE', false],
  ['REUSED', false],
  ['WASTE', true],
  ['RECYCLED', true],
] as const)('a unit is an item, and %s says whether it is deactivated', (status, deactivated) => {
  expect(registryEntry({ ...subject, unit: { ...unit, status } })).toMatchObject({
    upi: unit.digitalLinkUri,
    liveURL: `https://dpp.example/unit/${unit.id}`,
    granularityLevel: 'ITEM',
    deactivated,
  })
})

const link = (length: number) => 'https://dpp.example/'.padEnd(length, 'x')

test.each<[string, string[], Partial<PassportView>, Partial<RegistrySubject>?]>([
  ['nothing', [], {}],
  ['no seal', ['SEALED'], { seal: null }],
  ['a finding', ['MEANING'], {}, { findings: [{ path: 'size', message: 'must be a non-empty string' }] }],
  ['a draft', ['COHERENCE'], { status: 'DRAFT' }],
  ['a link without TLS', ['COHERENCE'], { digitalLinkUri: 'http://dpp.example/01/09506000134352' }],
  ['a link of 2,000 characters (review-3-claims 5.27)', [], { digitalLinkUri: link(2000) }],
  ['a link of 2,001 characters (review-3-claims 5.27)', ['COHERENCE'], { digitalLinkUri: link(2001) }],
  ["another product's seal", ['COHERENCE'], {}, { sealed: { ...sealed, productId: 'other' } }],
  ["another product's GTIN", ['COHERENCE'], { metadata: { ...view.metadata, gtin: '04006381333931' } }],
  ['another level', ['LEVEL'], { metadata: { ...view.metadata, granularity: 'item' } }],
  ['spaces in the code', ['COMMODITY_CODE'], { metadata: { ...view.metadata, commodityCode: '8507 60' } }],
  ['a link that no browser follows', ['BACKUP'], { metadata: { ...view.metadata, backup: { url: 'javascript:1' } } }],
  ['no scheme', ['OPERATOR'], {}, { regIdScheme: null }],
  ['a national scheme', ['OPERATOR'], {}, { regIdScheme: 'NATIONAL' }],
  ['no facility', ['FACILITY'], { facility: null }],
  ['a unit', [], {}, { unit }],
  ['a unit with a link that is too long', ['COHERENCE'], {}, { unit: { ...unit, digitalLinkUri: link(2001) } }],
])('%s fails %j', (_, codes, more, beside) => {
  expect(failedOf(more, beside)).toEqual(codes)
})

test.each<[string, string, object]>([
  ['backup.url before the website', 'https://copies.example/1', { backup: { url: 'https://copies.example/1' } }],
  ['the website where there is no backup', 'https://keeper.example', {}],
  ['the website where the backup is no address', 'https://keeper.example', { backup: { url: 'mailto:a@b.example' } }],
])('the back-up copy is %s', (_, backupURL, more) => {
  const parties: Json[] = [
    { role: 'importer', name: 'I', website: 'https://importer.example' },
    { role: 'backupProvider', name: 'Without a website' },
    { role: 'backupProvider', name: 'Keeper', website: 'https://keeper.example' },
  ]
  const metadata = { commodityCode: '85076000', parties, ...more }
  expect(failedOf({ metadata })).toEqual([])
  expect(registryEntry({ ...subject, view: { ...view, metadata } }).backupURL).toBe(backupURL)
})

test('a party in another role keeps no back-up copy', () => {
  const parties = [{ role: 'importer', name: 'I', website: 'https://importer.example' }]
  expect(failedOf({ metadata: { commodityCode: '85076000', parties } })).toEqual(['BACKUP'])
})

test.each(['EORI', 'VAT', 'LEI', 'GLN', 'DID', 'DUNS'])('%s says who an operator is', (regIdScheme) => {
  expect(failedOf({}, { regIdScheme })).toEqual([])
  expect(registryEntry({ ...subject, regIdScheme }).reoId).toBe(`${regIdScheme}-DE1`)
})

test('XML says markup as text, and leaves out what no XML has', () => {
  const xml = registryXml([{ ...registryEntry(subject), backupURL: 'https://x/?a&b<c>\u0000\uFFFF]]>' }])
  expect(xml).toContain('<backupURL>https://x/?a&amp;b&lt;c&gt;]]&gt;</backupURL>')
})

test.each([
  ['%PDF-1.7', 'application/pdf'],
  ['\uFEFF<?xml version="1.0"?><proof/>', 'application/xml'],
  ['<proof/>', 'application/xml'],
  ['{"a":1}', 'application/json'],
  ['<!doctype html><p>', undefined],
  ['<html>', undefined],
  ['[1]', undefined],
  ['', undefined],
])('a proof is recognised by its content: %s', (text, type) => {
  expect(proofTypeOf(Buffer.from(text))).toBe(type)
})
