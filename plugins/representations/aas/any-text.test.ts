import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Metadata } from '../../../src/domain/metadata.ts'
import { environment, views } from '../../../test/support/aas-environments.ts'
import { aasReferenceErrors, isReferenceMissing } from '../../../test/support/aas-reference.ts'
import { anyText } from '../../../test/support/any-text.ts'
import { categoryNames } from '../../../test/support/categories.ts'
import { passport } from '../../../test/support/passport-row.ts'
import { randomMetadata } from '../../../test/support/random-metadata.ts'

describe.skipIf(isReferenceMissing)(
  'an environment passes the official schemas 3.0, 3.1 and 3.2 and aas-core',
  async () => {
    const errorsOf = isReferenceMissing ? () => [] : aasReferenceErrors()
    const any = randomMetadata()

    test.each(categoryNames)('%s with any other keys and texts', (category) => {
      fc.assert(
        fc.property(
          any[category] as fc.Arbitrary<Metadata>,
          anyText({ minLength: 1, maxLength: 200 }),
          (metadata, productId) => {
            const view = views.view(passport(metadata, { productId: productId.toWellFormed() }), 'owner')
            expect(errorsOf(environment(view))).toEqual([])
          },
        ),
        { numRuns: 20 },
      )
    })
  },
)
