import { Problem } from '../../../../src/plugin/index.ts'
import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { operations } from '../generated.ts'

/** Served by the registry (EN 18222, clause 5). */
export default function registerProductDpp(): PublicHandler<'registerProductDpp', operations> {
  return () => {
    throw new Problem(
      501,
      'This gateway is not a registry. POST /api/v1/passports/{id}/registration registers a passport at the configured registry.',
      { title: 'Not Implemented' },
    )
  }
}
