import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { KINDS } from '../../plugins/modules/scaffold/commands/plugin.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import { ROOT } from '../../src/root.ts'
import { checkCategory, checkRepresentation, checkSigner } from '../../src/testing/index.ts'
import { MASTER_KEY, newGtin } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

const folder = await mkdtemp(join(tmpdir(), 'dpp-new-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } })
const at = (kind: string) => join(folder, `my-${kind}`)
for (const kind of KINDS) await run([join(ROOT, 'src/dpp.js'), 'plugin', 'new', kind, `my-${kind}`])

const { gateway, workspace, passports } = await useGateway({
  PLUGINS: [join(ROOT, 'plugins'), ...KINDS.map(at)].join(),
  SIGNER: 'my-signer',
})

test.each(KINDS)('the test of a new %s passes', async (kind) => {
  const { stdout } = await run(['--test', `my-${kind}/my-${kind}.test.ts`])
  expect(stdout).toMatch(/pass 1\b/)
})

test('a new module has a table, an operation, a hook, a command and a test', () => {
  const files = globSync('**/*.*', { cwd: at('module') }).sort()
  expect(files).toEqual([
    'commands/my-module.ts',
    'generated.ts',
    'index.ts',
    'migrations/20270101-my-module.sql',
    'my-module.test.ts',
    'openapi.yaml',
    'operations/getMyModule.ts',
    'services/my-module.ts',
  ])
})

test('the contract kit accepts them', async () => {
  const metadata = { category: 'my-category', originCountry: 'PT' }
  await checkCategory(at('category'), {
    valid: [{ ...metadata, weightKg: 2, packagingWeightKg: 1 }],
    invalid: [{ metadata: { ...metadata, weightKg: 1, packagingWeightKg: 2 }, path: 'packagingWeightKg' }],
  })
  await checkRepresentation(at('representation'))
  const { signers } = await loadPlugins([at('signer')])
  for (const signer of signers.values()) await checkSigner(signer, {})
})

test('a gateway uses them', async () => {
  const { body } = await passports.create({
    productId: newGtin(),
    metadata: { category: 'my-category', originCountry: 'PT' },
  })
  const { id } = body.passport
  await passports.seal(id)
  const served = await gateway.request('GET', `/passport/${id}`, {
    headers: { accept: 'application/vnd.my-representation+json' },
  })
  expect(served).toMatchObject({ status: 200, body: { status: 'ACTIVE', metadata: { category: 'my-category' } } })
})

test('the test of a new module passes with its gateway, and its command reads what it counted', async () => {
  const { stdout } = await run(['--test', 'my-module/my-module.test.ts'], { BASE: gateway.origin, KEY: workspace.key })
  expect(stdout).toMatch(/pass 2\b/)
  const [{ id } = { id: 'none' }] = await gateway.sqlAs<{ id: string }>(
    workspace.id,
    'select passport_id as id from my_module_count limit 1',
  )
  const env = { DATABASE_URL: gateway.databaseUrl, MASTER_KEY, PLUGINS: `${join(ROOT, 'plugins')},${at('module')}` }
  const printed = await run([join(ROOT, 'src/dpp.js'), 'my-module', workspace.id, id], env)
  expect(printed.stdout).toBe('2 changes\n')
})

test('an existing folder is not overwritten', async () => {
  await expect(run([join(ROOT, 'src/dpp.js'), 'plugin', 'new', 'module', 'my-module'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already exists'),
  })
})
