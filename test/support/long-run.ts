import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { AREAS } from '../mutation/areas.ts'
import { writePages } from './conformance.ts'
import { commitHere, recordRuns } from './long-runs.ts'

const USAGE = `Usage: npm run fuzz -- [--requests N] [--minutes M] [--seed S] [--record]
       npm run chaos -- [--seconds N] [--runs N] [--seed S] [--record]
       npm run failover -- [--runs N] [--record]
       npm run expensive -- [--minutes M] [--seed S] [--record]
       npm run mutation -- [--area NAME] [--record]

fuzz sends requests of every operation in sequences, and one tenth as many that are hardly HTTP, until N were sent or M minutes are
over; 100,000 by default. chaos lets everything fail in turn for N seconds (60), so many times (1), each with the next seed. A failure
is printed with its seed, and that of fuzz as a test. failover starts deploy/cluster and kills the leader N times. expensive searches for the anonymous request that keeps the event loop busy
longest, for M minutes (60). mutation changes one thing at a time in the code of an area, or of
each (${Object.keys(AREAS).join(', ')}), and looks whether a test notices. --record puts a run that went well on docs/reference/assurance.md.`

/** Share of requests that are malformed HTTP. */
const RAW_SHARE = 0.1

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '100000' },
    minutes: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    runs: { type: 'string', default: '1' },
    area: { type: 'string', default: Object.keys(AREAS).join() },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000)) },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** Parses a numeric option; exits if it is invalid. */
function numberOf(name: 'requests' | 'minutes' | 'seconds' | 'runs' | 'seed'): number {
  const number = Number(values[name])
  if (Number.isFinite(number) && number >= 0) return number
  console.error(`--${name} wants a number.\n${USAGE}`)
  process.exit(2)
}

interface Run {
  readonly words: readonly string[]
  readonly env?: Readonly<Record<string, unknown>>
}

const vitest = (...files: string[]) => ['node_modules/vitest/vitest.mjs', 'run', ...files]

function runOf(name: string | undefined): Run | undefined {
  if (name === 'fuzz') {
    return {
      words: vitest('test/trials/fuzz.test.ts', 'test/trials/raw-fuzz.test.ts'),
      env: {
        FUZZ_REQUESTS: numberOf('requests'),
        RAW_FUZZ_REQUESTS: Math.ceil(numberOf('requests') * RAW_SHARE),
        FUZZ_SEED: numberOf('seed'),
        ...(values.minutes !== undefined && { FUZZ_MINUTES: numberOf('minutes') }),
      },
    }
  }
  if (name === 'chaos') {
    return {
      words: vitest('test/trials/chaos.test.ts'),
      env: { CHAOS_SECONDS: numberOf('seconds'), CHAOS_RUNS: numberOf('runs'), CHAOS_SEED: numberOf('seed') },
    }
  }
  if (name === 'failover') {
    return { words: vitest('test/trials/cluster.test.ts'), env: { FAILOVERS: numberOf('runs') } }
  }
  if (name === 'expensive') {
    return {
      words: vitest('test/trials/expensive-requests.test.ts'),
      env: {
        EXPENSIVE_REQUESTS: Number.MAX_SAFE_INTEGER,
        EXPENSIVE_MINUTES: values.minutes === undefined ? 60 : numberOf('minutes'),
        EXPENSIVE_SEED: numberOf('seed'),
      },
    }
  }
  if (name === 'mutation') return { words: ['test/mutation/run.ts', ...values.area.split(',')] }
  return undefined
}

const run = runOf(positionals[0])
if (values.help || run === undefined) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}
const { words, env = {} } = run
const commit = values.record ? commitHere() : ''
const folder = mkdtempSync(join(tmpdir(), 'dpp-long-run-'))
const recorded = join(folder, 'runs')
const child = spawn(process.execPath, words, {
  cwd: dirname(dirname(import.meta.dirname)),
  env: {
    ...process.env,
    ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
    ...(values.record && { RECORD_RUN: recorded }),
  },
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('close', (code) => {
  if (code === 0 && values.record) {
    recordRuns(readFileSync(recorded, 'utf8'), commit)
    writePages()
  }
  rmSync(folder, { recursive: true })
  process.exitCode = code ?? 1
})
