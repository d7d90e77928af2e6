import { describe, expect, test } from 'vitest'
import { type PassportView, REDACTED } from '../../../src/domain/view.ts'
import {
  type CategoryDescription,
  UNIT_STATUSES,
  type UnitReference,
  type UnitView,
} from '../../../src/plugin/index.ts'
import { batchFixtures } from '../../../test/browser/unit-fixtures.ts'
import { battery, environment, unitEnvironmentOf, views } from '../../../test/support/aas-environments.ts'
import { aasReferenceErrors, isReferenceMissing } from '../../../test/support/aas-reference.ts'
import { environmentsOf, unzip } from '../../../test/support/aasx-reader.ts'
import { descriptions } from '../../../test/support/categories.ts'
import { passport } from '../../../test/support/passport-row.ts'
import { NO_CONDITION, unitOf } from '../../../test/support/unit-views.ts'
import { aasxPackage } from './aasx.ts'
import { batchEnvironment } from './batch-environment.ts'
import { type Element, type Submodel, xsdDateTime } from './elements.ts'
import { environment as environmentOf } from './environment.ts'
import { metadataElements } from './metadata.ts'
import { parseEnvironment } from './parse.ts'

const packageOf = async (view: PassportView) => (await aasxPackage(view.id, environment(view), 'json', {})).body

const technical = { category: 'toys', originCountry: 'DE', productName: 'Shoe', articleNumber: 'A-1', orderCode: 'O-1' }

describe('a text in several languages', () => {
  const metadata = {
    category: 'toys',
    originCountry: 'PL',
    productName: { en: 'Shoe', 'pt-BR': 'Sapato', pl: 'But' },
    ageWarning: { en: 'x'.repeat(1024) },
    note: { en: 'Shoe', 'zh-hant-tw-x-private': 'other' },
    articleNumber: 'A-1',
    orderCode: 'O-1',
  }
  const elements = metadataElements(metadata, descriptions.of('toys', 'en'))

  test('is a MultiLanguageProperty where that holds it as it is, else JSON text', () => {
    const found = Object.fromEntries(elements.map(({ idShort, modelType, value }) => [idShort, [modelType, value]]))
    expect(found.productName).toEqual([
      'MultiLanguageProperty',
      [
        { language: 'en', text: 'Shoe' },
        { language: 'pt-BR', text: 'Sapato' },
        { language: 'pl', text: 'But' },
      ],
    ])
    expect([found.ageWarning?.[0], found.note?.[0]]).toEqual(['Property', 'Property'])
  })

  test.skipIf(isReferenceMissing)('passes the judges, and comes back as it was', () => {
    const document = JSON.parse(JSON.stringify(environment(views.view(passport(metadata), 'owner'))))
    expect(aasReferenceErrors()(document)).toEqual([])
    const context = { parseJson: JSON.parse, takesStructure: () => false, redacted: REDACTED }
    expect(parseEnvironment(document, context)).toMatchObject({ metadata, issues: [] })
  })

  test.each([
    [{ language: 'en', text: 5 }],
    [{ language: 'english', text: 'Shoe' }],
    [
      { language: 'en', text: 'Shoe' },
      { language: 'en', text: 'Boot' },
    ],
  ])('is rejected if invalid: %j', (...value) => {
    const submodelElements = [{ modelType: 'MultiLanguageProperty', idShort: 'name', value }]
    const document = { assetAdministrationShells: [], submodels: [{ idShort: 'ComplianceMetadata', submodelElements }] }
    const context = { parseJson: JSON.parse, takesStructure: () => false, redacted: REDACTED }
    expect(parseEnvironment(document, context).issues).toEqual([
      expect.objectContaining({ path: 'name', code: 'invalid' }),
    ])
  })
})

