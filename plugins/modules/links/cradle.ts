import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type handovers from './services/handovers.ts'
import type links from './services/links.ts'

export interface Cradle extends ModuleCradle {
  links: ReturnType<typeof links>
  handovers: ReturnType<typeof handovers>
}
