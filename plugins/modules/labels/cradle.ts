import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type labels from './services/labels.ts'

export interface Cradle extends ModuleCradle {
  labels: ReturnType<typeof labels>
}
