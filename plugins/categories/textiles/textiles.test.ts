import { expect, it } from 'vitest'
import { errorPaths } from '../../../test/support/categories.ts'

const valid = {
  category: 'textiles',
  originCountry: 'PT',
  gtin: '09506000134352',
  productName: 'Crew-neck T-shirt',
  commodityCode: '61091000',
  materialComposition: [
    { material: 'Organic cotton', percentage: 80, countryOfOrigin: 'TR' },
    { material: 'Recycled polyester', percentage: 20 },
  ],
  fiberComposition: [
    { fiber: 'cotton', percentage: 80 },
    { fiber: 'polyester', percentage: 20, recycled: true },
  ],
  careInstructions: ['Wash at 30 °C', 'Do not tumble dry'],
  size: 'M',
  facilityDetails: [
    {
      facilityName: 'Fiação do Ave',
      location: 'Guimarães, Portugal',
      activity: 'Spinning',
      eudrPlots: [{ plotId: 'P-1', polygonType: 'Point', coordinates: [{ lat: 41.44, lng: -8.29 }] }],
      traceabilityDocs: [
        { documentName: 'Origin', documentHash: '9f86d081', documentUrl: 'https://docs.example.org/origin.pdf' },
      ],
    },
  ],
  regulatoryCompliance: {
    ceMarking: false,
    certificates: [{ name: 'GOTS', referenceNumber: 'C-12', issuer: 'Example Cert', validUntil: '2028-06-30' }],
  },
  carbonFootprint: { unit: 'kg CO2e', co2eKg: 8.5, scope1: 1, scope2: 2.5, scope3: 5 },
  recycledContent: { percentage: 20, source: 'post-consumer' },
  hazardousSubstances: [{ substanceName: 'Formaldehyde', casNumber: '50-00-0', concentration: 12, unit: 'mg/kg' }],
  expectedWashCycles: 60,
  colorFastness: 4,
  countryOfWeaving: 'PT',
  anUnknownKey: { is: 'welcome' },
}

it('accepts a realistic passport', () => {
  expect(errorPaths(valid)).toEqual([])
})

it('asks for nothing but category and originCountry', () => {
  expect(errorPaths({ category: 'textiles', originCountry: 'DE' })).toEqual([])
  expect(errorPaths({ category: 'textiles' })).toEqual(['originCountry'])
})

it.each([
  ['originCountry', { originCountry: 'pt' }],
  ['originCountry', { originCountry: 'UK' }],
  ['gtin', { gtin: '9506000134352' }],
  ['fiberComposition', { fiberComposition: [] }],
  ['fiberComposition[0].percentage', { fiberComposition: [{ fiber: 'wool' }] }],
  [
    'fiberComposition[1].fiber',
    {
      fiberComposition: [
        { fiber: 'wool', percentage: 50 },
        { fiber: '', percentage: 50 },
      ],
    },
  ],
  ['careInstructions', { careInstructions: 30 }],
  ['careInstructions[1]', { careInstructions: ['Wash at 30 °C', ''] }],
  ['size', { size: 42 }],
  ['colorFastness', { colorFastness: 6 }],
  ['recycledContent.source', { recycledContent: { percentage: 20, source: 'ocean' } }],
  ['hazardousSubstances[0].concentration', { hazardousSubstances: [{ substanceName: 'Nickel', concentration: -1 }] }],
  ['facilityDetails[0].facilityName', { facilityDetails: [{ location: 'Porto' }] }],
  [
    'facilityDetails[0].eudrPlots[0].coordinates[0].lat',
    { facilityDetails: [{ facilityName: 'Mill', eudrPlots: [{ coordinates: [{ lat: 91, lng: 0 }] }] }] },
  ],
  [
    'regulatoryCompliance.certificates[0].validUntil',
    { regulatoryCompliance: { certificates: [{ name: 'GOTS', validUntil: '2028-02-30' }] } },
  ],
  ['countryOfWeaving', { countryOfWeaving: 'ZZ' }],
  [
    'fiberComposition[0].countryOfOrigin',
    { fiberComposition: [{ fiber: 'wool', percentage: 100, countryOfOrigin: 'EU' }] },
  ],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...valid, ...change })).toEqual([path])
})

it('accepts care instructions as one text, and texts in several languages', () => {
  expect(errorPaths({ ...valid, careInstructions: 'Wash at 30 °C' })).toEqual([])
  const inTwo = [
    { value: 'Wash cold', language: 'en' },
    { value: 'Kalt waschen', language: 'de' },
  ]
  expect(errorPaths({ ...valid, productName: inTwo, careInstructions: [inTwo] })).toEqual([])
})

it.each([
  [[33.3, 33.3, 33.3], true],
  [[99.9], true],
  [[0.1, 0.2, 99.8], true],
  [[33.4, 33.3, 33.3], true],
  [[99.8], false],
  [[60, 40.2], false],
])('judges fibre shares of %j: %s', (shares, isValid) => {
  const fiberComposition = shares.map((percentage, index) => ({ fiber: `fibre ${index}`, percentage }))
  expect(errorPaths({ ...valid, fiberComposition })).toEqual(isValid ? [] : ['fiberComposition'])
})
