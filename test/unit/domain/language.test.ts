import { describe, expect, it } from 'vitest'
import { chooseLanguage } from '../../../src/domain/language.ts'
import { LANGUAGES } from '../../support/languages.ts'
import { leastProcessorTime } from '../../support/processor-time.ts'

const all = new Set<string>(LANGUAGES)
const few = new Set(['en', 'de', 'no'])

describe('chooseLanguage', () => {
  it.each([...LANGUAGES])('takes lang=%s', (language) => {
    expect(chooseLanguage(language, 'xx', all)).toBe(language)
  })

  it.each<[string | null, string | undefined, string]>([
    [null, undefined, 'en'],
    ['de', 'fr', 'de'],
    ['DE', undefined, 'de'],
    ['de-AT', undefined, 'de'],
    ['de_CH', undefined, 'de'],
    [' de ', undefined, 'de'],
    ['nb', undefined, 'no'],
    ['nn-NO', undefined, 'no'],
    ['', 'de', 'de'],
    [null, 'de-AT,de;q=0.9,en;q=0.8', 'de'],
    [null, 'en;q=0.5, de;q=0.6', 'de'],
    [null, 'de;q=0.5, no;q=0.5', 'de'],
    [null, 'nb', 'no'],
    [null, 'fr, de;q=0.1', 'de'],
    [null, 'fr', 'en'],
    [null, 'de;q=0', 'en'],
    [null, 'de;q=0.5, *', 'en'],
    [null, '*;q=0.1, de;q=0.5', 'de'],
    [null, '', 'en'],
    [null, ';;,,', 'en'],
    [null, 'd'.repeat(1_000), 'en'],
  ])('lang=%j with Accept-Language %j is %s', (lang, header, language) => {
    expect(chooseLanguage(lang, header, few)).toBe(language)
  })

  it('trap 11: ignores an unknown lang and falls back to Accept-Language, then en', () => {
    expect(chooseLanguage('xx', 'de', few)).toBe('de')
    expect(chooseLanguage('xx', 'yy', few)).toBe('en')
    expect(chooseLanguage('__proto__', undefined, few)).toBe('en')
  })

  it.each([
    ['commas', ','.repeat(16_384)],
    ['tags', 'de-AT;q=0.1,'.repeat(1_365)],
    ['hyphens', '-'.repeat(16_384)],
    ['one tag', 'd'.repeat(16_384)],
    ['100 KB', 'de,'.repeat(33_000)],
  ])('needs no time for a header full of %s', (_, header) => {
    expect(leastProcessorTime(() => chooseLanguage(header, header, few))).toBeLessThan(100)
  })
})
