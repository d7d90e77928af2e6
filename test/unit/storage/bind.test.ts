import fc from 'fast-check'
import { serialize } from 'pg-protocol'
import { expect, test } from 'vitest'
import { bindMessage } from '../../../src/storage/bind.ts'
import { anyText } from '../../support/any-text.ts'

const large = fc.integer({ min: 65_536, max: 70_000 }).map((size) => Buffer.alloc(size, size))
const values = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.oneof(fc.constant(null), anyText(), fc.string()) },
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    large,
  ),
  { maxLength: 8 },
)

test('is byte for byte what the library writes, in whatever pieces', () => {
  fc.assert(
    fc.property(values, fc.stringMatching(/^[a-z-]{0,20}$/), (given, statement) => {
      const expected = serialize.bind({ statement, values: given })
      expect(Buffer.concat(bindMessage(statement, given)).equals(expected)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('gives a large value on as it is', () => {
  const bytes = Buffer.alloc(65_536, 7)
  const pieces = bindMessage('insert', ['a', bytes, null, bytes, 'ä'])
  expect(pieces.filter((piece) => piece === bytes)).toHaveLength(2)
  expect(pieces).toHaveLength(6)
  expect(bindMessage('insert', ['a', bytes.subarray(1)])).toHaveLength(1)
})
