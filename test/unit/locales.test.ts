import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { LANGUAGES } from '../support/languages.ts'
import { LOCALE_FOLDERS, PLURAL, readTexts } from '../support/locale-files.ts'

/** Plural forms of whole numbers (CLDR); texts contain no fractions. */
const formsOf = (language: string) => {
  const rules = new Intl.PluralRules(language)
  return [...new Set([...Array(1000).keys()].map((count) => rules.select(count)))]
}

/** Placeholders of a text with their formats: numbers are formatted the same in every language. */
const placeholders = (text: string) => [...text.matchAll(/\{\{(.+?)\}\}/g)].map(([, inside]) => inside).sort()

test('there are texts in the 28 languages of the specification, and in no other', () => {
  expect(LANGUAGES).toHaveLength(28)
  const files = readdirSync(join(ROOT, 'locales'))
  expect(files.sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort())
})

describe.each(LANGUAGES)('the texts in %s', (language) => {
  test.each(LOCALE_FOLDERS)('of %s are complete', (folder) => {
    expect(existsSync(join(ROOT, folder, `${language}.json`)), `${folder}/${language}.json is missing`).toBe(true)
    const expected = [...readTexts(folder, 'en').keys()].flatMap((key) =>
      PLURAL.test(key)
        ? key.endsWith('_other')
          ? formsOf(language).map((form) => key.replace(PLURAL, `_${form}`))
          : []
        : [key],
    )
    expect([...readTexts(folder, language).keys()].sort()).toEqual(expected.sort())
  })

  test.each(LOCALE_FOLDERS)('of %s name the same values', (folder) => {
    const english = readTexts(folder, 'en')
    for (const [key, text] of readTexts(folder, language)) {
      const source = english.get(key.replace(PLURAL, '_other')) ?? english.get(key) ?? ''
      const required = placeholders(source)
      // The form for exactly one may use a word.
      const isOnlyOne = PLURAL.test(key) && !key.endsWith('_other')
      const found = placeholders(text)
      const isSame = (list: unknown[]) => JSON.stringify(list) === JSON.stringify(found)
      const hasAll = isSame(required) || (isOnlyOne && isSame(required.filter((name) => !name?.startsWith('count'))))
      expect(hasAll, `${folder}/${language}.json, ${key}: ${text}`).toBe(true)
      expect(text, key).toBe(text.trim().normalize('NFC'))
    }
  })

  test.skipIf(language === 'en').each(LOCALE_FOLDERS)('of %s are not English', (folder) => {
    const english = readTexts(folder, 'en')
    const sentences = [...readTexts(folder, language)].filter(([, text]) => text.split(' ').length > 4)
    expect(sentences.filter(([key, text]) => english.get(key) === text)).toEqual([])
  })
})

test.each([
  ['bg', /\p{Script=Cyrillic}/u],
  ['uk', /\p{Script=Cyrillic}/u],
  ['el', /\p{Script=Greek}/u],
])('%s is written in its own script', (language, script) => {
  for (const folder of LOCALE_FOLDERS) {
    for (const [key, text] of readTexts(folder, language)) {
      if (text.replace(/\{\{.+?\}\}/g, '').split(' ').length >= 4) expect(text, `${folder} ${key}`).toMatch(script)
    }
  }
})

// In most languages `one` is only 1; if it includes 21 or 0, the number must be shown.
test.each(LANGUAGES)('the form for one says the number where it stands for others too: %s', (language) => {
  const rules = new Intl.PluralRules(language)
  const isOnlyOne = [...Array(1000).keys()].filter((count) => rules.select(count) === 'one').length === 1
  if (isOnlyOne) return
  for (const folder of LOCALE_FOLDERS) {
    const english = readTexts(folder, 'en')
    for (const [key, text] of readTexts(folder, language)) {
      // Otherwise the number is shown next to the text.
      const hasNumber = english.get(key.replace(PLURAL, '_other'))?.includes('{{count') === true
      if (key.endsWith('_one') && hasNumber) expect(text, `${folder} ${key}`).toContain('{{count')
    }
  }
})