test('twenty thousand invalid idShorts each get a name, immediately', () => {
  const keys = Array.from({ length: 19_990 }, (_, index) => String.fromCodePoint(0x4e00 + index))
  const metadata = {
    category: 'toys',
    originCountry: 'DE',
    key__: 1,
    key___2: 2,
    ...Object.fromEntries(keys.map((key) => [key, 1])),
  }
  const start = performance.now()
  const elements = metadataElements(metadata, descriptions.of('toys', 'en'))
  expect(performance.now() - start).toBeLessThan(2000)
  expect(new Set(elements.map(({ idShort }) => idShort)).size).toBe(Object.keys(metadata).length)
})

test('the concept that a category names is the semantic id of a key, and our own vocabulary that of the others', () => {
  const concept = 'https://example.org/concepts/heelHeight'
  const category: CategoryDescription = {
    ...descriptions.of('toys', 'en'),
    field: (key) => (key === 'heelHeightMm' ? { concept } : undefined),
  }
  const row = passport({ ...technical, heelHeightMm: 25, soles: 2 })
  const { submodels } = environmentOf(views.view(row, 'public'), category)
  const idsOf = (idShort: string) =>
    JSON.stringify(submodels.find((submodel) => submodel.idShort === idShort)).match(/"[^"]*(heelHeight|soles)[^"]*"/g)
  expect(idsOf('ComplianceMetadata')).toEqual(['"heelHeightMm"', `"${concept}"`, '"soles"'])
  expect(idsOf('TechnicalData')).toEqual([
    '"heelHeightMm"',
    `"${concept}"`,
    '"soles"',
    '"https://passport.example/ns/dpp#soles"',
  ])
})

describe('the environment of a batch', () => {
  const batchEnvironmentOf = (name: keyof typeof batchFixtures) => {
    const batch = batchFixtures[name]
    const environment = batchEnvironment(batch, descriptions.of(batch.ofModel.metadata.category, 'en'))
    return { batch, environment: JSON.parse(JSON.stringify(environment)) }
  }

  test('states its level, and what differs from its product', () => {
    const { batch, environment } = batchEnvironmentOf('of textiles')
    const [shell, type] = environment.assetAdministrationShells
    expect(shell).toMatchObject({
      derivedFrom: { keys: [{ type: 'AssetAdministrationShell', value: type.id }] },
      assetInformation: {
        globalAssetId: batch.digitalLinkUri,
        specificAssetIds: [
          { name: 'batchNumber', value: batch.batchNumber },
          { name: 'digitalProductPassportId', value: `${batch.baseUrl}/batch/${batch.id}` },
          { name: 'productId', value: batch.ofModel.productId },
        ],
      },
    })
    const ids = shell.submodels.map(({ keys: [{ value }] }: { keys: [{ value: string }] }) => value)
    const valuesIn = (name: string) =>
      Object.fromEntries(
        environment.submodels
          .find(({ id, idShort }: Submodel) => idShort === name && ids.includes(id))
          .submodelElements.map(({ idShort, value }: Element) => [idShort, value]),
      )
    expect(valuesIn('DppMetadata')).toMatchObject({
      granularity: 'Batch',
      uniqueProductIdentifier: batch.digitalLinkUri,
      digitalProductPassportId: `${batch.baseUrl}/batch/${batch.id}`,
    })
    expect(valuesIn('ProductBatchInformation')).toMatchObject({ batchNumber: batch.batchNumber, batchId: batch.id })
    expect(valuesIn('ComplianceMetadata')).toMatchObject({ originCountry: 'TR' })
  })

  test('leaves out what is masked', () => {
    const { environment } = batchEnvironmentOf('of batteries, masked')
    expect(JSON.stringify(environment)).not.toContain(REDACTED)
  })

  test.skipIf(isReferenceMissing)('passes all judges', { timeout: 120_000 }, () => {
    const errorsOf = aasReferenceErrors()
    for (const name of Object.keys(batchFixtures) as (keyof typeof batchFixtures)[]) {
      expect(errorsOf(batchEnvironmentOf(name).environment)).toEqual([])
    }
  })
})

