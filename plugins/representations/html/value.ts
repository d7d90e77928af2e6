import {
  bestText,
  CONDITION_FIELDS,
  type Field,
  isGroup,
  isLanguageTag,
  type Json,
  type JsonRecord,
  localTextsOf,
  REDACTED,
} from '../../../src/plugin/index.ts'
import { leftOf } from './excerpt.ts'
import { hostOf, safeUrl } from './safe-url.ts'
import type { Label, Texts } from './texts.ts'
import { perUnit, quantity, statedQuantity } from './units.ts'

/** JSON value for display; `templates/value.eta` has one branch per kind. */
export type Value =
  /** Passport text; `lang` is set if it differs from the page. */
  | { readonly kind: 'text'; readonly text: string; readonly lang?: string }
  /** Gateway text; `stated` is the original value, if different. */
  | { readonly kind: 'own'; readonly text: string; readonly stated?: string | undefined }
  | { readonly kind: 'link'; readonly href: string; readonly text: string }
  | { readonly kind: 'masked' }
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly more?: string }
  | { readonly kind: 'group'; readonly entries: readonly Entry[] }
  | { readonly kind: 'items'; readonly items: readonly Item[]; readonly more?: string }
  | {
      readonly kind: 'table'
      readonly columns: readonly Label[]
      readonly rows: readonly { readonly name: Value; readonly cells: readonly (Value | undefined)[] }[]
      readonly more?: string
    }
  | { readonly kind: 'code'; readonly text: string }

export interface Entry {
  readonly label: Label
  readonly value: Value
}

interface Item {
  readonly title?: Value
  readonly entries: readonly Entry[]
  readonly isBrief: boolean
}

// Deeper values are shown as JSON, which bounds the recursion.
const MAX_LEVELS = 8

const TITLES = [
  'name',
  'inciName',
  'substanceName',
  'facilityName',
  'documentName',
  'resourceTitle',
  'material',
  'indicator',
  'module',
  'genus',
  'type',
]

export function showValue(json: Json, key: string, texts: Texts, group?: string, depth = 0, unit?: string): Value {
  const { t } = texts
  const field = texts.category.field(key, group)
  if (json === null || json === '') return { kind: 'own', text: t('value.none') }
  if (typeof json === 'boolean') return { kind: 'own', text: t(json ? 'value.yes' : 'value.no') }
  if (typeof json === 'number') return numberValue(json, key, unitOf(key, field) ?? unit, texts)
  if (typeof json === 'string') return textValue(json, key, field, texts)
  const words = wordsIn(json, texts)
  if (words !== undefined) return textValue(words.text, key, field, texts, words.lang)
  if (depth >= MAX_LEVELS) return { kind: 'code', text: JSON.stringify(json) }
  return Array.isArray(json)
    ? listValue(json, key, texts, group, depth)
    : objectValue(json as JsonRecord<Json>, key, texts, depth)
}

const unitOf = (key: string, field: Field | undefined): string | undefined =>
  field?.unit ?? CONDITION_FIELDS.get(key)?.unit ?? (/(Pct|Percent|Percentage)$/.test(key) ? 'percent' : undefined)

/** Years are not amounts: 2027, not 2,027. */
const numberValue = (value: number, key: string, unit: string | undefined, texts: Texts): Value =>
  unit === undefined && /year$/i.test(key) && Number.isInteger(value)
    ? { kind: 'own', text: String(value) }
    : { kind: 'own', text: quantity(value, unit, texts), stated: statedQuantity(value, unit, texts) }

function textValue(text: string, key: string, field: Field | undefined, texts: Texts, lang?: string): Value {
  if (text === REDACTED) return { kind: 'masked' }
  const href = safeUrl(text)
  if (href !== undefined) return { kind: 'link', href, text: shortUrl(href) }
  const { category, formats } = texts
  const known = category.option(key, text)
  if (known !== undefined) return { kind: 'own', text: known }
  const material = field?.display === 'material' ? category.material(text) : undefined
  if (material !== undefined) return { kind: 'own', text: material, stated: text }
  const date =
    formats.dateTime(text) ?? formats.date(text) ?? (field?.display === 'month' ? formats.month(text) : undefined)
  if (date !== undefined) return { kind: 'own', text: date }
  const country = /country/i.test(key) ? formats.country(text) : undefined
  return country === undefined ? { kind: 'text', text, lang } : { kind: 'own', text: country }
}

