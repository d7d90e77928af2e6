import {
  beginningOf,
  isLanguageTag,
  isRecord,
  type Json,
  type JsonRecord,
  type Metadata,
  type ParseContext,
  type ParsedPassport,
  type ParsedSeal,
  type ParseIssue,
  Problem,
} from '../../../src/plugin/index.ts'
import { SEAL } from './environment.ts'
import { COMPLIANCE_METADATA, CONTENT_TYPE, JSON_TYPE, METADATA_KEY } from './metadata.ts'
import { valueOfType } from './xsd.ts'

const MAX_LEVELS = 16
const MAX_KEY_CHARACTERS = 256
/** Prevents prototype pollution. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Parses a passport from an AAS environment of any vendor (specification 4.1): structure leniently, because the official schemas reject the
 * specification's own example, and values strictly.
 * @throws Problem 400 `Bad Request` for other documents, `Ingestion Failed` if no metadata can be read
 */
export function parseEnvironment(document: unknown, context: ParseContext): ParsedPassport {
  if (!isRecord(document)) throw notAnEnvironment('The body must be an AAS environment, a JSON object.')
  const shells = recordsIn(document, 'assetAdministrationShells')
  const submodels = recordsIn(document, 'submodels')
  if (document.conceptDescriptions !== undefined) recordsIn(document, 'conceptDescriptions')
  const compliance = only(submodels, COMPLIANCE_METADATA)
  if (compliance === undefined) throw unreadable(`The submodel with the idShort ${COMPLIANCE_METADATA} is missing.`)
  const seal = only(submodels, SEAL)
  const productId = productIdOf(shells)
  return {
    ...new MetadataReader(context).read(compliance),
    productId,
    seal: seal && sealOf(seal, context),
  }
}

class MetadataReader {
  readonly #context: ParseContext
  readonly #issues: ParseIssue[] = []

  constructor(context: ParseContext) {
    this.#context = context
  }

  read(submodel: JsonRecord): { metadata: Metadata; issues: readonly ParseIssue[] } {
    const elements = elementsOf(submodel, 'submodelElements', COMPLIANCE_METADATA)
    const metadata = this.#group(elements, '', 1)
    for (const element of elements) this.#readJsonText(metadata, element)
    return { metadata, issues: this.#issues }
  }

  #group(elements: readonly JsonRecord[], path: string, level: number): Record<string, Json> {
    const members = new Map<string, Json>()
    const seen = new Set<string>()
    for (const [index, element] of elements.entries()) {
      const key = keyOf(element, `${placeOf(path)}[${index}]`)
      const place = path === '' ? key : `${path}.${key}`
      if (key.length > MAX_KEY_CHARACTERS)
        throw unreadable(`${placeOf(path)}[${index}] has a name of more than ${MAX_KEY_CHARACTERS} characters.`)
      if (FORBIDDEN_KEYS.has(key)) throw unreadable(`${placeOf(place)} has a forbidden name.`)
      if (seen.has(key)) throw unreadable(`${placeOf(place)} occurs more than once.`)
      seen.add(key)
      const value = this.#value(element, place, level)
      if (value !== undefined) members.set(key, value)
    }
    return Object.fromEntries(members)
  }

