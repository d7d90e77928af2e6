import type { ModulePlugin } from '../../../src/plugin/index.ts'
import { follow } from './catalogue-rows.ts'
import type { Cradle } from './cradle.ts'
import { ENTITIES } from './entities.ts'
import { greet } from './greet.ts'
import { settings } from './settings.ts'
import { recordReason } from './status-reason.ts'

export default {
  kind: 'module',
  name: 'console',
  settings,
  needsSettings: true,
  entities: ENTITIES,
  onChange(tx, { subject, kind, ids }, { consoleSettings }: Cradle) {
    if (consoleSettings === undefined || subject !== 'passport' || kind === 'deleted') return
    follow(tx, ids)
    recordReason(tx, ids)
  },
  greet: (services: Cradle) => greet(services),
  retention: [
    { table: 'console_entry', days: 7 },
    { table: 'console_link', days: 1 },
    { table: 'console_session', days: 1 },
  ],
} satisfies ModulePlugin
