import { describe, expect, it } from 'vitest'
import { leafHash, rootOf, sealTree, verifyTree } from '../../../src/domain/merkle.ts'
import type { Json, Metadata } from '../../../src/domain/metadata.ts'
import { REDACTED } from '../../../src/domain/view.ts'

const salt = () => new Uint8Array(16).fill(7)
const saltText = Buffer.from(salt()).toString('base64url')

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
    expect(() => sealTree({}, salt)).toThrow('at least one leaf')
    expect(() => rootOf([])).toThrow('at least one leaf')
  })

  it('asks for one salt per key', () => {
    const asked: string[] = []
    sealTree({ b: 1, a: 2, 10: 3, 9: 4 }, (key) => {
      asked.push(key)
      return salt()
    })
    expect(asked).toEqual(['10', '9', 'a', 'b'])
  })

  it('seals names that objects inherit as any other', () => {
    const metadata = JSON.parse('{"__proto__":1,"toString":2,"constructor":3}') as Metadata
    const { root, leaves } = sealTree(metadata, salt)
    expect(Object.keys(leaves).sort()).toEqual(['__proto__', 'constructor', 'toString'])
    const salts = Object.fromEntries(Object.entries(leaves).map(([key, leaf]) => [key, leaf.salt]))
    expect(verifyTree(metadata, salts)).toBe(root)
  })

  it('leaves a large document linear', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, index]))
    const start = performance.now()
    sealTree(metadata, salt)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('verifyTree', () => {
  const metadata: Metadata = { category: 'toys', facilityDetails: [{ location: 'Porto' }], originCountry: 'PT' }
  const { root, leaves } = sealTree(metadata, salt)
  const hidden = { facilityDetails: leaves.facilityDetails?.hash as string }
  const salts = { category: saltText, originCountry: saltText }
  const redacted: Metadata = { ...metadata, facilityDetails: REDACTED }

  it('takes a masked key by its hash', () => {
    expect(verifyTree(redacted, salts, hidden)).toBe(root)
  })

  it('leaves out a placeholder that was never sealed', () => {
    const sealed = sealTree({ category: 'toys', originCountry: 'PT' }, salt).root
    expect(verifyTree(redacted, salts)).toBe(sealed)
  })

  it('recomputes a visible value even if a hash is offered for it', () => {
    const forged = { ...metadata, originCountry: 'XX' }
    const hashes = { originCountry: leaves.originCountry?.hash as string }
    expect(verifyTree(forged, { ...salts, facilityDetails: saltText }, hashes)).not.toBe(root)
  })

  it('has another root when a masked key is removed', () => {
    expect(verifyTree({ category: 'toys', originCountry: 'PT' }, salts, hidden)).not.toBe(root)
  })

  it('verifies a value that is the placeholder text itself', () => {
    const odd: Metadata = { category: 'toys', note: REDACTED }
    expect(verifyTree(odd, { category: saltText, note: saltText })).toBe(sealTree(odd, salt).root)
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
