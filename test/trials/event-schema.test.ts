import { test } from 'vitest'
import { compareChangedSamples, hasStandards } from '../support/changed-samples.ts'

test.skipIf(!hasStandards)('the verdict is that of the official EPCIS schema on 10,000 changed samples', () =>
  compareChangedSamples(10_000),
)
