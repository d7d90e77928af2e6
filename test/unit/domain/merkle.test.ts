import { describe, expect, it } from 'vitest'
import { leafHash, rootOf, SALT_BYTES, SALT_RANDOM_BYTES, sealTree, verifyTree } from '../../../src/domain/merkle.ts'
import type { Json, Metadata } from '../../../src/domain/metadata.ts'
import { REDACTED } from '../../../src/domain/view.ts'

const salt = () => new Uint8Array(SALT_BYTES).fill(7)
const random = () => new Uint8Array(SALT_RANDOM_BYTES).fill(7)
/** The salt of a leaf at this place, as a proof carries it. */
const saltAt = (index: number, count: number) =>
  Buffer.from([index >> 8, index & 255, count >> 8, count & 255, ...random()]).toString('base64url')

describe('leafHash', () => {
  it('keeps the border between key and value', () => {
    expect(leafHash(salt(), 'a', 'b","c')).not.toEqual(leafHash(salt(), 'a","b', 'c'))
    expect(leafHash(salt(), '', 'ab')).not.toEqual(leafHash(salt(), 'ab', ''))
  })

  it('hashes equal numbers equally, however they were spelled', () => {
    expect(leafHash(salt(), 'k', JSON.parse('1.0'))).toEqual(leafHash(salt(), 'k', JSON.parse('1e0')))
    expect(leafHash(salt(), 'k', -0)).toEqual(leafHash(salt(), 'k', 0))
  })

  it('does not normalise Unicode', () => {
    expect(leafHash(salt(), 'k', '\u00e9')).not.toEqual(leafHash(salt(), 'k', 'e\u0301'))
  })

  it('refuses a salt that has not 16 bytes', () => {
    expect(() => leafHash(new Uint8Array(15), 'k', 1)).toThrow(RangeError)
    expect(() => leafHash(new Uint8Array(17), 'k', 1)).toThrow(RangeError)
  })

  it('refuses what JSON cannot hold', () => {
    expect(() => leafHash(salt(), 'k', undefined as unknown as Json)).toThrow('"k" has no value')
    expect(() => leafHash(salt(), 'k', Number.NaN)).toThrow()
    expect(() => leafHash(salt(), 'k', '\ud800')).toThrow()
  })
})

