import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs, promisify } from 'node:util'
import { ROOT, VERSION } from '../src/root.ts'
import { type Bench, type Case, openBench, type PairedCase } from './bench.ts'
import aas from './cases/aas.ts'
import access from './cases/access.ts'
import catalogue from './cases/catalogue.ts'
import create from './cases/create.ts'
import credentials from './cases/credentials.ts'
import hostile from './cases/hostile.ts'
import list from './cases/list.ts'
import resolve from './cases/resolve.ts'
import seal from './cases/seal.ts'
import start from './cases/start.ts'
import uncached from './cases/uncached.ts'
import { makeData } from './data.ts'
import goals from './goals.json' with { type: 'json' }
import { type Measuring, measure, type PairResult, type Ratios } from './pair.ts'
import { openBenchDatabase } from './pg.ts'
import { Load } from './processes.ts'

const CASES: readonly Case[] = [
  ...resolve,
  ...uncached,
  ...credentials,
  ...list,
  ...hostile,
  ...create,
  ...seal,
  ...start,
  ...aas,
  ...access,
  ...catalogue,
]

const USAGE = `Usage: npm run bench [-- NAME ...] [--quick | --full] [--json FILE] [--profile FOLDER]

Every figure is a ratio to a baseline that runs on the same machine in the same minute. NAME is a case or its beginning:
  ${CASES.map(({ name }) => name).join('  ')}

--quick     3 rounds (under three minutes in all); --full has 9, the default 5
--json      writes what was measured to FILE
--profile   writes CPU profiles of the gateway to FOLDER; the figures are then worth less
DATABASE_URL may name an empty database to use. Without it, PostgreSQL runs in a temporary folder.`

interface Goal {
  readonly goal?: number
  readonly floor?: number
  /** For figures without a baseline. */
  readonly atMost?: number
  /** Most that our server may grow while it is measured, in MB. */
  readonly memoryGrowth?: number
}

type Verdict = 'goal met' | 'below goal' | 'BELOW FLOOR' | 'noisy' | 'above goal' | ''

interface PairedOutcome extends PairResult {
  readonly case: string
  readonly ours: string
  readonly against: string
  readonly goal?: number
  readonly floor?: number
  readonly equalWork: true
  readonly verdict: Verdict
}

interface AbsoluteOutcome {
  readonly case: string
  readonly value: number
  readonly unit: string
  readonly atMost?: number
  readonly verdict: Verdict
}

interface FailedOutcome {
  readonly case: string
  readonly error: string
}

type Outcome = PairedOutcome | AbsoluteOutcome | FailedOutcome

const say = (message: string) => console.error(message)
/** What to close, whatever happens, last opened first. */
const closing: (() => Promise<void>)[] = []

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      full: { type: 'boolean' },
      json: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const chosen = CASES.filter(({ name }) => positionals.length === 0 || positionals.some((p) => name.startsWith(p)))
  if (values.help || chosen.length === 0) {
    console.log(USAGE)
    return values.help ? 0 : 1
  }
  const measuring: Measuring = { rounds: values.quick ? 3 : values.full ? 9 : 5, seconds: 1, connections: 16 }
  stopAfter(values.quick ? 6 : 30)

  const database = await openBenchDatabase()
  closing.push(() => database.close())
  const header = {
    version: VERSION,
    commit: await commit(),
    node: process.version,
    postgres: database.version,
    cores: availableParallelism(),
    loadBefore: round(loadavg()[0]),
    ...measuring,
  }
  say(
    `dpp-gateway ${header.version} (${header.commit}), Node ${header.node}, PostgreSQL ${header.postgres}, ` +
      `${header.cores} cores, load ${header.loadBefore}; ${header.rounds} rounds of ${header.seconds} s, ` +
      `${header.connections} connections on loopback, rate limits off`,
  )
  const data = await makeData(database, say)
  const load = new Load()
  closing.push(() => load.stop())

  const outcomes: Outcome[] = []
  for (const [index, candidate] of chosen.entries()) {
    say(`[${index + 1}/${chosen.length}] ${candidate.name}`)
    const bench = openBench({ database, data, load }, values.profile)
    const close = bench.close.bind(bench)
    closing.push(close)
    try {
      outcomes.push(...(await runCase(candidate, bench, measuring)))
    } catch (error) {
      outcomes.push({ case: candidate.name, error: (error as Error).message })
    } finally {
      await close()
      closing.splice(closing.indexOf(close), 1)
    }
    for (const outcome of outcomes.slice(-1)) say(`      ${lineOf(outcome)}`)
  }

  const report = { ...header, loadAfter: round(loadavg()[0]), outcomes }
  console.log(`\n${tableOf(outcomes)}\nLoad average ${report.loadBefore} before, ${report.loadAfter} after.`)
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
  return outcomes.every((outcome) => !('error' in outcome) && outcome.verdict !== 'BELOW FLOOR') ? 0 : 1
}

