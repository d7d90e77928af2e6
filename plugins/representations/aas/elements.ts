import { hash } from 'node:crypto'
import { beginningOf, defined, type Json, type LocalText } from '../../../src/plugin/index.ts'

/** Property data types in use (IDTA-01001 3.x, DataTypeDefXsd). */
type ValueType =
  | 'xs:string'
  | 'xs:boolean'
  | 'xs:double'
  | 'xs:decimal'
  | 'xs:float'
  | 'xs:unsignedInt'
  | 'xs:unsignedLong'
  | 'xs:dateTime'
  | 'xs:anyURI'

interface Reference {
  readonly type: 'ModelReference' | 'ExternalReference'
  readonly keys: readonly { readonly type: string; readonly value: string }[]
}

/** Empty members are omitted: the official schemas reject empty arrays. */
export interface Element {
  readonly modelType: string
  readonly idShort?: string
  readonly [member: string]: unknown
}

export interface SubmodelContent {
  readonly idShort: string
  readonly semanticId: Reference
  readonly supplementalSemanticIds?: readonly Reference[]
  readonly submodelElements: readonly Element[]
}

export interface Submodel extends SubmodelContent {
  readonly modelType: 'Submodel'
  readonly id: string
}

export const globalReference = (value: string): Reference => ({
  type: 'ExternalReference',
  keys: [{ type: 'GlobalReference', value }],
})

export const submodelReference = (id: string): Reference => ({
  type: 'ModelReference',
  keys: [{ type: 'Submodel', value: id }],
})

export const shellReference = (id: string): Reference => ({
  type: 'ModelReference',
  keys: [{ type: 'AssetAdministrationShell', value: id }],
})

/** List items have no idShort (AASd-120). */
export const referenceElement = (idShort: string | undefined, value: string): Element =>
  defined({ modelType: 'ReferenceElement', idShort, value: globalReference(value) })

/** `value` is in the lexical form of `valueType`. List items have no idShort (AASd-120). */
export function property(
  idShort: string | undefined,
  valueType: ValueType,
  value: string,
  semanticId?: string,
): Element {
  return defined({
    modelType: 'Property',
    idShort,
    semanticId: semanticId && globalReference(semanticId),
    valueType,
    value: xmlText(value),
  })
}

/** `value` must not be empty. */
export function collection(idShort: string | undefined, value: readonly Element[], semanticId?: string): Element {
  return defined({
    modelType: 'SubmodelElementCollection',
    idShort,
    semanticId: semanticId && globalReference(semanticId),
    value,
  })
}

export function list(idShort: string, value: readonly [Element, ...Element[]], semanticId?: string): Element {
  const [{ modelType, valueType }] = value
  return defined({
    modelType: 'SubmodelElementList',
    idShort,
    semanticId: semanticId && globalReference(semanticId),
    orderRelevant: false,
    typeValueListElement: modelType,
    valueTypeListElement: valueType,
    value,
  })
}

/** Language tags (BCP 47) must be unique. */
export function multiLanguage(idShort: string, texts: readonly LocalText[], semanticId?: string): Element {
  return defined({
    modelType: 'MultiLanguageProperty',
    idShort,
    semanticId: semanticId && globalReference(semanticId),
    value: texts.map(({ language, text }) => ({ language, text: beginningOf(xmlText(text), MAX_CHARACTERS) })),
  })
}

/** Limit of LangStringTextType. */
const MAX_CHARACTERS = 1023

/** True for the BCP 47 subset that all versions accept. */
export const isPlainTag = (tag: string) => /^[A-Za-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/.test(tag)

/** True if a MultiLanguageProperty can store the text unchanged. */
export const isWholeText = ({ language, text }: LocalText) =>
  isPlainTag(language) && text.length <= MAX_CHARACTERS && isXmlText(text)

/** Converts an ISO instant to xs:dateTime, which forbids the sign and padding of expanded years. */
export const xsdDateTime = (iso: string): string =>
  iso.replace(/^([+-])0*([0-9]{4,6})-/, (_, sign, year) => `${sign === '-' ? '-' : ''}${year}-`)

/** Formats a number as xs:decimal (no exponent) with the shortest digits. */
export function decimal(value: number): string {
  const scientific = /^(-?)([0-9])(?:\.([0-9]+))?e([+-][0-9]+)$/.exec(String(value))
  if (scientific === null) return String(value)
  const [, sign = '', first = '', others = '', exponent = ''] = scientific
  const places = Number(exponent)
  const digits = `${first}${others}`
  return places > 0 ? `${sign}${digits.padEnd(places + 1, '0')}` : `${sign}0.${'0'.repeat(-places - 1)}${digits}`
}

// XML 1.0, production Char (constraint AASd-130).
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML cannot hold.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

export const isXmlText = (text: string): boolean => text.search(NOT_XML) === -1

export const xmlText = (text: string): string => text.replace(NOT_XML, '\ufffd')

/** IDTA-01001 3.x, NameType. */
const ID_SHORT_LENGTH = 128
/** Intersection of 3.0, 3.1 and 3.2: 3.1 rejects single letters, 3.0 rejects hyphens. */
const ID_SHORT = /^[A-Za-z][A-Za-z0-9_]*[A-Za-z0-9_]$/

export const isIdShort = (text: string): boolean => text.length <= ID_SHORT_LENGTH && ID_SHORT.test(text)

/** Returns `prefix` (letters and `_`) plus the text, with `_` for invalid characters. */
export const toIdShort = (prefix: string, text: string): string =>
  `${prefix}${text.replace(/[^A-Za-z0-9_]/g, '_')}`.slice(0, ID_SHORT_LENGTH)

/** Deterministic: UUID version 5 (RFC 9562 §5.5) with the subject ID as namespace. */
export function idOf(subjectId: string, part: string): string {
  const bytes = hash(
    'sha1',
    Buffer.concat([Buffer.from(subjectId.replaceAll('-', ''), 'hex'), Buffer.from(part)]),
    'buffer',
  )
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Serializes JSON for XML: escapes the two noncharacters; JSON itself escapes control characters. */
export const jsonText = (value: Json): string =>
  JSON.stringify(value).replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
