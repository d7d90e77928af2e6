import type { ModulePlugin } from '../../../src/plugin/index.ts'
import { Import, ImportError, ImportPiece } from './entities.ts'

export default {
  kind: 'module',
  name: 'imports',
  queues: [
    {
      name: 'imports',
      table: 'import',
      worker: 'imports',
      options: { retryLimit: 9, retryDelay: 1, retryBackoff: true, retryDelayMax: 300, expireInSeconds: 4 * 3600 },
    },
  ],
  entities: [Import, ImportError, ImportPiece],
} satisfies ModulePlugin
