import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newGtin } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

/** The packed client, installed offline from its archive into an empty folder. */
const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
/** Without the variables of the npm that runs the tests. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)))

const { gateway, workspace } = await useGateway()
let folder: string
let packed: readonly { path: string; size: number }[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpp-client-'))
  await run(process.execPath, ['.ci/build-client.mjs', join(folder, 'built')], { cwd: ROOT })
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(folder, 'built'),
    env,
  })
  const [{ filename, files }] = JSON.parse(stdout)
  packed = files
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--cache', join(folder, 'cache'), join(folder, filename)], {
    cwd: folder,
    env,
  })
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('has code, types, licence and a page about it, and needs nothing', async () => {
  const installed = join(folder, 'node_modules/@dpp-gateway/client')
  expect(await readdir(join(folder, 'node_modules'))).toEqual(['.package-lock.json', '@dpp-gateway'])
  expect(
    packed
      .map(({ path }) => path)
      .filter((path) => !path.includes('/'))
      .sort(),
  ).toEqual(['LICENSE', 'README.md', 'package.json'])
  const own = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  expect([own.version, own.dependencies]).toEqual([version, undefined])
  const code = packed.filter(({ path }) => path.endsWith('.js'))
  expect(code.map(({ path }) => path).sort()).toEqual([
    'src/client/call.js',
    'src/client/error.js',
    'src/client/index.js',
    'src/client/pages.js',
    'src/generated/client-operations.js',
  ])
  for (const { path } of code) {
    expect(await readFile(join(installed, path), 'utf8')).not.toMatch(/^(import|export) .*from ["'](?!\.)/m)
  }
  // Small: the contract document is many times larger.
  expect(code.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(60_000)
})

test('drives a gateway from plain JavaScript', async () => {
  const program = `
    import { createDpp, DppError } from '@dpp-gateway/client'
    const dpp = createDpp({ baseUrl: process.env.DPP_URL, key: process.env.DPP_KEY })
    const body = { productId: process.argv[2], metadata: { category: 'textiles', originCountry: 'PT' } }
    const { passport } = await dpp.createPassport({ body })
    await dpp.sealPassport({ id: passport.id })
    const { '@type': type, proof } = await dpp.getPassport({ id: passport.id })
    const twice = await dpp.createPassport({ body }).catch((error) => error)
    console.log(JSON.stringify([type, typeof proof.merkleRoot, twice instanceof DppError, twice.status, twice.code]))`
  await writeFile(join(folder, 'program.js'), program)
  const { stdout } = await run(process.execPath, ['program.js', newGtin()], {
    cwd: folder,
    env: { ...env, DPP_URL: gateway.origin, DPP_KEY: workspace.key },
  })
  expect(JSON.parse(stdout)).toEqual(['DigitalProductPassport', 'string', true, 409, 'PASSPORT_DUPLICATE'])
})

const PROGRAM = `
  import { createDpp, type Documents, DppError } from '@dpp-gateway/client'
  const dpp = createDpp({ baseUrl: 'https://passports.example.com', key: 'dpp_key_x' })
  export async function ids(): Promise<string[]> {
    const found: string[] = []
    for await (const { id } of dpp.each.listPassports({ category: 'textiles', limit: 50 })) found.push(id)
    return found
  }
  export const passport = (id: string): Promise<Documents['Passport']> => dpp.getPassport({ id })
  export const token = (id: string): Promise<string> => dpp.getPassport({ id }, { accept: 'application/vc+jwt' })
  export const why = (error: unknown) => (error instanceof DppError ? error.issues.map(({ path }) => path) : [])
  // @ts-expect-error the id is missing
  export const wrong = () => dpp.sealPassport({})
`

test.each([
  ['with what browsers have', { lib: ['es2022', 'dom', 'dom.asynciterable'], types: [] }],
  ['with what Node has', { lib: ['es2022'], types: ['node'] }],
])('compiles in a strict program, including its types: %s', async (_, options) => {
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  if (options.types.length > 0) {
    for (const name of ['@types/node', 'undici-types']) {
      await cp(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
    }
  }
  const compilerOptions = {
    ...options,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: 'es2022',
    module: 'nodenext',
    noEmit: true,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder }).catch(
    (error) => error,
  )
  expect(stdout).toBe('')
})
