import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import {
  ANYWHERE,
  type Attributes,
  Outgoing,
  type TraceSpan,
  type Tracing,
  type TracingServices,
} from '../../../src/plugin/module.ts'
import type { TraceSettings } from './settings.ts'
import { parseTraceparent, traceparentOf } from './trace-context.ts'

const MAX_WAITING = 2048
const SPANS_AT_ONCE = 512
const SENT_EVERY_MS = 1000
const SENT_WITHIN_MS = 2000
const MAX_ANSWER_BYTES = 64 * 1024

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const

/**
 * Sends traces by OTLP over HTTP as JSON. Non-blocking, except for two seconds at shutdown; rejected spans are lost and counted.
 */
export function openTracing(settings: TraceSettings, { log, counters, version }: TracingServices): Tracing {
  const exporter = new Exporter(settings, { log, counters })
  const waiting = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: SPANS_AT_ONCE,
    scheduledDelayMillis: SENT_EVERY_MS,
    exportTimeoutMillis: 2 * SENT_WITHIN_MS,
  })
  const provider = new TracerProvider({
    sampler: samplerOf(settings.sampler),
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.version': version,
        ...settings.attributes,
        'service.name': settings.serviceName,
      }),
    ),
    spanLimits: { attributeCountLimit: 32, attributeValueLengthLimit: 500 },
    spanProcessors: [waiting],
  })
  const tracer = provider.getTracer('dpp-gateway', version)
  return {
    begin: (name, kind, traceparent, attributes) => {
      const caller = parseTraceparent(traceparent)
      const parent =
        caller === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, {
              traceId: caller.traceId,
              spanId: caller.spanId,
              traceFlags: caller.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
              isRemote: true,
            })
      return new OpenSpan(tracer, tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent))
    },
    close: () =>
      provider
        .shutdown()
        .catch(() => {})
        .then(() => exporter.shutdown()),
  }
}

class OpenSpan implements TraceSpan {
  readonly traceId: string
  readonly traceparent: string
  readonly isRecorded: boolean
  readonly #tracer: Tracer
  readonly #span: Span

  constructor(tracer: Tracer, span: Span) {
    const { traceId, spanId, traceFlags } = span.spanContext()
    this.traceId = traceId
    this.isRecorded = (traceFlags & TraceFlags.SAMPLED) !== 0
    this.traceparent = traceparentOf({ traceId, spanId, isSampled: this.isRecorded })
    this.#tracer = tracer
    this.#span = span
  }

  child(name: string, kind: 'internal' | 'client', attributes: Attributes): TraceSpan {
    const parent = trace.setSpan(ROOT_CONTEXT, this.#span)
    return new OpenSpan(this.#tracer, this.#tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent))
  }

  name(name: string, attributes: Attributes): void {
    this.#span.updateName(name)
    this.#span.setAttributes({ ...attributes })
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR })
      this.#span.setAttribute('error.type', typeOf(error))
    }
    this.#span.end()
  }
}

/** Omits the message, which may contain caller data. */
function typeOf(error: unknown): string {
  if (typeof error === 'number') return String(error)
  const { code, name } = error as { code?: unknown; name?: unknown }
  const found = [code, name].find((word) => typeof word === 'string' && /^\w{1,64}$/.test(word))
  return found === undefined ? '_OTHER' : String(found)
}

function samplerOf({ name, ratio }: TraceSettings['sampler']): Sampler {
  const root = name.endsWith('always_off')
    ? new AlwaysOffSampler()
    : name.endsWith('always_on')
      ? new AlwaysOnSampler()
      : new TraceIdRatioBasedSampler(ratio)
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

class Exporter implements SpanExporter {
  readonly #outgoing = new Outgoing({ ...ANYWHERE, keepAlive: true })
  readonly #settings: TraceSettings
  readonly #log: TracingServices['log']
  readonly #spans: TracingServices['counters']['spans']
  #isAway = false

  constructor(settings: TraceSettings, { log, counters }: Omit<TracingServices, 'version'>) {
    this.#settings = settings
    this.#log = log
    this.#spans = counters.spans
  }

  export: SpanExporter['export'] = (spans, done) => {
    this.#send(JsonTraceSerializer.serializeRequest(spans)).then(
      () => {
        this.#spans.sent += spans.length
        if (this.#isAway) this.#log.info('exporting traces resumed')
        this.#isAway = false
        done({ code: 0 })
      },
      (error: Error) => {
        this.#spans.lost += spans.length
        // Logged once per outage.
        if (!this.#isAway) this.#log.warn({ reason: error.message }, 'traces lost: the collector does not accept them')
        this.#isAway = true
        done({ code: 1, error })
      },
    )
  }

  async #send(bytes: Uint8Array | undefined): Promise<void> {
    const { status } = await this.#outgoing.post({
      url: this.#settings.address,
      headers: { ...this.#settings.headers, 'Content-Type': 'application/json', 'User-Agent': 'dpp-gateway' },
      body: Uint8Array.from(bytes ?? []),
      withinMs: SENT_WITHIN_MS,
      maxBytes: MAX_ANSWER_BYTES,
    })
    if (status < 200 || status > 299) throw new Error(`The collector responded with ${status}.`)
  }

  async shutdown(): Promise<void> {
    this.#outgoing.close()
  }
}
