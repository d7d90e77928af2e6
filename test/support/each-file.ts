// Loaded before any test: once, a worker had a `tls` without `createSecureContext` in every file. Loading it halfway
// during a test is the suspected cause.
import 'node:tls'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { beginNumbers } from './numbers.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Share of time in which the thread of a file had the processor while it could run. */
    share?: number
  }
}

// Linux: nanoseconds on a processor, and nanoseconds of waiting for one.
const SCHEDULED = '/proc/thread-self/schedstat'
const scheduled = () => (existsSync(SCHEDULED) ? readFileSync(SCHEDULED, 'utf8').split(' ').map(Number) : [1, 0])

// Files of a worker share its modules.
beginNumbers()

const [ranBefore = 0, waitedBefore = 0] = scheduled()
// biome-ignore lint/correctness/noEmptyPattern: the library reads fixtures from the first parameter.
afterAll(({}, file) => {
  const [ran = 0, waited = 0] = scheduled()
  const [own, others] = [ran - ranBefore, waited - waitedBefore]
  file.meta.share = own + others > 0 ? own / (own + others) : 1
})
