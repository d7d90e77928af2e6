import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type notifications from './services/notifications.ts'

export interface Cradle extends ModuleCradle {
  notifications: ReturnType<typeof notifications>
}
