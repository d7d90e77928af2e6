import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { auditOf } from '../../../test/support/audit.ts'
import type { Answer } from '../../../test/support/contract-client.ts'
import { BASE_URL, bearer, createWorkspace, newGtin, textile } from '../../../test/support/gateway.ts'
import { expectStatus, passportClient } from '../../../test/support/passport-client.ts'
import { animated, chunksOf, pdf, photograph, png, pngOf, webp } from '../../../test/support/pictures.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const MAX_BYTES = 5 * 1024 * 1024
const JPEG = await photograph()
/** Small, for tests that do not depend on size. */
const SMALL = await photograph(400, 300)

interface Sent {
  readonly type?: string
  readonly as?: Record<string, string>
  readonly query?: string
}

const upload = (
  id: string,
  raw: Uint8Array | string,
  { type = 'image/jpeg', as = workspace.as, query = '' }: Sent = {},
) => gateway.request('POST', `/api/v1/passports/${id}/media${query}`, { headers: { ...as, 'content-type': type }, raw })
const given = async (id: string, raw: Uint8Array = SMALL, sent: Sent = {}) =>
  expectStatus(201, await upload(id, raw, sent)).body.medium
const mediaOf = async (id: string, as: Record<string, string> = workspace.as) =>
  (await gateway.request('GET', `/api/v1/passports/${id}/media`, { headers: as })).body.media
const fetched = (url: string, headers: Record<string, string> = {}) =>
  gateway.request('GET', url.slice(BASE_URL.length), { headers })
const resolved = (id: string) => gateway.request('GET', `/passport/${id}`)
const storedBytes = async (id = workspace.id) => {
  const [row] = await gateway.sqlAs<{ bytes: number }>(
    id,
    'select coalesce(sum(bytes), 0)::float8 as bytes from workspace_usage where tenant_id = $1',
    [id],
  )
  return row?.bytes ?? 0
}

describe('a picture', () => {
  test('is served in sizes at immutable addresses, and shows in the passport', async () => {
    const { id } = await passports.given()
    expect((await resolved(id)).body).not.toHaveProperty('media')
    const medium = await given(id, JPEG, { query: '?title=Front&titleLanguage=en' })
    expect(medium).toMatchObject({ kind: 'picture', mediaType: 'image/webp', title: { en: 'Front' } })
    expect(medium.sizes.map(({ width, height }: { width: number; height: number }) => [width, height])).toEqual([
      [320, 240],
      [640, 480],
      [1280, 960],
    ])
    expect(medium.url).toBe(medium.sizes.at(-1).url)
    for (const { url, width, height } of medium.sizes) {
      const { status, headers, bytes } = await fetched(url)
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'image/webp',
        'public, max-age=31536000, immutable',
      ])
      expect(headers.etag).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
      expect(headers['content-length']).toBe(String(bytes.length))
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height, space: 'srgb' })
      const again = await fetched(url, { 'if-none-match': headers.etag as string })
      expect([again.status, again.text]).toEqual([304, ''])
    }
    const { body } = await resolved(id)
    expect(body.media).toEqual([medium])
    expect(body['@context'][1].media).toBe(`${BASE_URL}/ns/dpp#media`)
    expect(await mediaOf(id)).toEqual([medium])
    expect((await auditOf(gateway, workspace.id, id)).map(({ action }) => action)).toEqual(['media.added'])
  })

  test('keeps nothing of the file but its pixels', async () => {
    const { id } = await passports.given()
    expect(JPEG.toString('latin1')).toMatch(/Exif[\s\S]*SECRET-CAMERA/)
    for (const { url } of (await given(id, JPEG)).sizes) {
      const { bytes } = await fetched(url)
      expect(chunksOf(bytes)).toEqual(['VP8 '])
      expect(bytes.toString('latin1')).not.toMatch(/SECRET|Exif|ICCP|XMP/)
    }
  })

  test('is turned as the camera was held', async () => {
    const { id } = await passports.given()
    const turned = await sharp(JPEG).withMetadata({ orientation: 6 }).toBuffer()
    expect((await given(id, turned)).sizes.at(-1)).toMatchObject({ width: 1200, height: 1600 })
  })

  test('is never larger than it was, and keeps what can be seen through', async () => {
    const { id } = await passports.given()
    const medium = await given(id, await png(200, 100), { type: 'image/png' })
    expect(medium.sizes).toEqual([{ url: medium.url, width: 200, height: 100 }])
    expect(await sharp((await fetched(medium.url)).bytes).metadata()).toMatchObject({ hasAlpha: true })
    expect((await given(id, await webp(), { type: 'image/webp' })).sizes.at(-1)).toMatchObject({ width: 400 })
  })
})

