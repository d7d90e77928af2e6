import { describe, expect, test } from 'vitest'
import { COMMON_SCHEMA } from '../../../../src/plugin/common-schema.ts'
import { COUNTRY_CODES } from '../../../../src/plugin/module.ts'
import { categoryNames, plugins } from '../../../../test/support/categories.ts'
import { type Field, formOf } from './fields.ts'
import { controlOf, errorsOf, isAbsence } from './findings.ts'
import { valuesOf } from './form-values.ts'
import { LANGUAGES } from './languages.ts'
import { afterButton } from './list-actions.ts'
import { merge } from './merge.ts'
import { notationOf } from './notation.ts'
import { readForm } from './read-form.ts'

const notation = notationOf('en', [...COUNTRY_CODES], LANGUAGES)
const form = (name: string) => formOf(plugins.categories.get(name)?.schema, COMMON_SCHEMA)

function* leaves(fields: readonly Field[]): Iterable<Field> {
  for (const field of fields) {
    yield field
    yield* leaves([...(field.members ?? []), ...(field.entries === undefined ? [] : [field.entries])])
  }
}

test('every key of every category has a control', () => {
  for (const name of categoryNames) {
    const keys = new Set(form(name).fields.map(({ key }) => key))
    for (const root of [COMMON_SCHEMA, plugins.categories.get(name)?.schema]) {
      const missing = Object.keys((root?.properties ?? {}) as object).filter(
        (key) => !keys.has(key) && key !== 'category',
      )
      expect(missing, name).toEqual([])
    }
    for (const field of leaves(form(name).fields)) {
      const forms = [field.scalar, field.words, field.members, field.entries].filter((one) => one !== undefined)
      expect(forms.length, `${name}: ${field.trail.join('.')}`).toBeGreaterThan(0)
    }
  }
})

test('fields know sections, units, options, requirements and other forms', () => {
  const { fields, sections } = form('batteries')
  const of = (key: string) => fields.find((field) => field.key === key)
  expect(sections.slice(0, 2)).toEqual(['product', 'composition'])
  expect(of('originCountry')).toMatchObject({ isRequired: true, section: 'product', scalar: { kind: 'country' } })
  expect(of('batteryMass')).toMatchObject({ unit: 'kilogram', scalar: { kind: 'number' }, points: ['VI A 5'] })
  expect(of('batteryCategory')).toMatchObject({ isKind: true, scalar: { kind: 'choice' } })
  expect(of('batteryCategory')?.scalar?.options).toEqual(['ev', 'lmt', 'industrial', 'stationary', 'portable', 'sli'])
  expect([of('batteryChemistry')?.isOtherForm, of('chemistry')?.isOtherForm]).toEqual([true, false])
  expect(of('carbonFootprint')).toMatchObject({ section: 'footprint', scalar: { kind: 'number' } })
  expect(of('criticalRawMaterials')?.entries).toMatchObject({ brief: 'name' })
})

describe('buttons of lists', () => {
  const values = { 'list[]': '0,1,n1' }
  test.each([
    ['add list', '0,1,n1,n2', 'list.n2'],
    ['remove list 1', '0,n1', 'list'],
    ['up list n1', '0,n1,1', 'list.n1'],
    ['down list 0', '1,0,n1', 'list.0'],
    ['up list 0', '0,1,n1', 'list.0'],
  ])('%s', (button, keys, focus) => {
    expect(afterButton(values, button)).toEqual({ values: { 'list[]': keys }, focus })
  })

  test.each(['save', 'add', 'add other', 'delete list 0', ''])('another button changes nothing: %s', (button) => {
    expect(afterButton(values, button)).toBeUndefined()
  })
})

