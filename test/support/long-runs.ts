import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = dirname(dirname(import.meta.dirname))
const FILE = join(ROOT, 'docs/reference/assurance-runs.json')
const PROGRESS_MS = 5000

/** A run listed on the assurance page. */
interface RecordedRun {
  readonly what: string
  readonly tried: string
  readonly when: string
  /** Absent if nothing is random. */
  readonly seed?: number
  readonly commit: string
  readonly conditions: string
  readonly failed: string
}

export const recordedRuns = (): readonly RecordedRun[] => JSON.parse(readFileSync(FILE, 'utf8'))

/** Reports a successful run to the command that started it (`--record`). */
export function recordRun(run: Pick<RecordedRun, 'what' | 'tried' | 'seed'> & { readonly failed?: string }): void {
  if (process.env.RECORD_RUN !== undefined) appendFileSync(process.env.RECORD_RUN, `${JSON.stringify(run)}\n`)
}

/** The current commit; marks a changed product. */
export function commitHere(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', 'src', 'openapi.yaml', 'migrations', 'plugins') !== ''
  return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? ', changed' : ''}`
}

/** Writes the results of {@link recordRun} to the source of the assurance page. */
export function recordRuns(lines: string, commit: string): void {
  const runs = lines
    .trim()
    .split('\n')
    .map((line): RecordedRun => {
      const { failed = 'nothing', ...run } = JSON.parse(line)
      const conditions = `Node ${process.versions.node}, ${availableParallelism()} processors, load ${loadavg()[2]?.toFixed(1)}`
      return { ...run, when: new Date().toISOString().slice(0, 10), commit, conditions, failed }
    })
  writeFileSync(FILE, `${JSON.stringify([...recordedRuns(), ...runs], undefined, 2)}\n`)
}

export interface LongRun {
  /** Counts one more try. */
  count(): void
  isOver(): boolean
}

/** Counts until the limit or the deadline, and prints progress every few seconds in long runs. */
export async function longRun<T>(
  name: string,
  { requests, seed, minutes = Number.POSITIVE_INFINITY }: { requests: number; seed: number; minutes?: number },
  work: (run: LongRun) => Promise<T>,
) {
  const [began, used] = [performance.now(), process.cpuUsage()]
  let count = 0
  const say = (text: string) => writeSync(2, `${name}: ${text}\n`)
  const seconds = () => Math.round((performance.now() - began) / 1000)
  say(`${requests} requests, seed ${seed}`)
  const progress = setInterval(() => say(`${count} requests in ${seconds()} s`), PROGRESS_MS)
  try {
    const result = await work({
      count: () => {
        count += 1
      },
      isOver: () => count >= requests || performance.now() - began > minutes * 60_000,
    })
    const { user, system } = process.cpuUsage(used)
    say(`${count} requests in ${seconds()} s, ${Math.round((user + system) / 1e6)} s of processor time here`)
    return { count, result }
  } finally {
    clearInterval(progress)
  }
}
