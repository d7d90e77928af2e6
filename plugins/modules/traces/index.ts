import type { ModulePlugin } from '../../../src/plugin/index.ts'

export default {
  kind: 'module',
  name: 'traces',
  // OpenTelemetry is loaded only if it is used.
  openTracing: async (config, services) => (await import('./traces.ts')).openTracing(config, services),
} satisfies ModulePlugin
