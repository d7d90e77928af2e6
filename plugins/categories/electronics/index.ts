import { type CategoryPlugin, isCountryCode } from '../../../src/plugin/index.ts'

export default {
  kind: 'category',
  name: 'electronics',
  *check({ criticalRawMaterials }) {
    const materials = (criticalRawMaterials ?? []) as { countryOfOrigin?: string }[]
    for (const [index, { countryOfOrigin }] of materials.entries()) {
      if (countryOfOrigin !== undefined && !isCountryCode(countryOfOrigin)) {
        yield { path: `criticalRawMaterials[${index}].countryOfOrigin`, code: 'unknownCountry' }
      }
    }
  },
} satisfies CategoryPlugin
