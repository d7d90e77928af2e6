import { type Field, isGroup, type Json, type JsonRecord, REDACTED } from '../../../src/plugin/index.ts'
import { leftOf } from './excerpt.ts'
import { isIntlUnit, isLanguage } from './format.ts'
import { hostOf, safeUrl } from './safe-url.ts'
import type { Label, Texts } from './texts.ts'

/** A JSON value as the page shows it; `templates/value.eta` has one branch per kind. */
export type Value =
  /** The passport's own words. */
  | { readonly kind: 'text'; readonly text: string; readonly lang?: string }
  /** Words and figures of ours. */
  | { readonly kind: 'own'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly text: string }
  | { readonly kind: 'masked' }
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly more?: string }
  | { readonly kind: 'group'; readonly entries: readonly Entry[] }
  | { readonly kind: 'items'; readonly items: readonly Item[]; readonly more?: string }
  | { readonly kind: 'code'; readonly text: string }

export interface Entry {
  readonly label: Label
  readonly value: Value
}

/** One of several things in a list, under the member that names it. */
interface Item {
  readonly title?: Value
  readonly entries: readonly Entry[]
  /** Few and short entries, which read best as one line. */
  readonly isBrief: boolean
}

// Deeper than this nobody reads; it is shown as the JSON that it is, and no depth of input can exhaust the stack.
const MOST_LEVELS = 8

// The member that names an object in a list, best first.
const TITLES = [
  'name',
  'inciName',
  'substanceName',
  'facilityName',
  'documentName',
  'resourceTitle',
  'material',
  'type',
]

/** The value of a metadata key in the form for people. */
export function showValue(json: Json, key: string, texts: Texts, group?: string, depth = 0): Value {
  const { t } = texts
  const field = texts.category.field(key, group)
  if (json === null || json === '') return { kind: 'own', text: t('value.none') }
  if (typeof json === 'boolean') return { kind: 'own', text: t(json ? 'value.yes' : 'value.no') }
  if (typeof json === 'number') return { kind: 'own', text: quantity(json, field?.unit ?? unitByName(key), texts) }
  if (typeof json === 'string') return textValue(json, key, field, texts)
  const inLanguage = localised(json, texts.lang)
  if (inLanguage !== undefined) return { kind: 'text', ...inLanguage }
  if (depth >= MOST_LEVELS) return { kind: 'code', text: JSON.stringify(json) }
  return Array.isArray(json)
    ? listValue(json, key, texts, group, depth)
    : objectValue(json as JsonRecord<Json>, key, texts, depth)
}

/** A number with its unit. */
export function quantity(value: number, unit: string | undefined, texts: Texts): string {
  if (unit === undefined) return texts.formats.number(value)
  if (isIntlUnit(unit)) return texts.formats.unit(value, unit)
  return `${texts.formats.number(value)}\u00a0${texts.category.unit(unit)}`
}

const unitByName = (key: string) => (/(Pct|Percent|Percentage)$/.test(key) ? 'percent' : undefined)

function textValue(text: string, key: string, field: Field | undefined, texts: Texts): Value {
  if (text === REDACTED) return { kind: 'masked' }
  const href = safeUrl(text)
  if (href !== undefined) return { kind: 'link', href, text: shortUrl(href) }
  const known = texts.category.option(key, text)
  if (known !== undefined) return { kind: 'own', text: known }
  const { formats } = texts
  const date =
    formats.dateTime(text) ?? formats.date(text) ?? (field?.display === 'month' ? formats.month(text) : undefined)
  if (date !== undefined) return { kind: 'own', text: date }
  const country = /country/i.test(key) ? formats.country(text) : undefined
  return country === undefined ? { kind: 'text', text } : { kind: 'own', text: country }
}

function listValue(json: readonly Json[], key: string, texts: Texts, group: string | undefined, depth: number): Value {
  if (json.length === 0) return { kind: 'own', text: texts.t('value.none') }
  const more = moreOf(json, texts)
  if (!json.some(isGroup)) {
    return { kind: 'list', items: json.map((item) => showValue(item, key, texts, group, depth + 1)), more }
  }
  const items = json.map((item): Item => {
    if (isGroup(item)) return itemOf(item, key, texts, depth)
    return { title: showValue(item, key, texts, group, depth + 1), entries: [], isBrief: true }
  })
  // Places on a map, and measures, are one phrase each: no need for a record.
  const phrases = items.flatMap(({ title, entries }) => (title !== undefined && entries.length === 0 ? [title] : []))
  return phrases.length === items.length ? { kind: 'list', items: phrases, more } : { kind: 'items', items, more }
}