function listValue(json: readonly Json[], key: string, texts: Texts, group: string | undefined, depth: number): Value {
  if (json.length === 0) return { kind: 'own', text: texts.t('value.none') }
  const more = moreOf(json, texts)
  const isRecord = (item: Json) => isGroup(item) && localTextsOf(item) === undefined
  if (!json.some(isRecord)) {
    return { kind: 'list', items: json.map((item) => showValue(item, key, texts, group, depth + 1)), more }
  }
  const items = json.map((item): Item => {
    if (isRecord(item)) return itemOf(item as JsonRecord<Json>, key, texts, depth)
    return { title: showValue(item, key, texts, group, depth + 1), entries: [], isBrief: true }
  })
  const phrases = items.flatMap(({ title, entries }) => (title !== undefined && entries.length === 0 ? [title] : []))
  if (phrases.length === items.length) return { kind: 'list', items: phrases, more }
  return tableOf(items, key, texts, more) ?? { kind: 'items', items, more }
}

export function moreOf(list: readonly Json[], { t }: Texts): string | undefined {
  const count = leftOf(list)
  return count === 0 ? undefined : t('value.more', { count })
}

const MAX_COLUMNS = 2
const MAX_CELL_CHARACTERS = 40

/** Returns a table for similar named items with few short values; undefined otherwise. */
function tableOf(items: readonly Item[], key: string, texts: Texts, more: string | undefined): Value | undefined {
  const columns = new Map<string, Label>()
  for (const { entries } of items) for (const { label } of entries) columns.set(label.text, label)
  const isShort = ({ value }: Entry) => 'text' in value && value.text.length <= MAX_CELL_CHARACTERS
  const isAlike = items.every(
    ({ title, entries }) => title !== undefined && entries.length > 0 && entries.every(isShort),
  )
  if (items.length < 2 || !isAlike || columns.size > MAX_COLUMNS) return undefined
  const rows = items.map(({ title, entries }) => ({
    name: title as Value,
    cells: [...columns.keys()].map((column) => entries.find(({ label }) => label.text === column)?.value),
  }))
  return { kind: 'table', columns: [texts.label('name', key), ...columns.values()], rows, more }
}

function itemOf(json: JsonRecord<Json>, key: string, texts: Texts, depth: number): Item {
  const phrase = phraseOf(json, key, texts)
  if (phrase !== undefined) return { title: phrase, entries: [], isBrief: true }
  const name = TITLES.find((member) => isName(json[member]))
  const entries = entriesOf(json, key, texts, depth, name)
  const isBrief = entries.length <= 6 && entries.every(({ value }) => 'text' in value && value.text.length <= 80)
  return name === undefined
    ? { entries, isBrief }
    : { title: showValue(json[name] as Json, name, texts, key, depth), entries, isBrief }
}

const isName = (json: Json | undefined): boolean =>
  typeof json === 'string' ? json !== '' : localTextsOf(json) !== undefined

function objectValue(json: JsonRecord<Json>, key: string, texts: Texts, depth: number): Value {
  const phrase = phraseOf(json, key, texts)
  if (phrase !== undefined) return phrase
  const measure = measureOf(json, key, texts)
  if (measure !== undefined) {
    const entries = entriesOf(measure.others, key, texts, depth)
    if (entries.length === 0) return measure.value
    return { kind: 'items', items: [{ title: measure.value, entries, isBrief: true }] }
  }
  const entries = entriesOf(json, key, texts, depth)
  return entries.length === 0 ? { kind: 'own', text: texts.t('value.none') } : { kind: 'group', entries }
}

function entriesOf(json: JsonRecord<Json>, key: string, texts: Texts, depth: number, without?: string): Entry[] {
  const { [without ?? '']: _title, ...members } = json
  const measure = measureOf(members, key, texts)
  const others = measure?.others ?? members
  const unit = unitIn(others)
  const isAmongNumbers = unit !== undefined && Object.values(others).some((value) => typeof value === 'number')
  const rows = Object.keys(others)
    .filter((name) => !(isAmongNumbers && UNITS.includes(name)))
    .map(
      (name): Entry => ({
        label: texts.label(name, key),
        value: brief(showValue(others[name] as Json, name, texts, key, depth + 1, unit)),
      }),
    )
  return measure === undefined ? rows : [{ label: measure.label, value: measure.value }, ...rows]
}

function brief(value: Value): Value {
  if (value.kind !== 'list' || value.more !== undefined || value.items.length > 6) return value
  const texts = value.items.flatMap((item) => (item.kind === 'text' && item.text.length <= 16 ? [item.text] : []))
  return texts.length === value.items.length ? { kind: 'text', text: texts.join(', ') } : value
}

