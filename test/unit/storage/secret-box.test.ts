import { expect, test } from 'vitest'
import { SecretBox } from '../../../src/storage/secret-box.ts'

const [KEY, NEW, OTHER] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string, string]

test('a secret opens as what it was sealed as, under its key, unaltered, and as nothing else', () => {
  const box = new SecretBox(KEY)
  const sealed = box.seal('whsec_x', 'one')
  expect(box.open(sealed, 'one')).toBe('whsec_x')
  expect(new SecretBox(KEY).open(sealed, 'one')).toBe('whsec_x')
  expect(() => box.open(sealed, 'other')).toThrow()
  expect(() => new SecretBox(OTHER).open(sealed, 'one')).toThrow()
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

test('with the former key its ciphertexts open, and are re-encrypted once', () => {
  const sealed = new SecretBox(KEY).seal('whsec_x', 'one')
  const box = new SecretBox(NEW, KEY)
  expect(box.open(sealed, 'one')).toBe('whsec_x')
  expect(() => box.open(sealed, 'other')).toThrow()
  const resealed = box.rewrapped(sealed, 'one')
  expect(resealed && new SecretBox(NEW).open(resealed, 'one')).toBe('whsec_x')
  expect(resealed && box.rewrapped(resealed, 'one')).toBeUndefined()
  expect(() => box.rewrapped(sealed, 'other')).toThrow()
  // The former key is only for reading.
  expect(() => new SecretBox(KEY).open(box.seal('whsec_y', 'one'), 'one')).toThrow()
})

test('a secret that neither key opens is reported, and never re-encrypted', () => {
  const sealed = new SecretBox(OTHER).seal('whsec_x', 'one')
  for (const box of [new SecretBox(NEW, KEY), new SecretBox(NEW)]) {
    expect(() => box.open(sealed, 'one')).toThrow(/unable to authenticate/i)
    expect(() => box.rewrapped(sealed, 'one')).toThrow(/unable to authenticate/i)
  }
})

// NIST SP 800-38D, appendix C: a shorter tag is easier to guess.
test('the tag is there in full', () => {
  const box = new SecretBox(KEY)
  const sealed = box.seal('', 'one')
  expect(sealed).toHaveLength(12 + 16)
  for (const length of [12, 16, 20, 24, 27]) expect(() => box.open(sealed.subarray(0, length), 'one')).toThrow()
})
