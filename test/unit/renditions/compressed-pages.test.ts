import { randomBytes } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import compressedPages from '../../../src/renditions/compressed-pages.ts'
import { etagOf } from '../../../src/renditions/rendition.ts'

const MEBIBYTE = 1024 * 1024
/** Incompressible. */
const page = (bytes: number) => {
  const body = randomBytes(bytes)
  return { body, etag: etagOf(body), contentType: 'text/html; charset=utf-8' }
}

test('a page is compressed once, and again when 16 MiB of others have come after it', async () => {
  const { of } = compressedPages()
  const first = page(4 * MEBIBYTE)
  const made = await of(first)
  expect(brotliDecompressSync(made.body).equals(first.body)).toBe(true)
  expect(await of({ ...first })).toBe(made)
  for (let count = 0; count < 2; count += 1) await of(page(4 * MEBIBYTE))
  expect(await of(first)).toBe(made)
  for (let count = 0; count < 4; count += 1) await of(page(4 * MEBIBYTE))
  const again = await of(first)
  expect(again).not.toBe(made)
  expect(again.etag).toBe(made.etag)
})

test('the event loop runs while pages are compressed', async () => {
  const { of } = compressedPages()
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  await Promise.all(Array.from({ length: 8 }, () => of(page(MEBIBYTE))))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
})
