import type { JsonRecord } from '../domain/record.ts'
import { listOf } from './credential-content.ts'

/** First bytes in lower case. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['%pdf-', 'PDF'],
  ['pk\x03\x04', 'AASX or another ZIP package'],
  ['<!doctype html', 'HTML page'],
  ['<html', 'HTML page'],
  ['<', 'XML'],
]
const MAX_BEGINNING_BYTES = 1024

/** Undefined for formats that may be signed. */
export function unsignedFormat(content: Uint8Array): string | undefined {
  const beginning = Buffer.from(content.subarray(0, MAX_BEGINNING_BYTES)).toString('latin1')
  const text = beginning
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase()
  return BEGINNINGS.find(([prefix]) => text.startsWith(prefix))?.[1]
}

export const typesOf = (document: JsonRecord): string[] =>
  [...listOf(document['@type']), ...listOf(document.type)].filter((type) => typeof type === 'string')

/** Undefined if the gateway does not publish the document unsigned. */
export function unsignedDocument(document: JsonRecord): string | undefined {
  if (Array.isArray(document.assetAdministrationShells) || Array.isArray(document.submodels)) return 'AAS environment'
  if (Array.isArray(document.linkset)) return 'link set'
  if (document['@context'] === undefined || document.proof !== undefined) return undefined
  const types = typesOf(document)
  if (types.includes('VerifiableCredential')) return undefined
  return `${types.find((type) => /^[A-Za-z]{1,40}$/.test(type)) ?? 'JSON-LD'} document`
}
