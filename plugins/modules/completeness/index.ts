import type { ModulePlugin } from '../../../src/plugin/index.ts'
import type { Cradle } from './cradle.ts'

export default {
  kind: 'module',
  name: 'completeness',
  onValidate(metadata, lang, { completenessReports }: Cradle) {
    const { isComplete, counts, missing } = completenessReports.of(metadata, lang)
    return { completeness: { isComplete, counts, missing } }
  },
} satisfies ModulePlugin
