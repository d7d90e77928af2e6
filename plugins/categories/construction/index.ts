import type { CategoryPlugin } from '../../../src/plugin/index.ts'

/** Construction products under Regulation (EU) 2024/3110; schemas/construction.json says it all. */
export default {
  kind: 'category',
  name: 'construction',
} satisfies CategoryPlugin
