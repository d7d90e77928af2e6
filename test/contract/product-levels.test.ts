import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { BASE_URL, newGtin, textile } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

/** A module that records variants of products (GS1 AI 22), and a format that renders them. */
const FILES = {
  'index.js': `
    export default [
      {
        kind: 'module',
        name: 'variants',
        levels: [{ name: 'variant', table: 'variants', ai: '22', column: 'code', records: 'variantRecords' }],
      },
      {
        kind: 'representation',
        name: 'variant-text',
        mediaTypes: ['text/x-variant'],
        render: () => ({ body: 'product' }),
        levels: { variant: { render: ({ code, product }) => ({ body: code + ' of ' + product }) } },
      },
    ]`,
  'services/variant-records.js': `
    const FIND = { name: 'find-variant', text: 'select code from variants where id = $1' }
    export default ({ passportViews }) => ({
      async load(session, id) {
        const [row] = await session.run(FIND, [id])
        return row && ((passport, reader) => ({ ...row, product: passportViews.view(passport, reader).productId }))
      },
    })`,
  'operations/resolveVariant.js': `
    export default ({ resolution }) => ({ path, ...caller }) => resolution.answerRecord('variant', path.id, caller)`,
  'openapi.yaml': `
    paths:
      /variant/{id}:
        get:
          operationId: resolveVariant
          summary: Resolve a variant
          security: [{}]
          x-gates: [resolver-limit]
          x-problem: bare
          x-lane: public
          parameters: [{ name: id, in: path, required: true, schema: { type: string, maxLength: 200 } }]
          responses:
            '200': { description: Variant., x-representations: variant }
            '404': { $ref: '#/components/responses/PublicNotFound' }
            '500': { $ref: '#/components/responses/PublicServerError' }`,
  'migrations/1.sql': `
    create table variants (
      id uuid primary key,
      passport_id uuid not null references passport on delete cascade,
      code text not null
    );
    create table variant_rendition (
      variant_id uuid not null references variants on delete cascade,
      passport_version int, representation text, variant text, tier text, key_number int, generation text,
      etag text, content_type text, body text, bytes bytea, created_at timestamptz default now(),
      primary key (variant_id, representation, variant, passport_version, generation, tier, key_number)
    );
    grant all on variants, variant_rendition to dpp_app;
    grant select on variants, variant_rendition to dpp_lookup;`,
}
const folder = await mkdtemp(join(tmpdir(), 'dpp-levels-'))
for (const [name, text] of Object.entries(FILES)) {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), text)
}
afterAll(() => rm(folder, { recursive: true }))

const { gateway, workspace, passports } = await useGateway({ PLUGINS: `${join(ROOT, 'plugins')},${folder}` })
const get = (path: string, Accept = 'text/x-variant') => gateway.request('GET', path, { headers: { Accept } })

const productId = newGtin()
const passport = await passports.given({ productId, metadata: textile() })
const id = randomUUID()
await gateway.sqlAs(workspace.id, `insert into variants values ($1, $2, 'V/1')`, [id, passport.id])

test('a Digital Link with the AI of the level leads to its record, or else to the product', async () => {
  const { status, headers } = await get(`/01/${productId}/22/V%2F1?lang=de`)
  expect([status, headers.location]).toEqual([302, `${BASE_URL}/variant/${id}?lang=de`])
  expect((await get(`/01/${productId}/22/V2`)).text).toBe('product')
  const { body } = await get(`/01/${productId}/22/V%2F1?linkType=linkset`)
  expect(body.linkset.map(({ anchor }: { anchor: string }) => anchor)).toEqual([
    `${BASE_URL}/01/${productId}/22/V%2F1`,
    `${BASE_URL}/01/${productId}`,
  ])
})

test('a record is rendered once, then served from the public lane, until its product changes', async () => {
  const { lane } = gateway.container.cradle.counters
  const [first, missed] = [await get(`/variant/${id}`), lane.miss]
  const second = await get(`/variant/${id}`)
  expect([first.status, first.text]).toEqual([200, `V/1 of ${productId}`])
  expect([second.text, second.headers.etag, lane.miss]).toEqual([first.text, first.headers.etag, missed + 1])
  await passports.update(passport.id, { metadata: textile({ size: 'S' }) })
  expect((await get(`/variant/${id}`)).text).toBe(first.text)
  const stored = await gateway.sqlAs(workspace.id, 'select passport_version from variant_rendition')
  expect(stored).toEqual([{ passport_version: 2 }])
})

test('an absent record, and one of a draft, is not found', async () => {
  const draft = await passports.given({ draft: true })
  const hidden = randomUUID()
  await gateway.sqlAs(workspace.id, `insert into variants values ($1, $2, 'V')`, [hidden, draft.id])
  const body = { error: 'Not Found', message: 'No public variant at this address.' }
  for (const absent of [hidden, randomUUID(), 'no-uuid']) {
    expect(await get(`/variant/${absent}`)).toMatchObject({ status: 404, body })
  }
})
