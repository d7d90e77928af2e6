import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Change } from '../../src/plugin/contracts.ts'
import { ROOT } from '../../src/root.ts'
import { createWorkspace, newGtin, startTestGateway } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

/** A module that reports changes to this test, rejects the product `REFUSED`, and adds a member to validation results. */
const folder = await mkdtemp(join(tmpdir(), 'dpp-hooks-'))
await writeFile(
  join(folder, 'index.js'),
  `const READ = { name: 'hook-read', text: 'select product_id as product from passport where id = any($1::uuid[])' }
   export default {
     kind: 'module',
     name: 'hooks',
     async onChange(tx, change, { config }) {
       globalThis.observedChanges.push({ ...change, hasServices: config.baseUrl !== undefined })
       if (change.subject === 'unit') return
       const rows = await tx.run(READ, [change.ids])
       if (rows.some(({ product }) => product === 'REFUSED')) throw new Error('refused')
     },
     passportParts: {
       repairs: {
         column: "(select to_json(p.product_id))",
         view: (stored, { reader }) => ({ of: stored, reader }),
         section: (stored) => ({
           title: { en: 'Repairs', de: 'Reparaturen' },
           rows: [{ label: { en: 'Product' }, value: stored, href: 'https://repairs.example/' }],
         }),
         *check(metadata, stored) {
           if (metadata.color === 'unrepairable') yield { path: 'color', code: 'custom', message: 'cannot be repaired' }
         },
       },
     },
     onValidate: ({ category }, lang, { config }) => ({ hook: [category, lang, config.baseUrl !== undefined].join() }),
   }`,
)
await writeFile(
  join(folder, 'openapi.yaml'),
  'components: { schemas: { ValidationPassed: { x-extends: true, properties: { hook: { type: string } } } } }',
)
afterAll(() => rm(folder, { recursive: true }))

const observed: Change[] = []
Object.assign(globalThis, { observedChanges: observed })
beforeEach(() => {
  observed.length = 0
})

const { gateway, workspace, passports } = await useGateway({ PLUGINS: `${join(ROOT, 'plugins')},${folder}` })
const { passportRows, passportViews } = gateway.container.cradle
const metadata = { category: 'textiles', originCountry: 'PT' }

test('a module follows a passport from its creation to its end', async () => {
  const { id } = (await passports.create({ productId: newGtin(), metadata, draft: true })).body.passport
  const headers = workspace.as
  await gateway.request('PUT', `/api/v1/passports/${id}`, {
    headers,
    json: { metadata: { ...metadata, color: 'red' }, draft: true },
  })
  await gateway.request('DELETE', `/api/v1/passports/${id}`, { headers })
  expect(observed).toMatchObject(
    ['created', 'changed', 'deleted'].map((kind) => ({ subject: 'passport', kind, ids: [id], hasServices: true })),
  )
})

test('a module follows the units of a passport', async () => {
  const units = unitClient(gateway, workspace.as)
  const { id } = (await passports.create({ productId: newGtin(), metadata })).body.passport
  const unit = await units.given(id)
  expect(observed).toContainEqual({ subject: 'unit', kind: 'created', ids: [unit.id], hasServices: true })
  await units.record(unit.id, { eventType: 'OTHER' })
  expect(observed.at(-1)).toEqual({ subject: 'unit', kind: 'changed', ids: [unit.id], hasServices: true })
})

test('a change that a module rejects is undone, and stores nothing', async () => {
  const { status } = await passports.create({ productId: 'REFUSED', metadata })
  expect(status).toBe(500)
  const { body } = await gateway.request('GET', '/api/v1/passports', { headers: workspace.as })
  expect(body.passports.map(({ productId }: { productId: string }) => productId)).not.toContain('REFUSED')
})

test('a part of a module is read with the passport, in the view of each reader and in a section of the page', async () => {
  const { id, productId } = (await passports.create({ productId: newGtin(), metadata })).body.passport
  const row = await passportRows.load(gateway.container.cradle.database.forTenant(workspace.id), id)
  if (row === undefined) throw new Error('The passport is missing.')
  expect(row.parts).toMatchObject({ repairs: productId })
  expect(passportViews.view(row, 'public')).toMatchObject({ repairs: { of: productId, reader: 'public' } })
  const page = await gateway.request('GET', `/passport/${id}`, {
    headers: { accept: 'text/html', 'accept-language': 'de' },
  })
  expect(page.text).toContain('Reparaturen')
  expect(page.text).toContain(`<a href="https://repairs.example/"`)
})

test('a part rejects metadata that contradicts it', async () => {
  const { status, body } = await passports.create({
    productId: newGtin(),
    metadata: { ...metadata, color: 'unrepairable' },
  })
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain('cannot be repaired')
})

test('a module adds a member to the result of a validation, and to its schema', async () => {
  const json = { productId: newGtin(), metadata }
  const { body } = await gateway.request('POST', '/api/v1/passports/validate-only?lang=fr', {
    headers: workspace.as,
    json,
  })
  expect(body).toMatchObject({ success: true, category: 'textiles', hook: 'textiles,fr,true' })
  const { components } = (await gateway.request('GET', '/openapi.json')).body
  expect(components.schemas.ValidationPassed.properties.hook).toEqual({ type: 'string' })
  const refused = await gateway.request('POST', '/api/v1/passports/validate-only', {
    headers: workspace.as,
    json: { ...json, metadata: { category: 'textiles' } },
  })
  expect([refused.status, refused.body.hook]).toEqual([400, undefined])
})

test('a module provides the demo workspace: the timestamp authority, and the product on the front page', async () => {
  const demo = await mkdtemp(join(tmpdir(), 'dpp-demo-hook-'))
  const gtin = newGtin()
  await writeFile(
    join(demo, 'index.js'),
    `export default {
       kind: 'module',
       name: 'own-demo',
       demoWorkspace: {
         gtin: '${gtin}',
         startTimestamps: async (dataDir) => ({ tsaUrl: 'http://127.0.0.1:9/', tsaCa: dataDir }),
         prepare: async ({ config }, report) => [config.baseUrl],
       },
     }`,
  )
  const others = ['categories', 'representations', 'signers'].map((name) => join(ROOT, 'plugins', name))
  const own = await startTestGateway({ PLUGINS: [...others, demo].join(), DEMO: 'on', DATA_DIR: demo })
  try {
    const { config, plugins } = own.container.cradle
    expect([config.tsaUrl, config.tsaCa]).toEqual(['http://127.0.0.1:9/', demo])
    expect(await plugins.demoWorkspace?.prepare(own.container.cradle, () => {})).toEqual([config.baseUrl])
    const frontPage = async () => (await own.request('GET', '/', { headers: { accept: 'text/html' } })).text
    expect(await frontPage()).not.toContain(`/01/${gtin}`)
    const { as } = await createWorkspace(own)
    expect((await passportClient(own, as).create({ productId: gtin, metadata })).status).toBe(201)
    expect(await frontPage()).toContain(`/01/${gtin}`)
  } finally {
    await own.close()
    await rm(demo, { recursive: true })
  }
})
