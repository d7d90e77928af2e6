import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ROOT } from '../../src/root.ts'
import { answersOf } from '../bench.ts'
import { type BenchData, closeServices, makeData } from '../data.ts'
import { bounded, type OnEnd } from '../ending.ts'
import { headerOf, headline, loadAverage } from '../header.ts'
import { makeRequest } from '../http.ts'
import { goalsOf, verdictBelow } from '../outcome.ts'
import { median } from '../pair.ts'
import { type BenchDatabase, openBenchDatabase } from '../pg.ts'
import { type Server, startGatewayProcess } from '../processes.ts'
import { keepRequesting } from './callers.ts'
import { type JsonDocument, type Kind, mixedLoad } from './kinds.ts'
import { svgOf } from './plot.ts'
import { Recorder } from './recorder.ts'
import type { MemoryReport } from './report-memory.ts'

const USAGE = `Usage: npm run soak [-- --minutes N] [--svg FILE] [--json FILE]

One gateway, started as npm start does, receives a mixed load on loopback: public resolves, owner GETs, lists, creations,
seals, bulks, verifications, status changes and wrong keys, each at a fixed rate. Its memory, the response times and the
size of the database are recorded. Unexpected responses fail the run, as does memory above its floor. Prints a summary.

--minutes   duration (default: 60)
--svg       file of the plot (default: docs/reference/soak.svg)
--json      file of all samples
DATABASE_URL may name an empty database. Without it, PostgreSQL runs in a temporary folder.`

const PASSPORTS = 300
const SAMPLE_MS = 5000
const SAMPLES_BETWEEN_LINES = 12
/** Maximum of points per line of the plot. */
const MAX_POINTS = 120
/** The run ends early above this number. */
const MAX_ERRORS = 200
const MIB = 1024 * 1024

/** Sizes in MiB. */
interface Sample {
  readonly minute: number
  readonly rss: number
  readonly heap: number
  readonly external: number
  readonly database: number
}

