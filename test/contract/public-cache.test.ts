import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway()

test('what is kept has memory of its own, and no more than is counted', async () => {
  const { publicCache } = gateway.container.cradle
  const passportId = randomUUID()
  const key = `/passport/${passportId} json-ld en`
  const body = Buffer.from('{"name":"cut out of a larger buffer"}')
  expect(body.buffer.byteLength).toBeGreaterThan(body.length)
  const found = {
    passportId,
    unitId: null,
    category: 'textiles',
    representation: 'json-ld',
    rendition: { body, etag: '"1"', contentType: 'application/ld+json' },
  }
  // Kept from the second time on, and as soon as the database tells of changes.
  await expect
    .poll(() => {
      publicCache.set(key, found, publicCache.epoch())
      return publicCache.get(key)?.rendition.body.toString()
    })
    .toBe(String(body))
  const kept = publicCache.get(key)?.rendition.body
  expect(kept?.buffer.byteLength).toBe(body.length)
})
