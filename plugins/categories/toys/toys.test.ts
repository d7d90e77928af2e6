import { expect, it } from 'vitest'
import { errorPaths } from '../../../test/support/categories.ts'

const valid = {
  category: 'toys',
  originCountry: 'CZ',
  ageGroup: '3-6',
  ageGrading: '3+',
  ageWarning: 'Not suitable for children under 36 months.',
  safetyWarnings: ['Small parts.'],
  primaryMaterial: 'wood',
  allergenicFragrances: [],
  containsBattery: false,
  containsMagnets: false,
  harmonisedStandards: ['EN 71-1', 'EN 71-3'],
  chemicalContentCertificates: ['EN 71-3 report 17'],
  physicalSafetyParameters: { chokingHazardWarning: true, sharpEdgesChecked: true, flammabilityCertified: true },
  regulatoryCompliance: { ceMarking: true, certificates: [] },
  statementOfCompliance: {
    en: 'This toy meets Regulation (EU) 2025/2509.',
    cs: 'Hračka splňuje nařízení (EU) 2025/2509.',
  },
  statementOfResponsibility: 'This passport is issued under the sole responsibility of the manufacturer.',
  unionLaw: ['Regulation (EU) 2025/2509', 'Regulation (EU) 2023/1542'],
  replacedDeclarations: ['EU declaration of conformity under Regulation (EU) 2023/1542'],
  notifiedBody: { name: 'Prüfhaus', number: '0123', referenceNumber: 'T-17' },
  consumerContact: { email: 'safety@toys.example', website: 'https://toys.example/safety' },
}

it('accepts a realistic passport', () => {
  expect(errorPaths(valid)).toEqual([])
})

it('asks for nothing but category and originCountry', () => {
  expect(errorPaths({ category: 'toys', originCountry: 'DE' })).toEqual([])
  expect(errorPaths({ category: 'toys' })).toEqual(['originCountry'])
})

it.each([
  ['ageGroup', { ageGroup: 3 }],
  ['ageGroup', { ageGroup: '6-3' }],
  ['primaryMaterial', { primaryMaterial: 'plutonium' }],
  ['safetyWarnings[0]', { safetyWarnings: [''] }],
  ['containsMagnets', { containsMagnets: 1 }],
  ['harmonisedStandards', { harmonisedStandards: 'EN 71-1' }],
  ['physicalSafetyParameters.sharpEdgesChecked', { physicalSafetyParameters: { sharpEdgesChecked: 'yes' } }],
  ['regulatoryCompliance.ceMarking', { regulatoryCompliance: { ceMarking: 'CE' } }],
  ['ecolabel', { ecolabel: '17' }],
  ['instructions.use', { instructions: { use: 5 } }],
  ['substancesOfConcern[0].concentrationPct', { substancesOfConcern: [{ name: 'Lead', concentrationPct: 101 }] }],
  [
    'substancesOfConcern[0].concentrationPct.max',
    { substancesOfConcern: [{ name: 'Lead', concentrationPct: { max: -1 } }] },
  ],
  ['statementOfCompliance', { statementOfCompliance: true }],
  ['unionLaw', { unionLaw: 'Regulation (EU) 2025/2509' }],
  ['replacedDeclarations[0]', { replacedDeclarations: [17] }],
  ['notifiedBody.number', { notifiedBody: { number: '123' } }],
  ['notifiedBody.number', { notifiedBody: { name: 'Prüfhaus' } }],
  ['consumerContact.email', { consumerContact: { email: 'safety' } }],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...valid, ...change })).toEqual([path])
})

it.each(['0-3', '12+', '36 months and over'])('accepts the age group %s', (ageGroup) => {
  expect(errorPaths({ ...valid, ageGroup })).toEqual([])
})
