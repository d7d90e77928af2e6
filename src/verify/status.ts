import { gunzipSync, inflateSync } from 'node:zlib'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { issuerOf, listOf, validityCheck } from './credential-content.ts'
import { examineDataIntegrity } from './data-integrity.ts'
import type { VerifyOptions } from './documents.ts'
import { readJson } from './json.ts'
import { failed, open, passed, shown } from './outcome.ts'
import type { ParsedCredential } from './parsed-credential.ts'
import { metadataChecks } from './sd-jwt-vc.ts'
import { examineVcJwt, readToken, type Token } from './vc-jwt.ts'
import type { Check } from './verification.ts'

/** Limit after decompression: 128 million entries. */
const MAX_LIST_BYTES = 16 * 1024 * 1024
const MAX_ENTRIES = 4
/** W3C Bitstring Status List 1.0, section 3.1: shorter lists reveal the credential. */
const MIN_BITS = 131_072

const PURPOSES: ReadonlyMap<unknown, string> = new Map([
  ['revocation', 'revoked'],
  ['suspension', 'suspended'],
])

/**
 * Checks a status list (W3C Bitstring Status List 1.0, section 3.2); requires a verified signature. The list must have the same issuer and
 * no status.
 */
export async function statusCheck(credential: JsonRecord, options: VerifyOptions): Promise<Check> {
  const entries = listOf(credential.credentialStatus)
  if (entries.length === 0) return passed('status', 'The credential has no status: it cannot be revoked.')
  if (entries.length > MAX_ENTRIES) return failed('status', `credentialStatus has more than ${MAX_ENTRIES} entries.`)
  const checks: Check[] = []
  for (const entry of entries) checks.push(await entryCheck(entry, issuerOf(credential), options))
  return (
    checks.find(({ ok }) => ok === false) ??
    checks.find(({ ok }) => ok === null) ??
    passed('status', checks.map(({ detail }) => detail).join(' '))
  )
}

async function entryCheck(entry: unknown, issuer: string | undefined, options: VerifyOptions): Promise<Check> {
  if (!isRecord(entry) || entry.type !== 'BitstringStatusListEntry') {
    return unknown(`only BitstringStatusListEntry is supported, not ${shown(isRecord(entry) ? entry.type : entry)}.`)
  }
  const { statusListCredential: url, statusPurpose: purpose, statusListIndex, statusSize = 1 } = entry
  const code = PURPOSES.get(purpose)
  if (code === undefined || statusSize !== 1) {
    return unknown(`only single bits for revocation and suspension are supported, not ${shown(purpose)}.`)
  }
  const index = indexOf(statusListIndex)
  if (typeof url !== 'string' || index === undefined) {
    return failed('status', 'credentialStatus needs statusListCredential and statusListIndex.')
  }
  const text = await read(url, 'application/vc+jwt, application/vc+ld+json;q=0.9, application/vc;q=0.9', options)
  if (text instanceof Error) return unknown(text.message)
  const list = readList(text)
  if (list === undefined) return unknown(`the document at ${url} is not a status list.`)
  const mismatch = whyAnother(list.credential, url, issuer, purpose)
  if (mismatch !== undefined) return failed('status', `The list at ${url} ${mismatch}`)
  const unusable = whyUnusable(url, (await list.examine(options)).checks)
  if (unusable !== undefined) return unusable
  const { encodedList } = list.credential.credentialSubject as JsonRecord
  const bits = unpack(
    gunzipSync,
    typeof encodedList === 'string' && encodedList.startsWith('u') && encodedList.slice(1),
  )
  if (bits instanceof Error) return unknown(`the list at ${url} cannot be decompressed: ${bits.message}`)
  if (bits.length * 8 < MIN_BITS) return failed('status', `The list at ${url} is shorter than ${MIN_BITS} bits.`)
  if (index >= bits.length * 8) return failed('status', `Index ${index} is not in the list at ${url}.`)
  return ((bits[Math.floor(index / 8)] ?? 0) & (0x80 >> (index % 8))) !== 0
    ? failed('status', `The issuer has ${code} the credential: bit ${index} of ${url} is set.`, code)
    : passed('status', `Not ${code}: bit ${index} of ${url} is clear.`)
}

/** W3C: digits; UNTP 0.7.0: number. */
function indexOf(value: unknown): number | undefined {
  const digits = typeof value === 'number' ? `${value}` : value
  return typeof digits === 'string' && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

interface List {
  readonly credential: JsonRecord
  examine(options: VerifyOptions): Promise<ParsedCredential>
}

function readList(text: string): List | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) {
    const token = tokenOf(trimmed)
    return token && { credential: token.payload, examine: (options) => examineVcJwt(trimmed, token, options) }
  }
  try {
    const document = readJson(trimmed, 'The list') as JsonRecord
    return { credential: document, examine: (options) => examineDataIntegrity(document, options) }
  } catch {
    return undefined
  }
}

