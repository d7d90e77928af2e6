import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const readJson = async (file: string) => JSON.parse(await readFile(join(ROOT, file), 'utf8'))

interface Locked {
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

const allowed: Record<string, boolean> = (await readJson('package.json')).allowScripts
const locked: Record<string, Locked> = (await readJson('package-lock.json')).packages

describe('L8: install scripts', () => {
  test('run for the packages that are named by their version, and for no others', () => {
    const withScripts = Object.entries(locked)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(
        ([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
      )
    expect(Object.keys(allowed).sort()).toEqual([...new Set(withScripts)].sort())
    expect(new Set(Object.values(allowed))).toEqual(new Set([true]))
  })

  test('have a version that npm can tell: by the address in the lockfile, and every package has its hash', () => {
    for (const [path, { version, resolved, integrity, hasInstallScript }] of Object.entries(locked)) {
      if (path === '') continue
      expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)])
      if (hasInstallScript) expect([path, resolved]).toEqual([path, expect.stringContaining(`-${version}.tgz`)])
    }
  })
})

describe('L8: a package that is not named', () => {
  let folder: string
  let isEnforced: boolean

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpp-install-'))
    const { stdout } = await run('npm', ['config', 'ls', '-l', '--json'], { cwd: ROOT })
    isEnforced = JSON.parse(stdout)['strict-allow-scripts'] !== undefined
    if (!isEnforced) console.log('skipped: this npm knows no strict-allow-scripts')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Installs, without a network, one package whose install scripts leave a mark; `settings` are the .npmrc of the project. */
  async function install(name: string, version: string, kind: 'folder' | 'archive', settings: string) {
    const project = await mkdtemp(join(folder, `${name}-`))
    const source = join(project, 'packages', name)
    await mkdir(source, { recursive: true })
    const script = `node -e "require('fs').writeFileSync('${join(project, 'mark')}', '')"`
    const manifest = { name, version, scripts: { preinstall: script, install: script, postinstall: script } }
    await writeFile(join(source, 'package.json'), JSON.stringify(manifest))
    if (kind === 'archive') await run('npm', ['pack', '--ignore-scripts'], { cwd: source })
    const spec = `file:packages/${name}${kind === 'archive' ? `/${name}-${version}.tgz` : ''}`
    await writeFile(join(project, '.npmrc'), settings)
    await writeFile(
      join(project, 'package.json'),
      JSON.stringify({ name: 'project', version: '1.0.0', dependencies: { [name]: spec }, allowScripts: allowed }),
    )
    const failure = await run('npm', ['install', '--offline', '--cache', join(folder, 'cache')], { cwd: project }).then(
      () => '',
      (error: { stderr: string }) => error.stderr,
    )
    return { failure, hasRun: existsSync(join(project, 'mark')) }
  }

  // One that nobody knows, and one that claims the name and the version of one that is named.
  const packages: [string, string, 'folder' | 'archive'][] = [
    ['sneaky', '1.0.0', 'folder'],
    ['pkcs11js', locked['node_modules/pkcs11js']?.version ?? '', 'archive'],
  ]

  test.each(packages)('ends the installation before its script runs: %s@%s as a %s', async (name, version, kind) => {
    if (!isEnforced) return
    const settings = await readFile(join(ROOT, '.npmrc'), 'utf8')
    const { failure, hasRun } = await install(name, version, kind, settings)
    expect(hasRun).toBe(false)
    expect(failure).toContain('ESTRICTALLOWSCRIPTS')
  })

  test('would run without our settings, so the test can tell', async () => {
    const { failure, hasRun } = await install('sneaky', '1.0.0', 'folder', '')
    expect([failure, hasRun]).toEqual(['', true])
  })
})
