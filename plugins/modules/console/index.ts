import type { ModulePlugin } from '../../../src/plugin/index.ts'
import type { Cradle } from './cradle.ts'
import { ENTITIES } from './entities.ts'
import { greet } from './greet.ts'
import { settings } from './settings.ts'

export default {
  kind: 'module',
  name: 'console',
  settings,
  needsSettings: true,
  entities: ENTITIES,
  greet: (services: Cradle) => greet(services),
  retention: [
    { table: 'console_link', days: 1 },
    { table: 'console_session', days: 1 },
  ],
} satisfies ModulePlugin
