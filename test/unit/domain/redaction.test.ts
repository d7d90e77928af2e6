import { describe, expect, it } from 'vitest'
import { audienceRules } from '../../../src/domain/audience.ts'
import type { Metadata } from '../../../src/domain/metadata.ts'
import { maskedKeysFor, redact } from '../../../src/domain/redaction.ts'
import { REDACTED } from '../../../src/domain/view.ts'

const rules = audienceRules([], ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly'])
const battery: Metadata = {
  category: 'batteries',
  lifecycleAndInUse: { cycles: 5 },
  facilityDetails: [{ location: 'Köln' }],
  originCountry: 'DE',
  detailedPerformance: null,
}

describe('maskedKeysFor', () => {
  it('trap 17: masks facilityDetails and the restricted keys from the public', () => {
    expect(maskedKeysFor(battery, 'public', rules)).toEqual([
      'lifecycleAndInUse',
      'facilityDetails',
      'detailedPerformance',
    ])
  })

  it.each(['legitimateInterest', 'authority', 'strictAuthority'] as const)(
    'masks only facilityDetails from %s',
    (reader) => {
      expect(maskedKeysFor(battery, reader, rules)).toEqual(['facilityDetails'])
    },
  )

  it('masks nothing for the owner', () => {
    expect(maskedKeysFor(battery, 'owner', rules)).toEqual([])
  })

  it('trap 18: does not mask the battery keys in a category that does not declare them', () => {
    expect(maskedKeysFor({ ...battery, category: 'electronics' }, 'public', audienceRules([]))).toEqual([
      'facilityDetails',
    ])
  })

  it('masks no key that is absent', () => {
    expect(maskedKeysFor({ category: 'batteries', originCountry: 'DE' }, 'public', rules)).toEqual([])
  })
})

describe('redact', () => {
  it('replaces the values and keeps the order of the keys', () => {
    const redacted = redact(battery, ['detailedPerformance', 'facilityDetails'])
    expect(Object.entries(redacted)).toEqual([
      ['category', 'batteries'],
      ['lifecycleAndInUse', { cycles: 5 }],
      ['facilityDetails', REDACTED],
      ['originCountry', 'DE'],
      ['detailedPerformance', REDACTED],
    ])
  })

  it('injects no key', () => {
    expect(redact({ category: 'toys' }, ['facilityDetails', 'toString'])).toEqual({ category: 'toys' })
  })

  it('leaves the original as it was', () => {
    redact(battery, ['facilityDetails'])
    expect(battery.facilityDetails).toEqual([{ location: 'Köln' }])
  })

  it('keeps a key named __proto__ as a key', () => {
    const redacted = redact(JSON.parse('{"__proto__":{"a":1}}') as Metadata, [])
    expect(JSON.stringify(redacted)).toBe('{"__proto__":{"a":1}}')
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype)
  })
})
