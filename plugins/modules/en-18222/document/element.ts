import {
  type CategoryDescription,
  isGroup,
  type Json,
  localTextsOf,
  type Metadata,
} from '../../../../src/plugin/index.ts'

/** Data element (EN 18223, 4.1.2.3 to 4.1.2.9); both JSON forms show it. */
export type Element = Described &
  (
    | { readonly kind: 'single'; readonly value: string | number | boolean }
    | { readonly kind: 'multi'; readonly items: readonly Item[]; readonly type: string | undefined }
    | { readonly kind: 'texts'; readonly texts: readonly { readonly value: string; readonly language: string }[] }
    | { readonly kind: 'collection'; readonly elements: readonly Element[] }
    | { readonly kind: 'resource'; readonly resource: Resource }
  )

/** Item of a list: a scalar, or an element without an own id. */
type Item = string | number | boolean | Element

interface Described {
  readonly id: string
  readonly reference?: string | undefined
}

interface Resource {
  readonly contentType: string
  readonly url: string
  readonly resourceTitle?: string
  readonly language?: string
}

/** Returns the dictionary reference of a key, if it has one. */
export type Dictionary = (key: string, group?: string) => string | undefined

/** Concepts of the category, else terms of the context, which describe the keys of metadata. */
export const dictionaryOf =
  (baseUrl: string, category: CategoryDescription): Dictionary =>
  (key, group) => {
    const concept = category.field(key, group)?.concept
    return concept ?? (group === undefined ? `${baseUrl}/context/v1#${encodeURIComponent(key)}` : undefined)
  }

export const termsOf =
  (baseUrl: string): Dictionary =>
  (key, group) =>
    group === undefined ? `${baseUrl}/ns/dpp#${key}` : undefined

/** Returns undefined for what a passport cannot state: null, and groups and lists without content. */
export function elementOf(
  id: string,
  value: Json | undefined,
  dictionary: Dictionary,
  group?: string,
): Element | undefined {
  const described = { id, reference: dictionary(id, group) }
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'object') return { ...described, kind: 'single', value }
  const texts = localTextsOf(value)
  if (texts !== undefined) {
    return { ...described, kind: 'texts', texts: texts.map(({ text, language }) => ({ value: text, language })) }
  }
  if (isGroup(value)) {
    const elements = elementsOf(value, dictionary, id)
    return elements.length === 0 ? undefined : { ...described, kind: 'collection', elements }
  }
  const items = (value as readonly Json[]).flatMap((item) => itemOf(item, dictionary, id) ?? [])
  if (items.length === 0) return undefined
  return { ...described, kind: 'multi', items: items.map(renumbered), type: commonType(items) }
}

export const elementsOf = (metadata: Metadata, dictionary: Dictionary, group?: string): Element[] =>
  Object.entries(metadata).flatMap(([key, value]) => elementOf(key, value, dictionary, group) ?? [])

export const isElement = (item: Item): item is Element => typeof item === 'object'

function itemOf(item: Json, dictionary: Dictionary, list: string): Item | undefined {
  if (item === null) return undefined
  return typeof item === 'object' ? elementOf('', item, dictionary, list) : item
}

/** An item of a list has its place as its id: ids are unique within their level. */
const renumbered = (item: Item, index: number): Item =>
  isElement(item) ? { ...item, id: String(index), reference: undefined } : item

function commonType(items: readonly Item[]): string | undefined {
  const types = new Set(items.map((item) => (isElement(item) ? '' : typeOf(item))))
  const [first] = types
  return types.size === 1 && first !== '' ? first : undefined
}

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const ADDRESS = /^(?:https?|urn|did|mailto|tel):[^\s]+$/

/** Returns the data type (XML Schema 1.1 Part 2); in doubt a string. */
export function typeOf(value: string | number | boolean): string {
  if (typeof value === 'boolean') return 'xsd:boolean'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'xsd:integer' : 'xsd:double'
  if (DATE.test(value)) return isRealDate(value) ? 'xsd:date' : 'xsd:string'
  if (DATE_TIME.test(value)) return Number.isNaN(Date.parse(value)) ? 'xsd:string' : 'xsd:dateTime'
  return ADDRESS.test(value) ? 'xsd:anyURI' : 'xsd:string'
}

function isRealDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}
