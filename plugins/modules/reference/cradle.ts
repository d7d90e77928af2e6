import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type apiReference from './services/api-reference.ts'

export interface Cradle extends ModuleCradle {
  apiReference: ReturnType<typeof apiReference>
}
