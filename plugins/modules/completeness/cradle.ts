import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type completeness from './services/completeness.ts'
import type completenessReports from './services/completeness-reports.ts'

export interface Cradle extends ModuleCradle {
  completeness: ReturnType<typeof completeness>
  completenessReports: ReturnType<typeof completenessReports>
}