describe('a form is read', () => {
  const read = (values: object, base = {}) => readForm(form('textiles'), values as never, base, notation)

  test('with the reason why a text cannot be read, which stays as it was typed', () => {
    const { metadata, faults } = read({
      productWeightGrams: 'heavy',
      expectedWashCycles: '2.5',
      originCountry: 'Atlantis',
    })
    expect(faults.map(({ name, code }) => [name, code])).toEqual([
      ['originCountry', 'country'],
      ['productWeightGrams', 'number'],
      ['expectedWashCycles', 'whole'],
    ])
    expect(metadata.productWeightGrams).toBe('heavy')
  })

  test('one value and its details are not both taken', () => {
    expect(read({ carbonFootprint: '5', 'carbonFootprint.scope1': '1' }).faults).toEqual([
      { name: 'carbonFootprint', code: 'both' },
    ])
  })

  test('several translations need different languages', () => {
    const rows = { 'productName[]': 'n1,n2', 'productName.n1.text': 'Shirt', 'productName.n2.text': 'Hemd' }
    expect(read(rows).faults.map(({ code }) => code)).toEqual(['languageMissing', 'languageMissing', 'languageTwice'])
    const languages = { 'productName.n1.lang': 'English', 'productName.n2.lang': 'de' }
    expect(read({ ...rows, ...languages })).toMatchObject({
      faults: [],
      metadata: { productName: { en: 'Shirt', de: 'Hemd' } },
    })
    expect(read({ 'productName[]': 'n1', 'productName.n1.text': 'Shirt' }).metadata).toEqual({ productName: 'Shirt' })
  })

  test('hostile names and keys change nothing else', () => {
    const { metadata } = read({
      '__proto__.x': '1',
      constructor: '1',
      'fiberComposition[]': '__proto__,0x1,-1,99999999,n1',
      'fiberComposition.__proto__.fiber': 'x',
      'fiberComposition.n1.fiber': 'cotton',
    })
    expect(metadata).toEqual({ fiberComposition: [{ fiber: 'cotton' }] })
    expect(({} as { x?: string }).x).toBeUndefined()
  })
})

describe('findings', () => {
  const metadata = { fiberComposition: [{ fiber: 'a', percentage: 1 }], productName: { en: 'x' } }
  const { names } = readForm(form('textiles'), valuesOf(form('textiles'), metadata, notation), metadata, notation)

  test.each([
    ['fiberComposition[0].percentage', 'fiberComposition.0.percentage'],
    ['fiberComposition[0].unknown', 'fiberComposition.0'],
    ['fiberComposition[7]', 'fiberComposition'],
    ['originCountry', 'originCountry'],
    ['productName.en', 'productName'],
    ['unknown.part', undefined],
  ])('%s is at %s', (path, name) => {
    expect(controlOf(path, names)).toBe(name)
  })

  test('one error for each control; an unreadable text comes first', () => {
    const t = (key: string, params?: object) => `${key} ${JSON.stringify(params ?? {})}`
    const errors = errorsOf(
      [{ name: 'fiberComposition.0.percentage', code: 'number' }],
      [
        { path: 'fiberComposition[0].percentage', message: 'second' },
        { path: 'originCountry', message: 'technical', friendlyMessage: 'friendly' },
        { path: 'nowhere', message: 'general' },
      ],
      names,
      t,
      (name) => name,
    )
    expect(errors.map(({ field }) => field)).toEqual(['fiberComposition.0.percentage', 'originCountry', ''])
    expect(errors[1]?.message).toBe('friendly')
  })

  test('tell absent values from wrong ones', () => {
    expect(
      ['originCountry', 'fiberComposition[0].fiber', 'fiberComposition[1]'].map((path) => isAbsence(path, metadata)),
    ).toEqual([true, false, true])
  })
})

test('a merge takes changes of both, and asks about the same key', () => {
  const base = { a: 1, b: 1, c: 1, d: 1 }
  const mine = { a: 2, b: 1, c: 2, e: [1] }
  const theirs = { a: 1, b: 2, c: 3, d: 1, f: 1 }
  const merged = merge(base, mine, theirs, {})
  expect(merged.metadata).toEqual({ a: 2, b: 2, c: 3, e: [1], f: 1 })
  expect(merged.conflicts).toEqual([{ key: 'c', mine: 2, theirs: 3 }])
  expect(merge(base, mine, theirs, { c: 'mine' })).toEqual({
    metadata: { a: 2, b: 2, c: 2, e: [1], f: 1 },
    conflicts: [],
  })
  expect(merge(base, mine, theirs, { c: 'theirs' }).metadata.c).toBe(3)
})
