import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'

const run = promisify(execFile)
/** Without settings of the npm that runs the tests, and offline. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name))),
  npm_config_offline: 'true',
}

let project: string
const install = async (purpose: string) => {
  const { stdout } = await run(process.execPath, [join(ROOT, '.ci/install.mjs'), purpose], { cwd: project, env })
  return stdout
}
const isThere = (name: string) => existsSync(join(project, 'node_modules', name))

/** A project with a package of the gateway, one of tests, and an optional peer that is also a test package. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'dpp-install-'))
  const add = async (folder: string, content: object) => {
    await mkdir(join(project, folder), { recursive: true })
    await writeFile(join(project, folder, 'package.json'), JSON.stringify({ version: '1.0.0', ...content }))
  }
  await add('packages/needed', {
    name: 'needed',
    peerDependencies: { compiler: '1' },
    peerDependenciesMeta: { compiler: { optional: true } },
  })
  await add('packages/compiler', { name: 'compiler' })
  await add('packages/vitest', { name: 'vitest' })
  await add('.', {
    name: 'project',
    dependencies: { needed: 'file:packages/needed' },
    devDependencies: { vitest: 'file:packages/vitest', compiler: 'file:packages/compiler' },
  })
  await run('npm', ['install', '--package-lock-only', '--no-audit'], { cwd: project, env })
})
afterAll(() => rm(project, { recursive: true, force: true }))

test('a start installs what the gateway needs, tests add the rest, and nothing is installed twice', async () => {
  expect(await install('start')).toContain('Installing the packages of the gateway')
  expect(['needed', 'compiler', 'vitest'].filter(isThere)).toEqual(['needed'])
  expect(await install('start')).toBe('')
  // Files of a gateway that runs in another terminal.
  await mkdir(join(project, 'node_modules/.cache'))
  expect(await install('test')).toContain('and of its tests')
  expect(['needed', 'compiler', 'vitest'].filter(isThere)).toEqual(['needed', 'compiler', 'vitest'])
  expect(isThere('.cache')).toBe(true)
  expect([await install('test'), await install('start')]).toEqual(['', ''])
})

test('a lockfile that is newer is installed again', async () => {
  const later = new Date(Date.now() + 60_000)
  await utimes(join(project, 'package-lock.json'), later, later)
  expect(await install('start')).toContain('Installing')
  expect(['needed', 'compiler', 'vitest'].filter(isThere)).toEqual(['needed'])
})

test('an installation that fails ends with its status', async () => {
  await writeFile(join(project, 'package-lock.json'), '{}')
  const later = new Date(Date.now() + 120_000)
  await utimes(join(project, 'package-lock.json'), later, later)
  await expect(install('start')).rejects.toMatchObject({ code: 1 })
})
