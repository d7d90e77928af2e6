import { beginNumbers } from './numbers.ts'

// Files share the modules of their worker, which are loaded once for all of them.
beginNumbers()
