import { expect, it } from 'vitest'
import { errorPaths } from '../../../test/support/categories.ts'

const valid = {
  category: 'iron-steel',
  originCountry: 'DE',
  scrapMetalContentRatio: 62.5,
  tensileStrengthClass: 'S355',
  carbonEmissionIntensityPerTon: 1.42,
  productionRoute: 'electric-arc',
  productForm: 'long',
  steelGrade: 'S355J2',
  heatNumber: 'H-2217',
  yieldStrengthMPa: 355,
  tensileStrengthMPa: 510,
  meltAndPourCountry: 'DE',
  cbamReportId: 'CBAM-1',
}

it('accepts a realistic passport', () => {
  expect(errorPaths(valid)).toEqual([])
})

it('asks for nothing but category and originCountry', () => {
  expect(errorPaths({ category: 'iron-steel', originCountry: 'DE' })).toEqual([])
  expect(errorPaths({ category: 'iron-steel' })).toEqual(['originCountry'])
})

it.each([
  ['scrapMetalContentRatio', { scrapMetalContentRatio: 100.1 }],
  ['scrapMetalContentRatio', { scrapMetalContentRatio: '62.5' }],
  ['tensileStrengthClass', { tensileStrengthClass: '' }],
  ['carbonEmissionIntensityPerTon', { carbonEmissionIntensityPerTon: -0.1 }],
  ['productionRoute', { productionRoute: 'magic' }],
  ['productForm', { productForm: null }],
  ['yieldStrengthMPa', { yieldStrengthMPa: 0 }],
  ['meltAndPourCountry', { meltAndPourCountry: 'Germany' }],
  ['meltAndPourCountry', { meltAndPourCountry: 'EU' }],
  ['yieldStrengthMPa', { yieldStrengthMPa: 520 }],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...valid, ...change })).toEqual([path])
})
