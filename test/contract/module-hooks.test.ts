import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { AccessRequestEvent, Change, NewNotification, QueuedMessage } from '../../src/plugin/contracts.ts'
import { ROOT } from '../../src/root.ts'
import { bearer, createWorkspace, newGln, newGtin, startTestGateway } from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

/** A module that reports to this test, notifies the users of created units, rejects the product `REFUSED` and adds a member to results. */
const folder = await mkdtemp(join(tmpdir(), 'dpp-hooks-'))
await writeFile(
  join(folder, 'index.js'),
  `const READ = { name: 'hook-read', text: 'select product_id as product from passport where id = any($1::uuid[])' }
   export default {
     kind: 'module',
     name: 'hooks',
     queues: [{ name: 'hook-messages', worker: 'hookMessages', options: { retryLimit: 1, retryDelay: 0 } }],
     async onAccessRequest(tx, { kind, grantId, secret }, { outbox }) {
       await outbox.send(tx, 'hook-messages', [{ data: { kind, grantId, hasSecret: secret !== undefined } }])
     },
     mailsDecisions: ({ config }) => config.baseUrl !== undefined,
     notificationTypes: { 'hooks.observed': 'battery:read' },
     onNotification(tx, notification, { config }) {
       globalThis.observedNotifications.push({ ...notification, hasServices: config.baseUrl !== undefined })
     },
     async onChange(tx, change, { config, moduleHooks }) {
       globalThis.observedChanges.push({ ...change, hasServices: config.baseUrl !== undefined })
       if (change.subject === 'unit') {
         const type = { created: 'hooks.observed', deleted: 'hooks.unknown' }[change.kind]
         const notification = { type, operatorId: null, subjectId: change.ids[0], message: 'Observed.' }
         if (type !== undefined) moduleHooks.notify(tx, notification)
         return
       }
       if (change.subject !== 'passport') return
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
await mkdir(join(folder, 'services'))
await writeFile(
  join(folder, 'services/hook-messages.js'),
  `export default () => ({
     isOn: true,
     async attempt(message) {
       globalThis.observedMessages.push(message)
       if (message.isFirst) throw new Error('not yet')
     },
   })`,
)
afterAll(() => rm(folder, { recursive: true }))

const observed: Change[] = []
const notified: NewNotification[] = []
const messages: QueuedMessage<AccessRequestEvent>[] = []
Object.assign(globalThis, {
  ...{ observedChanges: observed, observedNotifications: notified, observedMessages: messages },
})
beforeEach(() => {
  observed.length = 0
  notified.length = 0
  messages.length = 0
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
  const changed = { subject: 'unit', kind: 'changed', ids: [unit.id], hasServices: true }
  expect(observed.at(-1)).toEqual({ ...changed, moved: [] })
  await units.setStatus(unit.id, 'REUSED')
  expect(observed.at(-1)).toEqual({ ...changed, moved: [unit.id] })
})

test('a module follows the deletion of a facility', async () => {
  const headers = workspace.as
  const json = { gln: newGln(), name: 'Works', country: 'PT' }
  const { id } = (await gateway.request('POST', '/api/v1/facilities', { headers, json })).body.facility
  await gateway.request('DELETE', `/api/v1/facilities/${id}`, { headers })
  expect(observed).toEqual([{ subject: 'facility', kind: 'deleted', ids: [id], hasServices: true }])
})

test('a module follows notifications, and raises its own, which are read with its permission', async () => {
  const { id } = (await passports.create({ productId: newGtin(), metadata })).body.passport
  const unit = await unitClient(gateway, workspace.as).given(id)
  const own = { type: 'hooks.observed', operatorId: null, subjectId: unit.id, message: 'Observed.', hasServices: true }
  expect(notified).toContainEqual(own)
  expect(notified).toContainEqual(expect.objectContaining({ type: 'batteryunit.created', subjectId: id }))
  const typesFor = async (permissions: string[]) => {
    const { key } = await gateway.container.cradle.workspaces.createKey({
      ...{ workspaceId: workspace.id, role: 'TENANT_ADMIN', permissions },
    })
    const { body } = await gateway.request('GET', '/api/v1/notifications', { headers: bearer(key) })
    return body.notifications.map(({ type }: NewNotification) => type)
  }
  expect(await typesFor(['battery:read'])).toContain('hooks.observed')
  expect(await typesFor(['passport:read'])).not.toContain('hooks.observed')
})

test('a change whose notification has no declared type is undone', async () => {
  const { id } = (await passports.create({ productId: newGtin(), metadata })).body.passport
  const units = unitClient(gateway, workspace.as)
  const unit = await units.given(id)
  expect((await units.remove(unit.id)).status).toBe(500)
  expect((await units.get(unit.id)).status).toBe(200)
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
  const others = ['categories', 'representations', 'signers', 'modules/front-door']
  const folders = others.map((name) => join(ROOT, 'plugins', name))
  const own = await startTestGateway({ PLUGINS: [...folders, demo].join(), DEMO: 'on', DATA_DIR: demo })
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

test('a module follows requests for access and their decisions, and sends messages until it succeeds', async () => {
  const { id } = await passports.given({ metadata: battery() })
  const headers = workspace.as
  const sent: { kind: string; grantId: string; hasSecret: boolean }[] = []
  for (const verdict of ['approve', 'deny']) {
    const form = { granteeName: 'Ada', granteeEmail: `${verdict}@repair.example` }
    const { text } = await gateway.request('POST', `/request-access?passport=${id}&lang=en`, { form })
    expect(text).toContain('you will receive a personal link')
    const { grants } = expectStatus(200, await gateway.request('GET', '/api/v1/grants', { headers })).body
    const { id: grantId } = grants.find(({ status }: { status: string }) => status === 'PENDING')
    const decision = { headers, json: { expiresAt: inDays(1) } }
    expectStatus(200, await gateway.request('POST', `/api/v1/grants/${grantId}/${verdict}`, decision))
    const isApproved = verdict === 'approve'
    sent.push({ kind: 'requested', grantId, hasSecret: true })
    sent.push({ kind: isApproved ? 'approved' : 'denied', grantId, hasSecret: isApproved })
  }
  await expect.poll(() => messages.filter(({ isLast }) => isLast)).toHaveLength(sent.length)
  for (const data of sent) {
    const attempts = messages.filter((one) => one.data.grantId === data.grantId && one.data.kind === data.kind)
    expect(attempts).toMatchObject([
      { data, isFirst: true, isLast: false },
      { data, isFirst: false, isLast: true },
    ])
    expect(attempts[1]?.id).toBe(attempts[0]?.id)
  }
})
