import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { type ConceptName, GLOSSARY, type Language, OTHER_MEANINGS } from '../support/glossary.ts'
import { LANGUAGES } from '../support/languages.ts'
import { LOCALE_FOLDERS } from '../support/locale-files.ts'

const CONCEPTS = Object.keys(GLOSSARY) as ConceptName[]
const PLURAL = /_(zero|one|two|few|many|other)$/
/** Keys about a time stamp, for which many languages use the word for a rubber stamp. */
const TIME_STAMP_KEYS = /^(seal\.sealed\.stamped|seal\.names\.timeAuthority|verify\.row\.timestamp)$/
/** English texts with an issuer; some languages call a certificate authority one. */
const HAS_ISSUER = /\bissu(ed|ers?|ing)\b|\bcertificate (authority|from)\b|time-stamping authority/

interface Entry {
  readonly place: string
  readonly key: string
  readonly english: string
  readonly text: string
}

/** Removes placeholders, whose names are not text, and soft hyphens, which may split a term. */
const plain = (text: string, language: Language) =>
  text
    .replace(/\{\{.+?\}\}/g, '')
    .replaceAll('\u00ad', '')
    .toLocaleLowerCase(language)

function* flatten(node: object, path = ''): Iterable<[string, string]> {
  for (const [key, text] of Object.entries(node)) {
    if (typeof text === 'string') yield [path + key, text]
    else yield* flatten(text, `${path}${key}.`)
  }
}

const read = (folder: string, language: Language) =>
  new Map(flatten(JSON.parse(readFileSync(join(ROOT, folder, `${language}.json`), 'utf8'))))

function entriesOf(language: Language): Entry[] {
  return LOCALE_FOLDERS.flatMap((folder) => {
    const english = read(folder, 'en')
    return [...read(folder, language)].map(([key, text]) => ({
      place: `${folder}/${language}.json, ${key}: ${text}`,
      key,
      english: plain(english.get(key) ?? english.get(key.replace(PLURAL, '_other')) ?? helpOf(key), 'en'),
      text: plain(text, language),
    }))
  })
}

/** Help is translated by the English description of the schema. */
const helpOf = (key: string) => (key.startsWith('fieldHelp.') ? key.slice('fieldHelp.'.length) : '')

const hasConcept = (name: ConceptName, { key, english }: Entry) =>
  GLOSSARY[name].english.test(english) &&
  OTHER_MEANINGS.get(key)?.concept !== name &&
  // Units in help are those of measurement.
  !(name === 'item' && key.startsWith('fieldHelp.'))

/** True if the text has a term of `other`. A form that is also one of `name` is right: the law has one word for some pairs. */
function isMistaken(name: ConceptName, other: ConceptName, language: Language, entry: Entry): boolean {
  if (hasConcept(other, entry)) return false
  const found = GLOSSARY[other].terms[language].term.exec(entry.text)?.[0]
  return found !== undefined && !GLOSSARY[name].terms[language].term.test(found)
}

test('every exception is needed', () => {
  const keys = new Set(LOCALE_FOLDERS.flatMap((folder) => [...read(folder, 'en').keys()]))
  for (const [key, { concept, reason }] of OTHER_MEANINGS) {
    expect(keys, reason).toContain(key)
    expect(entriesOf('en').some((entry) => entry.key === key && GLOSSARY[concept].english.test(entry.english))).toBe(
      true,
    )
  }
})

describe.each(LANGUAGES)('review-3-users S7: one term for one concept: %s', (language) => {
  const entries = entriesOf(language)

  const placesOf = (wrong: readonly Entry[]) => wrong.map(({ place }) => place)

  test.each(CONCEPTS)('%s', (name) => {
    const { not, terms } = GLOSSARY[name]
    const { term, never } = terms[language]
    const own = entries.filter((entry) => hasConcept(name, entry))
    expect(own).not.toEqual([])
    expect(placesOf(own.filter(({ text }) => !term.test(text))), 'without the term').toEqual([])
    expect(placesOf(own.filter(({ text }) => never?.test(text))), 'with a second term').toEqual([])
    const mistaken = own.filter((entry) => not.some((other) => isMistaken(name, other, language, entry)))
    expect(placesOf(mistaken), 'with the term of another concept').toEqual([])
  })

  test('no second word for a seal on the page', () => {
    const { never } = GLOSSARY.seal.terms[language]
    expect(placesOf(entries.filter(({ key, text }) => !TIME_STAMP_KEYS.test(key) && never?.test(text)))).toEqual([])
  })

  test('an issuer only of credentials and certificates', () => {
    const { term } = GLOSSARY.issuer.terms[language]
    expect(placesOf(entries.filter(({ english, text }) => term.test(text) && !HAS_ISSUER.test(english)))).toEqual([])
  })
})
