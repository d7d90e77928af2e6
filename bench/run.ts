import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { openWire, type Wire } from '../test/support/statements.ts'
import type { Bench, Case, PairedCase } from './bench.ts'
import aas from './cases/aas.ts'
import access from './cases/access.ts'
import bulk from './cases/bulk.ts'
import catalogue from './cases/catalogue.ts'
import create from './cases/create.ts'
import credentials from './cases/credentials.ts'
import en18222 from './cases/en18222.ts'
import hostile from './cases/hostile.ts'
import imports from './cases/import.ts'
import list from './cases/list.ts'
import metrics from './cases/metrics.ts'
import ownerGet from './cases/owner-get.ts'
import pages from './cases/pages.ts'
import resolve from './cases/resolve.ts'
import seal from './cases/seal.ts'
import start from './cases/start.ts'
import trace from './cases/trace.ts'
import uncached from './cases/uncached.ts'
import units from './cases/units.ts'
import validate from './cases/validate.ts'
import verify from './cases/verify.ts'
import webhooks from './cases/webhooks.ts'
import whoami from './cases/whoami.ts'
import workers from './cases/workers.ts'
import { closeServices, makeData } from './data.ts'
import { bounded, type OnEnd } from './ending.ts'
import { headerOf, headline, loadAverage } from './header.ts'
import {
  goalsOf,
  lineOf,
  type Outcome,
  type PairedOutcome,
  tableOf,
  verdictBelow,
  verdictOf,
  withRoundTrips,
} from './outcome.ts'
import { type Measuring, measure } from './pair.ts'
import { openBenchDatabase } from './pg.ts'
import { Load } from './processes.ts'
import { roundTripsOf } from './round-trips.ts'
import { Servers } from './servers.ts'

const CASES: readonly Case[] = [
  ...resolve,
  ...metrics,
  ...uncached,
  ...credentials,
  ...whoami,
  ...ownerGet,
  ...pages,
  ...imports,
  ...list,
  ...validate,
  ...hostile,
  ...verify,
  ...create,
  ...seal,
  ...start,
  ...aas,
  ...en18222,
  ...access,
  ...bulk,
  ...units,
  ...trace,
  ...catalogue,
  ...webhooks,
  ...workers,
]

const USAGE = `Usage: npm run bench [-- NAME ...] [--quick | --full] [--json FILE] [--profile FOLDER]

Every figure is a ratio to a baseline that runs on the same machine in the same minute, with the round trips of one request
to the database. NAME is a case or the beginning of its name:
  ${CASES.map(({ name }) => name).join('  ')}

--quick     check in about a minute that every case runs and that both sides do equal work: a few requests, little data,
            meaningless figures. Fails only on errors
--full      9 rounds per case (default: 5). Both fail on errors and below floors
--json      write the results to FILE
--profile   write CPU profiles of the gateway to FOLDER; makes the figures less exact
DATABASE_URL may name an empty database. Without it, PostgreSQL runs in a temporary folder.
An hour of mixed load: npm run soak -- --help`

const say = (message: string) => console.error(message)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    json: { type: 'string' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
/** The first slice fills the gateway's caches; V8 compiles hot code within some ten thousand responses. */
const WARM_UPS = 3
const QUICK_CONNECTIONS = 4
const isQuick = values.quick
const measuring: Measuring = isQuick
  ? { rounds: 1, warmUps: 0, seconds: 0, connections: QUICK_CONNECTIONS, untilQuietMs: 0 }
  : { rounds: values.full ? 9 : 5, warmUps: WARM_UPS, seconds: 1, connections: 16, untilQuietMs: 5000 }
const chosen = CASES.filter(({ name }) => positionals.length === 0 || positionals.some((p) => name.startsWith(p)))

if (values.help || chosen.length === 0) {
  console.log(USAGE)
  process.exitCode = values.help ? 0 : 1
} else {
  await bounded(isQuick ? 5 : 45, main)
}

async function main(onEnd: OnEnd): Promise<number> {
  const opening = openBenchDatabase({ isPrepared: isQuick })
  onEnd(() => opening.then((opened) => opened.close()))
  const database = await opening
  const header = { ...(await headerOf(database)), ...measuring }
  say(
    `${headline(header)}; ${header.rounds} rounds of ${header.seconds} s, ` +
      `${header.connections} connections on loopback, rate limits off`,
  )
  onEnd(closeServices)
  const load = new Load()
  onEnd(() => load.stop())

  const flags = values.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', values.profile]
  const servers = new Servers(database.url, { flags, areShared: isQuick })
  onEnd(() => servers.stop())
  // Both sizes together fill a list page of 100.
  const data = await makeData(database, await servers.startGateway(), { count: isQuick ? 50 : 500, say })
  await servers.stopCase()
  const bench: Bench = {
    database,
    data,
    load,
    isQuick,
    restMs: isQuick ? 0 : 2000,
    startGateway: (env) => servers.startGateway(env),
    startLimit: (name, options) => servers.startLimit(name, options),
  }

  const wire = await openWire(database.url)
  onEnd(() => wire.close())

  const outcomes: Outcome[] = []
  for (const [index, candidate] of chosen.entries()) {
    say(`[${index + 1}/${chosen.length}] ${candidate.name}`)
    const found = await runCase(candidate, bench, wire).catch((error: Error) => [
      { case: candidate.name, error: error.message },
    ])
    await servers.stopCase()
    outcomes.push(...found)
    for (const outcome of found) say(`      ${lineOf(outcome)}`)
  }

  const report = { ...header, loadAfter: loadAverage(), outcomes }
  console.log(`\n${tableOf(outcomes)}\nLoad average ${report.loadBefore} before, ${report.loadAfter} after.`)
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
  return outcomes.some((outcome) => 'error' in outcome || outcome.verdict === 'BELOW FLOOR') ? 1 : 0
}

async function runCase(candidate: Case, bench: Bench, wire: Wire): Promise<Outcome[]> {
  if (!('figures' in candidate)) return [await runPaired(candidate, bench, wire)]
  const measured = await candidate.run(bench)
  return candidate.figures.map(({ name, unit }, index) => {
    const goals = goalsOf(name)
    const value = Math.round((measured[index] ?? Number.NaN) * 100) / 100
    return { case: name, value, unit, goals, verdict: isQuick ? '' : verdictBelow(value, goals) }
  })
}

async function runPaired(candidate: PairedCase, bench: Bench, wire: Wire): Promise<PairedOutcome> {
  const { name, ours, against, asksDatabase = false, connections = measuring.connections } = candidate
  const pair = await candidate.prepare(bench)
  const goals = goalsOf(name)
  const take = () =>
    measure(bench.load, pair, { ...measuring, connections: Math.min(connections, measuring.connections) })
  let result = await take()
  if (!isQuick && verdictOf(result, goals) === 'BELOW FLOOR') {
    say('      below the floor, repeating')
    result = await take()
  }
  const roundTrips = asksDatabase ? await roundTripsOf(bench, wire, pair.ours) : undefined
  const verdict = isQuick ? '' : withRoundTrips(verdictOf(result, goals), roundTrips, goals)
  return { case: name, ours, against, roundTrips, goals, equalWork: true, verdict, ...result }
}
