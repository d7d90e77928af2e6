import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The first of these programs that is installed; undefined where none is, so that its tests are skipped. Where
 * `REQUIRE_JUDGES` is set, as `.ci/run` does once it has them all, a judge that is missing fails by its name.
 */
export function judge(...programs: readonly [string, ...string[]]): string | undefined {
  return (
    programs.find((program) => spawnSync(program, ['--version']).error === undefined) ?? missing(programs.join(' or '))
  )
}

/** Undefined, after saying what is not there; fails where judges are required. */
export function missing(name: string): undefined {
  if (process.env.REQUIRE_JUDGES) throw new Error(`The judge ${name} is missing. .ci/run has seen or installed it.`)
  console.log(`skipped: ${name} is not installed`)
}

/** Published schemas, vectors and samples beside the repository; they may not be part of it. */
const STANDARDS = join(import.meta.dirname, '../../../shared/standards')
if (!existsSync(STANDARDS)) console.log('skipped: ../shared/standards is not beside the repository')

/** The path of published test data, or undefined where it is absent, which it may be in CI too. */
export function standard(path: string): string | undefined {
  const file = join(STANDARDS, path)
  return existsSync(file) ? file : undefined
}
