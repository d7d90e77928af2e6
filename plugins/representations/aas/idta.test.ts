import { describe, expect, test } from 'vitest'
import type { Json, Metadata } from '../../../src/domain/metadata.ts'
import type { PassportView } from '../../../src/domain/view.ts'
import type { PassportRow } from '../../../src/passports/passport-columns.ts'
import passportViews from '../../../src/renditions/passport-views.ts'
import { aasReferenceErrors, aasStandard, isReferenceMissing } from '../../../test/support/aas-reference.ts'
import { descriptions, plugins } from '../../../test/support/categories.ts'
import { passport } from '../../../test/support/passport-row.ts'
import type { Element, Submodel } from './elements.ts'
import { decimal } from './elements.ts'
import { environment as environmentOf } from './environment.ts'

interface TemplateElement {
  readonly idShort: string | null
  readonly modelType: string
  readonly valueType?: string
  readonly cardinality: string | null
  readonly semanticId: string | null
  readonly elements?: readonly TemplateElement[]
}

interface Template {
  readonly document: string
  readonly idShort: string
  readonly semanticId: string
  readonly semanticIdType: string
  readonly supplementalSemanticIds: readonly string[]
  readonly elements: readonly TemplateElement[]
}

const environment = (view: PassportView) => environmentOf(view, descriptions.of(view.metadata.category, 'en'))

const views = passportViews({
  config: { baseUrl: 'https://passport.example' } as never,
  plugins,
})

const submodelsOf = (metadata: Metadata, more: Partial<PassportRow> = {}, reader: 'public' | 'owner' = 'owner') =>
  environment(views.view(passport(metadata, more), reader)).submodels
const submodelOf = (idShort: string, ...of: Parameters<typeof submodelsOf>) =>
  submodelsOf(...of).find((submodel) => submodel.idShort === idShort)

const battery = {
  category: 'batteries',
  originCountry: 'DE',
  carbonFootprint: {
    kgCo2ePerKWh: 61.5,
    calculationMethods: ['Commission method for electric vehicle batteries'],
    stages: { rawMaterialExtraction: 40, mainProduction: 15, distribution: 2, recycling: 4.5 },
    performanceClass: 'B',
    studyUrl: 'https://example.org/study',
  },
  chemistry: { shortName: 'NMC', clearName: 'Lithium nickel manganese cobalt oxide' },
  criticalRawMaterials: ['Lithium', { name: 'Natural graphite', casNumber: '7782-42-5' }],
  hazardousSubstances: [
    { name: 'LiPF6', casNumber: '21324-40-3', concentrationPct: 1.5, location: 'Electrolyte', impact: 'Toxic' },
  ],
  circularityAndDisassembly: {
    cathodeMaterials: [{ name: 'NMC', casNumber: '346417-97-8' }],
    anodeMaterials: [{ name: 'Graphite', casNumber: '7782-42-5' }],
  },
} satisfies { [key: string]: Json }

const textile = {
  category: 'textiles',
  originCountry: 'PT',
  productName: [
    { value: 'Shirt', language: 'en' },
    { value: 'Hemd', language: 'de' },
  ],
  articleNumber: 'A-1',
  orderCode: 'O-1',
  productWeightGrams: 180,
  carbonFootprint: {
    co2eKg: 8.5,
    calculationMethods: ['ISO 14067'],
    lifeCyclePhases: ['A1 - raw material supply'],
    publicationDate: '2026-01-01',
  },
} satisfies { [key: string]: Json }

