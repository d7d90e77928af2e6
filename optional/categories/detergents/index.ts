import type { CategoryPlugin } from '../../../src/plugin/index.ts'

/** Detergents under Regulation (EU) 2026/405. */
export default {
  kind: 'category',
  name: 'detergents',
  // Article 22(h): usage of a passport must not be tracked.
  isUntracked: true,
} satisfies CategoryPlugin
