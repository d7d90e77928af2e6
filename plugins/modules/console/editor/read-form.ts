import { isDeepStrictEqual } from 'node:util'
import { isLanguageTag, isRecord, type Json, type Metadata } from '../../../../src/plugin/index.ts'
import { parseGuardedJson } from '../../../../src/plugin/module.ts'
import type { Field, FormModel, Scalar } from './fields.ts'
import {
  asTexts,
  type FormValues,
  keysName,
  languageName,
  nameOf,
  rawName,
  shapeOf,
  showScalar,
  textName,
  translationsOf,
} from './form-values.ts'
import type { Notation, Reading } from './notation.ts'

/** Text that cannot be read. `code` is a key below `editor.fault`. */
export interface FormFault {
  readonly name: string
  readonly code: string
  readonly params?: Readonly<Record<string, string>> | undefined
}

interface ReadForm {
  readonly metadata: Metadata
  readonly faults: readonly FormFault[]
  /** Controls by path of the metadata, such as `fiberComposition[0].fiber`. */
  readonly names: ReadonlyMap<string, string>
}

interface Reader {
  readonly values: FormValues
  readonly notation: Notation
  readonly faults: FormFault[]
  readonly names: Map<string, string>
}

/**
 * Changes `base` as the form says: fields that the form does not contain, keys that no field describes, and values whose text is unchanged
 * stay as they are; empty fields are removed.
 */
export function readForm({ fields }: FormModel, values: FormValues, base: Metadata, notation: Notation): ReadForm {
  const reader: Reader = { values, notation, faults: [], names: new Map() }
  const metadata = readMembers(reader, fields, { name: '', path: '' }, base)
  return { metadata, faults: reader.faults, names: reader.names }
}

interface Place {
  readonly name: string
  readonly path: string
}

const memberOf = ({ name, path }: Place, key: string): Place => ({
  name: nameOf(name, key),
  path: path === '' ? key : `${path}.${key}`,
})

function readMembers(reader: Reader, fields: readonly Field[], place: Place, base: Metadata): Metadata {
  const group = new Map(Object.entries(base))
  for (const field of fields) {
    const value = readField(reader, field, memberOf(place, field.key), group.get(field.key))
    if (value === undefined) group.delete(field.key)
    else group.set(field.key, value)
  }
  return Object.fromEntries(group)
}

function readField(reader: Reader, field: Field, place: Place, base: Json | undefined): Json | undefined {
  const { values, names } = reader
  const raw = values[rawName(place.name)]
  names.set(place.path, raw === undefined ? place.name : rawName(place.name))
  if (field.isGiven) return base
  if (raw !== undefined) return readRaw(reader, field, place, raw, base)
  if (field.words !== undefined) return readWords(reader, field.words, place, base)
  const typed =
    field.scalar && readScalar(reader, field.scalar, place, shapeOf(field, base) === 'scalar' ? base : undefined)
  const detailed =
    (field.members && readGroup(reader, field, place, base)) ??
    (field.entries && readList(reader, field.entries, place, base))
  if (typed === undefined || detailed === undefined)
    return typed ?? detailed ?? (isShown(values, place.name) ? undefined : base)
  // The stored form is shown even if the other one is added.
  reader.faults.push({ name: place.name, code: 'both' })
  return detailed
}

const isShown = (values: FormValues, name: string): boolean => {
  if (values[name] !== undefined || values[keysName(name)] !== undefined) return true
  for (const other in values) if (other.startsWith(`${name}.`)) return true
  return false
}

/** Forms have CR LF, and are trimmed. */
const asTyped = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

