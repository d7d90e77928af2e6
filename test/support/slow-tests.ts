import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const LISTED = 10
/** Seconds that the tests of one file of unit or contract may take: beyond, the run fails. */
const MAX_FILE_SECONDS = 10
const LIMITED = new Set(['unit', 'contract'])

/** Seconds that something took, with its name. */
type Timed = readonly [seconds: number, name: string]

/** Lists the slowest files and tests of a run, and fails the run if a unit or contract test file is too slow. */
export default class SlowTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module): Timed => [module.diagnostic().duration / 1000, nameOf(module)])
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map(
        (test): Timed => [(test.diagnostic()?.duration ?? 0) / 1000, `${nameOf(module)} > ${test.fullName}`],
      ),
    )
    console.log(['Slowest files', ...slowest(files), 'Slowest tests', ...slowest(tests)].join('\n'))
    const tooSlow = modules.filter(
      (module) => LIMITED.has(module.project.name) && module.diagnostic().duration > MAX_FILE_SECONDS * 1000,
    )
    if (tooSlow.length === 0) return
    console.error(`Slower than ${MAX_FILE_SECONDS} s: make them faster, split them, or move them to test/trials.`)
    console.error(tooSlow.map((module) => `  ${nameOf(module)}`).join('\n'))
    process.exitCode = 1
  }
}

const nameOf = ({ moduleId, project }: TestModule) => relative(project.config.root, moduleId)

function slowest(timed: readonly Timed[]): string[] {
  return [...timed]
    .sort(([a], [b]) => b - a)
    .slice(0, LISTED)
    .map(([seconds, name]) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}`)
}
