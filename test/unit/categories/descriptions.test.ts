import { describe, expect, test } from 'vitest'
import descriptionsOf from '../../../src/categories/descriptions.ts'
import type { LoadedPlugins } from '../../../src/plugin/loader.ts'
import translatorOf from '../../../src/renditions/translator.ts'
import { descriptions, plugins } from '../../support/categories.ts'

const of = (category: string) => descriptions.of(category, 'en')

describe('a key of a category', () => {
  test('is described by its own schema and locale files', () => {
    const iron = of('iron-steel')
    expect(iron.field('carbonEmissionIntensityPerTon')).toMatchObject({
      section: 'footprint',
      unit: 'tCo2ePerT',
      display: 'figure',
      claim: { topic: 'greenhouse-gas-emissions', unit: 'TNE' },
    })
    expect([iron.name, iron.label('steelGrade'), iron.unit('tCo2ePerT')]).toEqual([
      'Iron and steel',
      'Steel grade',
      't CO₂e per tonne',
    ])
    expect(iron.option('productionRoute', 'Electric-Arc')).toBe('Electric arc furnace')
  })

  test('takes what the common schema says where its own is silent', () => {
    expect(of('toys').field('carbonFootprint')).toMatchObject({ unit: 'kgCo2e', section: 'footprint' })
    expect(of('batteries').field('carbonFootprint')).toMatchObject({ unit: 'kgCo2ePerKwh', section: 'footprint' })
    expect(of('batteries').label('carbonFootprint')).toBe('Carbon footprint')
  })

  test('is looked for in its group first', () => {
    expect(of('batteries').label('studyUrl', 'carbonFootprint')).toBe('Carbon footprint study')
    expect(of('batteries').field('minC', 'temperatureRangeIdle')?.unit).toBe('celsius')
    expect(of('batteries').field('url', 'nowhere')).toBeDefined()
  })

  test('means in its category what it says there', () => {
    expect(of('aluminium').option('productionRoute', 'primary')).toBe('Primary')
    expect(of('textiles').field('percentage', 'recycledContent')?.claim).toBeDefined()
    expect(of('batteries').field('recycledContent')?.claim).toBeUndefined()
  })
})

describe('a key that the category does not know', () => {
  test('is named and shown as another would, and is neither a claim nor a concept', () => {
    for (const category of ['toys', 'unheard-of']) {
      const description = of(category)
      expect(description.label('steelGrade')).toBe('Steel grade')
      expect(description.field('carbonEmissionIntensityPerTon')).toEqual({
        section: 'footprint',
        unit: 'tCo2ePerT',
        display: 'figure',
      })
    }
    expect(of('unheard-of').name).toBeUndefined()
  })

  test.each(['dyeHouseId', 'constructor', '__proto__', 'toString', 'a.b:c', ''])(
    'is empty if no key has one: %j',
    (key) => {
      for (const category of ['textiles', 'constructor']) {
        const description = of(category)
        expect([description.field(key), description.label(key), description.label(key, key)]).toEqual([
          undefined,
          undefined,
          undefined,
        ])
        expect([description.option('productionRoute', key), description.unit(key)]).toEqual([undefined, key])
      }
    },
  )
})

test('keys stand in the order of their schema, the common ones behind, unknown ones last', () => {
  const keys = ['zzz', 'durabilityScore', 'aaa', 'fullCycles', 'nominalVoltage', 'batteryCategory', 'carbonFootprint']
  expect(of('batteries').inOrder(keys)).toEqual([
    'carbonFootprint',
    'batteryCategory',
    'nominalVoltage',
    'durabilityScore',
    'zzz',
    'aaa',
    'fullCycles',
  ])
})

test('a language without texts is answered in English, and a region as its language', () => {
  expect(descriptions.of('textiles', 'ja').name).toBe('Textiles')
  expect(descriptions.of('textiles', 'de-AT').name).toBe('Textilien')
  expect(descriptions.of('textiles', '').name).toBe('Textiles')
})

test("no external plugin changes the description of a category's own keys", () => {
  const schema = {
    properties: { size: { 'x-section': 'fit', 'x-unit': 'millimeter' }, steelGrade: { 'x-claim': {} }, sole: {} },
  }
  const locales = { category: 'Shoes', section: { fit: 'Fit' }, field: { size: 'Shoe size', sole: 'Sole' } }
  const more: LoadedPlugins = {
    ...plugins,
    categories: new Map([
      ['shoes', { plugin: { kind: 'category', name: 'shoes' }, schema, published: false }],
      ...plugins.categories,
    ]),
    locales: new Map([['shoes', new Map([['en', () => locales]])], ...plugins.locales]),
  }
  const described = descriptionsOf({ plugins: more, translator: translatorOf({ plugins: more }) })
  expect(described.of('textiles', 'en').label('size')).toBe('Size')
  expect(described.of('textiles', 'en').field('size')).toEqual(of('textiles').field('size'))
  expect(described.of('shoes', 'de').label('size')).toBe('Shoe size')
  expect(described.of('shoes', 'de').section('fit')).toBe('Fit')
  expect(described.of('shoes', 'de').section('use')).toBe(descriptions.of('textiles', 'de').section('use'))
  expect(described.of('textiles', 'en').label('sole')).toBe('Sole')
})
