import type { ModulePlugin } from '../../../src/plugin/index.ts'
import type { Cradle } from './cradle.ts'
import { CaptureJob, CapturePiece, TraceEvent, TraceItem } from './entities.ts'

export default {
  kind: 'module',
  name: 'traceability',
  queues: [
    {
      name: 'captures',
      table: 'capture_job',
      worker: 'captures',
      // Documents are bounded before acceptance, so they rarely cause crashes.
      maxDeaths: 5,
      // Accepted documents are retried for a quarter of an hour.
      options: { retryLimit: 20, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 },
    },
  ],
  demo: async (services: Cradle, content) => (await import('./demo.ts')).default(services, content),
  entities: [CaptureJob, CapturePiece, TraceEvent, TraceItem],
} satisfies ModulePlugin