  #value(element: JsonRecord, path: string, level: number): Json | undefined {
    if (level > MAX_LEVELS) throw unreadable(`${placeOf(path)} is nested more than ${MAX_LEVELS} levels deep.`)
    const elements = () => elementsOf(element, 'value', placeOf(path))
    switch (element.modelType == null ? kindOf(element) : typeNameOf(element.modelType)) {
      case 'Property':
        return this.#property(element, path)
      case 'MultiLanguageProperty':
        return this.#languages(languagesOf(element, placeOf(path)), path)
      case 'SubmodelElementCollection':
        return isArrayByQualifier(element)
          ? this.#list(elements(), path, level)
          : this.#group(elements(), path, level + 1)
      case 'SubmodelElementList':
        return this.#list(elements(), path, level)
      default:
        throw unreadable(
          `${placeOf(path)} is ${shown(typeNameOf(element.modelType))}, which metadata does not support.`,
        )
    }
  }

  #languages(texts: readonly JsonRecord[], path: string): Json | undefined {
    const map = new Map<string, string>()
    for (const { language, text } of texts) {
      if (typeof language !== 'string' || typeof text !== 'string' || !isLanguageTag(language) || map.has(language)) {
        this.#refuse(path, 'invalid', 'needs a text and a BCP 47 language in each entry, and each language once')
        return undefined
      }
      map.set(language, text)
    }
    return map.size === 0 ? undefined : this.#checked(Object.fromEntries(map), path)
  }

  #list(elements: readonly JsonRecord[], path: string, level: number): Json {
    return elements
      .map((element, index) => this.#value(element, `${path}[${index}]`, level + 1))
      .filter((value) => value !== undefined)
  }

  #property({ value, valueType, extensions }: JsonRecord, path: string): Json | undefined {
    if (extensionOf(extensions, CONTENT_TYPE) === JSON_TYPE) {
      try {
        return this.#checked(this.#context.parseJson(typeof value === 'string' ? value : ''), path)
      } catch (error) {
        this.#refuse(path, 'invalid', `does not contain JSON: ${(error as Error).message}`)
        return undefined
      }
    }
    // A Property without a value is unknown.
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string') {
      this.#refuse(path, 'type', 'must have a string value: AAS writes values of every type as strings', {
        type: 'string',
      })
      return undefined
    }
    const read = valueOfType(typeNameOf(valueType) ?? 'xs:string', value)
    if ('wrong' in read) {
      if (read.type === undefined) this.#refuse(path, 'invalid', read.wrong)
      else this.#refuse(path, 'type', read.wrong, { type: read.type })
      return undefined
    }
    return this.#checked(read.value, path)
  }

  /** Rejects redaction placeholders, which must not be stored as values. */
  #checked(value: Json, path: string): Json {
    if (value === this.#context.redacted) this.#refuse(path, 'invalid', 'is the placeholder of a masked value')
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) this.#checked(item, `${path}[${index}]`)
    else if (isRecord(value))
      for (const [key, member] of Object.entries(value)) this.#checked(member as Json, `${path}.${key}`)
    return value
  }

  #readJsonText(metadata: Record<string, Json>, element: JsonRecord): void {
    const { value, extensions } = element
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return
    if (extensionOf(extensions, CONTENT_TYPE) !== undefined) return
    const key = keyOf(element, COMPLIANCE_METADATA)
    if (metadata[key] !== value || !this.#context.takesStructure(metadata.category, key)) return
    try {
      metadata[key] = this.#checked(this.#context.parseJson(value), key)
    } catch {
      // The category validator reports it.
    }
  }

  #refuse(path: string, code: string, message: string, params: Readonly<Record<string, unknown>> = {}): void {
    this.#issues.push({ path, code, message, params })
  }
}

function keyOf({ idShort, extensions }: JsonRecord, place: string): string {
  const key = extensionOf(extensions, METADATA_KEY)
  if (key !== undefined) return key.startsWith('"') ? quoted(key, place) : key
  if (typeof idShort !== 'string' || idShort === '') throw unreadable(`${place} has no idShort.`)
  return idShort
}

function quoted(text: string, place: string): string {
  try {
    const key = JSON.parse(text)
    if (typeof key === 'string' && key.isWellFormed() && !key.includes('\0')) return key
  } catch {
    // Thrown below.
  }
  throw unreadable(`${place} has a ${METADATA_KEY} that is not a JSON string.`)
}

/** AAS 2 writes `{name}` or `{dataObjectType: {name}}`. */
function typeNameOf(type: unknown): string | undefined {
  if (!isRecord(type)) return typeof type === 'string' ? type : undefined
  return typeNameOf(type.dataObjectType ?? type.name)
}

/** AAS 2 writes `{langString}`. */
const languagesOf = (element: JsonRecord, place: string): readonly JsonRecord[] =>
  isRecord(element.value) ? elementsOf(element.value, 'langString', place) : elementsOf(element, 'value', place)