describe('rejected uploads', () => {
  const target = { id: '' }
  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['a text', () => Buffer.from('hello'), 'image/png'],
    ['nothing', () => Buffer.alloc(0), 'image/png'],
    ['an SVG that is called a PNG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png'],
    [
      'a page behind the first bytes of a PNG',
      () => Buffer.from('\x89PNG\r\n\x1a\n<script>1</script>', 'latin1'),
      'image/png',
    ],
    ['a JPEG that ends in the middle', () => JPEG.subarray(0, JPEG.length / 2), 'image/jpeg'],
    ['a JPEG of its first bytes', () => Buffer.from([0xff, 0xd8, 0xff]), 'image/jpeg'],
    ['a PNG of 50,000 × 50,000 pixels', () => pngOf(50_000, 50_000), 'image/png'],
    ['a PNG of 20,000 × 1 pixels', () => pngOf(20_000, 1), 'image/png'],
    ['a PNG whose pixels need 384 MB', () => pngOf(6_900, 6_900, { bits: 16, colour: 6 }), 'image/png'],
    ['a WebP of several frames', animated, 'image/webp'],
    ['a WebP without pixels', () => Buffer.from('RIFF\x0c\0\0\0WEBPVP8X\0\0\0\0', 'latin1'), 'image/webp'],
    ['a PDF without an end', () => pdf(4000).subarray(0, 3000), 'application/pdf'],
    ['a GIF', () => Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'image/jpeg'],
  ])('%s', async (_, make, type) => {
    target.id ||= (await passports.given()).id
    const { status, body } = await upload(target.id, await make(), { type })
    expect([status, body.code]).toEqual([400, 'MEDIA_REFUSED'])
    expect(await mediaOf(target.id)).toEqual([])
  })

  test('a wrong or unsupported declared type', async () => {
    const passport = await passports.given()
    const answers: Answer[] = [
      await upload(passport.id, JPEG, { type: 'image/png' }),
      await upload(passport.id, pdf(), { type: 'image/webp' }),
    ]
    for (const { status, body } of answers) expect([status, body.code]).toEqual([415, 'MEDIA_TYPE_MISMATCH'])
    for (const type of ['image/svg+xml', 'text/html', 'application/json', 'application/octet-stream']) {
      const { status, body } = await upload(passport.id, JPEG, { type })
      // review-3-inputs N31: all types, not only the first.
      expect([status, body.message]).toEqual([
        415,
        'Unsupported Content-Type or Content-Encoding. Send image/jpeg, image/png, image/webp or application/pdf, without a content encoding.',
      ])
    }
    expect(await mediaOf(passport.id)).toEqual([])
  })

  test('more than 5 MiB; exactly 5 MiB is taken', async () => {
    const passport = await passports.given()
    expect((await upload(passport.id, pdf(MAX_BYTES + 1), { type: 'application/pdf' })).status).toBe(413)
    const document = await given(passport.id, pdf(MAX_BYTES), { type: 'application/pdf' })
    const { bytes } = await fetched(document.url)
    expect(bytes.equals(pdf(MAX_BYTES))).toBe(true)
  })

  test('more pictures than a passport may have', async () => {
    const passport = await passports.given()
    const small = await png(4, 4)
    for (let count = 0; count < 24; count += 1) await given(passport.id, small, { type: 'image/png' })
    const { status, body } = await upload(passport.id, small, { type: 'image/png' })
    expect([status, body.code]).toEqual([409, 'MEDIA_LIMIT_REACHED'])
    // Documents have their own limit.
    await given(passport.id, pdf(), { type: 'application/pdf' })
  })
})

