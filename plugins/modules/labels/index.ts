import type { ModulePlugin } from '../../../src/plugin/index.ts'
import { LabelJob, LabelPiece } from './entities.ts'

export default {
  kind: 'module',
  name: 'labels',
  queues: [{ name: 'labels', table: 'label_job', worker: 'labels' }],
  entities: [LabelJob, LabelPiece],
} satisfies ModulePlugin
