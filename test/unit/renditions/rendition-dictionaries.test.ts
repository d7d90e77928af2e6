import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packed, stored, wire } from '../../../src/renditions/rendition.ts'

const text = (word: string) => Buffer.from(Array.from({ length: 2000 }, (_, at) => `${word} ${at * at}`).join())
const rendition = { body: text('weight'), etag: '"e"', contentType: 'text/html; charset=utf-8' }

test('a stored rendition becomes the same bytes again, with its dictionary and without one', async () => {
  for (const dictionary of [undefined, text('weight'), text('mass')]) {
    expect(wire(stored(rendition, await packed(rendition.body, dictionary)), dictionary)).toEqual(rendition)
  }
})

test('a rendition of another dictionary is absent, never other bytes', async () => {
  const [own, other] = [text('weight'), text('length')]
  const row = stored(rendition, await packed(rendition.body, own))
  expect(wire(row, other)).toBeUndefined()
  expect(wire(row)).toBeUndefined()
  expect(wire(stored(rendition, brotliCompressSync(rendition.body)), own)).toBeUndefined()
})
