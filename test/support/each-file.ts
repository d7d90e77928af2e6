// Before any test: one worker once had a `tls` without `createSecureContext`, in every file that asked for it. Why is not known;
// that it was loaded halfway in the midst of a test is a guess.
import 'node:tls'
import { beginNumbers } from './numbers.ts'

// Files share the modules of their worker, which are loaded once for all of them.
beginNumbers()
