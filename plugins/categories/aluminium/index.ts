import { type CategoryPlugin, isCountryCode } from '../../../src/plugin/index.ts'
import { schema } from './schema.ts'

/** Aluminium and aluminium alloy products. */
export default {
  kind: 'category',
  name: 'aluminium',
  schema,
  *check({ smelterCountry, recycledContentPct, postConsumerScrapPct }) {
    if (typeof smelterCountry === 'string' && !isCountryCode(smelterCountry)) {
      yield { path: 'smelterCountry', code: 'unknownCountry' }
    }
    // Recycled content is pre-consumer and post-consumer scrap together (ISO 14021 §7.8).
    if (
      typeof recycledContentPct === 'number' &&
      typeof postConsumerScrapPct === 'number' &&
      postConsumerScrapPct > recycledContentPct
    ) {
      yield { path: 'postConsumerScrapPct', code: 'scrapShare', params: { limit: recycledContentPct } }
    }
  },
} satisfies CategoryPlugin
