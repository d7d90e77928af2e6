import type { CaptureFinding } from './event.ts'

export interface SentEvent {
  readonly event: unknown
  /** Maps a pointer in the event to the input. */
  readonly pointer: (inEvent: string) => string
}

export interface Sent {
  readonly events: readonly SentEvent[]
  readonly context: unknown
  /** Outside the events. */
  readonly findings: readonly CaptureFinding[]
}
