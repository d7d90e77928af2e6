import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ROOT } from '../../src/root.ts'
import { answersOf } from '../bench.ts'
import { makeData } from '../data.ts'
import { bounded, type OnEnd } from '../ending.ts'
import { headerOf, headline, loadAverage } from '../header.ts'
import { wireRequest } from '../http.ts'
import { goalsOf, verdictAtMost } from '../outcome.ts'
import { median } from '../pair.ts'
import { openBenchDatabase } from '../pg.ts'
import { startGatewayProcess } from '../processes.ts'
import { keepAsking } from './callers.ts'
import { mixedLoad } from './kinds.ts'
import { svgOf } from './plot.ts'
import { Recorder } from './recorder.ts'
import type { MemoryReport } from './report-memory.ts'

const USAGE = `Usage: npm run soak [-- --minutes N] [--svg FILE] [--json FILE]

One gateway, started as npm start does, answers a mixed load on loopback: public resolves, owner GETs, lists, creations,
seals, bulks, verifications, changes of status and wrong keys, each at its own rate. Its memory, the time to each answer
and the size of the database are recorded. An answer that is not the expected one fails the run, and so does memory beyond
its floor.

--minutes   how long; the default is 60
--svg       where the plot goes; the default is docs/soak.svg
--json      where the figures go; by default they are only printed
DATABASE_URL may name an empty database to use. Without it, PostgreSQL runs in a temporary folder.`

const PASSPORTS = 300
const SAMPLE_MS = 5000
/** Points of a line of the plot, at most. */
const MOST_POINTS = 120
/** With so many errors the rest of the time would say nothing. */
const MOST_ERRORS = 200

const MIB = 1024 * 1024
const say = (message: string) => console.error(message)

interface Sample {
  readonly minute: number
  readonly rss: number
  readonly heap: number
  readonly external: number
  readonly database: number
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    svg: { type: 'string', default: join(ROOT, 'docs/soak.svg') },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const minutes = Number(values.minutes)

if (values.help || !(minutes > 0)) {
  console.log(USAGE)
  process.exitCode = values.help ? 0 : 1
} else {
  await bounded(minutes + 10, main)
}

async function main(onEnd: OnEnd): Promise<number> {
  const opening = openBenchDatabase()
  onEnd(() => opening.then((opened) => opened.close()))
  const database = await opening
  const header = await headerOf(database)
  say(headline(header))
  const data = await makeData(database, { count: PASSPORTS, say })
  let memory: MemoryReport = { rss: 0, heapUsed: 0, external: 0 }
  const starting = startGatewayProcess(database.url, {
    flags: ['--import', join(import.meta.dirname, 'report-memory.ts')],
    onMessage: (message) => {
      memory = message as MemoryReport
    },
  })
  onEnd(() => starting.then((gateway) => gateway.stop()))
  const gateway = await starting
  const owned = data.passports['6k'].map((id) =>
    wireRequest('GET', `/passport/${id}`, { Authorization: data.authorization, Accept: 'application/ld+json' }),
  )
  const documents = (await answersOf(gateway, owned, 200)).map(({ body }) => JSON.parse(String(body)))
  const kinds = mixedLoad(data, documents)
  const recorder = new Recorder(kinds)
  const samples: Sample[] = []
  const start = performance.now()
  const minute = () => (performance.now() - start) / 60_000
  let isStopped = false
  onEnd(async () => {
    isStopped = true
  })
  const isOver = () => isStopped || minute() >= minutes || recorder.errorCount > MOST_ERRORS

  const asking = keepAsking(gateway.port, kinds, recorder, isOver)
  for (let next = SAMPLE_MS; !isOver(); next += SAMPLE_MS) {
    await sleep(
      Math.max(0, Math.min(next - (performance.now() - start), minutes * 60_000 - (performance.now() - start))),
    )
    const { rows } = await database.pool.query('select pg_database_size(current_database())::float8 as bytes')
    recorder.mark()
    samples.push({
      minute: round(minute()),
      rss: round(memory.rss / MIB),
      heap: round(memory.heapUsed / MIB),
      external: round(memory.external / MIB),
      database: round(rows[0].bytes / MIB),
    })
    if (samples.length % Math.max(1, Math.round(Math.min(60_000, minutes * 6000) / SAMPLE_MS)) === 0) say(progress())
  }
  await asking
  if (isStopped) return 2

  const lastTenth = samples.slice(-Math.ceil(samples.length / 10)).map(({ rss }) => rss)
  const middle = samples
    .slice(Math.floor(samples.length * 0.45), Math.ceil(samples.length * 0.55))
    .map(({ rss }) => rss)
  const goals = goalsOf('memory-after-soak')
  const value = median(lastTenth)
  const verdict = verdictAtMost(value, goals)
  const totals = kinds.map(({ name }) => ({ name, ...recorder.latency(name) }))
  const report = {
    ...header,
    loadAfter: loadAverage(),
    minutes: round(minute()),
    errors: recorder.errorCount,
    firstErrors: recorder.errors,
    memory: { atStart: samples[0]?.rss, inTheMiddle: median(middle), atTheEnd: value, ...goals, verdict },
    totals,
    samples,
  }
  const points = intervalsOf(samples.length)
  const svg = svgOf({
    title: `One gateway process under mixed load for ${report.minutes} minutes`,
    subtitle: `${headline(header)} to ${report.loadAfter}. Unexpected answers: ${report.errors}.`,
    minutes: report.minutes,
    memory: samples,
    database: samples.map(({ minute, database }) => ({ minute, size: database })),
    kinds: totals.map(({ name, ...total }) => ({
      name,
      total,
      intervals: points
        .map(([from, to]) => ({ minute: samples[to - 1]?.minute ?? 0, ...recorder.latency(name, from, to) }))
        .filter(({ count }) => count > 0),
    })),
  })
  await mkdir(dirname(resolve(values.svg)), { recursive: true })
  await writeFile(values.svg, svg)
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
  const { samples: _samples, ...shown } = report
  console.log(JSON.stringify(shown, null, 2))
  say(`The plot is in ${values.svg}.`)
  return report.errors === 0 && verdict !== 'BELOW FLOOR' ? 0 : 1

  function progress(): string {
    const last = samples.at(-1)
    const resolves = recorder.latency('public resolve', samples.length - 1, samples.length)
    return (
      `${last?.minute} of ${minutes} min: ${recorder.answerCount.toLocaleString('en')} answers, ${recorder.errorCount} errors, ` +
      `${last?.rss} MiB resident, ${last?.heap} MiB heap, database ${last?.database} MiB, resolve p99 ${resolves.p99} ms`
    )
  }
}

/** Samples in groups of equal size, each as the marks before and after it. */
function intervalsOf(count: number): (readonly [number, number])[] {
  const size = Math.ceil(count / MOST_POINTS)
  return Array.from({ length: Math.ceil(count / size) }, (_, index) => [
    index * size,
    Math.min(count, (index + 1) * size),
  ])
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
