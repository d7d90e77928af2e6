// Starts the gateway. In JavaScript, because what strips types is not loaded then, as long as what it made is kept: nine
// megabytes, and a tenth of a second.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Cached within the package: a folder writable by others would permit code injection. If it is read-only, nothing is
// cached.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
// Else V8 may decide at the start that results of pg live long: then every row survives until a major collection.
setFlagsFromString('--no-allocation-site-pretenuring')
await import('./start/start.ts')
flushCompileCache()
