import type { ModulePlugin } from '../../../src/plugin/index.ts'
import type { ModuleCradle } from '../../../src/plugin/module.ts'
import { refresh } from './refresh.ts'

export default {
  kind: 'module',
  name: 'refresh',
  schedules: [{ name: 'refresh-renditions', cron: '*/5 * * * *', run: (services: ModuleCradle) => refresh(services) }],
} satisfies ModulePlugin
