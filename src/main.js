// Starts the gateway. In JavaScript, because what strips types is not loaded then, as long as what it made is kept: nine
// megabytes, and a tenth of a second.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// What was compiled is kept for the next start, within the package: a folder that others may write would be a way in. Where
// it cannot be written, nothing is kept.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
await import('./start.ts')
flushCompileCache()
