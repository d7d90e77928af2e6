import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type batchRecords from './services/batch-records.ts'
import type batches from './services/batches.ts'

export interface Cradle extends ModuleCradle {
  batchRecords: ReturnType<typeof batchRecords>
  batches: ReturnType<typeof batches>
}
