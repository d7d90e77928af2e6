import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonPieces } from '../../../src/domain/json-pieces.ts'

const joined = (value: unknown) => [...jsonPieces(value)].join('')

test('the pieces together are what JSON.stringify writes', () => {
  const values = fc.anything({
    values: [fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined)],
    maxDepth: 5,
    withNullPrototype: true,
  })
  fc.assert(
    fc.property(values, (value) => {
      expect(joined(value)).toBe(JSON.stringify(value) ?? 'null')
    }),
  )
})

test('a large value has many pieces, however it is built', () => {
  const members = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key ${index}`, index]))
  for (const value of [members, Object.values(members), { a: [{ b: members }] }]) {
    const pieces = [...jsonPieces(value)]
    expect(pieces.length).toBeGreaterThan(5)
    expect(pieces.join('')).toBe(JSON.stringify(value))
  }
})
