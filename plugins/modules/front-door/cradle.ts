import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type frontDoor from './services/front-door.ts'

export interface Cradle extends ModuleCradle {
  frontDoor: ReturnType<typeof frontDoor>
}
