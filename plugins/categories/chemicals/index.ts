import type { CategoryPlugin } from '../../../src/plugin/index.ts'

/** Substances and mixtures, detergents among them; schemas/chemicals.json says it all. */
export default {
  kind: 'category',
  name: 'chemicals',
} satisfies CategoryPlugin
