import { describe, expect, test } from 'vitest'
import { carbonFootprintOf } from '../../../src/domain/carbon-footprint.ts'
import { compositionOf } from '../../../src/domain/composition.ts'
import type { Json } from '../../../src/domain/metadata.ts'

describe('a carbon footprint', () => {
  test('is a number in the unit of the category', () => {
    expect(carbonFootprintOf(7)?.figures).toEqual([{ value: 7, unit: 'kgCo2e', per: 'piece' }])
    expect(carbonFootprintOf(7, 'kgCo2ePerKwh')?.figures).toEqual([{ value: 7, unit: 'kgCo2ePerKwh', per: 'kWh' }])
    expect(carbonFootprintOf(7, 'lb')?.figures).toEqual([{ value: 7, unit: 'lb', per: undefined }])
  })

  test('is a group of which nothing is lost, and nothing said twice', () => {
    const stages = { distribution: 1, recycling: 2 }
    const footprint = { co2eKg: 9, unit: 'kg CO2e per m2', stages, scope1: 4, scope3: 5, absolute: 90, note: 'x' }
    expect(carbonFootprintOf(footprint, 'kgCo2ePerKwh')).toEqual({
      figures: [
        { member: 'co2eKg', value: 9, unit: 'kg CO2e per m2', per: 'm2' },
        { member: 'absolute', value: 90, unit: 'kgCo2e', per: 'piece' },
      ],
      breakdowns: [
        { kind: 'stages', parts: stages, unit: 'kgCo2ePerKwh', per: 'kWh' },
        { kind: 'scopes', parts: { scope1: 4, scope3: 5 }, unit: 'kg CO2e per m2', per: 'm2' },
      ],
      details: { note: 'x' },
    })
  })

  test.each([
    ['kg CO2e', 'piece'],
    ['kg CO₂-eq / t', 't'],
    ['KG CO2 equivalent per  100 km', '100 km'],
    ['t CO2e', undefined],
    ['points', undefined],
  ])('in the unit %j is for one %s', (unit, per) => {
    expect(carbonFootprintOf({ co2eKg: 1, unit })?.figures).toEqual([{ member: 'co2eKg', value: 1, unit, per }])
  })

  test('keeps what a draft holds in its place as a detail', () => {
    const odd = { co2eKg: 'many', unit: 'kg', stages: { a: -1 }, scope1: 'x', scope2: 1 }
    expect(carbonFootprintOf(odd)).toEqual({ figures: [], breakdowns: [], details: odd })
    for (const value of [undefined, null, 'x', [1], true]) expect(carbonFootprintOf(value)).toBeUndefined()
  })
})

test('a composition has a part for every entry with a name', () => {
  const list: Json = [
    { material: 'Iron', percentage: 60, countryOfOrigin: 'SE', recycledPercentage: 5, casNumber: '7439-89-6' },
    { material: '', percentage: 1 },
    'Carbon',
    { material: 'Tin', percentage: 'some' },
  ]
  expect(compositionOf(list, 'materialComposition')).toEqual([
    {
      name: 'Iron',
      percentage: 60,
      countryOfOrigin: 'SE',
      recycledPercentage: 5,
      details: { countryOfOrigin: 'SE', recycledPercentage: 5, casNumber: '7439-89-6' },
    },
    { name: 'Tin', percentage: undefined, countryOfOrigin: undefined, recycledPercentage: undefined, details: {} },
  ])
  expect(compositionOf([{ fiber: 'Wool', percentage: 100 }], 'fiberComposition')?.[0]?.name).toBe('Wool')
  for (const key of ['surfactants', 'constructor']) expect(compositionOf(list, key)).toBeUndefined()
  expect(compositionOf({ material: 'Iron' }, 'materialComposition')).toBeUndefined()
})
