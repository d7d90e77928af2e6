import type { ModulePlugin } from '../../../src/plugin/index.ts'
import type { ModuleCradle } from '../../../src/plugin/module.ts'
import { BATTERY_GTIN } from './gtins.ts'

export default {
  kind: 'module',
  name: 'demo',
  demoWorkspace: {
    gtin: BATTERY_GTIN,
    startTimestamps: async (dataDir) => (await import('./timestamps.ts')).startDemoTimestamps(dataDir),
    prepare: async (services: ModuleCradle, report) => (await import('./demo.ts')).prepareDemo(services, report),
  },
} satisfies ModulePlugin
