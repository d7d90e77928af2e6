import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type statistics from './services/statistics.ts'

export interface Cradle extends ModuleCradle {
  statistics: ReturnType<typeof statistics>
}
