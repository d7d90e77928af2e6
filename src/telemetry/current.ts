import { AsyncLocalStorage } from 'node:async_hooks'

/** Attributes from code and contract, never from caller input. */
export type Attributes = Readonly<Record<string, string | number>>

export interface Traced {
  readonly traceparent?: string | undefined
}

export interface TraceSpan {
  readonly traceId: string
  /** Continues the span elsewhere (Trace Context, 3.2). */
  readonly traceparent: string
  /** False if the span is only propagated. */
  readonly isRecorded: boolean
  child(name: string, kind: 'internal' | 'client', attributes: Attributes): TraceSpan
  name(name: string, attributes: Attributes): void
  /** @param error reported by class or code, without its message */
  end(error?: unknown): void
}

export interface Tracing {
  /** Begins a span; its parent is `traceparent`, if valid. */
  begin(name: string, kind: 'server' | 'consumer', traceparent: unknown, attributes: Attributes): TraceSpan
  /** Sends remaining spans, within two seconds. */
  close(): Promise<void>
}

/** Request or job of the current work. Later work, such as of a keep-alive connection, does not belong to it. */
interface Activity {
  readonly id?: string
  readonly operation?: { readonly operationId: string }
  isOver: boolean
}

interface Current {
  readonly activity: Activity
  readonly span: TraceSpan | undefined
}

const storage = new AsyncLocalStorage<Current | undefined>()

/** Runs `work`, including its asynchronous parts, for an occasion and a span. */
export const within = <T>(activity: Activity, span: TraceSpan | undefined, work: () => T): T =>
  storage.run({ activity, span }, work)

/** Runs `work` outside of any occasion, because several share it. */
export const withoutContext = <T>(work: () => T): T => storage.run(undefined, work)

function current(): Current | undefined {
  const found = storage.getStore()
  return found?.activity.isOver === false ? found : undefined
}

export function logFields(): object {
  const { activity, span } = current() ?? {}
  return { requestId: activity?.id, operationId: activity?.operation?.operationId, traceId: span?.traceId }
}

export const currentTraceparent = (): string | undefined => current()?.span?.traceparent

/** Runs `work` in a child span if the current span is recorded. */
export function traced<T>(
  name: string,
  kind: 'internal' | 'client',
  describe: () => Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const found = current()
  if (found?.span?.isRecorded !== true) return work()
  const span = found.span.child(name, kind, describe())
  return ended(span, within(found.activity, span, work))
}

/** Runs a job in a span that continues the trace of its cause. */
export async function inJob<T>(
  tracing: Tracing | undefined,
  queue: string,
  traceparent: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work()
  const span = beginJob(tracing, queue, traceparent)
  const activity = { isOver: false }
  try {
    return await ended(span, within(activity, span, work))
  } finally {
    activity.isOver = true
  }
}

export const beginJob = (tracing: Tracing, queue: string, traceparent: string | undefined): TraceSpan =>
  tracing.begin(`process ${queue}`, 'consumer', traceparent, {
    'messaging.system': 'pg-boss',
    'messaging.destination.name': queue,
    'messaging.operation.type': 'process',
    'messaging.operation.name': 'process',
  })

async function ended<T>(span: TraceSpan, work: Promise<T>): Promise<T> {
  try {
    const result = await work
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}
