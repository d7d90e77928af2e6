import { describe, test } from 'vitest'
import { newGtin, textile } from '../support/gateway.ts'
import { type ChangeKind, usePassportChanges } from '../support/passport-changes.ts'

const { passports, post, plainKinds, expectAllOrNothing } = await usePassportChanges()

const KINDS: Readonly<Record<string, Pick<ChangeKind, 'given'>>> = {
  ...plainKinds,
  bulk: {
    given: async () => ({
      act: () =>
        post('/api/v1/passports/bulk', {
          passports: [1, 2].map(() => ({ productId: newGtin(), metadata: textile() })),
        }),
    }),
  },
  'delete a draft': {
    given: async () => {
      const { id } = await passports.given({ metadata: {}, draft: true })
      return { id, act: () => passports.remove(id) }
    },
  },
}

// Sealed passports: passport-change-seal-faults.test.ts. Successful changes: passport-change.test.ts.
describe('nothing of a change happens when its transaction fails', () => {
  test.each(Object.entries(KINDS))('%s, wherever it fails', async (_, kind) => expectAllOrNothing(kind))
})
