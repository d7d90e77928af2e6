import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { endCluster } from '../support/left-cluster.ts'
import { recordRun } from '../support/long-runs.ts'
import { AREAS } from './areas.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/** Concurrent test runners. */
const WORKERS = 2
/** Minimum share of mutants that the tests detect. */
const LEAST = 0.8

// Names of areas; `area:file` selects a single file.
for (const word of process.argv.slice(2)) {
  const { mutants, survivors } = await mutate(word)
  const noticed = mutants - survivors.length
  const share = `${((100 * noticed) / mutants).toFixed(1)} %`
  console.log([...survivors, `${word}: ${noticed} of ${mutants} mutants were noticed, ${share}.`].join('\n'))
  if (noticed < LEAST * mutants) process.exitCode = 1
  recordRun({
    what: 'mutation',
    tried: `${word}: ${mutants} mutants, ${share} noticed`,
    ...(survivors.length > 0 && { failed: `${survivors.length} were not noticed` }),
  })
}

/**
 * Mutates the files of an area and runs its tests (Stryker), in a temporary copy of the working tree. Strings are not
 * mutated.
 * @returns the number of mutants and those that survived: `path:line name "replacement"`
 */
async function mutate(word: string): Promise<{ mutants: number; survivors: string[] }> {
  const [name = '', file] = word.split(':')
  const area = AREAS[name]
  if (area === undefined) throw new Error(`No area is called ${name}. There are ${Object.keys(AREAS).join(', ')}.`)
  const usual = tmpdir()
  const folder = mkdtempSync(join(usual, 'dpp-mutation-'))
  try {
    const copy = copyTo(folder)
    process.chdir(copy)
    process.env.MUTATION_TESTS = JSON.stringify(area.tests)
    // Runners do not run their teardown: their clusters are found here, with access for PostgreSQL's user.
    chmodSync(folder, 0o711)
    process.env.TMPDIR = folder
    const results = await new Stryker({
      testRunner: 'vitest',
      vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
      mutate: file === undefined ? [...area.mutate] : [file],
      inPlace: true,
      // Node strips types itself.
      disableTypeChecks: false,
      // No single test covers code that runs when a module is loaded.
      ignoreStatic: true,
      mutator: { excludedMutations: ['StringLiteral'] },
      coverageAnalysis: 'perTest',
      concurrency: WORKERS,
      timeoutMS: 10_000,
      reporters: ['progress-append-only'],
      allowConsoleColors: false,
    }).runMutationTest()
    const tested = results.filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status))
    const survivors = tested
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ fileName, location, mutatorName, replacement, status }) => {
        const place = `${relative(copy, fileName)}:${location.start.line}`
        const where = status === 'NoCoverage' ? ' (no test comes here)' : ''
        return `${place} ${mutatorName} ${JSON.stringify(replacement)}${where}`
      })
    return { mutants: tested.length, survivors }
  } finally {
    process.chdir(ROOT)
    process.env.TMPDIR = usual
    for (const name of readdirSync(folder)) await endCluster(join(folder, name))
    rmSync(folder, { recursive: true })
  }
}

/** A copy of the working tree with its packages, next to the folder of standards. */
function copyTo(folder: string): string {
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
