import { expect, test } from 'vitest'
import { kindKeyOf, kindOf } from '../../../src/domain/product-kind.ts'

test('the kind is what the marked key says, in any case', () => {
  const schema = {
    properties: { kind: { enum: ['ev', 'EV', 'sli'], 'x-kind': true }, name: { type: 'string' } },
  }
  const kindKey = kindKeyOf(schema, {})
  expect(kindKey).toEqual({ key: 'kind', kinds: ['ev', 'sli'], ofPassports: ['ev', 'sli'] })
  expect(['EV', 'Sli', 'car', 5, undefined, 'constructor'].map((kind) => kindOf(kindKey, { kind }))).toEqual([
    'ev',
    'sli',
    null,
    null,
    null,
    null,
  ])
  expect(kindOf(undefined, { kind: 'ev' })).toBeNull()
})
