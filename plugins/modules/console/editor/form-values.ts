import { isRecord, type Json, type Metadata } from '../../../../src/plugin/index.ts'
import type { Field, FormModel, Scalar } from './fields.ts'
import type { Notation } from './notation.ts'

/** Texts by name of control, as a browser submits them. */
export type FormValues = Readonly<Record<string, string | undefined>>
type Values = Record<string, string | undefined>

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('.', '~1')

/** Joins a name: `fiberComposition.0.fiber`. */
export const nameOf = (parent: string, key: string): string =>
  parent === '' ? escaped(key) : `${parent}.${escaped(key)}`

/** Control with the keys of a list's entries in their order, separated by commas. */
export const keysName = (name: string): string => `${name}[]`
/** Control with JSON text, for a value of another shape than the schema describes. */
export const rawName = (name: string): string => `${name}{}`
export const languageName = (name: string, key: string): string => `${name}.${key}.lang`
export const textName = (name: string, key: string): string => `${name}.${key}.text`

interface Translation {
  readonly language: string
  readonly text: string
}

/** Returns the texts of a string (without language), a language map or an EN 18223 list; undefined for another value. */
export function translationsOf(value: Json | undefined): readonly Translation[] | undefined {
  if (typeof value === 'string') return [{ language: '', text: value }]
  if (Array.isArray(value)) {
    const list = value.filter(isTranslation).map((entry) => ({ language: entry.language, text: entry.value }))
    return value.length > 0 && list.length === value.length ? list : undefined
  }
  if (!isRecord(value)) return undefined
  const entries = Object.entries(value)
  const isMap =
    entries.length > 0 && entries.every(([tag, text]) => /^[a-z]{2,3}(-|$)/.test(tag) && typeof text === 'string')
  return isMap ? entries.map(([language, text]) => ({ language, text: text as string })) : undefined
}

const isTranslation = (entry: unknown): entry is { readonly value: string; readonly language: string } =>
  isRecord(entry) &&
  Object.keys(entry).length === 2 &&
  typeof entry.value === 'string' &&
  typeof entry.language === 'string'

/** Returns the list that a field of several texts stands for. */
export const asTexts = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) && translationsOf(value) === undefined ? value : value === undefined ? [] : [value as Json]

/** Shapes of a stored value; `raw` if the field does not take it. */
export function shapeOf(field: Field, value: Json | undefined): 'none' | 'scalar' | 'words' | 'group' | 'list' | 'raw' {
  if (value === undefined) return 'none'
  if (field.words === 'many') return asTexts(value).every((one) => translationsOf(one) !== undefined) ? 'words' : 'raw'
  if (field.words === 'one') return translationsOf(value) === undefined ? 'raw' : 'words'
  if (Array.isArray(value)) return field.entries === undefined ? 'raw' : 'list'
  if (isRecord(value)) return field.members === undefined ? 'raw' : 'group'
  if (field.brief !== undefined && typeof value === 'string') return 'group'
  return field.scalar !== undefined && takes(field.scalar, value) ? 'scalar' : 'raw'
}

/** A text may be one that could not be read as a number or date. */
const takes = ({ takes: types }: Scalar, value: Json): boolean =>
  typeof value === 'string' || types.has(typeof value) || (typeof value === 'number' && types.has('integer'))

export function valuesOf({ fields }: FormModel, metadata: Metadata, notation: Notation): FormValues {
  const values: Values = Object.create(null)
  for (const field of fields) {
    if (Object.hasOwn(metadata, field.key))
      addValues(values, field, nameOf('', field.key), metadata[field.key], notation)
  }
  return values
}

function addValues(values: Values, field: Field, name: string, value: Json | undefined, notation: Notation): void {
  switch (shapeOf(field, value)) {
    case 'none':
      return
    case 'raw':
      values[rawName(name)] = JSON.stringify(value, null, 1)
      return
    case 'scalar':
      values[name] = showScalar(field.scalar as Scalar, value, notation)
      return
    case 'words':
      addWords(values, field, name, value, notation)
      return
    case 'list': {
      const list = value as readonly Json[]
      values[keysName(name)] = [...list.keys()].join()
      for (const [place, entry] of list.entries()) {
        addValues(values, field.entries as Field, `${name}.${place}`, entry, notation)
      }
      return
    }
    case 'group': {
      const group = isRecord(value) ? (value as Metadata) : { [field.brief as string]: value as Json }
      for (const member of field.members ?? []) {
        if (Object.hasOwn(group, member.key)) {
          addValues(values, member, nameOf(name, member.key), group[member.key], notation)
        }
      }
    }
  }
}

function addWords(values: Values, { words }: Field, name: string, value: Json | undefined, notation: Notation): void {
  if (words === 'many') {
    const texts = asTexts(value)
    values[keysName(name)] = [...texts.keys()].join()
    for (const [place, one] of texts.entries()) addTranslations(values, `${name}.${place}`, one, notation)
  } else addTranslations(values, name, value, notation)
}

function addTranslations(values: Values, name: string, value: Json | undefined, notation: Notation): void {
  const texts = translationsOf(value) ?? []
  values[keysName(name)] = [...texts.keys()].join()
  for (const [place, { language, text }] of texts.entries()) {
    values[languageName(name, String(place))] = language === '' ? '' : notation.showLanguage(language)
    values[textName(name, String(place))] = text
  }
}

export function showScalar({ kind }: Scalar, value: Json | undefined, notation: Notation): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return notation.showNumber(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value !== 'string') return JSON.stringify(value)
  if (kind === 'country') return notation.showCountry(value)
  return kind === 'language' ? notation.showLanguage(value) : value
}
