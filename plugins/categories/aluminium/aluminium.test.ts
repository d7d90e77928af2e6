import { expect, it } from 'vitest'
import { errorPaths } from '../../../test/support/categories.ts'

const valid = {
  category: 'aluminium',
  originCountry: 'NO',
  alloyGrade: 'EN AW-6060',
  productionRoute: 'mixed',
  co2ePerTonneKg: 3900,
  recycledContentPct: 75,
  postConsumerScrapPct: 50,
  postConsumerScrapContent: 50,
  smelterCountry: 'IS',
  smelterElectricitySource: 'hydro',
  energyIntensityPerKg: 14,
}

it('accepts a realistic passport', () => {
  expect(errorPaths(valid)).toEqual([])
})

it('asks for nothing but category and originCountry', () => {
  expect(errorPaths({ category: 'aluminium', originCountry: 'DE' })).toEqual([])
  expect(errorPaths({ category: 'aluminium' })).toEqual(['originCountry'])
})

it.each([
  ['alloyGrade', { alloyGrade: 6060 }],
  ['productionRoute', { productionRoute: 'recycled' }],
  ['co2ePerTonneKg', { co2ePerTonneKg: -1 }],
  ['recycledContentPct', { recycledContentPct: 101 }],
  ['postConsumerScrapContent', { postConsumerScrapContent: '50 %' }],
  ['energyIntensityPerKg', { energyIntensityPerKg: -14 }],
  ['smelterCountry', { smelterCountry: 'is' }],
  ['smelterCountry', { smelterCountry: 'XK' }],
  ['postConsumerScrapPct', { postConsumerScrapPct: 80 }],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...valid, ...change })).toEqual([path])
})