/** That a list goes on where the page does not, or undefined. */
export function moreOf(list: readonly Json[], { t }: Texts): string | undefined {
  const count = leftOf(list)
  return count === 0 ? undefined : t('value.more', { count })
}

function itemOf(json: JsonRecord<Json>, key: string, texts: Texts, depth: number): Item {
  const phrase = phraseOf(json, texts)
  if (phrase !== undefined) return { title: phrase, entries: [], isBrief: true }
  const name = TITLES.find((member) => typeof json[member] === 'string' && json[member] !== '')
  const entries = entriesOf(json, key, texts, depth, name)
  const isBrief = entries.length <= 6 && entries.every(({ value }) => 'text' in value && value.text.length <= 80)
  return name === undefined
    ? { entries, isBrief }
    : { title: showValue(json[name] as Json, name, texts, key, depth), entries, isBrief }
}

function objectValue(json: JsonRecord<Json>, key: string, texts: Texts, depth: number): Value {
  const phrase = phraseOf(json, texts)
  if (phrase !== undefined) return phrase
  const entries = entriesOf(json, key, texts, depth)
  return entries.length === 0 ? { kind: 'own', text: texts.t('value.none') } : { kind: 'group', entries }
}

const entriesOf = (json: JsonRecord<Json>, key: string, texts: Texts, depth: number, without?: string): Entry[] =>
  Object.keys(json)
    .filter((name) => name !== without)
    .map((name) => entryOf(json[name] as Json, name, texts, key, depth + 1))

/** A key and its value with their readable forms. */
export const entryOf = (json: Json, key: string, texts: Texts, group?: string, depth = 0): Entry => ({
  label: texts.label(key, group),
  value: showValue(json, key, texts, group, depth),
})

// `{value, unit}`, `{lat, lng}` and `{minC, maxC}`.
function phraseOf(json: JsonRecord<Json>, texts: Texts): Value | undefined {
  const { formats, t } = texts
  const { value, unit, lat, lng, minC, maxC } = json
  const members = Object.keys(json).toSorted().join()
  if (members === 'unit,value' && typeof value === 'number' && typeof unit === 'string') {
    return { kind: 'text', text: `${formats.number(value)}\u00a0${unit}` }
  }
  if (members === 'lat,lng' && typeof lat === 'number' && typeof lng === 'number') {
    return { kind: 'own', text: `${formats.number(lat)}°, ${formats.number(lng)}°` }
  }
  if (members === 'maxC,minC' && typeof minC === 'number' && typeof maxC === 'number') {
    const range = { from: formats.unit(minC, 'celsius'), to: formats.unit(maxC, 'celsius') }
    return { kind: 'own', text: t('value.range', range) }
  }
  return undefined
}

/** A text in several languages (`[{value, language}]`, EN 18223), in the best one for the page; undefined for others. */
function localised(json: Json, lang: string): { readonly text: string; readonly lang?: string } | undefined {
  if (!Array.isArray(json) || json.length === 0) return undefined
  const texts: { text: string; lang: string }[] = []
  for (const item of json as readonly Json[]) {
    if (!isGroup(item) || typeof item.value !== 'string' || typeof item.language !== 'string') return undefined
    if (Object.keys(item).length !== 2) return undefined
    texts.push({ text: item.value, lang: item.language })
  }
  const spoken = (tag: string) => texts.find((text) => language(text.lang) === tag)
  const best = spoken(language(lang)) ?? spoken('en') ?? texts[0]
  return best === undefined || isLanguage(best.lang) ? best : { text: best.text }
}

const language = (tag: string): string => tag.toLowerCase().split('-')[0] as string

/** A label in the best language for the page, or undefined. */
export function wordsOf(json: Json | undefined, lang: string): string | undefined {
  if (typeof json === 'string') return json.trim() === '' || json === REDACTED ? undefined : json
  return json === undefined ? undefined : localised(json, lang)?.text
}

/** What a person needs of an address: where it leads, without the scheme. */
function shortUrl(href: string): string {
  const { pathname, search } = new URL(href)
  return `${hostOf(href)}${pathname === '/' && search === '' ? '' : pathname}${search}`
}
