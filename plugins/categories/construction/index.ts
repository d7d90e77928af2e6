import type { CategoryPlugin } from '../../../src/plugin/index.ts'

/** Construction products under Regulation (EU) 2024/3110. */
export default {
  kind: 'category',
  name: 'construction',
} satisfies CategoryPlugin
