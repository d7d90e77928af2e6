import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type registrations from './services/registrations.ts'
import type registry from './services/registry.ts'

export interface Cradle extends ModuleCradle {
  registrations: ReturnType<typeof registrations>
  registry: ReturnType<typeof registry>
}
