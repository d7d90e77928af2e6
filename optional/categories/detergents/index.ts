import type { CategoryPlugin } from '../../../src/plugin/index.ts'

/** Detergents under Regulation (EU) 2026/405; schemas/detergents.json says what may stand in their passports. */
export default {
  kind: 'category',
  name: 'detergents',
  // Usage of a product passport must not be tracked (Article 22(h)).
  isUntracked: true,
} satisfies CategoryPlugin
