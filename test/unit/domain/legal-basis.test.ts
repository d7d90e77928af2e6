import { expect, it } from 'vitest'
import { annotationFaults } from '../../../src/domain/field.ts'
import { ACTS, actsAskingFor, actsOfPassport, keyBases } from '../../../src/domain/legal-basis.ts'
import { COMMON_SCHEMA } from '../../../src/plugin/common-schema.ts'
import { errorPaths, plugins } from '../../support/categories.ts'

const toy = { category: 'toys', originCountry: 'CZ' }

it('a passport is made under the acts that it states, else under those of its category', () => {
  expect(actsOfPassport({}, ['2025/2509'])).toEqual(['2025/2509'])
  expect(actsOfPassport({ legalBasis: ['2023/1542', '2023/1542'] }, ['2025/2509'])).toEqual(['2023/1542'])
  for (const legalBasis of [[], 'text', 7, [null, '', ' ']]) {
    expect(actsOfPassport({ legalBasis }, ['2025/2509'])).toEqual(['2025/2509'])
  }
})

it('a key is asked for by the acts that it names, else by those of its schema, and nothing asks for what is voluntary', () => {
  const common = { properties: { parties: {}, repairScore: { 'x-legal-basis': ['2024/1781'] } } }
  const own = {
    'x-legal-basis': ['2025/2509'],
    properties: { ageGroup: {}, primaryMaterial: { 'x-legal-basis': 'voluntary' } },
  }
  const bases = keyBases([common, own])
  const actsOf = (key: string) => actsAskingFor(bases.get(key), ['2025/2509', '2023/1542'])
  expect(actsOf('ageGroup')).toEqual(['2025/2509'])
  expect(actsOf('parties')).toEqual(['2025/2509', '2023/1542'])
  for (const key of ['repairScore', 'primaryMaterial', 'unheardOf']) expect(actsOf(key), key).toEqual([])
})

it('every category names the acts of its passports, and every act has an official number', () => {
  for (const [name, { schema }] of plugins.categories) {
    const acts = schema?.['x-legal-basis']
    expect(acts, name).toEqual(expect.arrayContaining([expect.stringMatching(/^\d+\/\d+$/)]))
    for (const act of acts as string[]) expect(ACTS[act], act).toMatch(/^3\d{4}R\d{4}$/)
  }
})

it.each([
  ['x-legal-basis []', { 'x-legal-basis': [] }],
  ['a: x-legal-basis "none"', { properties: { a: { 'x-legal-basis': 'none' } } }],
  ['/properties/a/properties/b', { properties: { a: { properties: { b: { 'x-legal-basis': ['2024/1781'] } } } } }],
  [
    'a: x-without-passport ["sli"]',
    { properties: { a: { 'x-kind': true, enum: ['ev'], 'x-without-passport': ['sli'] } } },
  ],
])('a schema is refused for %s', (fault, schema) => {
  expect([...annotationFaults(schema, COMMON_SCHEMA, [])].join()).toContain(fault)
})

it.each([
  ['legalBasis', { legalBasis: [] }],
  ['legalBasis', { legalBasis: '2025/2509' }],
  ['legalBasis', { legalBasis: ['2025/2509', '2025/2509'] }],
  ['legalBasis[0]', { legalBasis: [''] }],
  ['legalBasis[0]', { legalBasis: ['x'.repeat(201)] }],
])('refuses %s in %j', (path, change) => {
  expect(errorPaths({ ...toy, legalBasis: ['2025/2509', 'ISO 9001'] })).toEqual([])
  expect(errorPaths({ ...toy, ...change })).toEqual([path])
})
