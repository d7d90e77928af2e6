import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COUNTRY_CODES } from '../../../../src/plugin/module.ts'
import { LANGUAGES as languageNames } from '../../../../test/support/languages.ts'
import { LANGUAGES } from './languages.ts'
import { notationOf } from './notation.ts'

const of = (lang: string) => notationOf(lang, [...COUNTRY_CODES], LANGUAGES)

describe('numbers', () => {
  test.each([
    ['en', '12.5', 12.5],
    ['en', '12,5', 12.5],
    ['en', '1,234.5', 1234.5],
    ['en', '1,234,567', 1_234_567],
    ['en', '-0.125', -0.125],
    ['en', '−4', -4],
    ['de', '12,5', 12.5],
    ['de', '1.234,5', 1234.5],
    ['de', '1,234', 1.234],
    ['fr', '1\u202f234,5', 1234.5],
    ['pl', '1 234', 1234],
    ['de', '0.125', 0.125],
  ])('%s reads %s as %d', (lang, text, value) => {
    expect(of(lang).readNumber(text, false)).toEqual({ value })
  })

  test.each([
    ['de', '1.234', 'numberAmbiguous'],
    ['en', '1,234', 'numberAmbiguous'],
    ['en', '1 2', 'numberGroups'],
    ['en', '1.234.56', 'number'],
    ['en', '12 kg', 'number'],
    ['en', '1e5', 'number'],
    ['en', '1.23456789012345678901', 'numberExact'],
  ])('%s rejects %s', (lang, text, code) => {
    expect(of(lang).readNumber(text, false)).toMatchObject({ code })
  })

  test('a number is read as it is shown, in every language', () => {
    const any = fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
      .filter((value) => !Object.is(value, -0))
    fc.assert(
      fc.property(any, fc.constantFrom(...languageNames), (value, lang) => {
        expect(of(lang).readNumber(of(lang).showNumber(value), false)).toEqual({ value })
      }),
    )
  })

  test('whole numbers have no fraction', () => {
    expect(of('en').readNumber('1.5', true)).toEqual({ code: 'whole' })
    expect(of('en').readNumber('15', true)).toEqual({ value: 15 })
  })
})

describe('dates', () => {
  test.each([
    ['de', '31.12.2027', '2027-12-31'],
    ['en', '31/12/2027', '2027-12-31'],
    ['en', '2027-12-31', '2027-12-31'],
    ['sv', '2027-12-31', '2027-12-31'],
    ['hu', '2027. 12. 31.', '2027-12-31'],
  ])('%s reads %s', (lang, text, value) => {
    expect(of(lang).readDate(text)).toEqual({ value })
  })

  test.each(['31.2.2027', '12/2027', '1.2.27', 'tomorrow', '2027-13-01'])('%s is not a date', (text) => {
    expect(of('de').readDate(text)).toMatchObject({ code: 'date' })
  })

  test('a month or a date is read', () => {
    expect(['2027-2', '02/2027', '1.2.2027'].map((text) => of('de').readMonth(text))).toEqual([
      { value: '2027-02' },
      { value: '2027-02' },
      { value: '2027-02-01' },
    ])
    expect(of('de').readMonth('13/2027')).toMatchObject({ code: 'month' })
  })
})

test('every country and language is read from its name in every language, and from its code', () => {
  for (const lang of languageNames) {
    const notation = of(lang)
    for (const code of COUNTRY_CODES) {
      expect(notation.readCountry(notation.showCountry(code)), `${lang} ${code}`).toEqual({ value: code })
      expect(notation.readCountry(code.toLowerCase())).toEqual({ value: code })
    }
    for (const tag of LANGUAGES) expect(notation.readLanguage(notation.showLanguage(tag))).toEqual({ value: tag })
  }
  expect(of('en').readCountry('Atlantis')).toEqual({ code: 'country' })
  expect(of('de').readCountry('  osterreich ')).toEqual({ value: 'AT' })
})