export const entryOf = (json: Json, key: string, texts: Texts, group?: string, depth = 0): Entry => ({
  label: texts.label(key, group),
  value: showValue(json, key, texts, group, depth),
})

const UNITS = ['unit', 'unitOfMeasure', 'unitText', 'uom']
const AMOUNTS = ['value', 'amount', 'quantity']
const REFERENCES = ['functionalUnit', 'declaredUnit', 'referenceUnit', 'per']

const textAt = (json: JsonRecord<Json>, names: readonly string[]): string | undefined => {
  const name = names.find((candidate) => typeof json[candidate] === 'string' && json[candidate] !== '')
  return name === undefined ? undefined : (json[name] as string)
}
const unitIn = (json: JsonRecord<Json>): string | undefined => textAt(json, UNITS)

interface Measure {
  readonly label: Label
  readonly value: Value
  readonly others: JsonRecord<Json>
}

function measureOf(json: JsonRecord<Json>, key: string, texts: Texts): Measure | undefined {
  const unit = unitIn(json)
  const reference = textAt(json, REFERENCES)
  if (unit === undefined && reference === undefined) return undefined
  const numbers = Object.keys(json).filter((name) => isAmount(json[name], name, key, texts))
  const name = AMOUNTS.find((member) => member in json) ?? (numbers.length === 1 ? numbers[0] : undefined)
  const amount = name === undefined ? undefined : json[name]
  if (name === undefined || (typeof amount !== 'number' && typeof amount !== 'string')) return undefined
  const figure =
    typeof amount === 'number' ? quantity(amount, unit, texts) : [amount, unit].filter(Boolean).join('\u00a0')
  const text = reference === undefined ? figure : perUnit(figure, reference, texts)
  const used = new Set([name, ...UNITS, ...REFERENCES])
  const others = Object.fromEntries(Object.entries(json).filter(([member]) => !used.has(member)))
  return { label: texts.label(name, key), value: { kind: 'text', text }, others }
}

const isAmount = (json: Json | undefined, name: string, group: string, texts: Texts): boolean =>
  typeof json === 'number' && unitOf(name, texts.category.field(name, group)) === undefined

function phraseOf(json: JsonRecord<Json>, key: string, texts: Texts): Value | undefined {
  const { formats, t } = texts
  const { lat, lng, minC, maxC, min, max } = json
  const names = Object.keys(json)
  const rest = names.filter((name) => !RANGE.has(name) && !UNITS.includes(name))
  if (names.length === 2 && typeof lat === 'number' && typeof lng === 'number') {
    return { kind: 'own', text: `${formats.number(lat)}°, ${formats.number(lng)}°` }
  }
  const [from, to, unit] =
    minC === undefined ? [min, max, unitIn(json) ?? unitOf(key, texts.category.field(key))] : [minC, maxC, 'celsius']
  if (rest.length > 0) return undefined
  if (typeof from === 'number' && typeof to === 'number') {
    const ends = { from: quantity(from, unit, texts), to: quantity(to, unit, texts) }
    return { kind: 'text', text: t('value.range', ends) }
  }
  if (minC !== undefined || maxC !== undefined) return undefined
  if (typeof min === 'number' && max === undefined) return { kind: 'text', text: `≥ ${quantity(min, unit, texts)}` }
  if (typeof max === 'number' && min === undefined) return { kind: 'text', text: `≤ ${quantity(max, unit, texts)}` }
  return undefined
}

const RANGE: ReadonlySet<string> = new Set(['min', 'max', 'minC', 'maxC'])

/** Passport text; `lang` is set if it differs from the page. */
export interface Words {
  readonly text: string
  readonly lang?: string
}

function wordsIn(json: Json, { lang, languages }: Texts): Words | undefined {
  const texts = localTextsOf(json)
  if (texts === undefined) return undefined
  const { text, language } = bestText(texts, languages)
  const isOfPage = language.toLowerCase().split('-')[0] === lang.toLowerCase().split('-')[0]
  return isOfPage || !isLanguageTag(language) ? { text } : { text, lang: language }
}

export function wordsOf(json: Json | undefined, texts: Texts): Words | undefined {
  if (typeof json === 'string') return json.trim() === '' || json === REDACTED ? undefined : { text: json }
  return json === undefined ? undefined : wordsIn(json, texts)
}

function shortUrl(href: string): string {
  const { pathname, search } = new URL(href)
  return `${hostOf(href)}${pathname === '/' && search === '' ? '' : pathname}${search}`
}
