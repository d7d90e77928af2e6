import type { Finding } from './finding.ts'
import type { Probe } from './probe.ts'

export { Fault, type Finding, firstOf, joined, needed, orUndefined, Skipped, shown, unless } from './finding.ts'

/** One requirement. `plugins/modules/conformance/README.md` shows how to add one. */
export interface Check {
  /** Group and name, such as `http.head`. */
  readonly id: string
  /** Standard and section. */
  readonly clause: string
  readonly title: string
  /** A recommendation: a fault is a warning. */
  readonly should?: true
  /** Sends requests that a faulty service could obey; runs only with `--write`. */
  readonly writes?: true
  /** @throws Skipped if the service does not offer what is checked; Fault */
  run(probe: Probe): Promise<Finding>
}
