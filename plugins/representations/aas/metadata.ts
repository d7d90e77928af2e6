import type { Json, Metadata } from '../../../src/plugin/index.ts'
import { type Element, isIdShort, isXmlText, toIdShort } from './elements.ts'

/** The submodel that carries a passport's metadata (specification 4.1). */
export const COMPLIANCE_METADATA = 'ComplianceMetadata'

/** Extension with the metadata key of an element, where the key is no idShort. A key that XML cannot hold is JSON text. */
export const METADATA_KEY = 'metadataKey'
/** Extension that says that the value is JSON text. */
export const CONTENT_TYPE = 'contentType'
export const JSON_TYPE = 'application/json'

/**
 * One Property for each top-level key, flat as the specification describes it: lists and groups are JSON text, so that
 * their order and their spelling survive.
 */
export function metadataElements(metadata: Metadata): Element[] {
  const taken = new Set(Object.keys(metadata).filter(isIdShort))
  return Object.entries(metadata).map(([key, value]) => {
    const idShort = isIdShort(key) ? key : freeIdShort(key, taken)
    const content = contentOf(value)
    const extensions = [
      ...(idShort === key ? [] : [extension(METADATA_KEY, isPlainKey(key) ? key : jsonText(key))]),
      ...(content.isJson ? [extension(CONTENT_TYPE, JSON_TYPE)] : []),
    ]
    return {
      modelType: 'Property',
      ...(extensions.length === 0 ? {} : { extensions }),
      idShort,
      valueType: content.valueType,
      value: content.text,
    }
  })
}

const extension = (name: string, value: string) => ({ name, valueType: 'xs:string', value })

const isPlainKey = (key: string) => isXmlText(key) && !key.startsWith('"')

/** A text that begins like JSON is quoted, so that nobody takes it for a list or a group. */
function contentOf(value: Json): { readonly valueType: string; readonly text: string; readonly isJson: boolean } {
  if (typeof value === 'string' && isXmlText(value) && !/^\s*[[{]/.test(value))
    return { valueType: 'xs:string', text: value, isJson: false }
  if (typeof value === 'boolean') return { valueType: 'xs:boolean', text: String(value), isJson: false }
  if (typeof value === 'number') return { valueType: 'xs:double', text: JSON.stringify(value), isJson: false }
  return { valueType: 'xs:string', text: jsonText(value), isJson: true }
}

// JSON escapes control characters by itself; the two noncharacters are the rest of what XML cannot hold.
const jsonText = (value: Json) =>
  JSON.stringify(value).replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`)

function freeIdShort(key: string, taken: Set<string>): string {
  const base = toIdShort('key_', key).slice(0, 100)
  let idShort = base
  for (let count = 2; taken.has(idShort); count += 1) idShort = `${base}_${count}`
  taken.add(idShort)
  return idShort
}
