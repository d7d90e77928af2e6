import type { CaptureFinding } from './event.ts'

/** One event of what was sent. */
export interface SentEvent {
  readonly event: unknown
  /** Where a part of it stands in what was sent. */
  readonly pointer: (inEvent: string) => string
}

/** What was sent, taken apart. */
export interface Sent {
  readonly events: readonly SentEvent[]
  /** `@context` around the events. */
  readonly context: unknown
  /** What is wrong with what is around them. */
  readonly findings: readonly CaptureFinding[]
}
