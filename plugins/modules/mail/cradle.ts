import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type mailer from './services/mailer.ts'
import type mails from './services/mails.ts'

export interface Cradle extends ModuleCradle {
  mailer: ReturnType<typeof mailer>
  mails: ReturnType<typeof mails>
}
