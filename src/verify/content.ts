import { isRecord, type JsonRecord } from '../domain/record.ts'
import { contextLoader, issuersContexts, ownContexts, UnknownContext } from './contexts.ts'
import { issuerOf, listOf } from './credential-content.ts'
import type { VerifyOptions } from './documents.ts'
import { readJson } from './json.ts'
import { failed, open, passed, shown } from './outcome.ts'
import type { Check } from './verification.ts'

/** Checks terms and schemas; requires a verified signature. */
export async function contentChecks(credential: JsonRecord, options: VerifyOptions): Promise<Check[]> {
  return [await expansionCheck(credential, options), ...(await schemaChecks(credential, options))]
}

/** Limits of expansion; the largest passport has 20,000 keys. */
const MAX_VALUES = 50_000
const MAX_CONTEXTS = 16
const MAX_INLINE_TERMS = 100

type TermPosition = 'data' | 'context' | 'definition'

function positionOf(key: string, parent: TermPosition): TermPosition {
  if (key === '@context') return 'context'
  return parent === 'context' ? 'definition' : parent
}

function tooLarge(credential: JsonRecord): string | undefined {
  let [values, contexts, terms] = [0, 0, 0]
  const places: [unknown, TermPosition][] = [[credential, 'data']]
  for (let next = places.pop(); next !== undefined; next = places.pop()) {
    const [value, place] = next
    values += 1
    if (place === 'context' && !Array.isArray(value)) contexts += 1
    if (place === 'context' && isRecord(value)) terms += Object.keys(value).length
    if (values > MAX_VALUES) return `The credential has more than ${MAX_VALUES} values.`
    if (contexts > MAX_CONTEXTS) return `The credential has more than ${MAX_CONTEXTS} contexts.`
    if (terms > MAX_INLINE_TERMS) return `The contexts define more than ${MAX_INLINE_TERMS} terms.`
    if (Array.isArray(value)) for (const entry of value) places.push([entry, place])
    if (!isRecord(value)) continue
    for (const [key, entry] of Object.entries(value)) {
      places.push([entry, positionOf(key, place)])
    }
  }
  return undefined
}

/** Safe mode rejects undefined terms, which JCS and JOSE sign silently. Contexts that may not be shipped leave the check open. */
async function expansionCheck(credential: JsonRecord, { vocabulary, contexts }: VerifyOptions): Promise<Check> {
  const reason = tooLarge(credential)
  if (reason !== undefined) return open('content', `The meaning of the terms was not checked. ${reason}`)
  const { default: jsonld } = await import('jsonld')
  const issuers = issuersContexts(contexts, listOf(credential['@context']), issuerOf(credential))
  try {
    const own = await ownContexts(contexts, vocabulary)
    const documentLoader = contextLoader(contexts, new Map([...issuers, ...own]))
    await jsonld.expand(credential, { safe: true, documentLoader })
    return passed('content', 'The credential is well formed; every term is defined.')
  } catch (error) {
    const unknown = causeOf(error, UnknownContext)
    return unknown?.isKnown
      ? passed('content', `The credential is well formed. The meaning of its terms was not checked: ${unknown.message}`)
      : failed('content', unknown?.message ?? whyNotExpanded(error as ExpansionError))
  }
}

interface ExpansionError extends Error {
  readonly details?: {
    readonly event?: {
      readonly message?: string
      readonly details?: { readonly property?: unknown; readonly type?: unknown }
    }
  }
}

function whyNotExpanded({ message, details }: ExpansionError): string {
  const { event } = details ?? {}
  const { property, type, ...others } = event?.details ?? {}
  if (typeof property === 'string') return `No context defines ${shown(property)}.`
  if (typeof type === 'string') return `No context defines the type ${shown(type)}.`
  return event === undefined ? shown(message) : shown(`${event.message} ${JSON.stringify(others)}`)
}

const MAX_SCHEMAS = 4

const UNTP_SCHEMAS: readonly string[] = [
  'https://untp.unece.org/artefacts/schema/v0.7.0/dpp/DigitalProductPassport.json',
  'https://test.uncefact.org/vocabulary/untp/dpp/untp-dpp-schema-0.6.1.json',
]

async function schemaChecks(credential: JsonRecord, options: VerifyOptions): Promise<Check[]> {
  const named = listOf(credential.credentialSchema).filter((entry) => isRecord(entry) && entry.type === 'JsonSchema')
  const urls = named.slice(0, MAX_SCHEMAS).map((entry) => (entry as JsonRecord).id)
  const checks = await Promise.all(urls.map((url) => schemaCheck(url, credential, options)))
  return named.length > urls.length
    ? [...checks, open('schema', `Not checked: the credential lists more than ${MAX_SCHEMAS} schemas.`)]
    : checks
}

/**
 * Validates with a UNTP schema. Other schemas are never fetched or applied: their patterns, chosen by the author, could run without end.
 */
async function schemaCheck(url: unknown, credential: JsonRecord, { vocabulary }: VerifyOptions): Promise<Check> {
  if (typeof url !== 'string' || !UNTP_SCHEMAS.includes(url)) {
    return open('schema', `Not checked: unknown schema ${shown(url)}.`)
  }
  if (vocabulary === undefined) {
    return open('schema', `Not checked. To check, put ${url} into a folder and set --offline to it.`)
  }
  const text = await vocabulary.read(url, 'application/schema+json, application/json').catch((error: Error) => error)
  if (text instanceof Error) return open('schema', `Not checked: ${text.message}`)
  const [{ Ajv2020 }, { default: addFormats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')])
  try {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv, { mode: 'fast' })
    const { $id: _id, ...schema } = readJson(text, url) as JsonRecord
    const validate = ajv.compile(schema)
    return validate(credential) ? passed('schema', url) : failed('schema', `${url}: ${ajv.errorsText(validate.errors)}`)
  } catch (error) {
    return open('schema', `${url} cannot be used: ${(error as Error).message}`)
  }
}

/** Returns the first matching cause. */
function causeOf<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | undefined {
  for (let at = error; at instanceof Error; at = at.cause ?? (at as { details?: { cause?: unknown } }).details?.cause) {
    if (at instanceof kind) return at
  }
  return undefined
}
