import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type mailer from './services/mailer.ts'
import type mails from './services/mails.ts'
import type { MailSettings } from './settings.ts'

export interface Cradle extends ModuleCradle {
  mailSettings: MailSettings | undefined
  mailer: ReturnType<typeof mailer>
  mails: ReturnType<typeof mails>
}
