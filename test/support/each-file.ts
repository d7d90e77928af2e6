// Whole, before any test: loaded for the first time in the midst of one it was once left half done for every file after it.
import 'node:tls'
import { beginNumbers } from './numbers.ts'

// Files share the modules of their worker, which are loaded once for all of them.
beginNumbers()
