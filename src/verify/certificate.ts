import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { type DerElement, INTEGER, integerBytes, readDer, readDerSequence, SEQUENCE } from '../domain/der.ts'
import { memoize } from '../domain/memoize.ts'
import { p256Key, p256Spki, readSignature } from '../domain/seal.ts'

/** Whose a seal key is, as its certificate says it. */
interface SealCertificate {
  readonly subject: string
  readonly issuer: string
  /** X.509 text dates. */
  readonly validFrom: string
  readonly validTo: string
}

/** What can be read in a certificate, whoever has issued it. */
export interface ReadCertificate {
  readonly shown: SealCertificate
  /** Its key; absent where that cannot be read. */
  readonly publicKeyPem?: string
}

/** A certificate that holds. */
export interface CheckedCertificate {
  /** What can be read in it; absent where its names cannot be. */
  readonly read: ReadCertificate | undefined
  /** Hexadecimal, as it is written. */
  readonly serial: string
  /** Who has issued it. */
  readonly authority: Pick<Authority, 'raw' | 'subject' | 'publicKey'>
}

/** The certificates of a PEM file. Throws if there are none, or one is malformed. */
export function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw new Error('There is no certificate in PEM.')
  return blocks.map((block) => new X509Certificate(block))
}

/**
 * Checks the certificate of a seal key by the seal rule: it is of this key, issued by the trusted authority, for signing
 * data and nothing else, and was valid at `at`. The authority signs end-entity certificates directly (its path length is
 * 0), so `x5c` is the leaf, or the leaf and the authority. No extension is looked at that the authority has not signed.
 * @param x5c one or two certificates (DER), whose sizes were bounded before
 * @param authorityPem the certificates of one to eight seal CAs: after some years a gateway has another one
 * @returns what the certificate is, and which of them has issued it
 * @throws Error that says why it does not hold
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
  if (p256Spki(publicKeyPem)?.equals(leaf.spki) !== true) throw new Error('The certificate is of another key.')
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

/** The first that has signed the certificate; where none has, the first of all, without an answer. */
function issuerAmong(authorities: readonly Authority[], certificate: string): [Authority, Issued | undefined] {
  for (const authority of authorities) {
    const issued = authority.issued(certificate)
    if (issued !== undefined) return [authority, issued]
  }
  return [authorities[0] as Authority, undefined]
}

/** What can be read in a certificate (DER), whose size was bounded before; undefined where nothing can. */
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

/** The parts of a certificate (RFC 5280 §4.1), as they are written. */
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

/** AlgorithmIdentifier of ecdsa-with-SHA256, which has no parameters (RFC 5758 §3.2). */
export const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex')
const VERSION_3 = Buffer.from('a003020102', 'hex')
const BOOLEAN = 0x01
export const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_IDENTIFIER = 0x06
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const EXTENSIONS = 0xa3
/** Certificate, and TBSCertificate without the unique ids that nobody uses. */
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
    throw new Error(`${name} is no X.509 certificate of version 3 in DER.`)
  }
}

/** The elements, which must be these; `undefined` stands for any. */
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

/** A certificate that its authority has signed, whenever it is valid. */
interface Issued {
  readonly parts: CertificateParts
  readonly read: ReadCertificate | undefined
}

interface Authority extends CertificateParts {
  readonly publicKey: KeyObject
  /** Of a certificate (DER, as Latin-1): undefined where this authority has not signed it. Throws where it is malformed. */
  issued(certificate: string): Issued | undefined
}

/** The seal CAs of a PEM, which has nothing but white space around them. */
function authoritiesOf(pem: string): Authority[] {
  const pieces = pem.split('-----END CERTIFICATE-----')
  const bodies = pieces.slice(0, -1).map((piece) => BEGUN.exec(piece)?.[1] ?? '')
  if (bodies.length < 1 || bodies.length > MAX_AUTHORITIES || bodies.includes('') || pieces.at(-1)?.trim() !== '') {
    throw new Error(`What is trusted as seal CA is not one certificate in PEM, or up to ${MAX_AUTHORITIES} of them.`)
  }
  return bodies.map((body) => authorityOf(body))
}

const BEGUN = /^\s*-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)$/

/**
 * A seal CA. It remembers by itself which certificates it has issued, so that no two authorities share an answer, and of no
 * others: who is not certified by it cannot fill its memory.
 */
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
    throw new Error('What is trusted as seal CA is no certificate in PEM.')
  }
  const authority = readCertificate(der, 'The seal CA')
  const extensions = extensionsOf(authority.extensions)
  if (!isCa(extensions) || (usageOf(extensions) & KEY_CERT_SIGN) === 0) {
    throw new Error('What is trusted as seal CA is no certificate authority.')
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

/** Identifiers of extensions, as hexadecimal of their content (RFC 5280 §4.2.1). */
const KEY_USAGE = '551d0f'
const BASIC_CONSTRAINTS = '551d13'
const EXTENDED_KEY_USAGE = '551d25'

/** Extensions as they are written, of a certificate or of a list of them. */
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

// RFC 5280 §4.2.1.3, §4.2.1.9 and §4.2.1.12: an authority or a key for another purpose seals nothing.
function assertSealing(extensions: Extensions): void {
  if (isCa(extensions)) throw new Error('The certificate is that of a certificate authority.')
  const usage = usageOf(extensions)
  if ((usage & DIGITAL_SIGNATURE) === 0 || (usage & KEY_CERT_SIGN) !== 0) {
    throw new Error('The certificate is not for digital signatures alone.')
  }
  if (extensions.has(EXTENDED_KEY_USAGE)) throw new Error('The certificate is for another purpose than seals.')
  // RFC 5280 §4.2: what is critical and not understood must be refused.
  for (const [name, { isCritical }] of extensions) {
    if (isCritical && name !== KEY_USAGE && name !== BASIC_CONSTRAINTS) {
      throw new Error('The certificate has a critical extension that the seal rule does not know.')
    }
  }
}

/** Bits of KeyUsage, in its first byte. */
const DIGITAL_SIGNATURE = 0x80
const KEY_CERT_SIGN = 0x04

function usageOf(extensions: Extensions): number {
  const { value } = extensions.get(KEY_USAGE) ?? {}
  const [bits, ...rest] = value === undefined ? [] : readDer(value)
  const [unused = 0, first = 0] = bits?.content ?? []
  const isWell = bits?.tag === BIT_STRING && (bits.content.length === 2 || bits.content.length === 3) && unused <= 7
  // X.690 §11.2.1: bits that are not used are zero.
  if (rest.length > 0 || !isWell || ((bits.content.at(-1) as number) & ((1 << unused) - 1)) !== 0) {
    throw new Error('The certificate does not say what its key is for.')
  }
  return first
}

/** cA of BasicConstraints, TRUE where it is written at all (X.690 §11.5), and at most a path length behind it. */
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

/** RFC 5280 §4.1.2.5: UTCTime until 2049, GeneralizedTime after; both to the second, in UTC. */
export function timeOf({ tag, content }: DerElement): Date {
  const written = content.toString('latin1')
  const century = tag === UTC_TIME ? (written < '50' ? '20' : '19') : ''
  const [, year, ...rest] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + written) ?? []
  const [month, day, hour, minute, second] = rest
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const time = new Date(iso)
  const isTime = tag === UTC_TIME || tag === GENERALIZED_TIME
  // JavaScript takes 30 February for 2 March.
  if (!isTime || Number.isNaN(time.getTime()) || time.toISOString() !== iso) throw malformed()
  return time
}

export const malformed = () => new Error('This is not what a certificate has here.')

const oneLine = (name: string) => name.split('\n').join(', ')
