import { describe, expect, it } from 'vitest'
import {
  byCodeUnit,
  leafHash,
  rebuildTree,
  rootOf,
  SALT_BYTES,
  SALT_RANDOM_BYTES,
  type SealedTree,
  SUBJECT_KEY,
  sealTree,
  verifyTree,
} from '../../../src/domain/merkle.ts'
import type { Json, Metadata } from '../../../src/domain/metadata.ts'
import { REDACTED } from '../../../src/domain/view.ts'

const salt = () => new Uint8Array(SALT_BYTES).fill(7)
const random = (count: number) => new Uint8Array(count).fill(7)
/** Salt of a leaf at this place, encoded as in a proof. */
const saltAt = (index: number, count: number) =>
  Buffer.from([index >> 8, index & 255, count >> 8, count & 255, ...random(SALT_RANDOM_BYTES)]).toString('base64url')

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

const subject = { id: 'p', productId: 'SKU-1', maskable: ['facilityDetails'] }
const saltsOf = ({ leaves }: SealedTree) =>
  Object.fromEntries(Object.entries(leaves).map(([key, leaf]) => [key, leaf.salt]))

describe('sealTree', () => {
  it('refuses empty metadata', () => {
    expect(() => sealTree({}, subject, random)).toThrow('no metadata to seal')
    expect(() => rootOf([])).toThrow('at least one leaf')
  })

  it('puts the place of the leaf before the random bytes of its salt, in the order of the keys', () => {
    const counts: number[] = []
    const { leaves } = sealTree({ b: 1, a: 2, 10: 3, 9: 4 }, subject, (count) => {
      counts.push(count)
      return Uint8Array.from({ length: count }, (_, index) => 1 + Math.floor(index / SALT_RANDOM_BYTES))
    })
    const hex = (key: string) => Buffer.from(leaves[key]?.salt as string, 'base64url').toString('hex')
    expect(['10', '9', SUBJECT_KEY, 'a', 'b'].map(hex)).toEqual([
      `00000005${'01'.repeat(12)}`,
      `00010005${'02'.repeat(12)}`,
      `00020005${'03'.repeat(12)}`,
      `00030005${'04'.repeat(12)}`,
      `00040005${'05'.repeat(12)}`,
    ])
    expect(counts).toEqual([5 * SALT_RANDOM_BYTES])
  })

  it.each([0, 12, 23, 25, 32])('refuses %i random bytes for two salts', (length) => {
    expect(() => sealTree({ category: 'toys' }, subject, () => new Uint8Array(length))).toThrow(RangeError)
  })

  it('seals 65,534 keys and refuses one more', { timeout: 30_000 }, () => {
    const metadata = Object.fromEntries(Array.from({ length: 65_534 }, (_, index) => [`${index}`, index]))
    const tree = sealTree(metadata, subject, random)
    expect(verifyTree({ metadata, subject, salts: saltsOf(tree) })).toBe(tree.root)
    expect(() => sealTree({ ...metadata, more: 1 }, subject, random)).toThrow('more than 65534 keys cannot be sealed')
  })

  it('seals names that objects inherit as any other', () => {
    const metadata = JSON.parse('{"__proto__":1,"toString":2,"constructor":3}') as Metadata
    const tree = sealTree(metadata, subject, random)
    expect(Object.keys(tree.leaves).sort()).toEqual([SUBJECT_KEY, '__proto__', 'constructor', 'toString'])
    expect(verifyTree({ metadata, subject, salts: saltsOf(tree) })).toBe(tree.root)
  })

  it('covers what the seal is about', () => {
    const metadata: Metadata = { category: 'toys' }
    const tree = sealTree(metadata, subject, random)
    const about = (other: object) => verifyTree({ metadata, subject: { ...subject, ...other }, salts: saltsOf(tree) })
    expect(about({})).toBe(tree.root)
    expect(about({ productId: 'SKU-2' })).not.toBe(tree.root)
    expect(about({ id: 'q' })).not.toBe(tree.root)
    expect(about({ maskable: ['facilityDetails', 'originCountry'] })).not.toBe(tree.root)
    expect(about({ more: 1 })).not.toBe(tree.root)
  })
})

describe('rebuildTree', () => {
  it('gives the leaves that were sealed', () => {
    const metadata: Metadata = { category: 'toys', weight: 1.5 }
    const tree = sealTree(metadata, subject, random)
    expect(rebuildTree({ metadata, subject, salts: saltsOf(tree) })).toEqual(tree)
  })
})

