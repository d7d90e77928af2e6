import { expect, it } from 'vitest'
import { errorPaths } from '../../../test/support/categories.ts'

const valid = {
  category: 'electronics',
  originCountry: 'VN',
  productCategory: 'smartphone',
  model: 'EX-5',
  energyEfficiencyClass: 'B',
  repairabilityIndex: 8.1,
  standbyPowerW: 0.4,
  standbyPower: { value: 0.4, unit: 'W' },
  batteryLife: 800,
  securityUpdateUntil: '2033-06-30',
  expectedLifetimeYears: 7,
  rohsCompliant: true,
  weeeCategory: 6,
  eprelUrl: 'https://eprel.ec.europa.eu/screen/product/smartphonestablets20231669/1',
  containsBattery: true,
  recycledPlasticContent: 35,
  circularityIndices: { repairabilityScore: 8, durabilityScore: 7 },
  electronicWasteInstructions: 'Hand in at a collection point.',
  criticalRawMaterials: [{ name: 'Cobalt', casNumber: '7440-48-4', weightGrams: 5.2, countryOfOrigin: 'CD' }],
}

it('accepts a realistic passport', () => {
  expect(errorPaths(valid)).toEqual([])
})

it('asks for nothing but category and originCountry', () => {
  expect(errorPaths({ category: 'electronics', originCountry: 'DE' })).toEqual([])
  expect(errorPaths({ category: 'electronics' })).toEqual(['originCountry'])
})

it.each([
  ['energyEfficiencyClass', { energyEfficiencyClass: 'A+' }],
  ['repairabilityIndex', { repairabilityIndex: 11 }],
  ['repairabilityIndex', { repairabilityIndex: 'F' }],
  ['standbyPower.unit', { standbyPower: { value: 0.4, unit: '' } }],
  ['securityUpdateUntil', { securityUpdateUntil: '30.06.2033' }],
  ['expectedLifetimeYears', { expectedLifetimeYears: 7.5 }],
  ['rohsCompliant', { rohsCompliant: 'yes' }],
  ['weeeCategory', { weeeCategory: 7 }],
  ['eprelUrl', { eprelUrl: 'eprel.ec.europa.eu' }],
  ['circularityIndices.durabilityScore', { circularityIndices: { durabilityScore: 12 } }],
  ['criticalRawMaterials[0].casNumber', { criticalRawMaterials: [{ name: 'Cobalt', casNumber: '7440484' }] }],
  [
    'criticalRawMaterials[1].countryOfOrigin',
    { criticalRawMaterials: [{ name: 'Cobalt' }, { name: 'Gold', countryOfOrigin: 'ZR' }] },
  ],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...valid, ...change })).toEqual([path])
})
