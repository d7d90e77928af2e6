import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { endCluster } from '../support/left-cluster.ts'
import { recordRun } from '../support/long-runs.ts'
import { AREAS } from './areas.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/** Test runners at work at once. */
const WORKERS = 2
/** Of the mutants of an area, how many the tests have to notice. */
const LEAST = 0.8

// Names of areas; of one a single file, behind a colon.
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
 * Changes one thing at a time in the files of an area and looks whether its tests notice (Stryker), in a copy of the working tree
 * that is gone afterwards. Texts are left as they are: what a message says is for the tests of messages.
 * @returns how many changes there were, and those that no test noticed, by failing or by never ending: `path:line name "replacement"`
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
    // Nobody lets runners take down what they have set up: their clusters are found here, where PostgreSQL's user may pass.
    chmodSync(folder, 0o711)
    process.env.TMPDIR = folder
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
    const survivors = judged
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ fileName, location, mutatorName, replacement, status }) => {
        const place = `${relative(copy, fileName)}:${location.start.line}`
        const where = status === 'NoCoverage' ? ' (no test comes here)' : ''
        return `${place} ${mutatorName} ${JSON.stringify(replacement)}${where}`
      })
    return { mutants: judged.length, survivors }
  } finally {
    process.chdir(ROOT)
    process.env.TMPDIR = usual
    for (const name of readdirSync(folder)) await endCluster(join(folder, name))
    rmSync(folder, { recursive: true })
  }
}

/** A copy of what git knows of the working tree, beside the folder of standards, with the packages of this one. */
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
