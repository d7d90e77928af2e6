import { describe, expect, it } from 'vitest'
import type { Metadata } from '../../../src/domain/metadata.ts'
import { maskedKeysFor, redact } from '../../../src/domain/redaction.ts'
import { REDACTED } from '../../../src/domain/view.ts'

const batteryKeys = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly']
const battery: Metadata = {
  category: 'batteries',
  lifecycleAndInUse: { cycles: 5 },
  facilityDetails: [{ location: 'Köln' }],
  originCountry: 'DE',
  detailedPerformance: null,
}

describe('maskedKeysFor', () => {
  it('trap 17: masks facilityDetails and the restricted keys in the public tier', () => {
    expect(maskedKeysFor(battery, 'public', batteryKeys)).toEqual([
      'lifecycleAndInUse',
      'facilityDetails',
      'detailedPerformance',
    ])
  })

  it('masks only facilityDetails in the restricted tier', () => {
    expect(maskedKeysFor(battery, 'restricted', batteryKeys)).toEqual(['facilityDetails'])
  })

  it('masks nothing for the owner', () => {
    expect(maskedKeysFor(battery, 'owner', batteryKeys)).toEqual([])
  })

  it('trap 18: does not mask the battery keys in a category that does not declare them', () => {
    expect(maskedKeysFor({ ...battery, category: 'electronics' }, 'public', [])).toEqual(['facilityDetails'])
  })

  it('masks no key that is absent', () => {
    expect(maskedKeysFor({ category: 'batteries', originCountry: 'DE' }, 'public', batteryKeys)).toEqual([])
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
