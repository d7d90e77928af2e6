import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { type DerElement, readDer, readDerIn, SEQUENCE } from '../domain/der.ts'
import { p256Spki } from '../domain/seal.ts'

/** Whose a seal key is, as its certificate says it. */
export interface SealCertificate {
  readonly subject: string
  readonly issuer: string
  /** X.509 text dates. */
  readonly validFrom: string
  readonly validTo: string
}

/** The certificates of a PEM file. Throws where there is none or one is malformed. */
export function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw new Error('There is no certificate in PEM.')
  return blocks.map((block) => new X509Certificate(block))
}

/**
 * Checks the certificate of a seal key by the seal rule: it is of this key, issued by one of the trusted authorities, for
 * signing data and nothing else, and was valid at `at`. The authority signs end-entity certificates directly (its path
 * length is 0), so `x5c` is the leaf, or the leaf and the authority. Nothing inside a certificate is opened that the
 * authority has not signed. Throws with the reason when any of this does not hold.
 * @param x5c one or two certificates (DER), whose sizes were bounded before
 */
export function checkSealCertificate(
  x5c: readonly Buffer[],
  publicKeyPem: string,
  authorities: readonly X509Certificate[],
  at: Date,
): SealCertificate {
  const [der, second] = x5c
  const leaf = readCertificate(der ?? Buffer.alloc(0), 'The certificate')
  if (p256Spki(publicKeyPem)?.equals(leaf.spki) !== true) throw new Error('The certificate is of another key.')
  const candidates = authorities.map((authority) => ({
    ...readCertificate(authority.raw, 'The seal CA'),
    raw: authority.raw,
    publicKey: authority.publicKey,
  }))
  const authority = candidates.find(
    (candidate) => candidate.subject.equals(leaf.issuer) && isSignedBy(leaf, candidate.publicKey),
  )
  if (authority === undefined) throw new Error('The certificate was not issued by the trusted seal CA.')
  if (second !== undefined && !second.equals(authority.raw)) {
    throw new Error('x5c has a certificate that does not belong to the chain.')
  }
  assertAuthority(extensionsOf(authority))
  assertSealing(extensionsOf(leaf))
  for (const [name, { validity }] of Object.entries({ certificate: leaf, 'seal CA': authority })) {
    const [from, to] = validity.map(timeOf) as [Date, Date]
    if (!(at >= from && at <= to)) {
      throw new Error(`The ${name} was not valid at ${at.toISOString()}: ${from.toISOString()} to ${to.toISOString()}.`)
    }
  }
  return describe(new X509Certificate(leaf.raw))
}

/** What is shown of a certificate. */
export function describe(certificate: X509Certificate): SealCertificate {
  const { subject, issuer, validFrom, validTo } = certificate
  return { subject: oneLine(subject), issuer: oneLine(issuer), validFrom, validTo }
}

/** The parts of a certificate (RFC 5280 §4.1), as they are written. */
interface CertificateParts {
  readonly raw: Buffer
  readonly tbs: Buffer
  readonly signature: Buffer
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly spki: Buffer
  readonly validity: readonly DerElement[]
  readonly extensions: DerElement | undefined
}

/** AlgorithmIdentifier of ecdsa-with-SHA256, which has no parameters (RFC 5758 §3.2). */
const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex')
const VERSION_3 = Buffer.from('a003020102', 'hex')
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_IDENTIFIER = 0x06
const BOOLEAN = 0x01
const UTC_TIME = 0x17
const EXTENSIONS = 0xa3

