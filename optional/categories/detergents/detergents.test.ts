import { expect, it } from 'vitest'
import type { Metadata } from '../../../src/plugin/index.ts'
import { checkCategory } from '../../../src/testing/index.ts'
import { allPlugins, categoryNames, errorPaths } from '../../../test/support/categories.ts'

const valid: Metadata = {
  category: 'detergents',
  originCountry: 'NL',
  productName: { en: 'Clean Wash', nl: 'Schoon' },
  addedSubstances: [
    { name: 'Sodium carbonate', inciName: 'Sodium Carbonate', casNumber: '497-19-8', ecNumber: '207-838-8' },
    { name: 'Subtilisin', concentrationBand: '< 5 %' },
  ],
  microOrganisms: [{ genus: 'Bacillus', species: 'subtilis', strain: 'ATCC 6051' }],
  surfactants: [{ name: 'Sodium laureth sulfate', biodegradable: true, concentrationBand: '5-15 %' }],
  allergenicFragrances: ['Limonene'],
  signalWord: 'Warning',
  hStatements: ['H319'],
  pStatements: ['P264'],
  ufi: 'N1QV-R02N-J00M-WQD5',
  safetyDatasheetUrl: 'https://docs.example.org/sds.pdf',
  consumerContact: { phone: '+31 20 1234567' },
  statementOfCompliance: 'This detergent meets Regulation (EU) 2026/405.',
  statementOfResponsibility: { en: 'Issued under the sole responsibility of the manufacturer.' },
}

it('accepts a realistic passport', () => {
  expect(errorPaths(valid)).toEqual([])
})

it.each([
  ['addedSubstances[0].name', { addedSubstances: [{ casNumber: '497-19-8' }] }],
  ['addedSubstances[0].casNumber', { addedSubstances: [{ name: 'Soda', casNumber: '497' }] }],
  ['microOrganisms[0].species', { microOrganisms: [{ genus: 'Bacillus' }] }],
  ['signalWord', { signalWord: 'Caution' }],
  ['hStatements[0]', { hStatements: ['319'] }],
  ['ufi', { ufi: 'N1QV' }],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...valid, ...change })).toEqual([path])
})

it('keeps the contract of a category', () =>
  checkCategory(import.meta.dirname, {
    valid: [valid],
    invalid: [{ metadata: { ...valid, microOrganisms: ['Bacillus'] }, path: 'microOrganisms[0]' }],
  }))

it('is one more than the nine of the specification, which are there without it', () => {
  expect(categoryNames).not.toContain('detergents')
  expect([...allPlugins.categories.keys()].sort()).toEqual([...categoryNames, 'detergents'].sort())
})
