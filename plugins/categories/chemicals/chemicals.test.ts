import { expect, it } from 'vitest'
import { errorPaths } from '../../../test/support/categories.ts'

const valid = {
  category: 'chemicals',
  originCountry: 'SE',
  materialComposition: [
    { material: 'Water', percentage: 85.5 },
    { material: 'Surfactant', percentage: 14.5 },
  ],
  hazardClassification: ['Eye Irrit. 2', 'H319'],
  safetyDatasheetUrl: 'https://docs.example.org/sds.pdf',
  presenceOfSVHC: false,
  ufi: 'N1QV-R02N-J00M-WQD5',
  signalWord: 'Warning',
  hStatements: ['H319 Causes serious eye irritation', 'EUH208'],
  pStatements: ['P264', 'P305+P351+P338'],
  substancesOfConcern: [{ name: 'Bronopol', casNumber: '52-51-7', ecNumber: '200-143-0', concentrationPct: 0.02 }],
  surfactants: [{ name: 'Sodium laureth sulfate', biodegradable: true, concentrationBand: '5-15 %' }],
}

it('accepts a realistic passport', () => {
  expect(errorPaths(valid)).toEqual([])
})

it('asks for nothing but category and originCountry', () => {
  expect(errorPaths({ category: 'chemicals', originCountry: 'DE' })).toEqual([])
  expect(errorPaths({ category: 'chemicals' })).toEqual(['originCountry'])
})

it.each([
  ['hazardClassification', { hazardClassification: 'H319' }],
  ['hazardClassification[0]', { hazardClassification: [319] }],
  ['safetyDatasheetUrl', { safetyDatasheetUrl: 'file:///sds.pdf' }],
  ['presenceOfSVHC', { presenceOfSVHC: 'no' }],
  ['ufi', { ufi: 'N1QV-R02N-J00M' }],
  ['signalWord', { signalWord: 'Caution' }],
  ['hStatements[1]', { hStatements: ['H319', '319'] }],
  ['pStatements[0]', { pStatements: ['H264'] }],
  ['substancesOfConcern[0].ecNumber', { substancesOfConcern: [{ name: 'Bronopol', ecNumber: '200143' }] }],
  ['materialComposition', { materialComposition: [{ material: 'Water', percentage: 99.8 }] }],
  [
    'materialComposition[0].percentage',
    {
      materialComposition: [
        { material: 'Water', percentage: 0 },
        { material: 'Ethanol', percentage: 100 },
      ],
    },
  ],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...valid, ...change })).toEqual([path])
})
