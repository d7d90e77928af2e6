import type { ModulePlugin } from '../../../src/plugin/index.ts'
import type { Cradle } from './cradle.ts'
import { PURGES } from './services/purger.ts'
import { settings } from './settings.ts'

export default {
  kind: 'module',
  name: 'cdn',
  settings,
  queues: [
    {
      name: PURGES,
      worker: 'purger',
      // For a day: what a shared cache keeps longer must not outlive an outage of its interface.
      options: {
        expireInSeconds: 60,
        retryLimit: 100,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 900,
        deleteAfterSeconds: 60,
      },
    },
  ],
  onPublicChange: (tx, names, { purger }: Cradle) => purger.plan(tx, names),
} satisfies ModulePlugin
