import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type registrations from './services/registrations.ts'
import type registry from './services/registry.ts'
import type { RegistrySettings } from './settings.ts'

export interface Cradle extends ModuleCradle {
  registrySettings: RegistrySettings
  registrations: ReturnType<typeof registrations>
  registry: ReturnType<typeof registry>
}
