import type { CategoryPlugin } from '../../../src/plugin/index.ts'
import { schema } from './schema.ts'

/** Cosmetic products under Regulation (EC) No 1223/2009. */
export default {
  kind: 'category',
  name: 'cosmetics',
  schema,
  *check({ ingredients }) {
    let total = 0
    for (const ingredient of (ingredients ?? []) as (string | { concentrationPct?: number })[]) {
      if (typeof ingredient === 'object') total += ingredient.concentrationPct ?? 0
    }
    // Whole millionths: binary floating-point sums of exactly 100 % may exceed 100.
    const millionths = Math.round(total * 1e6)
    if (millionths > 100e6) {
      yield { path: 'ingredients', code: 'concentrationSum', params: { total: millionths / 1e6 } }
    }
  },
} satisfies CategoryPlugin
