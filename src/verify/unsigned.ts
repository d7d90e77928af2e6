import type { JsonRecord } from '../domain/record.ts'
import { listOf } from './credential-content.ts'

/** Formats without a signature of their own, by how their bytes begin, in lower case. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['%pdf-', 'PDF'],
  ['pk\x03\x04', 'AASX or another ZIP package'],
  ['<!doctype html', 'HTML page'],
  ['<html', 'HTML page'],
  ['<', 'XML'],
]
const MAX_BEGINNING_BYTES = 1024

/** Name of the format of a file that never has a signature of its own; undefined for others. */
export function unsignedFormat(content: Uint8Array): string | undefined {
  const beginning = Buffer.from(content.subarray(0, MAX_BEGINNING_BYTES)).toString('latin1')
  const text = beginning
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase()
  return BEGINNINGS.find(([prefix]) => text.startsWith(prefix))?.[1]
}

/** The types of a JSON-LD document, under either spelling of the member. */
export const typesOf = (document: JsonRecord): string[] =>
  [...listOf(document['@type']), ...listOf(document.type)].filter((type) => typeof type === 'string')

/** Name of a JSON document that the gateway publishes without a signature; undefined for others. */
export function unsignedDocument(document: JsonRecord): string | undefined {
  if (Array.isArray(document.assetAdministrationShells) || Array.isArray(document.submodels)) return 'AAS environment'
  if (Array.isArray(document.linkset)) return 'link set'
  if (document['@context'] === undefined || document.proof !== undefined) return undefined
  const types = typesOf(document)
  // A credential without its proof has lost it.
  if (types.includes('VerifiableCredential')) return undefined
  return `${types.find((type) => /^[A-Za-z]{1,40}$/.test(type)) ?? 'JSON-LD'} document`
}
