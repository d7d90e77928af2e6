import {
  type CategoryDescription,
  defined,
  isGroup,
  type Json,
  type LocalText,
  localTextsOf,
  type Metadata,
  mapYielding,
} from '../../../src/plugin/index.ts'
import {
  type Element,
  globalReference,
  isIdShort,
  isWholeText,
  isXmlText,
  jsonText,
  multiLanguage,
  toIdShort,
} from './elements.ts'

/** Submodel of the metadata (specification 4.1). */
export const COMPLIANCE_METADATA = 'ComplianceMetadata'

/** Extension with the metadata key, if it is not a valid idShort; JSON text if XML cannot represent it. */
export const METADATA_KEY = 'metadataKey'
export const CONTENT_TYPE = 'contentType'
export const JSON_TYPE = 'application/json'

/**
 * Returns one Property per top-level key. Lists and groups are JSON text to preserve order and spelling; lossless language maps are
 * MultiLanguageProperties.
 */
export const metadataElements = (metadata: Metadata, category: CategoryDescription): Element[] =>
  Object.entries(metadata).map(elementsFor(metadata, category))

/** Yields: there may be thousands of elements. */
export const metadataElementsYielding = (metadata: Metadata, category: CategoryDescription): Promise<Element[]> =>
  mapYielding(Object.entries(metadata), elementsFor(metadata, category))

function elementsFor(metadata: Metadata, category: CategoryDescription) {
  const names = new FreeNames(Object.keys(metadata).filter(isIdShort))
  return ([key, value]: readonly [string, Json]): Element => {
    const isName = isIdShort(key)
    const concept = category.field(key)?.concept
    const languages = isName ? languagesOf(value) : undefined
    if (languages !== undefined) return multiLanguage(key, languages, concept)
    const idShort = isName ? key : names.take(toIdShort('key_', key).slice(0, 100))
    const content = contentOf(value)
    const extensions = [
      ...(isName ? [] : [extension(METADATA_KEY, isPlainKey(key) ? key : jsonText(key))]),
      ...(content.isJson ? [extension(CONTENT_TYPE, JSON_TYPE)] : []),
    ]
    return defined({
      modelType: 'Property',
      extensions: extensions.length === 0 ? undefined : extensions,
      idShort,
      semanticId: concept && globalReference(concept),
      valueType: content.valueType,
      value: content.text,
    })
  }
}

function languagesOf(value: Json): readonly LocalText[] | undefined {
  if (!isGroup(value)) return undefined
  const texts = localTextsOf(value)
  return texts?.length === Object.keys(value).length && texts.every(isWholeText) ? texts : undefined
}

const extension = (name: string, value: string) => ({ name, valueType: 'xs:string', value })

const isPlainKey = (key: string) => isXmlText(key) && !key.startsWith('"')

/** Text that begins like JSON is quoted, so that it is not parsed as a list or group. */
function contentOf(value: Json): { readonly valueType: string; readonly text: string; readonly isJson: boolean } {
  if (typeof value === 'string' && isXmlText(value) && !/^\s*[[{]/.test(value))
    return { valueType: 'xs:string', text: value, isJson: false }
  if (typeof value === 'boolean') return { valueType: 'xs:boolean', text: String(value), isJson: false }
  if (typeof value === 'number') return { valueType: 'xs:double', text: JSON.stringify(value), isJson: false }
  return { valueType: 'xs:string', text: jsonText(value), isJson: true }
}

/** Allocates unique names (AASd-022), with one counter per base name to stay linear. */
class FreeNames {
  readonly #taken: Set<string>
  readonly #counts = new Map<string, number>()

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken)
  }

  take(preferred: string): string {
    let count = this.#counts.get(preferred) ?? 1
    let name = count === 1 ? preferred : `${preferred}_${count}`
    while (this.#taken.has(name)) {
      count += 1
      name = `${preferred}_${count}`
    }
    this.#counts.set(preferred, count + 1)
    this.#taken.add(name)
    return name
  }
}