describe.skipIf(isReferenceMissing)('a submodel with the semantic id of an IDTA template', () => {
  const { templates } = (isReferenceMissing ? { templates: [] } : aasStandard('idta-semantic-ids.json')) as {
    templates: Template[]
  }
  const errorsOf = isReferenceMissing ? () => [] : aasReferenceErrors()
  const idOf = ({ semanticId }: { semanticId?: { keys: readonly { value: string }[] } }) => semanticId?.keys[0]?.value

  const templateOf = (submodel: Submodel) => {
    const supplemental = (submodel.supplementalSemanticIds ?? []).map(({ keys: [key] }) => key?.value)
    return templates.find(
      ({ semanticId, supplementalSemanticIds }) =>
        semanticId === idOf(submodel) && JSON.stringify(supplementalSemanticIds) === JSON.stringify(supplemental),
    )
  }

  function differences(elements: readonly Element[], template: readonly TemplateElement[], path: string): string[] {
    const found: string[] = []
    const isArbitrary = template.some(({ idShort }) => /^Arbitrary/.test(idShort ?? ''))
    const isList = template.length === 1 && elements.every(({ idShort }) => idShort === undefined)
    for (const expected of template) {
      const isThere = isList ? elements.length > 0 : elements.some(({ idShort }) => idShort === expected.idShort)
      if (!isThere && /^One/.test(expected.cardinality ?? '')) found.push(`${path}/${expected.idShort} is missing`)
    }
    for (const element of elements) {
      const place = `${path}/${element.idShort ?? '*'}`
      const expected = isList ? template[0] : template.find(({ idShort }) => idShort === element.idShort)
      if (expected === undefined) {
        if (!isArbitrary) found.push(`${place} is not in the template`)
        continue
      }
      if (expected.modelType !== element.modelType) found.push(`${place} is no ${expected.modelType}`)
      if (expected.valueType && expected.valueType !== element.valueType)
        found.push(`${place} is no ${expected.valueType}`)
      if (expected.semanticId !== idOf(element as never)) found.push(`${place} does not mean ${expected.semanticId}`)
      if (element.modelType === 'MultiLanguageProperty') continue
      const inner = Array.isArray(element.value) ? (element.value as Element[]) : []
      if (expected.elements) found.push(...differences(inner, expected.elements, place))
    }
    return found
  }

  test.each([
    ['batteries', battery, ['DppMetadata', 'CarbonFootprint', 'MaterialComposition']],
    [
      'batteries without hazardous substances',
      { ...battery, hazardousSubstances: [] },
      ['DppMetadata', 'CarbonFootprint', 'MaterialComposition'],
    ],
    ['textiles', textile, ['DppMetadata', 'CarbonFootprint', 'TechnicalData']],
    [
      'a name in no stated language',
      { ...textile, productName: 'Shirt' },
      ['DppMetadata', 'CarbonFootprint', 'TechnicalData'],
    ],
  ])('has everything that the template demands, and nothing else: %s', (_, metadata, expected) => {
    const submodels = submodelsOf(metadata)
    const official = submodels.filter((submodel) => !idOf(submodel)?.startsWith('https://passport.example'))
    expect(official.map(({ idShort }) => idShort)).toEqual(expected)
    for (const submodel of official) {
      const template = templateOf(submodel)
      expect(template?.idShort).toBe(submodel.idShort)
      expect(`${submodel.semanticId.type}/${submodel.semanticId.keys[0]?.type}`).toBe(
        template?.semanticIdType === 'ModelReference/Submodel'
          ? 'ModelReference/Submodel'
          : 'ExternalReference/GlobalReference',
      )
      expect(differences(submodel.submodelElements, template?.elements ?? [], submodel.idShort)).toEqual([])
    }
    expect(errorsOf(environment(views.view(passport(metadata), 'owner')))).toEqual([])
  })

  test('is found wanting by this test when something is missing', () => {
    const [submodel] = submodelsOf(battery).filter(({ idShort }) => idShort === 'DppMetadata') as [Submodel]
    const template = templateOf(submodel)?.elements ?? []
    expect(differences(submodel.submodelElements.slice(1), template, '')).toEqual([
      '/digitalProductPassportId is missing',
    ])
  })
})

