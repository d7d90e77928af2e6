import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestText, isLanguageTag, languageOfCountry, localTextsOf, textFor } from '../../../src/domain/local-text.ts'
import { sanitiseEnrichment } from '../../../src/passports/enrichment.ts'

describe('a text in several languages', () => {
  it('is a language map, or the list of EN 18223', () => {
    const texts = [
      { language: 'en', text: 'Wool' },
      { language: 'pt-BR', text: 'Lã merino' },
    ]
    expect(localTextsOf({ en: 'Wool', 'pt-BR': 'Lã merino' })).toEqual(texts)
    expect(localTextsOf(texts.map(({ language, text: value }) => ({ language, value })))).toEqual(texts)
    expect(localTextsOf({ en: 'Wool', de: ' ' })).toEqual([texts[0]])
  })

  it.each([
    'text',
    [],
    {},
    null,
    { id: 'Anything' },
    { id: 'Certificate', no: 'Number' },
    { eu: 'Forty two', uk: 'Eight' },
    { it: '44', fr: '42', de: '38' },
    { Li: 'little', Co: 'much', Pt: 'none' },
    { min: 'small', max: 'large' },
    { en: 'Wool', material: 'Wool' },
    { en: 'Wool', de: 5 },
    { en: 'Wool', de: { text: 'Wolle' } },
    { english: 'Wool' },
    { en: '', de: ' ' },
    [{ value: 'Wool' }],
    [{ value: 'Wool', language: 'en', note: 'x' }],
    Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`en-x${String(index).padStart(3, '0')}`, 'Wool'])),
  ])('is not another value: %j', (value) => expect(localTextsOf(value)).toBeUndefined())

  it('never throws, whatever it is given', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => localTextsOf(value) === undefined || true))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (value) => localTextsOf(value) === undefined || true),
    )
  })

  it('is read in the first language that there is, then in English, then as it begins', () => {
    const texts = localTextsOf({ fr: 'Laine', 'en-GB': 'Wool', de: 'Wolle', no: 'Ull' }) ?? []
    const best = (...languages: (string | undefined)[]) => bestText(texts, languages).text
    expect([best('de-AT'), best('fi', 'fr'), best('fi', undefined), best('nb')]).toEqual([
      'Wolle',
      'Laine',
      'Wool',
      'Ull',
    ])
    expect(bestText(texts.slice(0, 1), ['sv']).text).toBe('Laine')
    expect([textFor('Wool', ['de']), textFor(' ', []), textFor(5, [])]).toEqual(['Wool', undefined, undefined])
  })
})

it('language tags are those that software recognises', () => {
  for (const tag of ['en', 'pt-BR', 'zh-Hant-TW', 'gsw']) expect(isLanguageTag(tag), tag).toBe(true)
  for (const tag of ['', 'e', 'xx', 'english', 'en_GB', 'en-', '"><b>', `en-${'a'.repeat(40)}`])
    expect(isLanguageTag(tag), tag).toBe(false)
})

it('a country has the language that most people speak there', () => {
  expect(['PT', 'AT', 'GR', 'CN', 'ZZ', 'x', 5].map((country) => languageOfCountry(country))).toEqual([
    'pt',
    'de',
    'el',
    'zh',
    undefined,
    undefined,
    undefined,
  ])
})

it('an enrichment keeps its languages, each cut, and drops invalid ones', () => {
  const tagline = { en: ` ${'x'.repeat(300)} `, pl: 'Dobra', english: 'Good', de: 5, fr: ' ' }
  expect(
    sanitiseEnrichment({
      tagline,
      description: { english: 'x' },
      links: [{ label: { pl: 'Tak' }, url: 'https://a.example/' }],
    }),
  ).toEqual({
    tagline: { en: 'x'.repeat(200), pl: 'Dobra' },
    links: [{ label: { pl: 'Tak' }, url: 'https://a.example/' }],
  })
})
