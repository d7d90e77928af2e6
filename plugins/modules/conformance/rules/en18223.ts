import { dictionary, isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { shown } from '../finding.ts'

// Documents of EN 18223:2026, as its implementers describe them. The rules are ours.

/** Attributes of the header (EN 18223, 4.1.2.1, Table 1). */
export const HEADER: ReadonlySet<string> = new Set([
  'digitalProductPassportId',
  'uniqueProductIdentifier',
  'granularity',
  'dppSchemaVersion',
  'dppStatus',
  'lastUpdated',
  'economicOperatorId',
  'facilityId',
  'contentSpecificationIds',
])

/** Names of drafts and other bindings for the same attributes. */
const FORMER_NAMES = new Map([
  ['productid', 'uniqueProductIdentifier'],
  ['lastupdate', 'lastUpdated'],
  ['dppid', 'digitalProductPassportId'],
  ['operatorid', 'economicOperatorId'],
  ...[...HEADER].map((name) => [name.toLowerCase(), name] as const),
])

export const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/
export const URI = /^[A-Za-z][A-Za-z0-9+.-]*:./
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z]{2})?$/i
const MAX_DEPTH = 64

export const misnamed = (document: JsonRecord): string[] =>
  Object.keys(document).flatMap((name) => {
    const right = FORMER_NAMES.get(name.toLowerCase())
    const isWrong = right !== undefined && right !== name && !Object.hasOwn(document, right)
    return isWrong ? [`${name}: write ${right}`] : []
  })

interface Element {
  readonly path: string
  readonly element: JsonRecord
}

const OBJECT_TYPES = dictionary<(element: JsonRecord) => string[]>({
  SingleValuedDataElement: ({ value, valueDataType }) => [
    ...(value === undefined || value === null ? ['value is missing'] : []),
    ...(typeof value === 'object' && value !== null ? ['value is not a single value'] : []),
    ...dataTypeFaults(valueDataType),
  ],
  MultiValuedDataElement: ({ value, elements, valueDataType }) => [
    ...(Array.isArray(value ?? elements) ? [] : ['value is not a list']),
    ...dataTypeFaults(valueDataType),
  ],
  MultiLanguageDataElement: ({ value }) => languageFaults(value),
  DataElementCollection: ({ elements }) =>
    Array.isArray(elements) && elements.length > 0 ? [] : ['elements has no element'],
  RelatedResource: resourceFaults,
})

const dataTypeFaults = (type: unknown): string[] =>
  type === undefined || (typeof type === 'string' && /^xsd:[A-Za-z]+$/.test(type))
    ? []
    : [`valueDataType ${shown(type)} is not an XSD type such as xsd:integer`]

function languageFaults(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0) return ['value is not a list of texts with languages']
  return value.flatMap((text) => {
    if (!isRecord(text) || typeof text.value !== 'string') return [`${shown(text)} has no text`]
    return LANGUAGE.test(String(text.language)) ? [] : [`language ${shown(text.language)} is not a language code`]
  })
}

function resourceFaults({ contentType, url, language }: JsonRecord): string[] {
  return [
    ...(typeof contentType === 'string' && MEDIA_TYPE.test(contentType)
      ? []
      : [`contentType ${shown(contentType)} is not a media type`]),
    ...(typeof url === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(url)
      ? []
      : [`url ${shown(url)} is not an absolute address`]),
    ...(language === undefined || LANGUAGE.test(String(language)) ? [] : [`language ${shown(language)} is not a code`]),
  ]
}

/** Every data element of a full document, at every depth. */
export function elementsOf(document: JsonRecord): Element[] {
  const found: Element[] = []
  const visit = (children: unknown, path: string, depth: number) => {
    if (!Array.isArray(children) || depth > MAX_DEPTH) return
    for (const [index, element] of children.entries()) {
      if (!isRecord(element)) continue
      const name = `${path}/${typeof element.elementId === 'string' ? element.elementId : index}`
      if (element.objectType !== undefined || path === '' || 'elementId' in element) found.push({ path: name, element })
      visit(element.elements, name, depth + 1)
      if (element.objectType === 'MultiValuedDataElement') visit(element.value, name, depth + 1)
    }
  }
  visit(document.elements, '', 0)
  return found
}

type ElementRule = (element: JsonRecord) => readonly string[]

const inElements = (document: JsonRecord, rule: ElementRule): string[] =>
  elementsOf(document).flatMap(({ path, element }) => rule(element).map((fault) => `${path}: ${fault}`))

const isOf = (element: JsonRecord, type: string) => element.objectType === type

