import { type CategoryPlugin, isCountryCode } from '../../../src/plugin/index.ts'
import { schema } from './schema.ts'

export default {
  kind: 'category',
  name: 'iron-steel',
  schema,
  *check({ meltAndPourCountry, yieldStrengthMPa, tensileStrengthMPa }) {
    if (typeof meltAndPourCountry === 'string' && !isCountryCode(meltAndPourCountry)) {
      yield { path: 'meltAndPourCountry', code: 'unknownCountry' }
    }
    // EN 10025: Rm is above ReH for every grade.
    if (
      typeof yieldStrengthMPa === 'number' &&
      typeof tensileStrengthMPa === 'number' &&
      yieldStrengthMPa > tensileStrengthMPa
    ) {
      yield { path: 'yieldStrengthMPa', code: 'strengthOrder', params: { limit: tensileStrengthMPa } }
    }
  },
} satisfies CategoryPlugin