function kindOf({ value }: JsonRecord): string {
  if (!Array.isArray(value)) return 'Property'
  return value.some((item) => isRecord(item) && item.idShort !== undefined)
    ? 'SubmodelElementCollection'
    : 'SubmodelElementList'
}

/** Other gateways write lists as collections `item_0`, `item_1` … with a qualifier. */
const isArrayByQualifier = ({ qualifiers }: JsonRecord): boolean =>
  Array.isArray(qualifiers) &&
  qualifiers.some(
    (qualifier) =>
      typeof qualifier?.type === 'string' && /CollectionKind$/.test(qualifier.type) && qualifier.value === 'array',
  )

function extensionOf(extensions: unknown, name: string): string | undefined {
  if (!Array.isArray(extensions)) return undefined
  const value = extensions.find((extension) => extension?.name === name)?.value
  return typeof value === 'string' ? value : undefined
}

function elementsOf(parent: JsonRecord, member: string, place: string): readonly JsonRecord[] {
  const elements = parent[member] ?? []
  if (!Array.isArray(elements)) throw unreadable(`${place} has ${member} that is not an array.`)
  for (const [index, element] of elements.entries()) {
    if (!isRecord(element)) throw unreadable(`${place}[${index}] is not a submodel element.`)
  }
  return elements
}

function recordsIn(document: JsonRecord, member: string): readonly JsonRecord[] {
  const entries = document[member]
  if (!Array.isArray(entries)) throw notAnEnvironment(`${member} must be an array.`)
  for (const [index, entry] of entries.entries()) {
    if (!isRecord(entry)) throw notAnEnvironment(`${member}[${index}] must be an object.`)
  }
  return entries
}

function only(submodels: readonly JsonRecord[], idShort: string): JsonRecord | undefined {
  const [found, another] = submodels.filter((submodel) => submodel.idShort === idShort)
  if (another !== undefined) throw unreadable(`Several submodels have the idShort ${idShort}. Keep one.`)
  return found
}

function productIdOf([shell]: readonly JsonRecord[]): string | undefined {
  const information = shell?.assetInformation
  const ids = isRecord(information) ? information.specificAssetIds : undefined
  const found = Array.isArray(ids) ? ids.find((id) => id?.name === 'productId')?.value : undefined
  return typeof found === 'string' ? found : undefined
}

/** Ignores the public key in the environment: an attacker could replace it along with the seal. */
function sealOf(submodel: JsonRecord, { parseJson }: ParseContext): ParsedSeal {
  const elements = elementsOf(submodel, 'submodelElements', SEAL)
  const text = (idShort: string) => {
    const value = elements.find((element) => element.idShort === idShort)?.value
    return typeof value === 'string' ? value.trim() : ''
  }
  const json = (idShort: string) => {
    try {
      return text(idShort) === '' ? undefined : parseJson(text(idShort))
    } catch (cause) {
      throw unreadable(`${SEAL}.${idShort} is not JSON: ${(cause as Error).message}`)
    }
  }
  const pem = text('x509CertificateChain')
  const timestamp = text('timestampToken')
  return {
    merkleRoot: text('digitalSealHash'),
    signature: text('cryptographicSignature'),
    salts: json('salts'),
    subject: json('subject'),
    x5c: pem === '' ? undefined : base64Of(pem),
    timestamp: timestamp === '' ? undefined : timestamp,
  }
}

/** RFC 7468. */
const base64Of = (pem: string): string[] =>
  pem
    .split('-----BEGIN CERTIFICATE-----')
    .slice(1)
    .map((block) => (block.split('-----END CERTIFICATE-----')[0] ?? '').replaceAll(/\s/g, ''))

const placeOf = (path: string) => (path === '' ? COMPLIANCE_METADATA : `${COMPLIANCE_METADATA}.${path}`)

const shown = (value: unknown) => (typeof value === 'string' ? beginningOf(value, 64) : 'of an unknown kind')

const notAnEnvironment = (message: string) => new Problem(400, message, { title: 'Bad Request' })

const unreadable = (message: string) => new Problem(400, message, { title: 'Ingestion Failed' })