/** Gateway that reports its memory. */
interface Watched {
  readonly gateway: Server
  memory(): MemoryReport
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    svg: { type: 'string', default: join(ROOT, 'docs/reference/soak.svg') },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const minutes = Number(values.minutes)

async function main(onEnd: OnEnd): Promise<number> {
  const opening = openBenchDatabase()
  onEnd(() => opening.then((opened) => opened.close()))
  const database = await opening
  const header = await headerOf(database)
  say(headline(header))
  const maker = await startGatewayProcess(database.url)
  const data = await makeData(database, maker, { count: PASSPORTS, say }).finally(() => maker.stop())
  await closeServices()
  const watched = await startWatched(database, onEnd)
  const kinds = mixedLoad(data, await ownDocuments(watched.gateway, data))
  const recorder = new Recorder(kinds)
  const samples = await soak(database, watched, kinds, recorder)

  const end = { ...header, loadAfter: loadAverage(), minutes: samples.at(-1)?.minute ?? 0 }
  const summary = { ...end, ...memoryOf(samples), ...answersTo(kinds, recorder) }
  await mkdir(dirname(resolve(values.svg)), { recursive: true })
  await writeFile(values.svg, plotOf(end, kinds, recorder, samples))
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ ...summary, samples }, null, 2)}\n`)
  console.log(JSON.stringify(summary, null, 2))
  say(`Plot: ${values.svg}`)
  return recorder.errorCount === 0 && summary.memory.verdict !== 'BELOW FLOOR' ? 0 : 1
}

async function startWatched({ url }: BenchDatabase, onEnd: OnEnd): Promise<Watched> {
  let memory: MemoryReport = { rss: 0, heapUsed: 0, external: 0 }
  const starting = startGatewayProcess(url, {
    flags: ['--import', join(import.meta.dirname, 'report-memory.ts')],
    onMessage: (message) => {
      memory = message as MemoryReport
    },
  })
  onEnd(() => starting.then((gateway) => gateway.stop()))
  return { gateway: await starting, memory: () => memory }
}

/** Reads the owner's documents, which contain every value. */
async function ownDocuments(gateway: Server, { passports, authorization }: BenchData): Promise<JsonDocument[]> {
  const headers = { Authorization: authorization, Accept: 'application/ld+json' }
  const requests = passports['6k'].map((id) => makeRequest('GET', `/passport/${id}`, headers))
  return (await answersOf(gateway, requests, 200)).map(({ body }) => JSON.parse(String(body)))
}

/** Runs the load and takes samples until the time is over. */
async function soak(
  { pool }: BenchDatabase,
  { gateway, memory }: Watched,
  kinds: readonly Kind[],
  recorder: Recorder,
): Promise<Sample[]> {
  const samples: Sample[] = []
  const start = performance.now()
  const passed = () => performance.now() - start
  const isOver = () => passed() >= minutes * 60_000 || recorder.errorCount > MAX_ERRORS
  const requesting = keepRequesting(gateway.port, kinds, recorder, isOver)
  for (let next = SAMPLE_MS; !isOver(); next += SAMPLE_MS) {
    await sleep(Math.max(0, Math.min(next, minutes * 60_000) - passed()))
    const { rows } = await pool.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')
    const { rss, heapUsed, external } = memory()
    recorder.mark()
    samples.push({
      minute: round(passed() / 60_000),
      rss: round(rss / MIB),
      heap: round(heapUsed / MIB),
      external: round(external / MIB),
      database: round((rows[0]?.bytes ?? 0) / MIB),
    })
    if (samples.length % SAMPLES_BETWEEN_LINES === 0) say(progress(samples, recorder))
  }
  await requesting
  return samples
}

function progress(samples: readonly Sample[], recorder: Recorder): string {
  const { minute, rss, heap, database } = samples.at(-1) as Sample
  const { p99 } = recorder.latency('public resolve', samples.length - SAMPLES_BETWEEN_LINES, samples.length)
  return (
    `${minute} of ${minutes} min: ${recorder.answerCount.toLocaleString('en')} responses, ${recorder.errorCount} errors, ` +
    `${rss} MiB resident, ${heap} MiB heap, database ${database} MiB, resolve p99 ${p99} ms`
  )
}

/** Medians of a tenth of the samples each, because single samples vary. */
function memoryOf(samples: readonly Sample[]) {
  const at = (share: number) => {
    const from = Math.floor(samples.length * share)
    return median(samples.slice(from, from + Math.ceil(samples.length / 10)).map(({ rss }) => rss))
  }
  const goals = goalsOf('memory-after-soak')
  const atTheEnd = at(0.9)
  const verdict = verdictBelow(atTheEnd, goals)
  return { memory: { atTheStart: at(0), inTheMiddle: at(0.45), atTheEnd, ...goals, verdict } }
}

const answersTo = (kinds: readonly Kind[], recorder: Recorder) => ({
  errors: recorder.errorCount,
  firstErrors: recorder.errors,
  answers: kinds.map(({ name, perSecond }) => ({ name, perSecond, ...recorder.latency(name) })),
})

function plotOf(
  end: Parameters<typeof headline>[0] & { readonly loadAfter: number; readonly minutes: number },
  kinds: readonly Kind[],
  recorder: Recorder,
  samples: readonly Sample[],
): string {
  const size = Math.ceil(samples.length / MAX_POINTS)
  const groups = Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => ({
    from: index * size,
    to: Math.min(samples.length, (index + 1) * size),
  }))
  return svgOf({
    title: `One gateway process under mixed load, ${end.minutes} min`,
    subtitle: `${headline(end)} to ${end.loadAfter}. Unexpected responses: ${recorder.errorCount}.`,
    minutes: end.minutes,
    memory: samples,
    database: samples.map(({ minute, database }) => ({ minute, size: database })),
    kinds: kinds.map(({ name }) => ({
      name,
      total: recorder.latency(name),
      intervals: groups
        .map(({ from, to }) => ({ minute: samples[to - 1]?.minute ?? 0, ...recorder.latency(name, from, to) }))
        .filter(({ count }) => count > 0),
    })),
  })
}

const say = (message: string) => console.error(message)

const round = (value: number) => Math.round(value * 100) / 100

if (values.help || !(minutes > 0)) {
  console.log(USAGE)
  process.exitCode = values.help ? 0 : 1
} else {
  await bounded(minutes + 10, main)
}
