import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './root.ts'

// What was compiled is kept for the next start, within the package: a folder that others may write would be a way in. Where
// it cannot be written, nothing is kept.
enableCompileCache(join(ROOT, 'node_modules/.cache/compiled'))
await import('./start.ts')
flushCompileCache()
