// Before any test: one worker once had a `tls` without `createSecureContext`, in every file that asked for it. Why is not known;
// that it was loaded halfway in the midst of a test is a guess.
import 'node:tls'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { beginNumbers } from './numbers.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Part of its time in which the thread of a file had the processor, of the time in which it could have used it. */
    share?: number
  }
}

// Linux: nanoseconds on a processor, and nanoseconds that were waited for one.
const SCHEDULED = '/proc/thread-self/schedstat'
const scheduled = () => (existsSync(SCHEDULED) ? readFileSync(SCHEDULED, 'utf8').split(' ').map(Number) : [1, 0])

// Files share the modules of their worker, which are loaded once for all of them.
beginNumbers()

const [ranBefore = 0, waitedBefore = 0] = scheduled()
// biome-ignore lint/correctness/noEmptyPattern: the library reads fixtures from the first parameter.
afterAll(({}, file) => {
  const [ran = 0, waited = 0] = scheduled()
  const [own, others] = [ran - ranBefore, waited - waitedBefore]
  file.meta.share = own + others > 0 ? own / (own + others) : 1
})
