import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { BUCKETS, type Counters } from './counters.ts'

interface Sources {
  readonly counters: Counters
  readonly publicCache: { statistics(): { isOn: boolean; entries: number; bytes: number; evictions: number } }
  readonly database: {
    connections(): Readonly<Record<'app' | 'lookup', { open: number; busy: number; waiting: number }>>
  }
  readonly build: { readonly version: string; readonly commit: string }
  readonly signer: string
  queues(): Promise<
    readonly { queue: string; ready: number; deferred: number; active: number; failed: number; due: number }[]
  >
}

const QUEUES_CACHED_MS = 5000
const QUEUES_WITHIN_MS = 1000

/** Renders metrics for Prometheus. Loaded only if metrics are configured. */
export function createExposition(sources: Sources): { readonly contentType: string; render(): Promise<string> } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Unstable names, and some are not counters.
  for (const kind of ['resources', 'handles', 'requests']) {
    registry.removeSingleMetric(`nodejs_active_${kind}`)
    registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  }
  const instruments = instrumentsOf(registry)
  instruments.given(
    Gauge,
    'dpp_build_info',
    'Version and commit of the process; always 1.',
    ['version', 'commit'],
    () => [[{ ...sources.build }, 1]],
  )
  registry.registerMetric(requestsOf(sources.counters))
  addPublicLane(instruments, sources)
  addDatabase(instruments, sources)
  addResults(instruments, sources)
  const setQueues = addQueues(registry)
  const state = cached(sources.queues)
  return {
    contentType: registry.contentType,
    async render() {
      setQueues(await state())
      return registry.metrics()
    },
  }
}

/** Metrics that are read when rendered. */
function instrumentsOf(registry: Registry) {
  const registers = [registry]
  const given = <Label extends string>(
    kind: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    labelNames: readonly Label[],
    samples: () => Iterable<readonly [labels: Record<Label, string>, value: number]>,
  ) =>
    new kind({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset()
        for (const [labels, value] of samples()) this.inc(labels, value)
      },
    })
  const results = <Result extends string>(name: string, help: string, counts: Readonly<Record<Result, number>>) =>
    given(Counter, name, help, ['result'], () =>
      Object.entries<number>(counts).map(([result, count]) => [{ result }, count] as const),
    )
  const one = (kind: typeof Counter | typeof Gauge, name: string, help: string, value: () => number) =>
    given(kind, name, help, [], () => [[{}, value()] as const])
  return { given, results, one }
}

type Instruments = ReturnType<typeof instrumentsOf>

function addPublicLane({ given, one }: Instruments, { counters: { lane }, publicCache }: Sources): void {
  given(
    Counter,
    'dpp_public_lane_requests_total',
    'Anonymous requests for a public document or link: served by the public lane from memory (hit), from the database (miss), or passed to the pipeline (left).',
    ['result'],
    () => (['hit', 'miss', 'left'] as const).map((result) => [{ result }, lane[result]] as const),
  )
  const notModified = 'Responses of the public lane with status 304.'
  one(Counter, 'dpp_public_lane_not_modified_total', notModified, () => lane.notModified)
  const cache = () => publicCache.statistics()
  one(Gauge, 'dpp_public_cache_entries', 'Public responses cached in memory.', () => cache().entries)
  one(Gauge, 'dpp_public_cache_bytes', 'Memory of cached public responses in bytes.', () => cache().bytes)
  const up = '1 while public responses may be cached: changes by other processes are received.'
  one(Gauge, 'dpp_public_cache_up', up, () => Number(cache().isOn))
  const evictions = 'Public responses evicted from memory for others.'
  one(Counter, 'dpp_public_cache_evictions_total', evictions, () => cache().evictions)
}

function addDatabase({ given }: Instruments, { database }: Sources): void {
  given(
    Gauge,
    'dpp_database_connections',
    'Connections to the database by role: open and busy.',
    ['pool', 'state'],
    () =>
      Object.entries(database.connections()).flatMap(([pool, { open, busy }]) => [
        [{ pool, state: 'open' }, open] as const,
        [{ pool, state: 'busy' }, busy] as const,
      ]),
  )
  given(Gauge, 'dpp_database_waiting', 'Requests waiting for a connection, by role.', ['pool'], () =>
    Object.entries(database.connections()).map(([pool, { waiting }]) => [{ pool }, waiting] as const),
  )
}

