import { writeSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Cradle } from '../../plugins/modules/verify-all/cradle.ts'
import { pgCtl } from '../../src/storage/embedded-postgres/cluster.ts'
import { openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'
import { prepare } from '../../src/storage/embedded-postgres/place.ts'
import { openProxy } from './faults.ts'
import { createWorkspace, MASTER_KEY, newGtin, startTestGateway, type TestGateway, textile } from './gateway.ts'
import { randomOf } from './numbers.ts'
import { preparedDataDir } from './prepared-cluster.ts'
import { freePort, type GatewayProcess, startProcess } from './process.ts'
import { webhookClient } from './webhook-client.ts'
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts'

// Two gateways on one PostgreSQL behind a proxy. Faults are injected while four clients write: no acknowledged write is
// lost or done twice, no receiver is notified of an unwritten change, and each is notified of every change at least
// once.

const WRITERS = 4
/** Limit for finishing and delivering pending work. */
const REST_MS = 120_000
const SILENCE_MS = 2500
/** Client timeout for a response. */
const MAX_WAIT_MS = 10_000
const AGAIN_MS = 50
/** Units per product, written by one request. */
const UNITS = 20
const EVENTS = 500

/** Kind of write. */
type Kind = 'passport' | 'seal' | 'unit' | 'unitEvent' | 'traceEvent'
type Acknowledged = Readonly<Record<Kind, Set<string>>>

export interface Outcome {
  readonly count: number
  readonly acknowledged: Readonly<Record<Kind, number>>
  /** Violations of the guarantees, as identifiers of the writes. */
  readonly faults: Readonly<Record<'lost' | 'twice' | 'ghosts' | 'unnotified' | 'broken', readonly string[]>>
  /** Longest time without an acknowledged write in milliseconds, by kind of fault. */
  readonly pauses: Readonly<Record<string, number>>
  /** Milliseconds until a process ended, by fault. */
  readonly shutdowns: Readonly<Record<string, number>>
}

interface Extent {
  readonly seconds: number
  readonly seed: number
  /** Pause of each client after the data of a product. */
  readonly restMs: number
}

/** Injects faults for this many seconds, and until each kind has occurred, in an order by the seed. */
export async function chaos({ seconds, seed, restMs }: Extent): Promise<Outcome> {
  const beginning = performance.now()
  const say = (text: string) =>
    writeSync(2, `chaos: ${Math.round((performance.now() - beginning) / 1000)} s: ${text}\n`)
  say(`${seconds} s, seed ${seed}`)
  const dataDir = await mkdtemp(join(tmpdir(), 'dpp-chaos-'))
  await chmod(dataDir, 0o711)
  await preparedDataDir(dataDir)
  const options = { dataDir, log: () => {} }
  const postgres = await openEmbeddedPostgres(options)
  const place = await prepare(dataDir, options)
  const receiver = await startReceiver()
  const proxy = await openProxy(postgres.url)
  const opened = () => startTestGateway({ DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' }, { clusterDir: dataDir })
  const running: GatewayProcess[] = []
  try {
    const before = await opened()
    const workspace = await createWorkspace(before)
    const { secret } = await webhookClient(before, workspace.as).given(receiver.url)
    receiver.verifyWith(secret)
    await before.close()

    const ports = [await freePort(), await freePort()]
    const start = async (index: number) => {
      const env = { DATABASE_URL: proxy.url, MASTER_KEY, PORT: String(ports[index]), LOG_LEVEL: 'silent' }
      const more = { BASE_URL: 'https://dpp.example.test', WEBHOOK_ALLOW_PRIVATE: 'on', RATE_LIMITS: 'off' }
      running[index] = await startProcess({ ...env, ...more })
      await running[index].printed('is ready')
    }
    await Promise.all(ports.map((_, index) => start(index)))

    const shutdowns: Record<string, number> = {}
    const ended = async (index: number, state: string) => {
      const began = performance.now()
      await running[index]?.end('SIGTERM')
      shutdowns[state] = Math.max(shutdowns[state] ?? 0, performance.now() - began)
    }
    const random = randomOf(seed)
    const one = () => Math.floor(random() * ports.length)
    const faults: Readonly<Record<string, () => Promise<unknown>>> = {
      'PostgreSQL restarted': () => pgCtl(place, ['restart', '-m', 'immediate', '-w', '-l', place.logFile]),
      'connections cut': async () => proxy.cut(),
      'database silent': async () => {
        proxy.silence()
        await pause(SILENCE_MS)
        proxy.cut()
      },
      'one gateway killed': async () => {
        const index = one()
        await running[index]?.end('SIGKILL')
        await start(index)
      },
      'one gateway ended': async () => {
        const index = one()
        await ended(index, 'under load')
        await start(index)
      },
      'one gateway ended while the database is silent': async () => {
        const index = one()
        proxy.silence()
        const ending = ended(index, 'database silent')
        await pause(SILENCE_MS)
        proxy.cut()
        await ending
        await start(index)
      },
      'one gateway frozen': async () => {
        const { process: frozen } = running[one()] as GatewayProcess
        frozen.kill('SIGSTOP')
        await pause(SILENCE_MS)
        frozen.kill('SIGCONT')
      },
    }
    const writing = writers(
      ports.map((port) => `http://localhost:${port}`),
      workspace.as,
      restMs,
    )
    say('begins')
    await writing.next()
    const pauses: Record<string, number> = {}
    const until = performance.now() + seconds * 1000
    let count = 0
    const kinds = Object.keys(faults)
    for (let waiting: string[] = []; count < kinds.length || performance.now() < until; count += 1) {
      // Each kind in random order, then repeated.
      if (waiting.length === 0) waiting = [...kinds]
      const [kind = ''] = waiting.splice(Math.floor(random() * waiting.length), 1)
      const began = performance.now()
      await faults[kind]?.()
      say(`${kind} is over`)
      // Each fault starts on working gateways.
      await writing.next()
      const longest = writing.longestPauseSince(began)
      pauses[kind] = Math.max(pauses[kind] ?? 0, longest)
      say(`${kind}: ${Math.round(longest)} ms without a write`)
    }
    const acknowledged = await writing.stop()
    say('stopped')
    const after = await opened()
    const faultsFound = await faultsIn(after, workspace.id, acknowledged, receiver)
    await after.close()
    say('judged')
    await Promise.all(running.map((_, index) => ended(index, 'at rest')))
    const counts = Object.fromEntries(Object.entries(acknowledged).map(([kind, { size }]) => [kind, size]))
    say(`${count} faults; ${JSON.stringify(counts)}; shutdowns ${JSON.stringify(shutdowns)}`)
    return { count, acknowledged: counts as Outcome['acknowledged'], faults: faultsFound, pauses, shutdowns }
  } finally {
    await Promise.all(running.map((each) => each.end('SIGKILL')))
    await receiver.close()
    await proxy.close()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** SQL of the stored writes, by kind. */
const STORED: Readonly<Record<Kind, string>> = {
  passport: 'select id::text as name from passport',
  seal: 'select passport_id::text as name from seal',
  unit: 'select serial_number as name from battery_unit',
  unitEvent: `select unit_id || ' ' || cycle_count as name from battery_unit_event`,
  traceEvent: `select event->'epcList'->>0 as name from trace_event`,
}
/** Kind of write by event type. */
const EVENT_KINDS: Readonly<Record<string, Kind>> = { 'passport.ingested': 'passport', 'passport.sealed': 'seal' }

async function faultsIn(
  gateway: TestGateway,
  workspaceId: string,
  acknowledged: Acknowledged,
  { received }: WebhookReceiver,
): Promise<Outcome['faults']> {
  const stored = async (kind: Kind) =>
    (await gateway.sqlAs<{ name: string }>(workspaceId, STORED[kind])).map(({ name }) => name)
  /** Passports of the events of a type; repeated deliveries count as one. */
  const eventsOf = (type: string) => [
    ...new Map(
      received.filter(({ body }) => body.type === type).map(({ id, body }) => [id, body.data.id as string]),
    ).values(),
  ]
  const missing = (expected: Iterable<string>, there: readonly string[]) => {
    const found = new Set(there)
    return [...expected].filter((name) => !found.has(name))
  }
  const unnotified = () =>
    Object.entries(EVENT_KINDS).flatMap(([type, kind]) => missing(acknowledged[kind], eventsOf(type)))
  const unstored = async () => missing(acknowledged.traceEvent, await stored('traceEvent'))
  // Background work needs its time.
  const polling = { timeout: REST_MS, interval: 200 }
  await expect
    .poll(unnotified, polling)
    .toEqual([])
    .catch(() => {})
  await expect
    .poll(unstored, polling)
    .toEqual([])
    .catch(() => {})

  const [lost, twice, ghosts]: [string[], string[], string[]] = [[], [], []]
  for (const kind of Object.keys(STORED) as Kind[]) {
    const names = await stored(kind)
    const named = (name: string) => `${kind} ${name}`
    lost.push(...missing(acknowledged[kind], names).map(named))
    // A passport is sealed again if the first response was lost.
    if (kind !== 'seal')
      twice.push(...[...countsOf(names)].filter(([, count]) => count > 1).map(([name]) => named(name)))
    // Clients retry until answered, so that every stored write was acknowledged.
    ghosts.push(...names.filter((name) => !acknowledged[kind].has(name)).map(named))
  }
  for (const [type, kind] of Object.entries(EVENT_KINDS)) {
    const [writes, events] = [countsOf(await stored(kind)), countsOf(eventsOf(type))]
    for (const [name, count] of events) if (count > (writes.get(name) ?? 0)) ghosts.push(`${type} ${name}`)
    for (const [name, count] of writes) if (count > (events.get(name) ?? 0)) lost.push(`${type} ${name}`)
  }
  // Repeated deliveries have one id.
  for (const [text, same] of Map.groupBy(received, ({ text }) => text)) {
    if (new Set(same.map(({ id }) => id)).size > 1) twice.push(text)
  }
  const broken: string[] = []
  for await (const { kind, id, why } of (gateway.container.cradle as unknown as Cradle).installationCheck.all()) {
    if (why !== undefined) broken.push(`${kind} ${id}: ${why}`)
  }
  return { lost, twice, ghosts, unnotified: unnotified(), broken }
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** Clients that write, each retrying on either gateway until it gets a result. */
function writers(origins: readonly string[], headers: Record<string, string>, restMs: number) {
  const acknowledged: Acknowledged = {
    passport: new Set(),
    seal: new Set(),
    unit: new Set(),
    unitEvent: new Set(),
    traceEvent: new Set(),
  }
  const times: number[] = []
  let isStopped = false
  let wake = () => {}

  const acknowledge = (kind: Kind, ...names: readonly string[]) => {
    for (const name of names) acknowledged[kind].add(name)
    times.push(performance.now())
  }

  /** Retries on the other gateway until the response has a final status. */
  async function insist(path: string, key: string, status: number, json?: object) {
    for (let attempt = Math.floor(times.length / 2); ; attempt += 1) {
      const answer = await fetch(`${origins[attempt % origins.length]}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(MAX_WAIT_MS),
      })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => undefined)
      const isPassing = answer === undefined || answer.status === 503 || answer.status === 409
      if (isPassing) await pause(AGAIN_MS)
      else if (answer.status !== status) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
      else return answer.text === '' ? undefined : JSON.parse(answer.text)
    }
  }

  const work = Array.from({ length: WRITERS }, async () => {
    while (!isStopped) {
      const productId = newGtin()
      const { passport } = await insist('/api/v1/passports', productId, 201, { productId, metadata: textile() })
      acknowledge('passport', passport.id)
      await insist(`/api/v1/passports/${passport.id}/seal`, passport.id, 200)
      acknowledge('seal', passport.id)
      const serials = Array.from({ length: UNITS }, (_, index) => `${productId}-${index}`)
      const { units } = await insist(`/api/v1/passports/${passport.id}/units`, `u${productId}`, 201, {
        units: serials.map((serialNumber) => ({ serialNumber })),
      })
      acknowledge('unit', ...serials)
      const events = Array.from({ length: EVENTS }, (_, cycleCount) => {
        return { unitId: units[cycleCount % UNITS].id as string, eventType: 'CHARGE_CYCLE', cycleCount }
      })
      await insist('/api/v1/units/events', `e${productId}`, 201, { events })
      acknowledge('unitEvent', ...events.map(({ unitId, cycleCount }) => `${unitId} ${cycleCount}`))
      const item = `https://example.com/items/${productId}`
      await insist('/api/v1/capture', `c${productId}`, 202, documentOf(item))
      acknowledge('traceEvent', item)
      wake()
      await pause(restMs)
    }
  })
  const whole = Promise.all(work)
  return {
    /** Resolves when any client has written all data of one product; fails if a write was rejected. */
    next: () => Promise.race([new Promise<void>((resolve) => (wake = resolve)), whole.then(() => {})]),
    longestPauseSince: (began: number) => {
      // Scans from the end: an hour has many entries.
      const first = times.findLastIndex((time) => time <= began) + 1
      const after = [began, ...times.slice(first)]
      return Math.max(...after.slice(1).map((time, index) => time - (after[index] ?? time)))
    },
    stop: async () => {
      isStopped = true
      await whole
      return acknowledged
    },
  }
}

const documentOf = (item: string) => ({
  '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-02-01T00:00:00Z',
  epcisBody: {
    eventList: [
      {
        type: 'ObjectEvent',
        action: 'ADD',
        eventTime: '2026-01-15T09:30:00.000Z',
        eventTimeZoneOffset: '+00:00',
        epcList: [item],
      },
    ],
  },
})