/** Rules of full documents by name (EN 18223, 4.1.2.3 to 4.1.2.9 and Annex A). */
export const FULL_RULES = {
  objectTypes: (document: JsonRecord) =>
    inElements(document, ({ objectType }) =>
      typeof objectType === 'string' && OBJECT_TYPES[objectType] !== undefined
        ? []
        : [`objectType ${shown(objectType)} is unknown`],
    ),
  elementIds: (document: JsonRecord) =>
    inElements(document, ({ elementId }) =>
      typeof elementId === 'string' && elementId !== '' ? [] : [`elementId ${shown(elementId)} is not a text`],
    ),
  uniqueIds: (document: JsonRecord) => [
    ...repeatedIds(document.elements, ''),
    ...elementsOf(document).flatMap(({ path, element }) => [
      ...repeatedIds(element.elements, path),
      ...repeatedIds(isOf(element, 'MultiValuedDataElement') ? element.value : undefined, path),
    ]),
  ],
  dictionaryReferences: (document: JsonRecord) =>
    inElements(document, ({ dictionaryReference }) =>
      dictionaryReference === undefined || (typeof dictionaryReference === 'string' && dictionaryReference !== '')
        ? []
        : [`dictionaryReference ${shown(dictionaryReference)} is not a text`],
    ),
  ofType: (type: string) => (document: JsonRecord) =>
    inElements(document, (element) => (isOf(element, type) ? (OBJECT_TYPES[type]?.(element) ?? []) : [])),
  valueTypes: (document: JsonRecord) =>
    inElements(document, (element) => (isOf(element, 'SingleValuedDataElement') ? valueTypeFaults(element) : [])),
  nativeTypes: (document: JsonRecord) =>
    inElements(document, ({ objectType, value, valueDataType }) =>
      objectType === 'SingleValuedDataElement' &&
      typeof value === 'string' &&
      /^xsd:(?:integer|float|double|decimal|boolean)$/.test(String(valueDataType))
        ? [`${shown(value)} is a text, but has the type ${String(valueDataType)}`]
        : [],
    ),
  listItems: (document: JsonRecord) =>
    inElements(document, (element) =>
      isOf(element, 'MultiValuedDataElement') && Array.isArray(element.value)
        ? element.value.flatMap((item, index) =>
            isRecord(item) && item.objectType === undefined ? [`item ${index} has no objectType`] : [],
          )
        : [],
    ),
} as const

function repeatedIds(children: unknown, path: string): string[] {
  if (!Array.isArray(children)) return []
  const ids = children.flatMap((child) =>
    isRecord(child) && typeof child.elementId === 'string' ? [child.elementId] : [],
  )
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index)
  return repeated.map((id) => `elementId ${id} occurs twice in ${path || 'the passport'}`)
}

const PATTERNS = dictionary<RegExp>({
  'xsd:integer': /^[+-]?\d+$/,
  'xsd:decimal': /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/,
  'xsd:double': /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?INF|NaN)$/,
  'xsd:float': /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?INF|NaN)$/,
  'xsd:boolean': /^(?:true|false|1|0)$/,
  'xsd:date': /^-?\d{4,}-\d{2}-\d{2}(?:Z|[+-]\d{2}:\d{2})?$/,
  'xsd:dateTime': /^-?\d{4,}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?$/,
  'xsd:gYear': /^-?\d{4,}$/,
  'xsd:gYearMonth': /^-?\d{4,}-\d{2}$/,
  'xsd:anyURI': URI,
})

/** Lexical form of XML Schema (part 2). Undefined for types without a rule. */
export const isOfDataType = (type: string, value: string): boolean => PATTERNS[type]?.test(value) ?? true

function valueTypeFaults({ value, valueDataType }: JsonRecord): string[] {
  if (typeof valueDataType !== 'string' || value === undefined || typeof value === 'object') return []
  const isNumeric = /^xsd:(?:integer|decimal|double|float)$/.test(valueDataType)
  const isFine =
    typeof value === 'string'
      ? isOfDataType(valueDataType, value)
      : typeof value === 'boolean'
        ? valueDataType === 'xsd:boolean'
        : isNumeric && (valueDataType !== 'xsd:integer' || Number.isInteger(value))
  return isFine ? [] : [`${shown(value)} is not of type ${valueDataType}`]
}

/** Each value below the header of a compressed document. */
function inValues(document: JsonRecord, rule: (value: unknown, name: string) => readonly string[]): string[] {
  const found: string[] = []
  const visit = (value: unknown, path: string, name: string, depth: number) => {
    found.push(...rule(value, name).map((fault) => `${path}: ${fault}`))
    if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) visit(member, `${path}/${key}`, key, depth + 1)
  }
  for (const [key, value] of Object.entries(document))
    if (!HEADER.has(key) && key !== '@context') visit(value, key, key, 0)
  return found
}

/** Rules of compressed documents by name (EN 18223, 5.2.2 to 5.2.9). */
export const COMPRESSED_RULES = {
  noMetadata: (document: JsonRecord) =>
    inValues(document, (value) =>
      isRecord(value) && (Object.hasOwn(value, 'objectType') || Object.hasOwn(value, 'valueDataType'))
        ? ['has objectType or valueDataType']
        : [],
    ),
  noEmptyValues: (document: JsonRecord) =>
    inValues(document, (value) => {
      if (value === null) return ['is null']
      const isEmpty = typeof value === 'object' && Object.keys(value).length === 0
      return isEmpty ? ['is empty'] : []
    }),
  languages: (document: JsonRecord) =>
    inValues(document, (value) => (isLanguageList(value) ? languageFaults(value) : [])),
  resources: (document: JsonRecord) =>
    inValues(document, (value) =>
      isRecord(value) && Object.hasOwn(value, 'url') && Object.hasOwn(value, 'contentType')
        ? resourceFaults(value)
        : [],
    ),
} as const

const isLanguageList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((text) => isRecord(text) && Object.keys(text).length === 2 && 'value' in text && 'language' in text)

/** Addresses of related resources in a compressed document. */
export function resourceUrls(document: JsonRecord): string[] {
  const urls: string[] = []
  inValues(document, (value) => {
    if (isRecord(value) && typeof value.url === 'string' && typeof value.contentType === 'string') urls.push(value.url)
    return []
  })
  return [...new Set(urls)]
}
