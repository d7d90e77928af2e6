import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { dppProcess, type GatewayProcess, startProcess } from '../support/process.ts'

const run = promisify(execFile)

/** Follows docs/guides/add-a-module.md literally in a folder outside the repository. */
let folder: string
let gateway: GatewayProcess
let environment: Record<string, string>

beforeAll(async () => {
  const page = await readFile(join(ROOT, 'docs/guides/add-a-module.md'), 'utf8')
  folder = await mkdtemp(join(tmpdir(), 'dpp-module-'))
  for (const [, name = '', text = ''] of page.matchAll(
    /^`\.\.\/(changes\/[^`]+)`(?:(?!```)[\s\S])*```(?:sql|ts|yaml)\n([\s\S]*?)```/gm,
  )) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const created = join(folder, 'created')
  await mkdir(created)
  await run(process.execPath, [join(ROOT, 'src/dpp.js'), 'plugin', 'new', 'module', 'changes'], { cwd: created })
  await dppProcess(['plugin', 'types', join(folder, 'changes')], {})
  await preparedDataDir(join(folder, 'data'))
  environment = { DATA_DIR: join(folder, 'data'), PLUGINS: `${join(ROOT, 'plugins')},${join(folder, 'changes')}` }
  gateway = await startProcess({ ...environment, RATE_LIMITS: 'off' })
  await gateway.printed('Stop with Ctrl-C')
})
afterAll(async () => {
  await gateway?.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

test('the files of the page are those of a new module', async () => {
  const textsOf = async (under: string) => {
    const cwd = join(folder, under)
    const names = globSync('**/*.*', { cwd }).sort()
    return Promise.all(names.map(async (name) => [name, await readFile(join(cwd, name), 'utf8')]))
  }
  expect(await textsOf('changes')).toEqual(await textsOf('created/changes'))
})

test('the files of the page have no type errors', async () => {
  const entry = (name: string) => [join(ROOT, 'src/plugin', `${name}.ts`)]
  const { options } = ts.parseJsonConfigFileContent(
    {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        ...{ noEmit: true, declaration: false, rootDir: '/', module: 'esnext', moduleResolution: 'bundler' },
        ...{ allowImportingTsExtensions: true, typeRoots: [join(ROOT, 'node_modules/@types')] },
        paths: {
          'dpp-gateway/plugin': entry('index'),
          'dpp-gateway/plugin/module': entry('module'),
          'dpp-gateway/plugin/command': entry('command'),
        },
      },
    },
    ts.sys,
    folder,
  )
  const files = globSync(join(folder, 'changes/**/*.ts'), { exclude: (name: string) => name.endsWith('.test.ts') })
  expect(files.length).toBeGreaterThan(3)
  // Services are declared in files that nothing of the page imports.
  const services = globSync(join(ROOT, 'src/*/*.ts'))
  const program = ts.createProgram([...files, ...services, join(ROOT, 'test/support/libraries.d.ts')], options)
  // The source of the gateway is checked by `npm run check`.
  const errors = files.flatMap((file) => {
    const source = program.getSourceFile(file)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  })
  expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([])
})

test('the test of the page passes', async () => {
  const KEY = /dpp_key_\S+/.exec(gateway.output())?.[0] ?? ''
  const env = { PATH: process.env.PATH, BASE: gateway.url, KEY }
  const { stdout } = await run(process.execPath, ['--test', join(folder, 'changes/changes.test.ts')], { env })
  expect(stdout).toMatch(/pass 2\b/)
})

test('the command of the page counts the changes of the demo', async () => {
  const answer = await fetch(`${gateway.url}/api/v1/passports?limit=1`, {
    headers: { authorization: `Bearer ${/dpp_key_\S+/.exec(gateway.output())?.[0]}` },
  })
  const { passports } = (await answer.json()) as { passports: [{ id: string }] }
  const { workspaceId } = JSON.parse(await readFile(join(folder, 'data/demo.json'), 'utf8'))
  await gateway.end('SIGTERM')
  const { stdout, stderr, code } = await dppProcess(['changes', workspaceId, passports[0].id], environment)
  expect([code, stderr, stdout]).toEqual([0, expect.anything(), expect.stringMatching(/^[12] changes\n$/)])
})
