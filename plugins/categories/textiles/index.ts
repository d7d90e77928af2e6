import { type CategoryPlugin, isCountryCode, type Json, sumsTo100 } from '../../../src/plugin/index.ts'

const countryKeys = ['countryOfRawMaterialOrigin', 'countryOfWeaving', 'countryOfDyeing']

const isUnknownCountry = (value: Json | undefined) => typeof value === 'string' && !isCountryCode(value)

/** Textiles; fibre shares are labelled under Regulation (EU) No 1007/2011. */
export default {
  kind: 'category',
  name: 'textiles',
  *check(metadata) {
    yield* sumsTo100(metadata, 'fiberComposition')
    for (const key of countryKeys) {
      if (isUnknownCountry(metadata[key])) yield { path: key, code: 'unknownCountry' }
    }
    const fibers = (metadata.fiberComposition ?? []) as { countryOfOrigin?: Json }[]
    for (const [index, fiber] of fibers.entries()) {
      if (isUnknownCountry(fiber.countryOfOrigin)) {
        yield { path: `fiberComposition[${index}].countryOfOrigin`, code: 'unknownCountry' }
      }
    }
  },
} satisfies CategoryPlugin
