import type { CategoryPlugin } from '../../../src/plugin/index.ts'
import { schema } from './schema.ts'

/** Toys under Regulation (EU) 2025/2509. */
export default {
  kind: 'category',
  name: 'toys',
  schema,
  // Usage of a passport must not be tracked.
  isUntracked: true,
  // Article 19(11): the passport links to the Safety Gate.
  reportUrl: 'https://ec.europa.eu/safety-gate',
  *check({ ageGroup }) {
    const range = /^([0-9]{1,3})-([0-9]{1,3})$/.exec(typeof ageGroup === 'string' ? ageGroup : '')
    if (range !== null && Number(range[1]) > Number(range[2])) {
      yield { path: 'ageGroup', code: 'ageOrder', params: { from: range[1], to: range[2] } }
    }
  },
} satisfies CategoryPlugin
