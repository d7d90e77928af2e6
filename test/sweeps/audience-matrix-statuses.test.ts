import { describe, test } from 'vitest'
import { useAudienceMatrix } from '../support/audience-matrix.ts'

const { expectEachToSeeItsOwn } = await useAudienceMatrix()

// Once it is public, what is shown is chosen by category and reader alike; categories with keys of their own stand for all.
describe('every representation for every audience', () => {
  test.each(['RECALLED', 'DECOMMISSIONED'] as const)('of a passport that is %s', (status) =>
    expectEachToSeeItsOwn(status, true),
  )
})
