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
      // Counted by hand, because `Date` takes 30 February for a day of March.
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
])('%j is no moment', (value) => {
  expect(momentOf(value)).toBeUndefined()
})
