import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
/** Without the variables of the npm that runs the tests: only the project's settings count. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)))
const readJson = async (file: string) => JSON.parse(await readFile(join(ROOT, file), 'utf8'))

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly peer?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

const MAX_PACKAGES = 330

describe.each(['.', '.ci/node'])('install scripts of %s', async (folder) => {
  const allowed: Record<string, boolean> = (await readJson(join(folder, 'package.json'))).allowScripts
  const locked: Record<string, Locked> = (await readJson(join(folder, 'package-lock.json'))).packages

  test('run for the packages that are named, and for no others', async () => {
    const withScripts = Object.entries(locked)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    expect(Object.keys(allowed).sort()).toEqual([...new Set(withScripts)].sort())
    expect(new Set(Object.values(allowed))).toEqual(new Set([true]))
    expect(await readFile(join(ROOT, folder, '.npmrc'), 'utf8')).toMatch(/^strict-allow-scripts=true$/m)
  })

  test('are those of one version: the lockfile has the version and the hash of every package', () => {
    for (const [path, { version, integrity }] of Object.entries(locked)) {
      if (path === '') continue
      expect([path, version, integrity]).toEqual([path, expect.any(String), expect.stringMatching(/^sha512-/)])
    }
  })
})

test('npm start installs at most 330 packages on Linux', async () => {
  const locked: Record<string, Locked> = (await readJson('package-lock.json')).packages
  const isFor = (names: readonly string[] | undefined, name: string) => names === undefined || names.includes(name)
  const installed = Object.entries(locked).filter(
    ([path, { dev, devOptional, peer, os, cpu, libc }]) =>
      path !== '' && !dev && !devOptional && !peer && isFor(os, 'linux') && isFor(cpu, 'x64') && isFor(libc, 'glibc'),
  )
  expect(installed.length).toBeGreaterThan(0)
  expect(installed.length).toBeLessThanOrEqual(MAX_PACKAGES)
})

describe('a package that is not named', async () => {
  const { allowScripts } = await readJson('package.json')
  let folder: string
  let isEnforced: boolean

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpp-install-'))
    const { stdout } = await run('npm', ['config', 'ls', '-l', '--json'], { cwd: ROOT })
    isEnforced = JSON.parse(stdout)['strict-allow-scripts'] !== undefined
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Installs offline a package whose install scripts leave a mark; `settings` are the project's .npmrc. */
  async function install(settings: string) {
    const project = await mkdtemp(join(folder, 'project-'))
    const source = join(project, 'packages/sneaky')
    await mkdir(source, { recursive: true })
    const script = `node -e "require('fs').writeFileSync('${join(project, 'mark')}', '')"`
    const scripts = { preinstall: script, install: script, postinstall: script }
    await writeFile(join(source, 'package.json'), JSON.stringify({ name: 'sneaky', version: '1.0.0', scripts }))
    await writeFile(join(project, '.npmrc'), settings)
    const dependencies = { sneaky: 'file:packages/sneaky' }
    await writeFile(
      join(project, 'package.json'),
      JSON.stringify({ name: 'project', version: '1.0.0', dependencies, allowScripts }),
    )
    const failure = await run('npm', ['install', '--offline', '--cache', join(folder, 'cache')], {
      cwd: project,
      env,
    }).then(
      () => '',
      (error: { stderr: string }) => error.stderr,
    )
    return { failure, hasRun: existsSync(join(project, 'mark')) }
  }

  test('ends the installation before its script runs', async ({ skip }) => {
    skip(!isEnforced, 'this npm knows no strict-allow-scripts')
    const { failure, hasRun } = await install(await readFile(join(ROOT, '.npmrc'), 'utf8'))
    expect(hasRun).toBe(false)
    expect(failure).toContain('ESTRICTALLOWSCRIPTS')
  })

  test('would run without our settings, so the test can tell', async () => {
    const { failure, hasRun } = await install('')
    expect([failure, hasRun]).toEqual(['', true])
  })
})