function whyAnother(list: JsonRecord, url: string, issuer: string | undefined, purpose: unknown): string | undefined {
  const { credentialSubject: subject } = list
  if (list.id !== url) return `has the id ${shown(list.id)}.`
  if (issuerOf(list) !== issuer) return `has the issuer ${shown(issuerOf(list))}, not ${shown(issuer)}.`
  return isRecord(subject) &&
    listOf(subject.type).includes('BitstringStatusList') &&
    listOf(subject.statusPurpose).includes(purpose)
    ? undefined
    : `is not a list for ${shown(purpose)}.`
}

/** Fails for a forged list; leaves an outdated or unavailable one open. */
function whyUnusable(url: string, checks: readonly Check[]): Check | undefined {
  const wrong = checks.find(({ name, ok }) => ok === false && name !== 'validity')
  if (wrong !== undefined) return failed('status', `The list at ${url} is invalid: ${wrong.detail}`)
  const open = checks.find(({ ok }) => ok !== true)
  return open && unknown(`the list at ${url} cannot be used. ${open.detail}`)
}

/** Checks a status list (draft-ietf-oauth-status-list, section 8.3); requires a verified signature. */
export async function tokenStatusCheck({ status, iss }: JsonRecord, options: VerifyOptions): Promise<Check> {
  const entry = isRecord(status) ? status.status_list : undefined
  if (!isRecord(entry)) return unknown('status has no status_list; no other status type is supported.')
  const { uri, idx } = entry
  if (typeof uri !== 'string' || !Number.isSafeInteger(idx) || (idx as number) < 0) {
    return failed('status', 'status.status_list needs uri and idx.')
  }
  const text = await read(uri, 'application/statuslist+jwt', options)
  if (text instanceof Error) return unknown(text.message)
  const compact = text.trim()
  const token = tokenOf(compact)
  if (token === undefined || token.header.typ !== 'statuslist+jwt')
    return unknown(`the document at ${uri} is not a status list.`)
  const { payload } = token
  if (payload.sub !== uri) return failed('status', `The list at ${uri} has the sub ${shown(payload.sub)}.`)
  if (typeof iss !== 'string' || (payload.iss !== undefined && payload.iss !== iss)) {
    return failed('status', `The list at ${uri} has the issuer ${shown(payload.iss)}, not ${shown(iss)}.`)
  }
  const checks = [...(await metadataChecks(compact, token, iss, options)), validityCheck(payload, options.now)]
  return whyUnusable(uri, checks) ?? tokenEntry(uri, idx as number, payload.status_list)
}

function tokenEntry(uri: string, index: number, list: unknown): Check {
  const { bits, lst } = isRecord(list) ? list : {}
  if (bits !== 1 && bits !== 2 && bits !== 4 && bits !== 8) return unknown(`the list at ${uri} has no valid bits.`)
  const bytes = unpack(inflateSync, lst)
  if (bytes instanceof Error) return unknown(`the list at ${uri} cannot be decompressed: ${bytes.message}`)
  const byte = bytes[Math.floor((index * bits) / 8)]
  if (byte === undefined) return failed('status', `Index ${index} is not in the list at ${uri}.`)
  const value = (byte >> ((index * bits) % 8)) & ((1 << bits) - 1)
  if (value === 0) return passed('status', `Not revoked: entry ${index} of ${uri} is VALID.`)
  const code = CODES.get(value)
  return failed(
    'status',
    `The issuer has ${code ?? 'ended'} the credential: entry ${index} of ${uri} is ${value}.`,
    code,
  )
}

/** Section 7.1: 0 VALID, 1 INVALID, 2 SUSPENDED; others are application-specific. */
const CODES: ReadonlyMap<number, string> = new Map([
  [1, 'revoked'],
  [2, 'suspended'],
])

const unknown = (why: string) => open('status', `The revocation status is unknown: ${why}`, 'statusUnknown')

const read = (url: string, accept: string, { documents }: VerifyOptions): Promise<string | Error> =>
  documents.read(url, accept).catch((error: Error) => error)

function tokenOf(compact: string): Token | undefined {
  try {
    return readToken(compact)
  } catch {
    return undefined
  }
}

function unpack(how: typeof gunzipSync, base64url: unknown): Buffer | Error {
  if (typeof base64url !== 'string') return new Error('it is missing.')
  try {
    return how(Buffer.from(base64url, 'base64url'), { maxOutputLength: MAX_LIST_BYTES })
  } catch (error) {
    return new Error(`${(error as Error).message}.`)
  }
}
