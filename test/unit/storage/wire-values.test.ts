import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { wireValue } from '../../../src/storage/wire-values.ts'
import { anyText } from '../../support/any-text.ts'

const TEXT_ARRAY = 1009 as never
const parseTexts = pg.types.getTypeParser(TEXT_ARRAY, 'text')

test('array literals contain every element unchanged', () => {
  const text = fc.oneof(anyText(), fc.string(), fc.constantFrom(null, '', 'NULL', 'null', '{}', ',', '\\', '"'))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
      expect(parseTexts(wireValue(texts) as string)).toEqual(texts)
    }),
    { numRuns: 300 },
  )
})

test('objects become JSON, in arrays too', () => {
  const json = { text: 'a "quoted" \\ text', list: [1, null] }
  expect(wireValue(json)).toBe(JSON.stringify(json))
  expect(parseTexts(wireValue([json, 1.5, true]) as string)).toEqual([JSON.stringify(json), '1.5', 'true'])
})

test('values that pg converts are left to it', () => {
  const bytes = Buffer.alloc(70_000, 7)
  const date = new Date()
  for (const value of [bytes, date, 'text', 1, true, null, undefined, [bytes], [date], [['nested']]]) {
    expect(wireValue(value)).toBe(value)
  }
})

test('a value that cannot be converted throws', () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  for (const value of [circular, [circular]]) expect(() => wireValue(value)).toThrow(TypeError)
})
