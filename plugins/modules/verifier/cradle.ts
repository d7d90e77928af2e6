import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type verifierScript from './services/verifier-script.ts'

export interface Cradle extends ModuleCradle {
  verifierScript: ReturnType<typeof verifierScript>
}
