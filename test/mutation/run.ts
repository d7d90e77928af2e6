import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { AREAS } from './areas.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/** What became of mutants. */
interface Outcome {
  readonly mutants: number
  /** Those that a test noticed, by failing or by never ending. */
  readonly noticed: number
  /** Where those are that no test noticed, and what they were: `path:line name "replacement"`. */
  readonly survivors: readonly string[]
}

/** Test runners at work at once. */
const WORKERS = 2

/**
 * Changes one thing at a time in the files of an area and looks whether its tests notice (Stryker), in a copy of the working tree
 * that is gone afterwards. Texts are left as they are: what a message says is for the tests of messages.
 * @param file what is mutated alone, in place of all files of the area
 */
export async function mutate(name: string, file?: string): Promise<Outcome> {
  const area = AREAS[name]
  if (area === undefined) throw new Error(`No area is called ${name}. There are ${Object.keys(AREAS).join(', ')}.`)
  const folder = mkdtempSync(join(tmpdir(), 'dpp-mutation-'))
  const back = process.cwd()
  try {
    process.chdir(copyOf(folder))
    process.env.MUTATION_TESTS = JSON.stringify(area.tests)
    const results = await new Stryker({
      testRunner: 'vitest',
      vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
      mutate: file === undefined ? [...area.mutate] : [file],
      inPlace: true,
      // Node leaves types out by itself.
      disableTypeChecks: false,
      // What happens once while a module is loaded is judged by no single test.
      ignoreStatic: true,
      mutator: { excludedMutations: ['StringLiteral'] },
      coverageAnalysis: 'perTest',
      concurrency: WORKERS,
      timeoutMS: 10_000,
      reporters: ['progress-append-only'],
      allowConsoleColors: false,
    }).runMutationTest()
    const judged = results.filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status))
    const alive = judged.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    return {
      mutants: judged.length,
      noticed: judged.length - alive.length,
      survivors: alive.map(
        ({ fileName, location, mutatorName, replacement, status }) =>
          `${fileName.slice(process.cwd().length + 1)}:${location.start.line} ${mutatorName} ${JSON.stringify(replacement)}${status === 'NoCoverage' ? ' (no test comes here)' : ''}`,
      ),
    }
  } finally {
    process.chdir(back)
    rmSync(folder, { recursive: true })
  }
}

/** A copy of what git knows of the working tree, beside the folder of standards, with the packages of this one. */
function copyOf(folder: string): string {
  const copy = join(folder, 'dpp')
  const paths = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const path of paths.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(join(copy, dirname(path)), { recursive: true })
    cpSync(join(ROOT, path), join(copy, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  if (existsSync(join(ROOT, '../shared'))) symlinkSync(join(ROOT, '../shared'), join(folder, 'shared'))
  return copy
}
