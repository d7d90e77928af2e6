import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { type DerElement, INTEGER, integerBytes, readDer, readDerSequence, SEQUENCE } from '../domain/der.ts'
import { memoize } from '../domain/memoize.ts'
import { p256Key, p256Spki, readSignature } from '../domain/seal.ts'

interface SealCertificate {
  readonly subject: string
  readonly issuer: string
  readonly validFrom: string
  readonly validTo: string
}

/** Parsed certificate, not necessarily trusted. */
export interface ReadCertificate {
  readonly shown: SealCertificate
  /** Undefined if unreadable. */
  readonly publicKeyPem?: string
}

export interface CheckedCertificate {
  /** Undefined if unreadable. */
  readonly read: ReadCertificate | undefined
  /** Hexadecimal. */
  readonly serial: string
  readonly authority: Pick<Authority, 'raw' | 'subject' | 'publicKey'>
}

/** @throws Error without a valid certificate */
export function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw new Error('The file contains no certificate in PEM.')
  return blocks.map((block) => new X509Certificate(block))
}

/**
 * Validates a seal certificate: it has this key, was issued by a trusted seal CA, allows only signing data, and was valid at `at`. The CA
 * has path length 0. Extensions are read only after the certificate's signature was verified.
 * @param x5c DER with bounded sizes: leaf, or leaf and CA
 * @param authorityPem one to eight seal CAs
 * @throws Error with the reason
 */
export function checkSealCertificate(
  x5c: readonly Buffer[],
  publicKeyPem: string,
  authorityPem: string,
  at: Date,
): CheckedCertificate {
  const der = x5c[0] ?? Buffer.alloc(0)
  const [authority, issued] = issuerAmong(authoritiesOf(authorityPem), der.toString('latin1'))
  const leaf = issued?.parts ?? readCertificate(der, 'The certificate')
  if (p256Spki(publicKeyPem)?.equals(leaf.spki) !== true) throw new Error('The certificate is for another key.')
  if (issued === undefined) throw new Error('The certificate was not issued by the trusted seal CA.')
  if (x5c[1] !== undefined && !x5c[1].equals(authority.raw)) {
    throw new Error('x5c has a certificate that does not belong to the chain.')
  }
  assertSealing(extensionsOf(leaf.extensions))
  for (const [name, { validity }] of Object.entries({ certificate: leaf, 'seal CA': authority })) {
    const [from, to] = validity
    if (!(at >= from && at <= to)) {
      throw new Error(`The ${name} was not valid at ${at.toISOString()}: ${from.toISOString()} to ${to.toISOString()}.`)
    }
  }
  return { read: issued.read, serial: leaf.serial, authority }
}

/** Returns the issuing authority, or the first one without a result. */
function issuerAmong(authorities: readonly Authority[], certificate: string): [Authority, Issued | undefined] {
  for (const authority of authorities) {
    const issued = authority.issued(certificate)
    if (issued !== undefined) return [authority, issued]
  }
  return [authorities[0] as Authority, undefined]
}

export function readNames(der: Buffer): ReadCertificate | undefined {
  try {
    const certificate = new X509Certificate(der)
    const { subject, issuer, validFrom, validTo } = certificate
    const shown = { subject: oneLine(subject), issuer: oneLine(issuer), validFrom, validTo }
    return { shown, publicKeyPem: keyIn(certificate) }
  } catch {
    return undefined
  }
}

function keyIn(certificate: X509Certificate): string | undefined {
  try {
    return certificate.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
  } catch {
    return undefined
  }
}

interface CertificateParts {
  readonly raw: Buffer
  readonly tbs: Buffer
  readonly algorithms: readonly Buffer[]
  readonly signature: Buffer
  readonly serial: string
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly spki: Buffer
  readonly validity: readonly [from: Date, to: Date]
  readonly extensions: readonly DerElement[]
}

/** ecdsa-with-SHA256 without parameters (RFC 5758 §3.2). */
export const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex')
const VERSION_3 = Buffer.from('a003020102', 'hex')
const BOOLEAN = 0x01
export const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_IDENTIFIER = 0x06
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const EXTENSIONS = 0xa3
/** Certificate tags without unique identifiers. */
const OUTER = [SEQUENCE, SEQUENCE, BIT_STRING] as const
const INNER = [0xa0, INTEGER, SEQUENCE, SEQUENCE, SEQUENCE, SEQUENCE, SEQUENCE, EXTENSIONS] as const

