import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { KINDS } from '../../plugins/modules/scaffold/commands/plugin.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import { ROOT } from '../../src/root.ts'
import { checkCategory, checkRepresentation, checkSigner } from '../../src/testing/index.ts'
import { newGtin } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

const folder = await mkdtemp(join(tmpdir(), 'dpp-new-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (args: readonly string[]) => promisify(execFile)(process.execPath, args, { cwd: folder })
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
  const headers = workspace.as
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
  const greeted = await gateway.request('GET', '/api/v1/my-module', { headers })
  expect(greeted.body).toEqual({ success: true, greeting: 'Hello from my-module.' })
})

test('an existing folder is not overwritten', async () => {
  await expect(run([join(ROOT, 'src/dpp.js'), 'plugin', 'new', 'module', 'my-module'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('already exists'),
  })
})
