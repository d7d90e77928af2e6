import { gunzipSync, inflateSync } from 'node:zlib'
import { CLOCK_SKEW_MS, isObject, issuerOf, listOf } from './credential-content.ts'
import { verifyDataIntegrity } from './data-integrity.ts'
import type { VerifyOptions } from './documents.ts'
import { failed, open, passed } from './outcome.ts'
import { readToken, verifyVcJwt } from './vc-jwt.ts'
import type { Check, Verification } from './verification.ts'

type Json = Readonly<Record<string, unknown>>

/** Bytes that a list may have when it is unpacked: 128 million entries. A small file can claim to be any size. */
const MOST_BYTES = 16 * 1024 * 1024

/** Whether a bit of a W3C Bitstring Status List says that the credential holds no more (section 3.2). */
export async function statusCheck(credential: Json, options: VerifyOptions): Promise<Check> {
  const entries = listOf(credential.credentialStatus)
  if (entries.length === 0) return passed('status', 'The credential cannot be revoked.')
  const details: string[] = []
  for (const entry of entries) {
    if (!isObject(entry) || entry.type !== 'BitstringStatusListEntry') {
      return open('status', `Not checked: ${isObject(entry) ? String(entry.type) : 'this entry'} is not known here.`)
    }
    const check = await entryCheck(entry, issuerOf(credential), options)
    if (check.ok !== true) return check
    details.push(check.detail)
  }
  return passed('status', details.join(' '))
}

async function entryCheck(entry: Json, issuer: string | undefined, options: VerifyOptions): Promise<Check> {
  const { statusListCredential: url, statusPurpose } = entry
  const index = Number(entry.statusListIndex)
  // UNTP 0.7.0 has a number where W3C has a string.
  if (typeof url !== 'string' || !/^\d+$/.test(String(entry.statusListIndex)) || !Number.isSafeInteger(index)) {
    return failed('status', 'credentialStatus needs statusListCredential and statusListIndex.')
  }
  const text = await read(url, 'application/vc+jwt, application/vc+ld+json;q=0.9, application/vc;q=0.9', options)
  if (text instanceof Error) return open('status', `Not checked: ${text.message}`)
  const { list, verification } = await verifiedList(text.trim(), options)
  if (!verification.valid || list === undefined)
    return failed('status', `The list at ${url} does not hold: ${reasons(verification)}`)
  const subject = list.credentialSubject
  if (list.id !== url) return failed('status', `The list at ${url} calls itself ${String(list.id)}.`)
  if (issuerOf(list) !== issuer)
    return failed('status', `The list at ${url} is of ${issuerOf(list)}, not of ${issuer}.`)
  if (!isObject(subject) || subject.type !== 'BitstringStatusList' || subject.statusPurpose !== statusPurpose) {
    return failed('status', `The list at ${url} is no list for ${String(statusPurpose)}.`)
  }
  try {
    const bits = gunzipSync(Buffer.from(String(subject.encodedList).replace(/^u/, ''), 'base64url'), {
      maxOutputLength: MOST_BYTES,
    })
    if (index >= bits.length * 8) return failed('status', `Index ${index} is not in the list at ${url}.`)
    const isSet = ((bits[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0
    return isSet
      ? failed('status', `Bit ${index} of ${url} is set (${String(statusPurpose)}).`)
      : passed('status', `Bit ${index} of ${url} is clear.`)
  } catch (error) {
    return failed('status', `The list at ${url} cannot be unpacked: ${(error as Error).message}`)
  }
}

async function verifiedList(
  text: string,
  options: VerifyOptions,
): Promise<{ list: Json | undefined; verification: Verification }> {
  if (text.startsWith('{')) {
    const verification = await verifyDataIntegrity(text, options)
    return { list: verification.form === 'data-integrity' ? JSON.parse(text) : undefined, verification }
  }
  return { list: readToken(text)?.payload, verification: await verifyVcJwt(text, options) }
}

/** Whether a Token Status List says so. `securedList` judges the list's token as that of the same issuer. */
export async function tokenStatusCheck(
  { status }: Json,
  options: VerifyOptions,
  securedList: (compact: string) => Promise<Check[]>,
): Promise<Check> {
  const entry = isObject(status) && isObject(status.status_list) ? status.status_list : undefined
  if (entry === undefined) return passed('status', 'The credential cannot be revoked.')
  const { uri, idx } = entry
  if (typeof uri !== 'string' || !Number.isSafeInteger(idx))
    return failed('status', 'status.status_list needs uri and idx.')
  const text = await read(uri, 'application/statuslist+jwt', options)
  if (text instanceof Error) return open('status', `Not checked: ${text.message}`)
  const token = readToken(text.trim())
  if (token === undefined || token.header.typ !== 'statuslist+jwt')
    return failed('status', `At ${uri} is no status list token.`)
  const { payload } = token
  if (payload.sub !== uri) return failed('status', `The list at ${uri} calls itself ${String(payload.sub)}.`)
  if (typeof payload.exp === 'number' && payload.exp * 1000 < options.now.getTime() - CLOCK_SKEW_MS) {
    return failed('status', `The list at ${uri} has expired.`)
  }
  const wrong = (await securedList(text.trim())).find(({ ok }) => ok !== true)
  if (wrong !== undefined) return failed('status', `The list at ${uri} does not hold: ${wrong.detail}`)
  const list = isObject(payload.status_list) ? payload.status_list : {}
  if (![1, 2, 4, 8].includes(list.bits as number)) return failed('status', `The list at ${uri} has no bits.`)
  try {
    const bytes = inflateSync(Buffer.from(String(list.lst), 'base64url'), { maxOutputLength: MOST_BYTES })
    const bits = list.bits as number
    const at = (idx as number) * bits
    if (at >= bytes.length * 8) return failed('status', `Index ${idx} is not in the list at ${uri}.`)
    const value = ((bytes[at >> 3] ?? 0) >> (at & 7)) & ((1 << bits) - 1)
    return value === 0
      ? passed('status', `Entry ${idx} of ${uri} is VALID.`)
      : failed('status', `Entry ${idx} of ${uri} is ${value === 1 ? 'INVALID' : value === 2 ? 'SUSPENDED' : value}.`)
  } catch (error) {
    return failed('status', `The list at ${uri} cannot be unpacked: ${(error as Error).message}`)
  }
}

const read = (url: string, accept: string, { documents }: VerifyOptions): Promise<string | Error> =>
  documents.read(url, accept).catch((error: Error) => error)

const reasons = ({ checks }: Verification) =>
  checks
    .filter(({ ok }) => ok !== true)
    .map(({ name, detail }) => `${name}: ${detail}`)
    .join('; ')
