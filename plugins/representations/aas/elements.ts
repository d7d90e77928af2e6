import { hash } from 'node:crypto'
import { beginningOf, defined, type Json, type LocalText } from '../../../src/plugin/index.ts'

/** Data types of a Property that we write (IDTA-01001 3.x, DataTypeDefXsd). */
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

/** One key of a reference names another shell's or submodel's id, or something outside the environment. */
interface Reference {
  readonly type: 'ModelReference' | 'ExternalReference'
  readonly keys: readonly { readonly type: string; readonly value: string }[]
}

/** A submodel element. Members without content are left out: the official schemas refuse an empty array. */
export interface Element {
  readonly modelType: string
  readonly idShort?: string
  readonly [member: string]: unknown
}

/** A submodel before it has an id. */
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

/** A reference to something that no environment describes, such as a term of a dictionary. */
export const globalReference = (value: string): Reference => ({
  type: 'ExternalReference',
  keys: [{ type: 'GlobalReference', value }],
})

/** A reference to a submodel by its id. */
export const submodelReference = (id: string): Reference => ({
  type: 'ModelReference',
  keys: [{ type: 'Submodel', value: id }],
})

/** A reference to a shell by its id. */
export const shellReference = (id: string): Reference => ({
  type: 'ModelReference',
  keys: [{ type: 'AssetAdministrationShell', value: id }],
})

/** A ReferenceElement that names something outside of the environment. Inside a list it has no idShort (AASd-120). */
export const referenceElement = (idShort: string | undefined, value: string): Element =>
  defined({ modelType: 'ReferenceElement', idShort, value: globalReference(value) })

/** A Property; `value` is in the lexical form of `valueType`. Inside a list it has no idShort (AASd-120). */
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

/** A SubmodelElementCollection of at least one element. */
export function collection(idShort: string | undefined, value: readonly Element[], semanticId?: string): Element {
  return defined({
    modelType: 'SubmodelElementCollection',
    idShort,
    semanticId: semanticId && globalReference(semanticId),
    value,
  })
}

/** A SubmodelElementList of at least one element, all alike; the type of the first is stated for all. */
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

/** A text in one or several languages, each by its BCP 47 tag and there once. */
export function multiLanguage(idShort: string, texts: readonly LocalText[], semanticId?: string): Element {
  return defined({
    modelType: 'MultiLanguageProperty',
    idShort,
    semanticId: semanticId && globalReference(semanticId),
    value: texts.map(({ language, text }) => ({ language, text: beginningOf(xmlText(text), MAX_CHARACTERS) })),
  })
}

/** The most that LangStringTextType holds. */
const MAX_CHARACTERS = 1023

/** The plain subset of BCP 47 that every version's pattern accepts. */
export const isPlainTag = (tag: string) => /^[A-Za-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/.test(tag)

/** Whether a MultiLanguageProperty holds the text as it is. */
export const isWholeText = ({ language, text }: LocalText) =>
  isPlainTag(language) && text.length <= MAX_CHARACTERS && isXmlText(text)

/** An instant as xs:dateTime, which has neither the plus sign nor the zeros that JavaScript puts before a long year. */
export const xsdDateTime = (iso: string): string =>
  iso.replace(/^([+-])0*([0-9]{4,6})-/, (_, sign, year) => `${sign === '-' ? '-' : ''}${year}-`)

/** A number in the lexical form of xs:decimal, which has no exponent: the shortest digits that JavaScript has for it. */
export function decimal(value: number): string {
  const scientific = /^(-?)([0-9])(?:\.([0-9]+))?e([+-][0-9]+)$/.exec(String(value))
  if (scientific === null) return String(value)
  const [, sign = '', first = '', others = '', exponent = ''] = scientific
  const places = Number(exponent)
  // JavaScript writes an exponent from 1e21 and below 1e-6, where all digits are on one side of the point.
  const digits = `${first}${others}`
  return places > 0 ? `${sign}${digits.padEnd(places + 1, '0')}` : `${sign}0.${'0'.repeat(-places - 1)}${digits}`
}

// The production Char of XML 1.0: what a string of the metamodel may hold (constraint AASd-130).
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML cannot hold.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Whether the text may stand in an environment as it is. */
export const isXmlText = (text: string): boolean => text.search(NOT_XML) === -1

/** The text with U+FFFD for what may not stand in an environment. */
export const xmlText = (text: string): string => text.replace(NOT_XML, '\ufffd')

/** Longest idShort (IDTA-01001 3.x, NameType). */
const ID_SHORT_LENGTH = 128
/** What the versions 3.0, 3.1 and 3.2 all accept; 3.1 refuses a single letter, 3.0 a hyphen. */
const ID_SHORT = /^[A-Za-z][A-Za-z0-9_]*[A-Za-z0-9_]$/

/** Whether the text is an idShort in every version. */
export const isIdShort = (text: string): boolean => text.length <= ID_SHORT_LENGTH && ID_SHORT.test(text)

/** The text with `_` for what an idShort may not hold, behind `prefix`, which is letters and `_`. */
export const toIdShort = (prefix: string, text: string): string =>
  `${prefix}${text.replace(/[^A-Za-z0-9_]/g, '_')}`.slice(0, ID_SHORT_LENGTH)

/**
 * The id of a part of the environment of a passport or of a unit: a UUID of version 5 (RFC 9562 §5.5) with its own as
 * the namespace, so that it is the same in every answer and in every process.
 */
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

/**
 * JSON as text that XML can hold unchanged: JSON escapes control characters by itself, and the two noncharacters are the
 * rest of what XML cannot hold.
 */
export const jsonText = (value: Json): string =>
  JSON.stringify(value).replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
