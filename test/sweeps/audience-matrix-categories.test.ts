import { describe, test } from 'vitest'
import { useAudienceMatrix } from '../support/audience-matrix.ts'

const { expectEachToSeeItsOwn } = await useAudienceMatrix()

// Categories with own keys: audience-matrix.test.ts.
describe('every representation for every audience', () => {
  test.each(['ACTIVE', 'DRAFT'] as const)('of a passport that is %s', (status) => expectEachToSeeItsOwn(status, false))
})
