import { type CategoryPlugin, isCountryCode } from '../../../src/plugin/index.ts'
import { schema } from './schema.ts'

export default {
  kind: 'category',
  name: 'aluminium',
  schema,
  *check({ smelterCountry, recycledContentPct, postConsumerScrapPct }) {
    if (typeof smelterCountry === 'string' && !isCountryCode(smelterCountry)) {
      yield { path: 'smelterCountry', code: 'unknownCountry' }
    }
    // Recycled content includes pre-consumer and post-consumer scrap (ISO 14021 §7.8).
    if (
      typeof recycledContentPct === 'number' &&
      typeof postConsumerScrapPct === 'number' &&
      postConsumerScrapPct > recycledContentPct
    ) {
      yield { path: 'postConsumerScrapPct', code: 'scrapShare', params: { limit: recycledContentPct } }
    }
  },
} satisfies CategoryPlugin