describe('the environment of a unit', () => {
  const publicModel = views.view(passport(battery), 'public')
  const [predecessor, successor] = ['P', 'S'].map((serialNumber) => ({
    unitId: '3f0c6a52-0000-4000-8000-000000000077',
    serialNumber,
    digitalLinkUri: `https://passport.example/01/09506000134352/21/${serialNumber}`,
  })) as [UnitReference, UnitReference]
  const submodelsOf = (unit: UnitView, shell = 0): Submodel[] => {
    const { assetAdministrationShells, submodels } = unitEnvironmentOf(unit)
    const ids = assetAdministrationShells[shell].submodels.map(
      ({ keys: [{ value }] }: { keys: [{ value: string }] }) => value,
    )
    return submodels.filter(({ id }: Submodel) => ids.includes(id))
  }
  const valuesOf = (elements: readonly Element[]) =>
    Object.fromEntries(elements.map(({ idShort, value }) => [idShort, value]))
  const valueIn = (unit: UnitView, submodel: string, element: string) =>
    valuesOf(submodelsOf(unit).find(({ idShort }) => idShort === submodel)?.submodelElements ?? [])[element]

  test('is an instance of the product, whose own shell says what is true of all units', () => {
    const unit = unitOf(publicModel)
    const { assetAdministrationShells } = unitEnvironmentOf(unit)
    const type = JSON.parse(JSON.stringify(environment(publicModel)))
    expect(assetAdministrationShells[0]).toMatchObject({
      derivedFrom: {
        type: 'ModelReference',
        keys: [{ type: 'AssetAdministrationShell', value: type.assetAdministrationShells[0].id }],
      },
      assetInformation: {
        assetKind: 'Instance',
        globalAssetId: unit.digitalLinkUri,
        specificAssetIds: [
          { name: 'serialNumber', value: unit.serialNumber },
          { name: 'digitalProductPassportId', value: `${unit.baseUrl}/unit/${unit.id}` },
          { name: 'productId', value: publicModel.productId },
        ],
      },
    })
    expect(assetAdministrationShells.slice(1)).toEqual(type.assetAdministrationShells)
    expect(submodelsOf(unit, 1)).toEqual(type.submodels)
    expect(submodelsOf(unit).map(({ idShort }) => idShort)).toEqual(['BatteryUnitInformation', 'DppMetadata'])
  })

  test('names predecessor and successors by their links', () => {
    const unit = unitOf(publicModel, { repurposedFrom: predecessor, successorUnits: [successor, predecessor] })
    expect(valueIn(unit, 'BatteryUnitInformation', 'repurposedFrom')).toMatchObject({
      keys: [{ value: predecessor.digitalLinkUri }],
    })
    expect(valueIn(unit, 'BatteryUnitInformation', 'successorUnits')).toMatchObject([
      { value: { keys: [{ value: successor.digitalLinkUri }] } },
      { value: { keys: [{ value: predecessor.digitalLinkUri }] } },
    ])
  })

  test('has what was measured for whom the view has it, and leaves out what was not', () => {
    const model = views.view(passport(battery), 'legitimateInterest')
    const unit = unitOf(model)
    const state = valuesOf(valueIn(unit, 'OperationalData', 'currentState') as Element[])
    expect(state).toEqual({ recordedAt: '2026-06-01T10:00:00.000Z', stateOfHealth: '97.5', cycleCount: '120' })
    const [newest] = valueIn(unit, 'OperationalData', 'dynamicData') as { value: Element[] }[]
    expect(valuesOf(newest?.value ?? [])).toEqual({ eventType: 'SOH_MEASUREMENT', ...state, payload: '{"by":"BMS"}' })
    const nothing = unitOf(model, { telemetry: { currentState: null, dynamicData: [], kept: NO_CONDITION } })
    expect(valuesOf(submodelsOf(nothing).at(-1)?.submodelElements as Element[])).toEqual({ batteryStatus: 'original' })
  })

  test('leaves out what is masked of the product', () => {
    const text = JSON.stringify(unitEnvironmentOf(unitOf(publicModel)))
    expect(text).not.toContain('powerW')
    expect(text).not.toContain('REDACTED')
    expect(JSON.stringify(unitEnvironmentOf(unitOf(views.view(passport(battery), 'owner'))))).toContain('powerW')
  })

  test('says in the words of EN 18223 how a unit is: as its product, where that is recalled, archived or a draft', () => {
    const stateOf = (unit: Partial<UnitView>, model: Partial<PassportView> = {}) =>
      valueIn(unitOf({ ...publicModel, ...model }, unit), 'DppMetadata', 'dppStatus')
    expect(UNIT_STATUSES.map((status) => [status, stateOf({ status })])).toEqual([
      ['IN_SERVICE', 'Active'],
      ['DECOMMISSIONED', 'Inactive'],
      ['RECALLED', 'Invalid'],
      ['REPURPOSED', 'Active'],
      ['REMANUFACTURED', 'Active'],
      ['REUSED', 'Active'],
      ['WASTE', 'Inactive'],
      ['RECYCLED', 'Inactive'],
    ])
    expect(stateOf({}, { status: 'RECALLED' })).toBe('Invalid')
    expect(stateOf({}, { status: 'DRAFT' })).toBe('Draft')
    expect(stateOf({}, { archivedAt: '2027-01-01T00:00:00.000Z' })).toBe('Archived')
    expect(valueIn(unitOf(publicModel), 'DppMetadata', 'granularity')).toBe('Item')
  })

  test('is read again as the metadata of its product', () => {
    const model = views.view(passport(battery), 'owner')
    const context = {
      parseJson: (text: string) => JSON.parse(text),
      takesStructure: () => false,
      redacted: REDACTED,
    }
    const { metadata, productId } = parseEnvironment(unitEnvironmentOf(unitOf(model)), context)
    expect([metadata, productId]).toEqual([battery, model.productId])
  })

  test.each(['json', 'xml'] as const)('is in a package under the id of the unit, as %s', async (format) => {
    const unit = unitOf(publicModel)
    const content = Buffer.from((await aasxPackage(unit.id, unitEnvironmentOf(unit), format, {})).body)
    expect(await environmentsOf(content)).toEqual([unitEnvironmentOf(unit)])
    expect([...(await unzip(content)).keys()].at(-1)).toBe(`aasx/${unit.id}/${unit.id}.aas.${format}`)
  })
})