function readRaw(
  { faults }: Reader,
  { scalar }: Field,
  { name }: Place,
  typed: string,
  base: Json | undefined,
): Json | undefined {
  const text = asTyped(typed)
  if (base !== undefined && text === asTyped(JSON.stringify(base, null, 1))) return base
  if (text === '') return undefined
  try {
    return parseGuardedJson(Buffer.from(text)) as Json
  } catch (error) {
    if (scalar?.takes.has('string') && !/^[[{]/.test(text)) return text
    faults.push({ name: rawName(name), code: 'json', params: { message: (error as Error).message } })
    return base
  }
}

function readScalar(reader: Reader, scalar: Scalar, { name }: Place, base: Json | undefined): Json | undefined {
  const { values, notation, faults } = reader
  const submitted = values[name]
  if (submitted === undefined) return base
  const text = asTyped(submitted)
  const isUnchanged = base !== undefined && text === asTyped(showScalar(scalar, base, notation))
  if (isUnchanged && (typeof base !== 'string' || scalar.takes.has('string'))) return base
  if (text === '') return isUnchanged ? base : undefined
  const reading = readText(scalar, text, notation)
  if ('value' in reading) return reading.value
  faults.push({ name, code: reading.code, params: reading.params })
  // Kept as typed: a draft may be incomplete, and publishing rejects it.
  return isUnchanged ? base : text
}

function readText({ kind, takes: types }: Scalar, text: string, notation: Notation): Reading<Json> {
  switch (kind) {
    case 'number':
    case 'integer':
      return notation.readNumber(text, kind === 'integer')
    case 'truth':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { code: 'truth' }
    case 'date':
      return notation.readDate(text)
    case 'month':
      return notation.readMonth(text)
    case 'country':
      return notation.readCountry(text)
    case 'language':
      return notation.readLanguage(text)
    case 'mixed': {
      if (types.has('boolean') && (text === 'true' || text === 'false')) return { value: text === 'true' }
      const number = types.has('number') ? notation.readNumber(text, false) : undefined
      return number !== undefined && 'value' in number ? number : { value: text }
    }
    case 'address':
      return { value: /^www\./i.test(text) ? `https://${text}` : text }
    default:
      return { value: text }
  }
}

function readGroup(reader: Reader, field: Field, place: Place, base: Json | undefined): Json | undefined {
  const { members = [], brief } = field
  const isText = brief !== undefined && typeof base === 'string'
  const before: Metadata = isText ? { [brief]: base as Json } : isRecord(base) ? (base as Metadata) : {}
  const group = readMembers(reader, members, place, before)
  const keys = Object.keys(group)
  if (isText && keys.length === 1 && typeof group[brief] === 'string') return group[brief]
  if (keys.length > 0) return group
  return isRecord(base) && Object.keys(base).length === 0 ? base : undefined
}

function readList(reader: Reader, entries: Field, place: Place, base: Json | undefined): Json | undefined {
  const keys = keysOf(reader.values, place.name)
  const before = Array.isArray(base) ? (base as readonly Json[]) : []
  if (keys === undefined) {
    for (const [index, entry] of before.entries())
      readField(reader, entries, entryPlace(place, String(index), index), entry)
    return Array.isArray(base) ? base : undefined
  }
  const list: Json[] = []
  for (const key of keys) {
    const value = readField(reader, entries, entryPlace(place, key, list.length), entryOf(before, key))
    if (value !== undefined) list.push(value)
  }
  if (list.length > 0) return list
  return before.length === 0 && Array.isArray(base) ? base : undefined
}

const entryPlace = ({ name, path }: Place, key: string, index: number): Place => ({
  name: `${name}.${key}`,
  path: `${path}[${index}]`,
})

const entryOf = (list: readonly Json[], key: string): Json | undefined =>
  /^\d{1,6}$/.test(key) ? list[Number(key)] : undefined

const MAX_ENTRIES = 1000

/** Returns the keys of a list's entries in order; undefined if the form does not contain the list. */
export function keysOf(values: FormValues, name: string): readonly string[] | undefined {
  const keys = values[keysName(name)]
  return keys === undefined
    ? undefined
    : [...new Set(keys.split(','))].filter((key) => /^n?\d{1,6}$/.test(key)).slice(0, MAX_ENTRIES)
}

function readWords(reader: Reader, words: 'one' | 'many', place: Place, base: Json | undefined): Json | undefined {
  if (words === 'one') return readTranslations(reader, place, base)
  const keys = keysOf(reader.values, place.name)
  if (keys === undefined) return base
  const before = asTexts(base)
  const texts: Json[] = []
  for (const key of keys) {
    const entry = entryPlace(place, key, texts.length)
    reader.names.set(entry.path, entry.name)
    const text = readTranslations(reader, entry, entryOf(before, key))
    if (text !== undefined) texts.push(text)
  }
  const isList = Array.isArray(base) && translationsOf(base) === undefined
  if (texts.length === 0) return isList && before.length === 0 ? (base as Json) : undefined
  return texts.length === 1 && !isList ? texts[0] : texts
}

function readTranslations(reader: Reader, { name, path }: Place, base: Json | undefined): Json | undefined {
  const { values, notation, faults, names } = reader
  const keys = keysOf(values, name)
  if (keys === undefined) return base
  const rows = keys.map((key) => ({
    key,
    text: asTyped(values[textName(name, key)] ?? ''),
    typed: asTyped(values[languageName(name, key)] ?? ''),
  }))
  const shown = (translationsOf(base) ?? []).map(({ language, text }) => ({
    typed: language === '' ? '' : asTyped(notation.showLanguage(language)),
    text: asTyped(text),
  }))
  if (
    base !== undefined &&
    isDeepStrictEqual(rows.map(({ typed, text }) => ({ typed, text })).filter(isFilled), shown.filter(isFilled))
  ) {
    return base
  }
  const filled = rows.filter(isFilled)
  const texts = new Map<string, string>()
  for (const { key, text, typed } of filled) {
    const language = languageOf(typed, filled.length, notation)
    if ('code' in language) faults.push({ name: languageName(name, key), code: language.code })
    const tag = 'value' in language ? language.value : typed
    if (texts.has(tag)) faults.push({ name: languageName(name, key), code: 'languageTwice' })
    texts.set(tag, text)
    names.set(`${path}.${tag}`, textName(name, key))
  }
  const [only] = texts
  if (only === undefined) return undefined
  if (texts.size === 1 && only[0] === '') return only[1]
  return Array.isArray(base) ? [...texts].map(([language, value]) => ({ value, language })) : Object.fromEntries(texts)
}

const isFilled = ({ text }: { readonly text: string }): boolean => text !== ''

function languageOf(typed: string, rows: number, notation: Notation): Reading<string> {
  if (typed === '') return rows === 1 ? { value: '' } : { code: 'languageMissing' }
  const reading = notation.readLanguage(typed)
  return 'value' in reading && !isLanguageTag(reading.value) ? { code: 'language' } : reading
}
