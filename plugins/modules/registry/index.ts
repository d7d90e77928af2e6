import type { ModulePlugin } from '../../../src/plugin/index.ts'
import type { Cradle } from './cradle.ts'
import { Registration } from './entities.ts'
import { registration } from './passport-part.ts'
import { REGISTRATIONS } from './registration-job.ts'
import { settings } from './settings.ts'

export default {
  kind: 'module',
  name: 'registry',
  settings,
  queues: [
    {
      name: REGISTRATIONS,
      worker: 'registrations',
      // The last registration of a subject must be the newest.
      isGrouped: true,
      // 20 attempts in half a day; duplicates are harmless.
      options: {
        expireInSeconds: 600,
        retryLimit: 19,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 3600,
        deleteAfterSeconds: 3600,
      },
    },
  ],
  entities: [Registration],
  notificationTypes: { 'registration.failed': 'passport:read' },
  passportParts: { registration },
  onChange: (tx, change, { registrations }: Cradle) => registrations.follow(tx, change),
} satisfies ModulePlugin
