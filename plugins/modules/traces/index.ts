import type { ModulePlugin } from '../../../src/plugin/index.ts'

export default {
  kind: 'module',
  name: 'traces',
  settings: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
  // OpenTelemetry is loaded only if it is used.
  openTracing: async (config, services) => (await import('./traces.ts')).openTracing(config, services),
} satisfies ModulePlugin
