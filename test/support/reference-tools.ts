import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the first installed program, or undefined so that its tests are skipped. If `REQUIRE_JUDGES` is set, as by
 * `.ci/run`, a missing program fails by name.
 */
export function referenceTool(...programs: readonly [string, ...string[]]): string | undefined {
  return (
    programs.find((program) => spawnSync(program, ['--version']).error === undefined) ?? missing(programs.join(' or '))
  )
}

/** Reports the missing program and returns undefined; throws if judges are required. */
export function missing(name: string): undefined {
  if (process.env.REQUIRE_JUDGES) throw new Error(`The judge ${name} is missing. .ci/run has seen or installed it.`)
  console.log(`skipped: ${name} is not installed`)
}

/** Published schemas, vectors and samples next to the repository, which may not contain them. */
const STANDARDS = join(import.meta.dirname, '../../../shared/standards')
if (!existsSync(STANDARDS)) console.log('skipped: ../shared/standards is not beside the repository')

/** Path of published test data; undefined if absent, which CI permits. */
export function standard(path: string): string | undefined {
  const file = join(STANDARDS, path)
  return existsSync(file) ? file : undefined
}
