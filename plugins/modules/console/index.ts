import type { ModulePlugin } from '../../../src/plugin/index.ts'
import { follow } from './catalogue-rows.ts'
import { ENTITIES } from './entities.ts'
import { settings } from './settings.ts'

export default {
  kind: 'module',
  name: 'console',
  settings,
  needsSettings: true,
  entities: ENTITIES,
  onChange(tx, { subject, kind, ids }, { consoleSettings }: { readonly consoleSettings?: object }) {
    if (consoleSettings !== undefined && subject === 'passport' && kind !== 'deleted') follow(tx, ids)
  },
  retention: [
    { table: 'console_entry', days: 7 },
    { table: 'console_link', days: 1 },
    { table: 'console_session', days: 1 },
  ],
} satisfies ModulePlugin
