import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import local from '../../../plugins/signers/local/index.ts'
import { allMigrations } from '../../../src/gateway.ts'
import { loadPlugins } from '../../../src/plugin/loader.ts'
import { prepareDatabase } from '../../../src/storage/database.ts'
import { checkRepresentation, checkSigner } from '../../../src/testing/index.ts'
import { createDatabase } from '../../support/gateway.ts'

const root = join(import.meta.dirname, '../../..')

for (const name of readdirSync(join(root, 'plugins/representations'))) {
  test(`the representation ${name} keeps the contract`, () =>
    checkRepresentation(join(root, 'plugins/representations', name)))
}

test('the signer local keeps the contract', async () => {
  const databaseUrl = await createDatabase()
  const masterKey = Buffer.alloc(32, 1).toString('base64')
  const plugins = await loadPlugins([join(root, 'plugins')])
  const { urls } = await prepareDatabase(databaseUrl, masterKey, await allMigrations(plugins))
  await checkSigner(local, { databaseUrl: urls.signer, masterKey })
})
