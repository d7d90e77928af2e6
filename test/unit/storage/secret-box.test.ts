import { expect, test } from 'vitest'
import { SecretBox } from '../../../src/storage/secret-box.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')

test('a secret opens as what it was sealed as, under its key, unaltered, and as nothing else', () => {
  const box = new SecretBox(KEY)
  const sealed = box.seal('whsec_x', 'one')
  expect(box.open(sealed, 'one')).toBe('whsec_x')
  expect(new SecretBox(KEY).open(sealed, 'one')).toBe('whsec_x')
  expect(() => box.open(sealed, 'other')).toThrow()
  expect(() => new SecretBox(Buffer.alloc(32, 2).toString('base64')).open(sealed, 'one')).toThrow()
  for (let index = 0; index < sealed.length; index += 1) {
    const altered = Buffer.from(sealed)
    altered[index] = (altered[index] as number) ^ 1
    expect(() => box.open(altered, 'one'), `byte ${index}`).toThrow()
  }
})

test('the same secret is never sealed alike, and cannot be read', () => {
  const box = new SecretBox(KEY)
  const sealed = [box.seal('whsec_x', 'one'), box.seal('whsec_x', 'one')]
  expect(sealed[0]).not.toEqual(sealed[1])
  for (const bytes of sealed) expect(bytes.includes('whsec_x')).toBe(false)
})
