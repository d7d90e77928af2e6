import fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentOf } from '../../../src/domain/dates.ts'

test('every moment of four-digit years is read as it is written', () => {
  const range = {
    min: new Date('0001-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  }
  fc.assert(
    fc.property(fc.date(range), (date) => {
      const text = date.toISOString()
      expect(momentOf(text)).toBe(text)
      expect(momentOf(text.slice(0, -1))).toBe(text)
      expect(momentOf(text.slice(0, 10))).toBe(`${text.slice(0, 10)}T00:00:00.000Z`)
    }),
  )
})

test('a day is one that the calendar has', () => {
  fc.assert(
    fc.property(fc.nat(9998), fc.nat(14), fc.nat(33), (year, month, day) => {
      const text = `${String(year + 1).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
      // Independent of `Date`, which takes 30 February for a day of March.
      const isLeap = (year + 1) % 4 === 0 && ((year + 1) % 100 !== 0 || (year + 1) % 400 === 0)
      const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
      expect([text, momentOf(text) !== undefined]).toEqual([text, day >= 1 && day <= days])
    }),
  )
})

test.each([
  [undefined],
  [null],
  [0],
  [Number.NaN],
  [new Date()],
  [''],
  ['x'],
  ['2026-13-01'],
  ['2026-11-22T25:00:00Z'],
  ['-000001-01-01'],
  ['275760-09-13'],
  ['2026-11-22'.padEnd(65)],
])('%j is not a time', (value) => {
  expect(momentOf(value)).toBeUndefined()
})

test.each(['UTC', 'Europe/Berlin', 'America/New_York'])(
  'review-3-inputs N22: a text without a zone is UTC in %s',
  (zone) => {
    const before = process.env.TZ
    process.env.TZ = zone
    try {
      for (const text of ['2026/03/01', '1 Mar 2026', 'March 1, 2026', '2026-3-1']) {
        expect([text, momentOf(text)]).toEqual([text, '2026-03-01T00:00:00.000Z'])
      }
      expect(momentOf('Mar 1 2026 10:00 EST')).toBe('2026-03-01T15:00:00.000Z')
      expect(momentOf('Sun, 01 Mar 2026 10:00:00 +0100')).toBe('2026-03-01T09:00:00.000Z')
      expect(momentOf('no date')).toBeUndefined()
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  },
)
