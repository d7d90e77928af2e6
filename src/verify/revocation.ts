import { type KeyObject, verify } from 'node:crypto'
import { type DerElement, INTEGER, integerBytes, readDerSequence, SEQUENCE } from '../domain/der.ts'
import { readSignature } from '../domain/seal.ts'
import {
  BIT_STRING,
  type CheckedCertificate,
  ECDSA_WITH_SHA256,
  extensionsOf,
  malformed,
  tagged,
  timeOf,
} from './certificate.ts'

/** `unknown` never counts as good. */
type Revocation =
  | { readonly state: 'good' }
  | { readonly state: 'revoked'; readonly at: Date }
  | { readonly state: 'unknown'; readonly why: string }

export type Revocations = (certificate: CheckedCertificate) => Revocation

/**
 * Creates the lookup for certificates of this node's seal CAs.
 * @param revoked times by serial number (hexadecimal), unique across the CAs
 */
export function revocationsAmong(revoked: ReadonlyMap<string, Date>): Revocations {
  return ({ serial }) => {
    const at = revoked.get(serial)
    return at === undefined ? { state: 'good' } : { state: 'revoked', at }
  }
}

const MAX_LIST_BYTES = 1024 * 1024
const MAX_LISTS = 8
const LIST_EXTENSIONS = 0xa0

/** CRL (RFC 5280 §5.1). */
interface RevocationList {
  readonly tbs: Buffer
  readonly algorithms: readonly Buffer[]
  readonly signature: Buffer
  readonly issuer: Buffer
  readonly thisUpdate: Date
  readonly nextUpdate: Date
  readonly revoked: ReadonlyMap<string, Date>
}

/**
 * Creates the lookup from CRLs signed by the certificate's issuer and in force at `now`; the latest wins.
 * @param file DER or PEM
 * @throws Error if malformed
 */
export function revocationsOf(file: Buffer, now: Date): Revocations {
  const lists = derOf(file).map(readList)
  return (certificate) => {
    const { authority } = certificate
    const own = lists.filter((list) => list.issuer.equals(authority.subject) && isSignedBy(list, authority.publicKey))
    const [list] = own.sort((one, other) => other.thisUpdate.getTime() - one.thisUpdate.getTime())
    if (list === undefined) return { state: 'unknown', why: 'no certificate revocation list of its seal CA was given' }
    if (now < list.thisUpdate || now > list.nextUpdate) {
      const span = `${list.thisUpdate.toISOString()} to ${list.nextUpdate.toISOString()}`
      return { state: 'unknown', why: `the certificate revocation list is not current, but valid from ${span}` }
    }
    return revocationsAmong(list.revoked)(certificate)
  }
}

function derOf(file: Buffer): Buffer[] {
  if (file.length > MAX_LISTS * 2 * MAX_LIST_BYTES) throw new Error('The certificate revocation lists are too large.')
  if (file[0] === SEQUENCE) return [file]
  const pieces = file.toString('latin1').split('-----END X509 CRL-----')
  const bodies = pieces.slice(0, -1).map((piece) => BEGUN.exec(piece)?.[1]?.replaceAll(/\s/g, '') ?? '')
  if (bodies.length < 1 || bodies.length > MAX_LISTS || bodies.includes('') || pieces.at(-1)?.trim() !== '') {
    throw new Error(`The file must contain 1 to ${MAX_LISTS} certificate revocation lists (X509 CRL) in PEM.`)
  }
  return bodies.map((body) => Buffer.from(body, 'base64'))
}

const BEGUN = /^\s*-----BEGIN X509 CRL-----([A-Za-z0-9+/=\s]+)$/

function readList(der: Buffer): RevocationList {
  if (der.length > MAX_LIST_BYTES)
    throw new Error(`A certificate revocation list has more than ${MAX_LIST_BYTES} bytes.`)
  try {
    const [tbs, algorithm, signature] = tagged(readDerSequence(der), [SEQUENCE, SEQUENCE, BIT_STRING])
    const [version, innerAlgorithm, issuer, thisUpdate, nextUpdate, ...rest] = tbs.parts
    tagged([version, innerAlgorithm, issuer].filter(isThere), [INTEGER, SEQUENCE, SEQUENCE])
    const extensions = rest.pop()
    const entries = rest.pop()
    const isWell = rest.length === 0 && extensions?.tag === LIST_EXTENSIONS && (entries?.tag ?? SEQUENCE) === SEQUENCE
    if (!isWell || version?.content.equals(VERSION_2) !== true || signature.content[0] !== 0) throw malformed()
    const [list] = tagged(extensions.parts, [SEQUENCE])
    // RFC 5280 §5.2: reject unknown critical extensions, such as a restricted scope.
    for (const { isCritical } of extensionsOf(list.parts).values()) if (isCritical) throw malformed()
    return {
      tbs: tbs.raw,
      algorithms: [algorithm.raw, (innerAlgorithm as DerElement).raw],
      signature: signature.content.subarray(1),
      issuer: (issuer as DerElement).raw,
      thisUpdate: timeOf(thisUpdate as DerElement),
      nextUpdate: timeOf(nextUpdate as DerElement),
      revoked: new Map((entries?.parts ?? []).map(readEntry)),
    }
  } catch {
    throw new Error('A certificate revocation list is malformed: version 2 in DER with nextUpdate is required.')
  }
}

const VERSION_2 = Buffer.from([1])
const isThere = (element: DerElement | undefined): element is DerElement => element !== undefined

function readEntry({ tag, parts }: DerElement): [string, Date] {
  const [serial, date, extensions, ...more] = parts
  if (tag !== SEQUENCE || serial === undefined || date === undefined || more.length > 0) throw malformed()
  // RFC 5280 §5.3: for example, another certificate issuer.
  for (const { isCritical } of extensionsOf(extensions?.parts ?? []).values()) if (isCritical) throw malformed()
  return [integerBytes(serial).toString('hex'), timeOf(date)]
}

function isSignedBy({ algorithms, tbs, signature }: RevocationList, key: KeyObject): boolean {
  if (!algorithms.every((algorithm) => algorithm.equals(ECDSA_WITH_SHA256))) return false
  try {
    readSignature(signature)
    return verify('sha256', tbs, { key, dsaEncoding: 'der' }, signature)
  } catch {
    return false
  }
}