describe('sealTree', () => {
  it('refuses empty metadata', () => {
    expect(() => sealTree({}, random)).toThrow('at least one leaf')
    expect(() => rootOf([])).toThrow('at least one leaf')
  })

  it('puts the place of the leaf before the random bytes of its salt, in the order of the keys', () => {
    let calls = 0
    const { leaves } = sealTree({ b: 1, a: 2, 10: 3, 9: 4 }, () => {
      calls += 1
      return random().fill(calls)
    })
    const hex = (key: string) => Buffer.from(leaves[key]?.salt as string, 'base64url').toString('hex')
    expect(['10', '9', 'a', 'b'].map(hex)).toEqual([
      `00000004${'01'.repeat(12)}`,
      `00010004${'02'.repeat(12)}`,
      `00020004${'03'.repeat(12)}`,
      `00030004${'04'.repeat(12)}`,
    ])
    expect(calls).toBe(4)
  })

  it.each([0, 11, 13, 16])('refuses %i random bytes', (length) => {
    expect(() => sealTree({ category: 'toys' }, () => new Uint8Array(length))).toThrow(RangeError)
  })

  it('seals 65,535 keys and refuses one more', { timeout: 30_000 }, () => {
    const metadata = Object.fromEntries(Array.from({ length: 65_535 }, (_, index) => [`${index}`, index]))
    const { root, leaves } = sealTree(metadata, random)
    const salts = Object.fromEntries(Object.entries(leaves).map(([key, leaf]) => [key, leaf.salt]))
    expect(verifyTree(metadata, salts)).toBe(root)
    expect(() => sealTree({ ...metadata, more: 1 }, random)).toThrow('more than 65535 keys cannot be sealed')
  })

  it('seals names that objects inherit as any other', () => {
    const metadata = JSON.parse('{"__proto__":1,"toString":2,"constructor":3}') as Metadata
    const { root, leaves } = sealTree(metadata, random)
    expect(Object.keys(leaves).sort()).toEqual(['__proto__', 'constructor', 'toString'])
    const salts = Object.fromEntries(Object.entries(leaves).map(([key, leaf]) => [key, leaf.salt]))
    expect(verifyTree(metadata, salts)).toBe(root)
  })

  it('leaves a large document linear', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, index]))
    const start = performance.now()
    sealTree(metadata, random)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('verifyTree', () => {
  const metadata: Metadata = { category: 'toys', facilityDetails: [{ location: 'Porto' }], originCountry: 'PT' }
  const { root, leaves } = sealTree(metadata, random)
  const hidden = { facilityDetails: leaves.facilityDetails?.hash as string }
  const salts = { category: saltAt(0, 3), originCountry: saltAt(2, 3) }
  const redacted: Metadata = { ...metadata, facilityDetails: REDACTED }

  it('takes a masked key by its hash', () => {
    expect(verifyTree(redacted, salts, hidden)).toBe(root)
  })

  it('leaves out a placeholder that was never sealed', () => {
    const sealed = sealTree({ category: 'toys', originCountry: 'PT' }, random).root
    expect(verifyTree(redacted, { category: saltAt(0, 2), originCountry: saltAt(1, 2) })).toBe(sealed)
  })

  it('recomputes a visible value even if a hash is offered for it', () => {
    const forged = { ...metadata, originCountry: 'XX' }
    const hashes = { originCountry: leaves.originCountry?.hash as string }
    expect(verifyTree(forged, { ...salts, facilityDetails: saltAt(1, 3) }, hashes)).not.toBe(root)
  })

  it('refuses a document from which a masked key was removed', () => {
    expect(() => verifyTree({ category: 'toys', originCountry: 'PT' }, salts, hidden)).toThrow(
      '"category" was sealed as one of 3 entries; this document has 2.',
    )
  })

  it('refuses a document to which an entry was added', () => {
    const more = { ...redacted, brand: REDACTED }
    expect(() => verifyTree(more, salts, { ...hidden, brand: root })).toThrow('one of 3 entries; this document has 4.')
  })

  it('refuses a salt of another position', () => {
    expect(() => verifyTree(redacted, { ...salts, originCountry: saltAt(1, 3) }, hidden)).toThrow(
      '"originCountry" was sealed at position 1; here it is at 2.',
    )
  })

  it('refuses a masked key renamed past a visible one', () => {
    const { facilityDetails, ...rest } = redacted
    const moved = { ...rest, zone: facilityDetails as Json }
    expect(() => verifyTree(moved, salts, { zone: hidden.facilityDetails })).toThrow(
      '"originCountry" was sealed at position 2; here it is at 1.',
    )
  })

  it('refuses a document without any visible value', () => {
    const hashes = Object.fromEntries(Object.entries(leaves).map(([key, leaf]) => [key, leaf.hash]))
    const nothing = Object.fromEntries(Object.keys(metadata).map((key) => [key, REDACTED]))
    expect(() => verifyTree(nothing, {}, hashes)).toThrow('No value is visible')
    expect(() => verifyTree({ facilityDetails: REDACTED }, {}, { facilityDetails: root })).toThrow(
      'No value is visible',
    )
  })

  it('verifies a value that is the placeholder text itself', () => {
    const odd: Metadata = { category: 'toys', note: REDACTED }
    expect(verifyTree(odd, { category: saltAt(0, 2), note: saltAt(1, 2) })).toBe(sealTree(odd, random).root)
  })

  it('refuses a visible value without salt', () => {
    expect(() => verifyTree(metadata, salts, hidden)).toThrow('no salt for "facilityDetails"')
  })

  it('does not find an inherited property as a salt', () => {
    expect(() => verifyTree({ toString: 1 }, {})).toThrow('no salt for "toString"')
  })

  it.each([
    ['short', 'AAAA'],
    ['empty', ''],
    ['no string', 5 as unknown as string],
  ])('refuses a salt that is %s', (_, bad) => {
    expect(() => verifyTree({ category: 'toys' }, { category: bad })).toThrow()
  })

  it.each([
    ['short', 'ab'],
    ['upper case', 'A'.repeat(64)],
    ['no string', 5 as unknown as string],
  ])('refuses a leaf hash that is %s', (_, bad) => {
    expect(() => verifyTree(redacted, salts, { facilityDetails: bad })).toThrow('not a hexadecimal SHA-256')
  })

  it('refuses a document in which nothing was sealed', () => {
    expect(() => verifyTree({ facilityDetails: REDACTED }, {})).toThrow('at least one leaf')
  })
})
