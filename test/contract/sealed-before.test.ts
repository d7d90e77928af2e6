import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { createPreparedDatabase } from '../support/databases.ts'
import {
  createWorkspace,
  MASTER_KEY,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
} from '../support/gateway.ts'
import { expectStatus, passportClient, REDACTED } from '../support/passport-client.ts'

// A release that restricts a key which an earlier one published, on the same database.

let folder: string
let before: TestGateway
let after: TestGateway
let workspace: TestWorkspace

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpp-sealed-before-'))
  const DATABASE_URL = await createPreparedDatabase(MASTER_KEY)
  const startWith = async (name: string, annotation: object) => {
    const plugin = join(folder, name)
    await mkdir(join(plugin, 'schemas'), { recursive: true })
    await mkdir(join(plugin, 'locales'))
    await writeFile(join(plugin, 'index.js'), `export default { kind: 'category', name: 'shoes' }`)
    await writeFile(join(plugin, 'schemas/shoes.json'), JSON.stringify({ properties: { evidence: annotation } }))
    await writeFile(join(plugin, 'locales/en.json'), '{}')
    return startTestGateway({ DATABASE_URL, PLUGINS: `${join(ROOT, 'plugins')},${plugin}` })
  }
  before = await startWith('then', {})
  after = await startWith('now', { 'x-audience': ['authority'] })
  workspace = await createWorkspace(before)
})
afterAll(async () => {
  await before.close()
  await after.close()
  await rm(folder, { recursive: true, force: true })
})

const METADATA = {
  category: 'shoes',
  originCountry: 'PT',
  evidence: 'report 7',
  facilityDetails: [{ facilityName: 'W' }],
}
const read = (id: string, query = '', accept = 'application/ld+json') =>
  after.request('GET', `/passport/${id}${query}`, { headers: { accept } })
const verdictOf = async (payload: unknown) =>
  (await after.request('POST', '/api/v1/audit/verify', { headers: workspace.as, json: { payload } })).body

test('a seal that does not permit masking a key stays valid, and shows what it has shown', async () => {
  const { id } = await passportClient(before, workspace.as).given({ metadata: METADATA })
  const sealed = expectStatus(200, await passportClient(before, workspace.as).seal(id)).body.passport
  expect(sealed.proof.subject.maskable).toEqual(['facilityDetails'])

  const { body } = expectStatus(200, await read(id))
  expect([body.metadata.evidence, body.metadata.facilityDetails]).toEqual(['report 7', REDACTED])
  expect(await verdictOf(body)).toMatchObject({ verdict: 'valid' })
  // Also in representations that are rendered again.
  expect((await read(id, '', 'application/aas+json')).text).toContain('report 7')

  // New seals allow masking it, and it is masked; the old version stays as published.
  const metadata = { ...(await passportClient(after, workspace.as).get(id)).body.metadata, color: 'blue' }
  expectStatus(200, await passportClient(after, workspace.as).revise(id, { metadata, changeReason: 'Colour' }))
  const revised = expectStatus(200, await read(id)).body
  expect([revised.metadata.evidence, revised.proof.subject.maskable]).toEqual([
    REDACTED,
    ['evidence', 'facilityDetails'],
  ])
  expect(await verdictOf(revised)).toMatchObject({ verdict: 'valid' })
  const earlier = expectStatus(200, await read(id, '?version=1')).body
  expect(earlier.metadata.evidence).toBe('report 7')
  expect(await verdictOf(earlier)).toMatchObject({ verdict: 'valid' })
})

test('to seal again hides the key', async () => {
  const { id } = await passportClient(before, workspace.as).given({ metadata: METADATA })
  await passportClient(before, workspace.as).seal(id)
  const { body } = expectStatus(200, await passportClient(after, workspace.as).seal(id))
  expect([body.passport.metadata.evidence, body.passport.proof.subject.maskable]).toEqual([
    REDACTED,
    ['evidence', 'facilityDetails'],
  ])
  expect(await verdictOf(body.passport)).toMatchObject({ verdict: 'valid' })
})

test('unsealed values are hidden immediately, also in lists', async () => {
  const { id } = await passportClient(before, workspace.as).given({ metadata: METADATA })
  expect((await before.request('GET', `/passport/${id}`)).body.metadata.evidence).toBe('report 7')
  expect((await read(id)).body.metadata.evidence).toBe(REDACTED)
})
