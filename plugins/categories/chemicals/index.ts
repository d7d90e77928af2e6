import type { CategoryPlugin } from '../../../src/plugin/index.ts'

export default {
  kind: 'category',
  name: 'chemicals',
} satisfies CategoryPlugin
