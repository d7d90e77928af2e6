import { describe, expect, test } from 'vitest'
import {
  COMMON_KEYS,
  CONSTRUCTION_KEYS,
  commonKeys,
  KEYS,
  namesAudience,
  propertiesOf,
  useAudienceMatrix,
} from '../support/audience-matrix.ts'

const { gateway, expectEachToSeeItsOwn } = await useAudienceMatrix()

test('every key that names an audience is in the matrix', () => {
  const named = [...gateway.container.cradle.plugins.categories.values()].flatMap(({ schema }) =>
    Object.entries(propertiesOf(schema)).flatMap(([key, property]) => (namesAudience(property) ? [key] : [])),
  )
  expect([...named, 'facilityDetails'].sort()).toEqual(Object.keys({ ...KEYS, ...CONSTRUCTION_KEYS }).sort())
  expect(commonKeys.filter((key) => COMMON_KEYS[key] === undefined)).toEqual([])
})

// Other categories: audience-matrix-categories.test.ts.
describe('every representation for every audience', () => {
  test.each(['ACTIVE', 'DRAFT'] as const)('of a passport that is %s', (status) => expectEachToSeeItsOwn(status, true))
})