test.each([
  ['2027-01-02T03:04:05.678Z', '2027-01-02T03:04:05.678Z'],
  ['+012027-01-02T03:04:05.678Z', '12027-01-02T03:04:05.678Z'],
  ['+275760-09-13T00:00:00.000Z', '275760-09-13T00:00:00.000Z'],
  ['-000001-01-02T03:04:05.678Z', '-0001-01-02T03:04:05.678Z'],
])('the instant %s is %s in XML Schema', (iso, lexical) => expect(xsdDateTime(iso)).toBe(lexical))

describe('a package', () => {
  const view = views.view(passport({ category: 'toys', originCountry: 'DE', note: '😀'.repeat(5000) }), 'owner')

  test('has the environment where its relationships lead', async () => {
    expect(await environmentsOf(Buffer.from(await packageOf(view)))).toEqual([environment(view)])
  })

  test('begins with its content types, and names all parts with what an archive can hold', async () => {
    const names = [...(await unzip(Buffer.from(await packageOf(view)))).keys()]
    expect(names).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'aasx/aasx-origin',
      'aasx/_rels/aasx-origin.rels',
      `aasx/${view.id}/${view.id}.aas.json`,
    ])
  })

  test('is smaller than its content', async () => {
    expect((await packageOf(view)).length).toBeLessThan(JSON.stringify(environment(view)).length / 4)
  })
})