describe('verifyTree', () => {
  const metadata: Metadata = { category: 'toys', facilityDetails: [{ location: 'Porto' }], originCountry: 'PT' }
  const tree = sealTree(metadata, subject, random)
  const { root, leaves } = tree
  const hidden = { facilityDetails: leaves.facilityDetails?.hash as string }
  const salts = { [SUBJECT_KEY]: saltAt(0, 4), category: saltAt(1, 4), originCountry: saltAt(3, 4) }
  const redacted: Metadata = { ...metadata, facilityDetails: REDACTED }
  const rebuilt = (shown: Metadata, given: Record<string, string>, hashes?: Record<string, string>) =>
    verifyTree({ metadata: shown, subject, salts: given, redactedLeaves: hashes })

  it('takes a masked key by its hash', () => {
    expect(rebuilt(redacted, salts, hidden)).toBe(root)
  })

  it('refuses a placeholder that was never sealed', () => {
    const sealed = { category: 'toys', originCountry: 'PT' }
    const given = saltsOf(sealTree(sealed, subject, random))
    expect(rebuilt(sealed, given)).toMatch(/^[0-9a-f]{64}$/)
    expect(() => rebuilt({ ...sealed, 'RECALLED, send back': REDACTED }, given)).toThrow(
      '"RECALLED, send back" has no salt.',
    )
  })

  it('refuses a value that has both a salt and a hash', () => {
    const both = { ...salts, facilityDetails: saltAt(2, 4) }
    expect(() => rebuilt(redacted, both, hidden)).toThrow('"facilityDetails" has both a salt and the hash of a leaf.')
  })

  it('refuses hashes and salts of what is not there', () => {
    expect(() => rebuilt(redacted, salts, { ...hidden, brand: root })).toThrow('1 salts or hashes of missing values')
    expect(() => rebuilt(redacted, { ...salts, brand: saltAt(0, 4) }, hidden)).toThrow(
      '1 salts or hashes of missing values',
    )
    expect(() => rebuilt(metadata, { ...salts, facilityDetails: saltAt(2, 4) }, { originCountry: root })).toThrow(
      '1 salts or hashes of missing values',
    )
  })

  it('refuses a document from which a masked key was removed', () => {
    expect(() => rebuilt({ category: 'toys', originCountry: 'PT' }, salts)).toThrow(
      'The subject was sealed as one of 4 entries; this document has 3.',
    )
  })

  it('refuses a document to which an entry was added', () => {
    const more = { ...redacted, brand: REDACTED }
    expect(() => rebuilt(more, salts, { ...hidden, brand: root })).toThrow('one of 4 entries; this document has 5.')
  })

  it('refuses a salt of another position', () => {
    expect(() => rebuilt(redacted, { ...salts, originCountry: saltAt(2, 4) }, hidden)).toThrow(
      '"originCountry" was sealed at position 2; here it is at 3.',
    )
  })

  it('refuses a masked key renamed past a visible one', () => {
    const { facilityDetails, ...rest } = redacted
    const moved = { ...rest, zone: facilityDetails as Json }
    expect(() => rebuilt(moved, salts, { zone: hidden.facilityDetails })).toThrow(
      '"originCountry" was sealed at position 3; here it is at 2.',
    )
  })

  it('refuses a document without the salt of its subject', () => {
    const { [SUBJECT_KEY]: _, ...others } = salts
    expect(() => rebuilt(redacted, others, hidden)).toThrow('The subject has no salt.')
  })

  it('refuses a visible value without salt', () => {
    expect(() => rebuilt(metadata, salts)).toThrow('"facilityDetails" has no salt.')
  })

  it('does not find an inherited property as a salt', () => {
    expect(() => rebuilt({ toString: 1 }, { [SUBJECT_KEY]: saltAt(0, 2) })).toThrow('"toString" has no salt.')
  })

  it.each([
    ['short', 'AAAA'],
    ['empty', ''],
    ['padded', `${saltAt(1, 2)}==`],
    ['with superfluous bits', `${saltAt(1, 2).slice(0, -1)}x`],
    ['no string', 5 as unknown as string],
  ])('refuses a salt that is %s', (_, bad) => {
    expect(() => rebuilt({ category: 'toys' }, { [SUBJECT_KEY]: saltAt(0, 2), category: bad })).toThrow(
      '"category" has no salt.',
    )
  })

  it.each([
    ['short', 'ab'],
    ['upper case', 'A'.repeat(64)],
    ['no string', 5 as unknown as string],
  ])('refuses a leaf hash that is %s', (_, bad) => {
    expect(() => rebuilt(redacted, salts, { facilityDetails: bad })).toThrow('not a hexadecimal SHA-256')
  })
})

describe('byCodeUnit', () => {
  it('orders by UTF-16 code unit, and equal texts are equal', () => {
    expect([byCodeUnit('a', 'b'), byCodeUnit('b', 'a'), byCodeUnit('a', 'a')]).toEqual([-1, 1, 0])
    // By code point U+FF61 would come first.
    expect(byCodeUnit('\u{1F600}', '\uFF61')).toBe(-1)
  })
})