async function runCase(candidate: Case, bench: Bench, measuring: Measuring): Promise<Outcome[]> {
  if (!('figures' in candidate)) return [await runPaired(candidate, bench, measuring)]
  const measured = await candidate.run(bench)
  return candidate.figures.map(({ name, unit }, index) => {
    const { atMost } = goalOf(name)
    const value = round(measured[index])
    return { case: name, value, unit, atMost, verdict: atMost === undefined ? '' : verdictAtMost(value, atMost) }
  })
}

async function runPaired(candidate: PairedCase, bench: Bench, measuring: Measuring): Promise<PairedOutcome> {
  const pair = await candidate.prepare(bench)
  const limits = goalOf(candidate.name)
  let result = await measure(bench.load, pair, measuring)
  let verdict = verdictOf(result, limits)
  if (verdict === 'BELOW FLOOR') {
    say('      below its floor, once more')
    result = await measure(bench.load, pair, measuring)
    verdict = verdictOf(result, limits)
  }
  const { name, ours, against } = candidate
  return { case: name, ours, against, goal: limits.goal, floor: limits.floor, equalWork: true, verdict, ...result }
}

const goalOf = (name: string): Goal => (goals as Record<string, Goal>)[name] ?? {}

/** CPU is the steadier figure on a machine that others use too; the rate decides where CPU is not known. */
const deciding = ({ cpu, rate }: PairResult): Ratios => cpu ?? rate

function verdictOf(result: PairResult, { goal, floor, memoryGrowth }: Goal): Verdict {
  if (memoryGrowth !== undefined && (result.memoryGrowth ?? 0) > memoryGrowth) return 'BELOW FLOOR'
  const { median, noisy } = deciding(result)
  if (goal === undefined) return ''
  if (noisy) return 'noisy'
  if (floor !== undefined && median < floor) return 'BELOW FLOOR'
  return median < goal ? 'below goal' : 'goal met'
}

const verdictAtMost = (value: number, atMost: number): Verdict => (value <= atMost ? 'goal met' : 'above goal')

const COLUMNS = ['case', 'rate', 'CPU', 'CPU min to max', 'goal', 'floor', 'ours/s', 'baseline/s', 'memory', 'verdict']

function cellsOf(outcome: Outcome): string[] {
  if ('error' in outcome) return [outcome.case, `no figure: ${outcome.error}`]
  if ('value' in outcome) {
    const goal = outcome.atMost === undefined ? '' : `<= ${outcome.atMost}`
    return [outcome.case, `${outcome.value} ${outcome.unit}`, '', '', goal, '', '', '', '', outcome.verdict]
  }
  const { rate, cpu, perSecond, memoryGrowth } = outcome
  return [
    outcome.case,
    ratio(rate.median),
    ratio(cpu?.median),
    cpu === undefined ? '' : `${ratio(cpu.min)} to ${ratio(cpu.max)}`,
    ratio(outcome.goal),
    ratio(outcome.floor),
    perSecond.ours.toFixed(0),
    perSecond.baseline.toFixed(0),
    memoryGrowth === undefined ? '' : `${memoryGrowth < 0 ? '' : '+'}${memoryGrowth.toFixed(0)} MB`,
    outcome.verdict,
  ]
}

function lineOf(outcome: Outcome): string {
  const [, ...cells] = cellsOf(outcome)
  if ('error' in outcome) return cells.join('')
  return cells
    .map((cell, index) => (cell === '' ? '' : `${COLUMNS[index + 1]} ${cell}`))
    .filter((cell) => cell !== '')
    .join(', ')
}

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [COLUMNS, ...outcomes.map(cellsOf)]
  const widths = COLUMNS.map((_, column) =>
    Math.max(...rows.filter((row) => row.length === COLUMNS.length).map((row) => (row[column] as string).length)),
  )
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  const against = outcomes.flatMap((outcome) =>
    'against' in outcome ? [`${outcome.case}: ${outcome.ours}, against ${outcome.against}`] : [],
  )
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n\n${against.join('\n')}\n`
}

const ratio = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2))
const round = (value: number | undefined) => Math.round((value ?? Number.NaN) * 100) / 100

async function commit(): Promise<string> {
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: ROOT }).then(({ stdout }) => stdout.trim())
  try {
    const isChanged = (await git('status', '--porcelain', '--', 'src', 'plugins', 'migrations')) !== ''
    return `${await git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`
  } catch {
    return 'unknown commit'
  }
}

async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close().catch((error) => say(String(error)))
}

/** A run that hangs is ended, and leaves nothing behind. */
function stopAfter(minutes: number): void {
  const abort = (reason: string) => {
    say(reason)
    closeAll().finally(() => process.exit(2))
  }
  setTimeout(() => abort(`Not done after ${minutes} minutes.`), minutes * 60_000).unref()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort(signal))
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await closeAll()
}
