import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type purger from './services/purger.ts'
import type { CdnSettings } from './settings.ts'

export interface Cradle extends ModuleCradle {
  cdnSettings: CdnSettings
  purger: ReturnType<typeof purger>
}
