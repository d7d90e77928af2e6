import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributesOf, completenessOf, dueFor, isMet } from './attributes.ts'

const COMMON = { $id: 'urn:common', $defs: { text: { type: 'string' } } }
const SCHEMA = {
  properties: {
    kind: { enum: ['ev', 'EV', 'sli'], 'x-kind': true },
    name: { $ref: 'urn:common#/$defs/text', description: 'Name.', 'x-annex': 'A 1', 'x-due': 'mandatory' },
    oldName: { type: 'string', 'x-alias-of': 'name' },
    range: {
      type: 'object',
      properties: {
        least: { type: 'number', 'x-annex': ['A 2', 'B 1'], 'x-due': { ev: 'mandatory', sli: 'pending' } },
      },
    },
    oldRange: { type: 'object', 'x-alias-of': 'range' },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        properties: { phone: { type: 'string', 'x-annex': 'A 3', 'x-due': { ev: 'conditional' } } },
      },
    },
    status: { type: 'string', readOnly: true, 'x-annex': 'A 4', 'x-due': 'mandatory' },
    other: { type: 'string', 'x-annex': 'A 5' },
  },
}
const attributes = attributesOf(SCHEMA, COMMON)
const [name, least, phone, status] = attributes as [never, never, never, never]

test('a schema asks for every key that is due, under its whole path', () => {
  expect(attributes.map(({ key, points }) => [key, points])).toEqual([
    ['name', ['A 1']],
    ['range.least', ['A 2', 'B 1']],
    ['parts[].phone', ['A 3']],
    ['status', ['A 4']],
  ])
})

test('requirements depend on the kind; without one the common ones apply', () => {
  const due = (kind: string | null) => dueFor(attributes, kind).map(({ key, now }) => [key, now])
  expect(due('ev')).toEqual([
    ['name', 'mandatory'],
    ['range.least', 'mandatory'],
    ['parts[].phone', 'conditional'],
    ['status', 'mandatory'],
  ])
  expect(due('sli')).toContainEqual(['range.least', 'pending'])
  expect(due(null)).toEqual([
    ['name', 'mandatory'],
    ['status', 'mandatory'],
  ])
})

describe('an attribute is met', () => {
  test.each([
    [name, { name: 'x' }, true],
    [name, { oldName: 'x' }, true],
    [name, {}, false],
    [name, { name: '  ' }, false],
    [name, { name: null, oldName: '' }, false],
    [name, { name: [] }, false],
    [name, { name: {} }, false],
    [name, { name: false }, true],
    [least, { range: { least: 0 } }, true],
    [least, { oldRange: { least: 0 } }, true],
    [least, { range: 5 }, false],
    [least, { range: {} }, false],
    [phone, { parts: [{ phone: '1' }, { phone: '2' }] }, true],
    [phone, { parts: [{ phone: '1' }, {}] }, false],
    [phone, { parts: [{ phone: '1' }, 'A shop'] }, false],
    [phone, { parts: [] }, false],
    [phone, { parts: { phone: '1' } }, false],
    [status, {}, true],
  ])('%# as it should be', (attribute, metadata, expected) => {
    expect(isMet(attribute, metadata)).toBe(expected)
  })
})

test('each unit lacks its own, and without units none of their requirements count', () => {
  const due = dueFor(attributes, 'ev')
  const [ofModel, ofUnits] = [due.slice(0, 1), due.slice(1)]
  const report = (units: string[][]) =>
    completenessOf(
      { ofModel, ofUnits },
      {},
      units.map((keys) => new Set(keys)),
    )
  expect(report([])).toMatchObject({
    missing: [{ attribute: { key: 'name' } }],
    counts: { mandatory: { due: 1, met: 0 }, conditional: { due: 0, met: 0 } },
    incompleteUnits: 0,
  })
  const { missing, counts, incompleteUnits } = report([['range.least'], ['parts[].phone'], []])
  expect(missing.map(({ attribute, units }) => [attribute.key, units])).toEqual([
    ['name', undefined],
    ['range.least', 2],
    ['parts[].phone', 2],
  ])
  expect(counts).toEqual({
    mandatory: { due: 3, met: 1 },
    conditional: { due: 1, met: 0 },
    pending: { due: 0, met: 0 },
  })
  expect(incompleteUnits).toBe(2)
})

test('missing and met requirements together are all of them, for any metadata', () => {
  const stated = fc.record(
    { name: fc.anything(), range: fc.anything(), parts: fc.anything(), oldRange: fc.anything() },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(stated, fc.constantFrom('ev', 'sli', null), (metadata, kind) => {
      const ofModel = dueFor(attributes, kind)
      const { missing, counts } = completenessOf({ ofModel, ofUnits: [] }, metadata, [])
      const met = Object.values(counts).reduce((sum, count) => sum + count.met, 0)
      expect(met + missing.length).toBe(ofModel.length)
    }),
  )
})
