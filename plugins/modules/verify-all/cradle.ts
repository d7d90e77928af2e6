import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type installationCheck from './services/installation-check.ts'

export interface Cradle extends ModuleCradle {
  installationCheck: ReturnType<typeof installationCheck>
}
