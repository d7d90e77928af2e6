import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { BASE_URL } from '../../../test/support/gateway.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { openObjectServer } from '../../../test/support/object-server.ts'
import { expectStatus } from '../../../test/support/passport-client.ts'
import { pdf, photograph } from '../../../test/support/pictures.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

// An object store may fail, be slow or return other content.

const store = await openObjectServer()
const { gateway, workspace, passports } = await useGateway(
  {
    MEDIA_S3_ENDPOINT: store.url,
    MEDIA_S3_BUCKET: 'passports',
    MEDIA_S3_REGION: 'eu-test-1',
    MEDIA_S3_PREFIX: 'dpp/',
    MEDIA_S3_ACCESS_KEY: 'AK',
    MEDIA_S3_SECRET_KEY: 'CANARY-SECRET',
  },
  { bounds: { objectTimeout: 500 } },
)
afterAll(() => store.close())
afterEach(() => {
  store.mode = 'well'
})

const PHOTOGRAPH = await photograph(400, 300)

const upload = (id: string, type = 'image/jpeg', bytes = PHOTOGRAPH) =>
  gateway.request('POST', `/api/v1/passports/${id}/media`, { headers: workspace.as, file: { type, bytes } })
const fetched = (url: string) => gateway.request('GET', url.slice(BASE_URL.length))
const rows = (id: string) => gateway.sqlAs(workspace.id, 'select id from media where passport_id = $1', [id])

test('files are in the store and not in the database, and are served as they are', async () => {
  const { id } = await passports.given()
  const { medium } = expectStatus(201, await upload(id)).body
  const keys = medium.sizes.map(
    ({ width }: { width: number }) => `/passports/dpp/${workspace.id}/${medium.id}/${width}.webp`,
  )
  expect([...store.objects.keys()].sort()).toEqual(keys.toSorted())
  for (const [at, { url }] of medium.sizes.entries()) {
    const { status, bytes, headers } = await fetched(url)
    expect([status, headers['content-type']]).toEqual([200, 'image/webp'])
    expect(bytes.equals(store.objects.get(keys[at]) as Buffer)).toBe(true)
  }
  expect(await gateway.sqlAs(workspace.id, 'select 1 from media_piece')).toEqual([])
  const document = pdf(600_000)
  const { medium: uploaded } = expectStatus(201, await upload(id, 'application/pdf', document)).body
  expect((await fetched(uploaded.url)).bytes.equals(document)).toBe(true)
})

describe('a store that fails', () => {
  test.each(['fails', 'is silent'] as const)('and %s takes nothing, and no row is left', async (mode) => {
    const { id } = await passports.given()
    store.mode = mode
    const { status, headers, text } = await upload(id)
    expect([status, headers['retry-after']]).toEqual([503, '10'])
    expect(text).not.toContain('CANARY-SECRET')
    expect(await rows(id)).toEqual([])
  })

  test.each(['fails', 'is silent', 'is cut short', 'sends more', 'sends something else', 'forgets'] as const)(
    'and %s is never believed',
    async (mode) => {
      const { id } = await passports.given()
      const { medium } = expectStatus(201, await upload(id)).body
      store.mode = mode
      const { status, headers } = await fetched(medium.url)
      expect([status, headers['cache-control']]).toEqual([503, 'private, no-store'])
      store.mode = 'well'
      expect((await fetched(medium.url)).status).toBe(200)
    },
  )
})

test('an object is removed from the store if the database rejects it', async () => {
  const { id } = await passports.given()
  const before = new Set(store.objects.keys())
  await gateway.container.cradle.workspaces.set(workspace.id, { storageLimit: 1 })
  expect((await upload(id)).status).toBe(402)
  await gateway.container.cradle.workspaces.set(workspace.id, { storageLimit: null })
  expect(new Set(store.objects.keys())).toEqual(before)
})

test('a deleted object is removed even if the store is temporarily unavailable', async () => {
  const draft = await passports.given({ draft: true })
  const { medium } = expectStatus(201, await upload(draft.id)).body
  const keysOf = () => [...store.objects.keys()].filter((key) => key.includes(medium.id))
  expect(keysOf()).not.toEqual([])
  store.mode = 'fails'
  expect((await passports.remove(draft.id)).status).toBe(200)
  store.mode = 'well'
  await runJob(gateway, 'media-sweep')
  await expect.poll(keysOf).toEqual([])
  await expect.poll(() => gateway.sql('select key from media_gone')).toEqual([])
})