function addResults({ given, results }: Instruments, { counters, signer }: Sources): void {
  results('dpp_seals_total', 'Seals of passports: made and failed.', counters.seals)
  given(Counter, 'dpp_signatures_total', 'Signatures by signer plugin: made and failed.', ['plugin', 'result'], () =>
    Object.entries(counters.signatures).map(([result, count]) => [{ plugin: signer, result }, count] as const),
  )
  results(
    'dpp_timestamps_total',
    'Timestamps of seals: granted, failed, or omitted while requests to the authority are paused.',
    counters.timestamps,
  )
  results(
    'dpp_webhook_attempts_total',
    'Attempts to deliver an event: accepted (taken), rejected by the response (refused), receiver unreachable, without a delivery left (nothing), or lost and retried.',
    counters.webhookAttempts,
  )
  results(
    'dpp_webhook_deliveries_total',
    'Finished deliveries: delivered or permanently failed.',
    counters.webhookDeliveries,
  )
  results(
    'dpp_audit_reads_total',
    'Audit entries of reads: written, or rejected by the database (refused).',
    counters.auditReads,
  )
  results('dpp_trace_spans_total', 'Spans: sent and lost.', counters.spans)
}

/** @returns sets the queues; undefined if the database did not respond */
function addQueues(registry: Registry): (queues: Awaited<ReturnType<Sources['queues']>> | undefined) => void {
  const registers = [registry]
  const jobs = new Gauge({
    name: 'dpp_queue_jobs',
    help: 'Jobs of all processes by queue: ready, deferred to a later time, active, or permanently failed and not yet deleted.',
    ...{ labelNames: ['queue', 'state'] as const, registers },
  })
  const due = new Gauge({
    name: 'dpp_queue_due_seconds',
    help: 'Seconds since the next job of a queue became due.',
    ...{ labelNames: ['queue'] as const, registers },
  })
  const up = new Gauge({
    name: 'dpp_database_up',
    help: '1 if the database returned the state of its queues.',
    registers,
  })
  return (queues) => {
    up.set(Number(queues !== undefined))
    jobs.reset()
    due.reset()
    for (const { queue, due: seconds, ...counts } of queues ?? []) {
      for (const [name, count] of Object.entries(counts)) jobs.set({ queue, state: name }, count)
      due.set({ queue }, seconds)
    }
  }
}

/** Caches a query, with a timeout; undefined without a result. */
function cached<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let pending: Promise<T | undefined> | undefined
  let requestedAt = Number.NEGATIVE_INFINITY
  let isOpen = false
  return () => {
    // An unresponsive database gets only one query.
    if (pending === undefined || (!isOpen && performance.now() - requestedAt > QUEUES_CACHED_MS)) {
      requestedAt = performance.now()
      isOpen = true
      pending = ask()
        .catch(() => undefined)
        .finally(() => {
          isOpen = false
        })
    }
    return Promise.race([pending, sleep(QUEUES_WITHIN_MS, undefined, { ref: false })])
  }
}

/** Builds the histogram from the counters: that of prom-client would cost time per request. */
function requestsOf(counters: Counters): Metric {
  const name = 'dpp_http_request_duration_seconds'
  const help =
    'Duration of requests by operation of the contract and status class; none if no operation responds or the caller disconnected before the response.'
  const values = function* () {
    for (const [operation, counter] of counters.requests()) {
      for (const { status, counts, seconds } of counter.classes()) {
        const labels = { operation, status }
        let all = 0
        for (const [place, count] of counts.entries()) {
          all += count
          yield { metricName: `${name}_bucket`, labels: { ...labels, le: BUCKETS[place] ?? '+Inf' }, value: all }
        }
        yield { metricName: `${name}_sum`, labels, value: seconds }
        yield { metricName: `${name}_count`, labels, value: all }
      }
    }
  }
  const metric = { name, get: async () => ({ name, help, type: 'histogram', values: [...values()] }) }
  return metric as unknown as Metric
}