function readCertificate(der: Buffer, name: string): CertificateParts {
  try {
    const [tbs, algorithm, signature] = tagged(readDerSequence(der), OUTER)
    const [version, serial, innerAlgorithm, issuer, validity, subject, spki, extensions] = tagged(tbs.parts, INNER)
    const [from, to] = tagged(validity.parts, [undefined, undefined])
    const [list] = tagged(extensions.parts, [SEQUENCE])
    if (!version.raw.equals(VERSION_3) || signature.content[0] !== 0) throw malformed()
    return {
      raw: der,
      tbs: tbs.raw,
      algorithms: [algorithm.raw, innerAlgorithm.raw],
      signature: signature.content.subarray(1),
      serial: integerBytes(serial).toString('hex'),
      issuer: issuer.raw,
      subject: subject.raw,
      spki: spki.raw,
      validity: [timeOf(from), timeOf(to)],
      extensions: list.parts,
    }
  } catch {
    throw new Error(`${name} is not an X.509 v3 certificate in DER.`)
  }
}

/** Types the elements; `undefined` matches any tag. Throws on a mismatch. */
export function tagged<const Tags extends readonly (number | undefined)[]>(
  elements: readonly DerElement[],
  tags: Tags,
): { readonly [Index in keyof Tags]: DerElement } {
  const isExpected = tags.every((tag, index) => tag === undefined || elements[index]?.tag === tag)
  if (!isExpected || elements.length !== tags.length) throw malformed()
  return elements as unknown as { readonly [Index in keyof Tags]: DerElement }
}

const MAX_AUTHORITY_BYTES = 16 * 1024
const MAX_AUTHORITIES = 8

interface Issued {
  readonly parts: CertificateParts
  readonly read: ReadCertificate | undefined
}

interface Authority extends CertificateParts {
  readonly publicKey: KeyObject
  /**
   * @param certificate DER as Latin-1
   * @returns undefined if not signed by this authority. Throws if malformed
   */
  issued(certificate: string): Issued | undefined
}

function authoritiesOf(pem: string): Authority[] {
  const pieces = pem.split('-----END CERTIFICATE-----')
  const bodies = pieces.slice(0, -1).map((piece) => BEGUN.exec(piece)?.[1] ?? '')
  if (bodies.length < 1 || bodies.length > MAX_AUTHORITIES || bodies.includes('') || pieces.at(-1)?.trim() !== '') {
    throw new Error(`The seal CA file must contain 1 to ${MAX_AUTHORITIES} certificates in PEM.`)
  }
  return bodies.map((body) => authorityOf(body))
}

const BEGUN = /^\s*-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)$/

/** Parses a seal CA. Each CA has its own cache of certificates that it issued, so others cannot fill it. */
const authorityOf = memoize(
  (body: string): Authority => {
    const authority = readAuthority(body)
    const issued = memoize(
      (certificate: string): Issued | undefined => {
        const der = Buffer.from(certificate, 'latin1')
        const parts = readCertificate(der, 'The certificate')
        return isIssuedBy(parts, authority) ? { parts, read: readNames(der) } : undefined
      },
      { entries: 1000, characters: 4096 },
    )
    return { ...authority, issued }
  },
  { entries: 8, characters: 2 * MAX_AUTHORITY_BYTES },
)

function readAuthority(body: string): Omit<Authority, 'issued'> {
  const base64 = body.replaceAll(/\s/g, '')
  const der = Buffer.from(base64, 'base64')
  if (der.length === 0 || der.length > MAX_AUTHORITY_BYTES || der.toString('base64') !== base64) {
    throw new Error('The seal CA file contains a malformed certificate.')
  }
  const authority = readCertificate(der, 'The seal CA')
  const extensions = extensionsOf(authority.extensions)
  if (!isCa(extensions) || (usageOf(extensions) & KEY_CERT_SIGN) === 0) {
    throw new Error('The seal CA certificate is not a CA certificate (basicConstraints CA and keyCertSign required).')
  }
  const publicKey = p256Key(authority.spki)
  if (publicKey === undefined) throw new Error('The seal CA has no P-256 key.')
  return { ...authority, publicKey }
}

function isIssuedBy(
  { issuer, algorithms, tbs, signature }: CertificateParts,
  { subject, publicKey: key }: Omit<Authority, 'issued'>,
): boolean {
  if (!issuer.equals(subject) || !algorithms.every((algorithm) => algorithm.equals(ECDSA_WITH_SHA256))) return false
  try {
    readSignature(signature)
  } catch {
    return false
  }
  return verify('sha256', tbs, { key, dsaEncoding: 'der' }, signature)
}

