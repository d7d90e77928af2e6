import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, Metadata } from '../../../../src/domain/metadata.ts'
import { COMMON_SCHEMA } from '../../../../src/plugin/common-schema.ts'
import { COUNTRY_CODES } from '../../../../src/plugin/module.ts'
import { categoryNames, plugins } from '../../../../test/support/categories.ts'
import { oddMetadata, randomMetadata } from '../../../../test/support/random-metadata.ts'
import { formOf } from './fields.ts'
import { type FormValues, valuesOf } from './form-values.ts'
import { LANGUAGES } from './languages.ts'
import { notationOf } from './notation.ts'
import { readForm } from './read-form.ts'

const forms = new Map(categoryNames.map((name) => [name, formOf(plugins.categories.get(name)?.schema, COMMON_SCHEMA)]))
const notationIn = (lang: string) => notationOf(lang, [...COUNTRY_CODES], LANGUAGES)
const formFor = ({ category }: Metadata) =>
  forms.get(typeof category === 'string' ? category : '') ?? formOf(undefined, COMMON_SCHEMA)

/** Form as the console receives it: line breaks as CR LF (HTML, 4.10.21.4), form encoded, trimmed. */
function submitted(values: FormValues): FormValues {
  const pairs = Object.entries(values).map(([name, text = '']): [string, string] => [
    name,
    text.replace(/\r\n?|\n/g, '\r\n'),
  ])
  const sent = new URLSearchParams(new URLSearchParams(pairs).toString())
  return Object.fromEntries([...sent].map(([name, text]) => [name, text.trim()]))
}

const languages = fc.constantFrom('en', 'de', 'fr', 'bg', 'pt', 'is')

const afterForm = (metadata: Metadata, lang: string): Metadata => {
  const form = formFor(metadata)
  const notation = notationIn(lang)
  return readForm(form, submitted(valuesOf(form, metadata, notation)), metadata, notation).metadata
}

test('metadata of a category is identical after the form, unknown keys included', () => {
  fc.assert(
    fc.property(fc.oneof(...Object.values(randomMetadata())), languages, (metadata, lang) => {
      expect(JSON.stringify(afterForm(metadata, lang))).toBe(JSON.stringify(metadata))
    }),
    { numRuns: 80 },
  )
})

test('a draft with any values keeps them; texts of numbers and yes or no become those', () => {
  const asTexts = (metadata: Metadata) =>
    JSON.stringify(metadata, (_, value) => (/^(number|boolean)$/.test(typeof value) ? String(value) : value))
  fc.assert(
    fc.property(oddMetadata(), languages, (metadata, lang) => {
      expect(asTexts(afterForm(metadata, lang))).toBe(asTexts(metadata))
    }),
    { numRuns: 80 },
  )
})

/** The forms that a form writes: no empty groups, text trimmed, one text not as a list, names of the case of the schema. */
function canonical(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n').trim() || undefined
  if (Array.isArray(value)) {
    const list = value.map((entry) => canonical(entry)).filter((entry) => entry !== undefined)
    return list.length === 0 ? undefined : list
  }
  if (typeof value !== 'object' || value === null) return value
  if (isTranslated(value) && canonical((value as Metadata).value) === undefined) return undefined
  const entries = Object.entries(value).map(([key, inner]) => [key, canonical(inner)] as const)
  const kept = entries.filter(([, inner]) => inner !== undefined)
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Json)
}

/** Replaces languages of the generator that the form does not offer. */
function inLanguages(value: Json): Json {
  if (Array.isArray(value)) {
    return value.map((entry, place) =>
      isTranslated(entry) ? { ...(entry as Metadata), language: LANGUAGES[place] as string } : inLanguages(entry),
    )
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key === 'xx' ? 'fr' : key, inLanguages(inner)]),
  )
}

test('a document typed into an empty form is that document', () => {
  for (const [category, form] of forms) {
    const keys = new Set(form.fields.map(({ key }) => key))
    fc.assert(
      fc.property(randomMetadata()[category] as fc.Arbitrary<Metadata>, languages, (metadata, lang) => {
        const notation = notationIn(lang)
        const known = inLanguages(
          Object.fromEntries(Object.entries(metadata).filter(([key]) => keys.has(key))),
        ) as Metadata
        const read = readForm(form, submitted(valuesOf(form, known, notation)), {}, notation)
        expect(read.faults).toEqual([])
        expect(asOne(canonical(read.metadata))).toEqual(asOne(canonical(known)))
      }),
      { numRuns: 12 },
    )
  }
})

/** Two spellings of one content: a list of one text and the text, a list of translations and their map, a name and a group with it. */
function asOne(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) {
    const list = value.map((entry) => asOne(entry)) as Json[]
    if (list.every((entry) => isTranslated(entry))) {
      return Object.fromEntries(
        list.map((entry) => [(entry as { language: string }).language, (entry as { value: string }).value]),
      )
    }
    const [only] = list
    return list.length === 1 && only !== undefined ? only : list
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, asOne(inner)] as const)
  const [first] = entries
  if (entries.length === 1 && /^(name|inciName)$/.test(first?.[0] ?? '')) return first?.[1]
  return Object.fromEntries(entries) as Json
}

const isTranslated = (entry: Json): boolean =>
  typeof entry === 'object' && entry !== null && Object.keys(entry).sort().join() === 'language,value'
