import { describe, test } from 'vitest'
import { usePassportChanges } from '../support/passport-changes.ts'

const { sealKinds, expectAllOrNothing } = await usePassportChanges()

describe('nothing of a change to what is sealed happens when its transaction fails', () => {
  test.each(Object.entries(sealKinds))('%s, wherever it fails', async (_, kind) => expectAllOrNothing(kind))
})