type Extensions = ReadonlyMap<string, { readonly isCritical: boolean; readonly value: Buffer }>

/** DER content in hexadecimal (RFC 5280 §4.2.1). */
const KEY_USAGE = '551d0f'
const BASIC_CONSTRAINTS = '551d13'
const EXTENDED_KEY_USAGE = '551d25'

export function extensionsOf(extensions: readonly DerElement[]): Extensions {
  const found = new Map<string, { isCritical: boolean; value: Buffer }>()
  for (const { tag, parts } of extensions) {
    const [id, ...rest] = parts
    const value = rest.at(-1)
    const critical = rest.length === 2 ? rest[0] : undefined
    const isWell = tag === SEQUENCE && rest.length >= 1 && rest.length <= 2 && (critical?.raw.equals(TRUE) ?? true)
    if (id?.tag !== OBJECT_IDENTIFIER || value?.tag !== OCTET_STRING || !isWell) {
      throw new Error('The certificate has a malformed extension.')
    }
    const name = id.content.toString('hex')
    if (found.has(name)) throw new Error('The certificate has an extension twice.')
    found.set(name, { isCritical: critical !== undefined, value: value.content })
  }
  return found
}

const TRUE = Buffer.from([BOOLEAN, 1, 0xff])

// RFC 5280 §4.2.1.3, §4.2.1.9 and §4.2.1.12.
function assertSealing(extensions: Extensions): void {
  if (isCa(extensions)) throw new Error('The certificate is a CA certificate, not a seal certificate.')
  const usage = usageOf(extensions)
  if ((usage & DIGITAL_SIGNATURE) === 0 || (usage & KEY_CERT_SIGN) !== 0) {
    throw new Error('The certificate must allow digitalSignature and must not allow keyCertSign.')
  }
  if (extensions.has(EXTENDED_KEY_USAGE))
    throw new Error('The certificate has an extended key usage, which seal certificates must not have.')
  // RFC 5280 §4.2: reject unknown critical extensions.
  for (const [name, { isCritical }] of extensions) {
    if (isCritical && name !== KEY_USAGE && name !== BASIC_CONSTRAINTS) {
      throw new Error('The certificate has an unknown critical extension.')
    }
  }
}

const DIGITAL_SIGNATURE = 0x80
const KEY_CERT_SIGN = 0x04

function usageOf(extensions: Extensions): number {
  const { value } = extensions.get(KEY_USAGE) ?? {}
  const [bits, ...rest] = value === undefined ? [] : readDer(value)
  const [unused = 0, first = 0] = bits?.content ?? []
  const isWell = bits?.tag === BIT_STRING && (bits.content.length === 2 || bits.content.length === 3) && unused <= 7
  // X.690 §11.2.1: unused bits are zero.
  if (rest.length > 0 || !isWell || ((bits.content.at(-1) as number) & ((1 << unused) - 1)) !== 0) {
    throw new Error('The certificate has no valid key usage.')
  }
  return first
}

/** X.690 §11.5: encoded only if TRUE. A path length may follow. */
function isCa(extensions: Extensions): boolean {
  const { value } = extensions.get(BASIC_CONSTRAINTS) ?? {}
  if (value === undefined) return false
  const [first, ...rest] = readDerSequence(value)
  const isTrue = first?.raw.equals(TRUE) === true
  const numbers = isTrue || first === undefined ? rest : [first, ...rest]
  if (numbers.length > 1) throw malformed()
  numbers.forEach(integerBytes)
  return isTrue
}

export function timeOf({ tag, content }: DerElement): Date {
  const written = content.toString('latin1')
  const century = tag === UTC_TIME ? (written < '50' ? '20' : '19') : ''
  const [, year, ...rest] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + written) ?? []
  const [month, day, hour, minute, second] = rest
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const time = new Date(iso)
  const isTime = tag === UTC_TIME || tag === GENERALIZED_TIME
  // JavaScript reads 30 February as 2 March.
  if (!isTime || Number.isNaN(time.getTime()) || time.toISOString() !== iso) throw malformed()
  return time
}

export const malformed = () => new Error('The certificate has an unexpected element.')

const oneLine = (name: string) => name.split('\n').join(', ')