describe('a template is not claimed', () => {
  const own = 'https://passport.example/ns/dpp#carbonFootprint'
  const footprint = (carbonFootprint: Json, category = 'textiles') => {
    const submodel = submodelOf('CarbonFootprint', { category, originCountry: 'PT', carbonFootprint })
    return submodel?.semanticId.keys[0]?.value
  }

  test('by a footprint that says neither how nor when it was calculated', () => {
    expect(footprint(12)).toBe(own)
    for (const key of ['calculationMethods', 'lifeCyclePhases', 'publicationDate'] as const) {
      const { [key]: _, ...rest } = textile.carbonFootprint as Record<string, Json>
      expect(footprint(rest)).toBe(own)
    }
    expect(footprint({ unit: 'kg' })).toBeUndefined()
  })

  test.each(['articleNumber', 'orderCode', 'productName'] as const)('by technical data without %s', (key) => {
    const { [key]: _, ...rest } = textile
    expect(submodelOf('TechnicalData', rest)).toBeUndefined()
    const sku = submodelOf('TechnicalData', rest, { productId: 'SKU-1' })
    expect(sku === undefined).toBe(key !== 'articleNumber')
  })

  test('by an importer as the manufacturer', () => {
    const operator = {
      id: passport(textile).operatorId,
      name: 'Importer',
      regId: 'X1',
      role: 'IMPORTER',
      contact: null,
    }
    expect(submodelOf('TechnicalData', textile, { operator })).toBeUndefined()
  })

  test.each([
    ['a material without a CAS number', { circularityAndDisassembly: { cathodeMaterials: [{ name: 'NMC' }] } }],
    ['a substance without a CAS number', { hazardousSubstances: [{ name: 'LiPF6' }] }],
    ['nothing said about hazardous substances', { hazardousSubstances: null }],
    ['nothing said about critical raw materials', { criticalRawMaterials: null }],
    ['a chemistry in short', { chemistry: 'NMC' }],
  ])('by a material composition with %s', (_, more) => {
    expect(submodelOf('MaterialComposition', { ...battery, ...more })).toBeUndefined()
  })

  test('for the public by what only others may see', () => {
    expect(submodelOf('MaterialComposition', battery, {}, 'public')).toBeUndefined()
    expect(submodelOf('CarbonFootprint', battery, {}, 'public')).toBeDefined()
  })
})

test('the fields of EN 18223 say which passport it is, of which product, operator and facility, and since when', () => {
  const fieldsOf = (more?: Partial<PassportRow>) =>
    Object.fromEntries(
      submodelOf('DppMetadata', textile, more)?.submodelElements.map(({ idShort, value }) => [idShort, value]) ?? [],
    )
  const { contentSpecificationIds, ...fields } = fieldsOf()
  expect(fields).toEqual({
    digitalProductPassportId: 'https://passport.example/passport/3f0c6a52-0000-4000-8000-000000000001',
    uniqueProductIdentifier: 'https://passport.example/01/09506000134352',
    granularity: 'Model',
    dppSchemaVersion: 'EN 18223:2026',
    dppStatus: 'Active',
    lastUpdate: '2026-11-21T17:00:00.000Z',
    economicOperatorId: 'DE1',
    facilityId: 'urn:gs1:gln:4012345000009',
  })
  expect((contentSpecificationIds as unknown as Element[]).map(({ value }) => value)).toEqual([
    'https://admin-shell.io/idta/CarbonFootprint/CarbonFootprint/1/0',
    '0173-1#01-AHX837#002',
  ])
  expect(fieldsOf({ facility: null })).not.toHaveProperty('facilityId')
})

test('the unit of a footprint is the one of its figure', () => {
  const unitOf = (metadata: Metadata) => {
    const text = JSON.stringify(submodelOf('CarbonFootprint', metadata) ?? {})
    const value = (idShort: string) =>
      new RegExp(`"idShort":"${idShort}"[^}]*\\}\\]\\},"valueType":"[^"]+","value":"([^"]+)"`).exec(text)?.[1]
    return [value('PcfCO2eq'), value('ReferenceImpactUnitForCalculation')]
  }
  const base = { originCountry: 'DE' }
  expect(unitOf({ ...base, category: 'batteries', carbonFootprint: 61.5 })).toEqual(['61.5', 'kWh'])
  expect(unitOf({ ...base, category: 'batteries', carbonFootprint: { absolute: 4200 } })).toEqual(['4200', 'piece'])
  expect(unitOf({ ...base, category: 'toys', carbonFootprint: { co2eKg: 1e-7 } })).toEqual(['0.0000001', 'piece'])
  for (const [unit, expected] of [
    ['kg CO2e per kWh', ['8', 'kWh']],
    ['kg CO₂-eq / m²', ['8', 'm²']],
    ['kg CO2e', ['8', 'piece']],
    ['t CO2e per tonne', [undefined, undefined]],
  ] as const)
    expect(unitOf({ ...base, category: 'batteries', carbonFootprint: { unit, co2eKg: 8 } })).toEqual(expected)
  expect(unitOf({ ...base, category: 'toys', carbonFootprintKgCo2e: 2 })).toEqual(['2', 'piece'])
})

test('a decimal has no exponent', () => {
  expect([0.1, 62, 1e21, -1.25e22, -1.5e-7, 5e-324].map(decimal)).toEqual([
    '0.1',
    '62',
    '1000000000000000000000',
    '-12500000000000000000000',
    '-0.00000015',
    `0.${'0'.repeat(323)}5`,
  ])
})
