import { describe, test } from 'vitest'
import { useAudienceMatrix } from '../support/audience-matrix.ts'

const { expectEachToSeeItsOwn } = await useAudienceMatrix()

// Published content depends only on category and reader; categories with own keys represent all.
describe('every representation for every audience', () => {
  test.each(['RECALLED', 'DECOMMISSIONED'] as const)('of a passport that is %s', (status) =>
    expectEachToSeeItsOwn(status, true),
  )
})
