import { expect, it } from 'vitest'
import { errorPaths } from '../../../test/support/categories.ts'

const valid = {
  category: 'construction',
  originCountry: 'AT',
  declarationOfPerformance: {
    code: 'DoP-17',
    version: '2',
    url: 'https://docs.example.org/dop.pdf',
    dateOfIssue: '2026-09-01',
  },
  declarationOfPerformanceNumber: 'DoP-17',
  declarationOfConformityUrl: 'https://docs.example.org/doc.pdf',
  productFamily: 'insulation',
  harmonisedStandard: 'EN 13162',
  essentialCharacteristics: [
    { name: 'Thermal resistance', value: 4.5, unit: 'm2K/W' },
    { name: 'Water vapour diffusion', value: 'MU1' },
  ],
  reactionToFireClass: 'A2-s1,d0',
  avcpSystem: '3+',
  globalWarmingPotential: { value: -12.5, unit: 'kg CO2e', functionalUnit: '1 m3', modules: ['A1-A3', 'C3'] },
  environmentalPerformance: [
    {
      indicator: 'GWP-total',
      unit: 'kg CO2e',
      functionalUnit: '1 m3',
      modules: [
        { module: 'A1-A3', value: 12.5 },
        { module: 'D', value: -3 },
      ],
    },
  ],
  confidentialComposition: [{ material: 'Binder', percentage: 3.5, casNumber: '9003-35-4' }],
  confidentialCalculations: { en: 'Yearly mean of the works.' },
  thermalConductivity: 0.035,
  epdUrl: 'https://epd.example.org/17',
}

it('accepts a realistic passport', () => {
  expect(errorPaths(valid)).toEqual([])
})

it('asks for nothing but category and originCountry', () => {
  expect(errorPaths({ category: 'construction', originCountry: 'DE' })).toEqual([])
  expect(errorPaths({ category: 'construction' })).toEqual(['originCountry'])
})

it.each([
  ['declarationOfPerformance.dateOfIssue', { declarationOfPerformance: { dateOfIssue: '2026-9-1' } }],
  ['declarationOfPerformance.url', { declarationOfPerformance: { url: 'dop.pdf' } }],
  ['productFamily', { productFamily: 'paint' }],
  ['essentialCharacteristics[0].value', { essentialCharacteristics: [{ name: 'Density' }] }],
  ['reactionToFireClass', { reactionToFireClass: 'B1' }],
  ['avcpSystem', { avcpSystem: 3 }],
  ['globalWarmingPotential.value', { globalWarmingPotential: { value: '12' } }],
  [
    'environmentalPerformance[0].unit',
    { environmentalPerformance: [{ indicator: 'ODP', modules: [{ module: 'A1', value: 1 }] }] },
  ],
  [
    'environmentalPerformance[0].modules[0].module',
    { environmentalPerformance: [{ indicator: 'ODP', unit: 'kg', modules: [{ module: 'E1', value: 1 }] }] },
  ],
  ['confidentialComposition[0].percentage', { confidentialComposition: [{ material: 'Binder', percentage: 0 }] }],
  ['declarationOfPerformance.version', { declarationOfPerformance: { version: 2 } }],
  ['thermalConductivity', { thermalConductivity: 0 }],
  ['epdUrl', { epdUrl: '' }],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...valid, ...change })).toEqual([path])
})

it.each(['A1', 'A1FL', 'CFL-s1', 'Bfl-s1', 'B-s1,d0', 'D-s3, d2', 'F'])(
  'knows the fire class %s',
  (reactionToFireClass) => {
    expect(errorPaths({ ...valid, reactionToFireClass })).toEqual([])
  },
)