function readCertificate(der: Buffer, name: string): CertificateParts {
  try {
    const [tbs, algorithm, signature, ...rest] = readDerIn(der, SEQUENCE)
    const [version, , innerAlgorithm, issuer, validity, subject, spki, ...more] = readDerIn(
      tbs?.raw as Buffer,
      SEQUENCE,
    )
    const isKnown =
      version?.raw.equals(VERSION_3) &&
      [algorithm, innerAlgorithm].every((element) => element?.raw.equals(ECDSA_WITH_SHA256)) &&
      signature?.tag === BIT_STRING &&
      signature.content[0] === 0
    if (!isKnown || tbs === undefined || issuer === undefined || subject === undefined || spki === undefined) {
      throw new Error('of another version, or not signed with ECDSA and SHA-256')
    }
    if (rest.length > 0) throw new Error('something stands behind the signature')
    return {
      raw: der,
      tbs: tbs.raw,
      signature: signature.content.subarray(1),
      issuer: issuer.raw,
      subject: subject.raw,
      spki: spki.raw,
      validity: readDerIn(validity?.raw as Buffer, SEQUENCE),
      extensions: more.find(({ tag }) => tag === EXTENSIONS),
    }
  } catch (error) {
    throw new Error(`${name} cannot be used: ${(error as Error).message}`)
  }
}

function isSignedBy({ tbs, signature }: CertificateParts, key: KeyObject): boolean {
  const isP256 = key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  return isP256 && verify('sha256', tbs, { key, dsaEncoding: 'der' }, signature)
}

type Extensions = ReadonlyMap<string, { readonly isCritical: boolean; readonly value: Buffer }>

/** Identifiers of extensions, as hexadecimal of their content (RFC 5280 §4.2.1). */
const KEY_USAGE = '551d0f'
const BASIC_CONSTRAINTS = '551d13'
const EXTENDED_KEY_USAGE = '551d25'

function extensionsOf({ extensions }: CertificateParts): Extensions {
  const found = new Map<string, { isCritical: boolean; value: Buffer }>()
  for (const { raw } of extensions === undefined ? [] : readDerIn(extensions.content, SEQUENCE)) {
    const [id, ...rest] = readDerIn(raw, SEQUENCE)
    const value = rest.at(-1)
    const [critical] = rest.length === 2 ? rest : []
    const isWellFormed = rest.length === 1 || (rest.length === 2 && critical?.raw.equals(TRUE))
    if (id?.tag !== OBJECT_IDENTIFIER || value?.tag !== OCTET_STRING || !isWellFormed) {
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

function assertAuthority(extensions: Extensions): void {
  if (!isCa(extensions) || (usageOf(extensions) & KEY_CERT_SIGN) === 0) {
    throw new Error('What is trusted as seal CA is no certificate authority.')
  }
}

/** Bits of KeyUsage, in its first byte. */
const DIGITAL_SIGNATURE = 0x80
const KEY_CERT_SIGN = 0x04

function usageOf(extensions: Extensions): number {
  const { value } = extensions.get(KEY_USAGE) ?? {}
  if (value === undefined) return 0
  const [bits, ...rest] = readDer(value)
  if (bits?.tag !== BIT_STRING || rest.length > 0) throw new Error('The certificate has a malformed extension.')
  return bits.content[1] ?? 0
}

function isCa(extensions: Extensions): boolean {
  const { value } = extensions.get(BASIC_CONSTRAINTS) ?? {}
  return value !== undefined && readDerIn(value, SEQUENCE)[0]?.raw.equals(TRUE) === true
}

/** RFC 5280 §4.1.2.5: UTCTime until 2049, GeneralizedTime after; both to the second, in UTC. */
function timeOf({ tag, content }: DerElement): Date {
  const written = content.toString('latin1')
  const century = tag === UTC_TIME ? (written < '50' ? '20' : '19') : ''
  const [, year, ...rest] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + written) ?? []
  const [month, day, hour, minute, second] = rest
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(time.getTime())) throw new Error('The certificate has a time that is none.')
  return time
}

/** The key (PEM) of a certificate (DER), whose size was bounded before. Throws where it cannot be read. */
export const publicKeyOf = (der: Buffer): string =>
  new X509Certificate(der).publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()

const oneLine = (name: string) => name.split('\n').join(', ')
