import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const LISTED = 10
/** Seconds that the tests of one unit or contract file should take at most; files that take longer are listed. */
const GOAL_FILE_SECONDS = 10
/** Seconds after which such a file fails the run. A shared machine may be three times slower than a quiet one. */
const MAX_FILE_SECONDS = 90
const LIMITED = new Set(['unit', 'contract'])

/** Seconds that something took, with its name. */
type Timed = readonly [seconds: number, name: string]

/** Lists the slowest files and tests of a run, and unit and contract test files that are too slow; the slowest fail the run. */
export default class SlowTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module): Timed => [module.diagnostic().duration / 1000, nameOf(module)])
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map(
        (test): Timed => [(test.diagnostic()?.duration ?? 0) / 1000, `${nameOf(module)} > ${test.fullName}`],
      ),
    )
    console.log(['Slowest files', ...slowest(files), 'Slowest tests', ...slowest(tests)].join('\n'))
    const limited = modules.filter(({ project }) => LIMITED.has(project.name))
    const slowerThan = (seconds: number) => limited.filter((module) => module.diagnostic().duration > seconds * 1000)
    const slow = slowerThan(GOAL_FILE_SECONDS)
    if (slow.length === 0) return
    console.error(`Slower than ${GOAL_FILE_SECONDS} s: make them faster, split them, or move them to test/trials.`)
    console.error(slow.map((module) => `  ${nameOf(module)}`).join('\n'))
    if (slowerThan(MAX_FILE_SECONDS).length > 0) process.exitCode = 1
  }
}

const nameOf = ({ moduleId, project }: TestModule) => relative(project.config.root, moduleId)

function slowest(timed: readonly Timed[]): string[] {
  return [...timed]
    .sort(([a], [b]) => b - a)
    .slice(0, LISTED)
    .map(([seconds, name]) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}`)
}