describe('a document', () => {
  test('is kept as it is, and only ever downloaded', async () => {
    const { id } = await passports.given()
    const file = Buffer.concat([pdf(600), Buffer.from('<script>alert(1)</script>')])
    const document = await given(id, file, { type: 'application/pdf', query: '?title=Manual' })
    expect(document).toMatchObject({ kind: 'document', mediaType: 'application/pdf', title: 'Manual', sizes: [] })
    const { headers, bytes } = await fetched(document.url)
    expect(bytes.equals(file)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="document.pdf"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })
})

describe('permissions', () => {
  test('a draft shows its media only to its workspace; published, they are public', async () => {
    const draft = await passports.given({ draft: true })
    const { url } = await given(draft.id)
    const other = await createWorkspace(gateway)
    expect((await fetched(url)).status).toBe(404)
    expect((await fetched(url, other.as)).status).toBe(404)
    const own = await fetched(url, workspace.as)
    expect([own.status, own.headers['cache-control']]).toEqual([200, 'private, no-store'])
    await passports.update(draft.id, { metadata: textile() })
    expect((await fetched(url)).status).toBe(200)
    await passports.update(draft.id, { metadata: textile(), draft: true })
    expect((await fetched(url)).status).toBe(404)
  })

  test('other workspaces cannot change them, or see those of a draft', async () => {
    const { id } = await passports.given({ draft: true })
    const medium = await given(id)
    const { as } = await createWorkspace(gateway)
    const at = `/api/v1/passports/${id}/media`
    const answers = [
      await upload(id, SMALL, { as }),
      await gateway.request('GET', at, { headers: as }),
      await gateway.request('PUT', at, { headers: as, json: { media: [{ id: medium.id }] } }),
      await gateway.request('DELETE', `${at}/${medium.id}`, { headers: as }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    const reader = await gateway.container.cradle.workspaces.createKey({
      workspaceId: workspace.id,
      role: 'BRAND_OPERATOR',
      permissions: ['passport:read'],
    })
    expect((await upload(id, SMALL, { as: bearer(reader.key) })).status).toBe(403)
    expect(await mediaOf(id, bearer(reader.key))).toHaveLength(1)
    const otherOperator = await gateway.container.cradle.workspaces.createKey({
      workspaceId: workspace.id,
      role: 'BRAND_OPERATOR',
      operatorId: (
        await gateway.request('POST', '/api/v1/operators', {
          headers: workspace.as,
          json: { name: 'Other', regId: `R${newGtin()}` },
        })
      ).body.operator.id,
    })
    expect((await upload(id, SMALL, { as: bearer(otherOperator.key) })).status).toBe(403)
    expect((await fetched(medium.url, bearer(otherOperator.key))).status).toBe(404)
  })

  test('a workspace that acts for the operator reads them, and does not change them', async () => {
    const { id } = await passports.given()
    const other = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.bindOperator(workspace.operatorId, other.id)
    const medium = await given(id)
    expect(await mediaOf(id, other.as)).toEqual([medium])
    expect((await upload(id, SMALL, { as: other.as })).status).toBe(404)
    const written = await passportClient(gateway, other.as).setStatus(id, 'RECALLED')
    expect(written.body.passport.media).toEqual([medium])
  })
})

describe('order and end', () => {
  test('media are put in order and named, each of them once', async () => {
    const { id } = await passports.given()
    const [a, b] = [await given(id), await given(id)]
    const { entry, ...document } = await given(id, pdf(), { type: 'application/pdf' })
    const arrange = (media: unknown) =>
      gateway.request('PUT', `/api/v1/passports/${id}/media`, { headers: workspace.as, json: { media } })
    const { status, body } = await arrange([
      { id: document.id },
      { id: b.id, title: { en: 'Back', de: 'Rückseite' } },
      { id: a.id },
    ])
    expect(status).toBe(200)
    const expected = [{ ...b, title: { en: 'Back', de: 'Rückseite' } }, a, document]
    const remaining = expected.map((one) => (one.id === document.id ? { ...one, entry } : one))
    expect(body.media).toEqual(remaining)
    expect(await mediaOf(id)).toEqual(remaining)
    expect((await resolved(id)).body.media).toEqual(expected)
    for (const wrong of [[], [{ id: a.id }], [{ id: a.id }, { id: a.id }, { id: b.id }]]) {
      expect((await arrange(wrong)).status).toBe(400)
    }
    const blank = [{ id: a.id, title: ' ' }, { id: b.id }, { id: document.id }]
    expect((await arrange(blank)).status).toBe(400)
  })

  test('deleted media are absent from the passport and their address', async () => {
    const { id } = await passports.given()
    const medium = await given(id)
    expect((await resolved(id)).body.media).toHaveLength(1)
    const remove = () =>
      gateway.request('DELETE', `/api/v1/passports/${id}/media/${medium.id}`, { headers: workspace.as })
    expect((await remove()).status).toBe(200)
    expect((await resolved(id)).body).not.toHaveProperty('media')
    expect((await fetched(medium.url)).status).toBe(404)
    expect((await remove()).status).toBe(404)
  })

  test('a draft that is deleted takes its media along, and the bytes are given back', async () => {
    const draft = await passports.given({ draft: true })
    const before = await storedBytes()
    const medium = await given(draft.id)
    const sizes = await Promise.all(
      medium.sizes.map(async ({ url }: { url: string }) => (await fetched(url, workspace.as)).bytes.length),
    )
    expect((await storedBytes()) - before).toBe(sizes.reduce((sum, bytes) => sum + bytes, 0))
    expect((await passports.remove(draft.id)).status).toBe(200)
    expect(await gateway.sqlAs(workspace.id, 'select 1 from media_piece where media_id = $1', [medium.id])).toEqual([])
    expect(await storedBytes()).toBeLessThan(before)
  })
})

test('a plan without room takes no more', async () => {
  const small = await createWorkspace(gateway)
  const passport = await passportClient(gateway, small.as).given()
  await gateway.container.cradle.workspaces.set(small.id, { storageLimit: (await storedBytes(small.id)) + 2000 })
  const { status, body } = await upload(passport.id, SMALL, { as: small.as })
  expect([status, body.code]).toEqual([402, 'STORAGE_LIMIT_REACHED'])
  expect(await mediaOf(passport.id, small.as)).toEqual([])
})

test('a sealed passport takes pictures, and its seal holds', async () => {
  const { id } = await passports.given()
  expectStatus(200, await passports.seal(id))
  const medium = await given(id)
  const { body: document } = await resolved(id)
  expect(document.media).toEqual([medium])
  const verdict = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload: document } })
  expect(verdict.body).toMatchObject({ verdict: 'valid', verified: true })
})

test('a metadata key of the name keeps its place', async () => {
  const passport = await passports.given({ metadata: textile({ media: 'print', recall: 'none' }) })
  await given(passport.id)
  const { body } = await resolved(passport.id)
  expect([body.media, body.metadata.media, body.recall]).toEqual(['print', 'print', 'none'])
})
