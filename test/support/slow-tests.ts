import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const LISTED = 10
/**
 * Maximum seconds of a unit or contract file. Time lost to other processes does not count: a shared machine may be
 * three times slower.
 */
const MAX_FILE_SECONDS = 10
const LIMITED = new Set(['unit', 'contract'])

type Timed = readonly [seconds: number, name: string]

/** Lists the slowest files and tests of a run; a unit or contract file that is too slow fails it. */
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
    const slow = limited.filter((module) => ownSeconds(module) > MAX_FILE_SECONDS)
    if (slow.length === 0) return
    console.error(`Slower than ${MAX_FILE_SECONDS} s: make them faster, split them, or move them to test/trials.`)
    console.error(slow.map((module) => `  ${ownSeconds(module).toFixed(1)} s  ${nameOf(module)}`).join('\n'))
    process.exitCode = 1
  }
}

/** Seconds of a file, scaled to an uncontended processor. */
const ownSeconds = (module: TestModule) => (module.diagnostic().duration / 1000) * (module.meta().share ?? 1)

const nameOf = ({ moduleId, project }: TestModule) => relative(project.config.root, moduleId)

function slowest(timed: readonly Timed[]): string[] {
  return [...timed]
    .sort(([a], [b]) => b - a)
    .slice(0, LISTED)
    .map(([seconds, name]) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}`)
}
