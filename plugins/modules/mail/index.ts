import type { ModulePlugin } from '../../../src/plugin/index.ts'
import type { Cradle } from './cradle.ts'
import { MailCount } from './entities.ts'
import { rewrapMails } from './rewrap.ts'
import { settings } from './settings.ts'

export default {
  kind: 'module',
  name: 'mail',
  settings,
  queues: [
    {
      name: 'mail',
      worker: 'mails',
      // 13 attempts in a day; encrypted content is deleted after sending.
      options: {
        expireInSeconds: 600,
        retryLimit: 12,
        retryDelay: 30,
        retryBackoff: true,
        retryDelayMax: 6 * 3600,
        retentionSeconds: 7 * 86_400,
        deleteAfterSeconds: 60,
      },
    },
  ],
  entities: [MailCount],
  notificationTypes: { 'mail.failed': 'grant:read' },
  onAccessRequest: (tx, event, { mails }: Cradle) => mails.plan(tx, event),
  letters: {
    isOn: ({ mails }: Cradle) => mails.isOn,
    send: (tx, letter, { mails }: Cradle) => mails.planLetter(tx, letter),
  },
  mailsDecisions: ({ mails }: Cradle) => mails.isOn,
  rewrap: rewrapMails,
} satisfies ModulePlugin
