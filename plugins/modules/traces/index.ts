import type { ModulePlugin } from '../../../src/plugin/index.ts'
import { settings, type TraceSettings } from './settings.ts'

export default {
  kind: 'module',
  name: 'traces',
  settings,
  // OpenTelemetry is loaded only if it is used.
  openTracing: async (parsed: TraceSettings, services) => (await import('./traces.ts')).openTracing(parsed, services),
} satisfies ModulePlugin
