import { AsyncLocalStorage } from 'node:async_hooks'

/** Facts about a span: of our own code and the contract, and nothing that a caller says. */
export type Attributes = Readonly<Record<string, string | number>>

/** What is done later, and goes on with the trace of what has caused it, where traces are made. */
export interface Traced {
  readonly traceparent?: string | undefined
}

/** A span that is open. */
export interface TraceSpan {
  readonly traceId: string
  /** For whoever goes on with it elsewhere (Trace Context, 3.2). */
  readonly traceparent: string
  /** Whether it will be sent; one that will not is only passed on. */
  readonly isRecorded: boolean
  child(name: string, kind: 'internal' | 'client', attributes: Attributes): TraceSpan
  name(name: string, attributes: Attributes): void
  /** @param error what it ended with; its class or code is told, and no message */
  end(error?: unknown): void
}

/** Where spans go. */
export interface Tracing {
  /** Begins a span that answers somebody else's, if `traceparent` is one. */
  begin(name: string, kind: 'server' | 'consumer', traceparent: unknown, attributes: Attributes): TraceSpan
  /** Sends what is left, and takes no more. Ends within two seconds. */
  close(): Promise<void>
}

/** For whom something is done. What goes on after its end, such as a connection that is kept, is no longer for it. */
interface Occasion {
  /** Of a request. */
  readonly id?: string
  readonly operation?: { readonly operationId: string }
  isOver: boolean
}

interface Current {
  readonly occasion: Occasion
  readonly span: TraceSpan | undefined
}

const storage = new AsyncLocalStorage<Current | undefined>()

/** Does `work`, and all that follows from it, on this occasion and within this span. */
export const within = <T>(occasion: Occasion, span: TraceSpan | undefined, work: () => T): T =>
  storage.run({ occasion, span }, work)

/** Does `work` on no occasion: what several have asked for is of none of them. */
export const forNobody = <T>(work: () => T): T => storage.run(undefined, work)

/** For what is done later, and is still of this occasion. */
export const thisOccasion = (): (<T>(work: () => T) => T) => AsyncLocalStorage.snapshot()

function current(): Current | undefined {
  const found = storage.getStore()
  return found?.occasion.isOver === false ? found : undefined
}

/** What joins a line of the log with the request that it is about, and with its trace. */
export function logFields(): object {
  const { occasion, span } = current() ?? {}
  return { requestId: occasion?.id, operationId: occasion?.operation?.operationId, traceId: span?.traceId }
}

/** Where in a trace we are, for whoever goes on with it; undefined where there is none. */
export const currentTraceparent = (): string | undefined => current()?.span?.traceparent

/** Does `work` in a span of its own, where it belongs to one that is recorded; otherwise it costs one look. */
export function traced<T>(
  name: string,
  kind: 'internal' | 'client',
  describe: () => Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const found = current()
  if (found?.span?.isRecorded !== true) return work()
  const span = found.span.child(name, kind, describe())
  return ended(span, within(found.occasion, span, work))
}

/** Does a job in a span that goes on with the trace of what has caused it. */
export async function inJob<T>(
  tracing: Tracing | undefined,
  queue: string,
  traceparent: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work()
  const span = beginJob(tracing, queue, traceparent)
  const occasion = { isOver: false }
  try {
    return await ended(span, within(occasion, span, work))
  } finally {
    occasion.isOver = true
  }
}

/** A span of a job, for whoever does several in one go. */
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
