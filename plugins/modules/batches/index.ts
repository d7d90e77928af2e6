import type { ModulePlugin } from '../../../src/plugin/index.ts'
import { BatchRendition, ProductBatch } from './entities.ts'

export default {
  kind: 'module',
  name: 'batches',
  levels: [{ name: 'batch', table: 'product_batch', ai: '10', column: 'batch_number', records: 'batchRecords' }],
  entities: [ProductBatch, BatchRendition],
} satisfies ModulePlugin
