import { constants, hash, type KeyObject, verify, X509Certificate } from 'node:crypto'
import { type DerElement, INTEGER, integerBytes, readDerSequence, SEQUENCE } from '../domain/der.ts'
import { memoize } from '../domain/memoize.ts'
import { dictionary } from '../domain/record.ts'
import { certificatesOf, extensionsOf, tagged } from './certificate.ts'

export const SHA_256 = '2.16.840.1.101.3.4.2.1'
/** RFC 3161 §2.3: key purpose. */
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
/** RFC 5035, with SHA-1 and with a named hash. */
export const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12'
export const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'
const SIGNED_DATA = '1.2.840.113549.1.7.2'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const RSA_PSS = '1.2.840.113549.1.1.10'

const DIGESTS = dictionary<string>({
  [SHA_256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
})
const SHA_1 = '1.3.14.3.2.26'
/** The signer's digest if absent (RFC 3370, RFC 5754, RFC 4056). */
const SIGNATURES = dictionary<{ readonly key: string; readonly digest?: string }>({
  '1.2.840.113549.1.1.1': { key: 'rsa' },
  '1.2.840.113549.1.1.11': { key: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'rsa', digest: 'sha512' },
  [RSA_PSS]: { key: 'rsa' },
  '1.2.840.10045.4.3.2': { key: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ec', digest: 'sha512' },
})

const SET = 0x31
const OCTET_STRING = 0x04
const OBJECT_IDENTIFIER = 0x06
const GENERALIZED_TIME = 0x18
const CONTEXT_0 = 0xa0
const EXTENSIONS = 0xa3
const KEY_IDENTIFIER = 0x80

/** The issuer in the signing certificate attribute is at level 17. */
const MAX_LEVELS = 24
const MAX_PATH = 8
const MAX_KNOWN = 10_000

interface TimestampAuthorities {
  readonly anchors: readonly X509Certificate[]
  readonly known: Map<string, Date>
}

/** @throws Error without valid certificates */
export const timestampAuthoritiesOf = memoize(
  (pem: string): TimestampAuthorities => ({ anchors: certificatesOf(pem), known: new Map() }),
  { entries: 8, characters: 256 * 1024 },
)

interface TimestampDemands {
  readonly nonce?: Uint8Array
}

/**
 * Validates a TimeStampToken (RFC 3161, DER): imprint, nonce, one identified signer with a certificate only for time stamping, path to a
 * trusted authority at the token's time, signature. Cached, since the result does not depend on the present.
 * @throws Error with the reason
 */
export function checkTimestampToken(
  token: Uint8Array,
  text: string,
  authorities: TimestampAuthorities,
  { nonce }: TimestampDemands = {},
): Date {
  const { anchors, known } = authorities
  const imprint = hash('sha256', text, 'hex')
  const key = `${hash('sha256', token, 'hex')} ${imprint}`
  const time = nonce === undefined ? known.get(key) : undefined
  if (time !== undefined) return time
  const { content, genTime, imprint: stated, nonce: tokenNonce, certificates, signers } = readToken(token)
  if (stated !== imprint) throw new Error('The token is for other content.')
  if (nonce !== undefined && tokenNonce?.equals(withoutZeros(nonce)) !== true) {
    throw new Error('The token belongs to another request.')
  }
  const [signer] = signers
  if (signer === undefined || signers.length > 1) throw new Error('The token must have one signer.')
  const certificate = certificates.find((each) => isNamedBy(each, signer))
  if (certificate === undefined) throw new Error('The token has no certificate of its signer.')
  assertForTimeStamping(certificate)
  assertNamed(signer, certificate)
  assertSigned(signer, certificate, content)
  assertPath(certificate, certificates, anchors, genTime)
  const [oldest] = known.keys()
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest)
  known.set(key, genTime)
  return genTime
}

/** Returns the time; checks only the form. @throws Error if malformed */
export const timeOfToken = (token: Uint8Array): Date => readToken(token).genTime

interface TokenCertificate {
  readonly x509: X509Certificate
  readonly issuer: Buffer
  readonly serial: Buffer
  readonly extensions: ReturnType<typeof extensionsOf>
}

interface TokenSigner {
  readonly issuer: Buffer | undefined
  readonly serial: Buffer | undefined
  readonly digest: string | undefined
  /** With the tag used for signing. */
  readonly signedBytes: Buffer
  readonly attributes: ReadonlyMap<string, DerElement>
  readonly algorithm: readonly DerElement[]
  readonly signature: Buffer
}

/** RFC 5652 §5, RFC 3161 §2.4.2. */
interface Token {
  readonly content: Buffer
  readonly genTime: Date
  /** Hexadecimal; undefined for other hashes than SHA-256. */
  readonly imprint: string | undefined
  readonly nonce: Buffer | undefined
  readonly certificates: readonly TokenCertificate[]
  readonly signers: readonly TokenSigner[]
}

function readToken(token: Uint8Array): Token {
  const [type, wrapped] = readDerSequence(Buffer.from(token), MAX_LEVELS)
  if (oidOf(type) !== SIGNED_DATA || wrapped?.tag !== CONTEXT_0) throw new Error('The token is not CMS signed data.')
  const [signedData] = tagged(wrapped.parts, [SEQUENCE])
  const [version, digests, encapsulated, ...rest] = signedData.parts
  const [contentType, explicit] = encapsulated?.parts ?? []
  const [octets] = explicit?.parts ?? []
  if (oidOf(contentType) !== TST_INFO || octets?.tag !== OCTET_STRING)
    throw new Error('The token is not a timestamp token.')
  const signerInfos = rest.at(-1)
  if (version?.tag !== INTEGER || digests?.tag !== SET || signerInfos?.tag !== SET) throw malformedToken()
  const certificates = rest.find(({ tag }) => tag === CONTEXT_0)?.parts ?? []
  return {
    ...readInfo(octets.content),
    content: octets.content,
    certificates: certificates.flatMap(certificateOf),
    signers: signerInfos.parts.map(signerOf),
  }
}

function readInfo(content: Buffer): Pick<Token, 'genTime' | 'imprint' | 'nonce'> {
  const [version, policy, messageImprint, serial, time, ...rest] = readDerSequence(content)
  const [algorithm, hashed] = messageImprint?.parts ?? []
  const isWell = version?.tag === INTEGER && policy?.tag === OBJECT_IDENTIFIER && serial?.tag === INTEGER
  if (!isWell || hashed?.tag !== OCTET_STRING || time === undefined) throw malformedToken()
  const nonce = rest.find(({ tag }) => tag === INTEGER)
  return {
    genTime: generalizedTime(time),
    imprint: oidOf(algorithm?.parts[0]) === SHA_256 ? hashed.content.toString('hex') : undefined,
    nonce: nonce && withoutZeros(integerBytes(nonce)),
  }
}

/** X.690 §11.7: UTC, seconds, no trailing zeros. */
function generalizedTime({ tag, content }: DerElement): Date {
  const written = content.toString('latin1')
  const [, date, time, fraction = ''] = /^(\d{8})(\d{6})(?:\.(\d*[1-9]))?Z$/.exec(written) ?? []
  if (tag !== GENERALIZED_TIME || date === undefined || time === undefined) throw malformedToken()
  const iso = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}`
  const moment = new Date(`${iso}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  // JavaScript reads 30 February as 2 March.
  if (Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(iso)) throw malformedToken()
  return moment
}

function certificateOf({ tag, raw, parts: [tbs] }: DerElement): TokenCertificate[] {
  if (tag !== SEQUENCE || tbs === undefined) return []
  // Version 1 omits the version.
  const [serial, , issuer] = tbs.parts[0]?.tag === CONTEXT_0 ? tbs.parts.slice(1) : tbs.parts
  const list = tbs.parts.find((part) => part.tag === EXTENSIONS)?.parts[0]?.parts ?? []
  if (serial === undefined || issuer === undefined) throw malformedToken()
  return [
    {
      x509: new X509Certificate(raw),
      issuer: issuer.raw,
      serial: integerBytes(serial),
      extensions: extensionsOf(list),
    },
  ]
}

function signerOf({ parts }: DerElement): TokenSigner {
  const [version, sid, digestAlgorithm, signedAttributes, algorithm, signature] = parts
  const isWell = version?.tag === INTEGER && signedAttributes?.tag === CONTEXT_0 && algorithm?.tag === SEQUENCE
  if (!isWell || sid === undefined || signature?.tag !== OCTET_STRING) throw malformedToken()
  const [issuer, serial] = sid.tag === KEY_IDENTIFIER ? [] : sid.parts
  const signedBytes = Buffer.from(signedAttributes.raw)
  // RFC 5652 §5.4: signed with the tag of a SET.
  signedBytes[0] = SET
  return {
    issuer: issuer?.raw,
    serial: serial && integerBytes(serial),
    digest: DIGESTS[oidOf(digestAlgorithm?.parts[0])],
    signedBytes,
    attributes: attributesOf(signedAttributes),
    algorithm: algorithm.parts,
    signature: signature.content,
  }
}

function attributesOf({ parts }: DerElement): Map<string, DerElement> {
  const attributes = new Map<string, DerElement>()
  for (const attribute of parts) {
    const [type, values] = tagged(attribute.parts, [OBJECT_IDENTIFIER, SET])
    const [value] = values.parts
    const name = oidOf(type)
    if (value === undefined || values.parts.length > 1 || attributes.has(name)) throw malformedToken()
    attributes.set(name, value)
  }
  return attributes
}

const isNamedBy = (certificate: TokenCertificate, { issuer, serial }: TokenSigner): boolean =>
  issuer !== undefined && serial !== undefined && certificate.issuer.equals(issuer) && certificate.serial.equals(serial)

const EXTENDED_KEY_USAGE = '551d25'
const BASIC_CONSTRAINTS = '551d13'
const UNDERSTOOD: ReadonlySet<string> = new Set([EXTENDED_KEY_USAGE, BASIC_CONSTRAINTS, '551d0f', '551d20'])

// RFC 3161 §2.3: critical, and the only purpose.
function assertForTimeStamping({ extensions }: TokenCertificate): void {
  const purpose = extensions.get(EXTENDED_KEY_USAGE)
  const purposes = purpose?.isCritical === true ? readDerSequence(purpose.value).map(oidOf) : []
  if (purposes.length !== 1 || purposes[0] !== TIME_STAMPING) {
    throw new Error('The signer of the token is not a timestamp authority.')
  }
}

// RFC 3161 §2.4.2 with RFC 5816: prevents substitution by a certificate with the same key.
function assertNamed({ attributes }: TokenSigner, { x509 }: TokenCertificate): void {
  const second = attributes.get(SIGNING_CERTIFICATE_V2)
  const value = second ?? attributes.get(SIGNING_CERTIFICATE)
  // value → certs → first ESSCertID → [hash algorithm], hash
  const id = value?.parts[0]?.parts[0]?.parts ?? []
  const algorithm = id[0]?.tag === SEQUENCE ? oidOf(id[0].parts[0]) : second === undefined ? SHA_1 : SHA_256
  const named = id.find(({ tag }) => tag === OCTET_STRING)
  const digest = algorithm === SHA_1 ? 'sha1' : DIGESTS[algorithm]
  if (digest === undefined || named?.content.equals(hash(digest, x509.raw, 'buffer')) !== true) {
    throw new Error('The token does not identify the certificate of its signer.')
  }
}

// RFC 5652 §5.4 and §11.
function assertSigned(signer: TokenSigner, { x509 }: TokenCertificate, content: Buffer): void {
  const { digest, attributes, signedBytes, signature } = signer
  const isOfContent =
    digest !== undefined &&
    oidOf(attributes.get(CONTENT_TYPE)) === TST_INFO &&
    attributes.get(MESSAGE_DIGEST)?.content.equals(hash(digest, content, 'buffer')) === true
  if (!isOfContent || !isSignature(signer, x509.publicKey, signedBytes, signature)) {
    throw new Error('The signature of the token does not verify.')
  }
}

function isSignature({ algorithm, digest }: TokenSigner, key: KeyObject, data: Buffer, signature: Buffer): boolean {
  const [id, parameters] = algorithm
  const name = oidOf(id)
  const known = SIGNATURES[name]
  if (known === undefined || key.asymmetricKeyType !== known.key) return false
  if (name !== RSA_PSS) return verify(known.digest ?? digest, data, { key, dsaEncoding: 'der' }, signature)
  // RFC 4055 §3.1: [0] is the hash; OpenSSL detects the salt length.
  const pssDigest = DIGESTS[oidOf(parameters?.parts.find(({ tag }) => tag === CONTEXT_0)?.parts[0]?.parts[0])]
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
  return pssDigest !== undefined && verify(pssDigest, data, { key, ...padding }, signature)
}

/** Checks the path at the token's time (RFC 5280 §6). */
function assertPath(
  signer: TokenCertificate,
  others: readonly TokenCertificate[],
  anchors: readonly X509Certificate[],
  at: Date,
): void {
  let current = signer
  for (let below = 0; below <= MAX_PATH; below += 1) {
    assertUsable(current, at)
    const anchor = anchors.find((each) => each.raw.equals(current.x509.raw) || isIssuedBy(current.x509, each))
    if (anchor !== undefined) {
      const isItself = anchor.raw.equals(current.x509.raw)
      assertValid(anchor, at)
      if (!isItself) assertLength(anchor, below)
      return
    }
    const issuer = others.find((each) => each !== current && isIssuedBy(current.x509, each.x509))
    if (issuer === undefined) break
    assertLength(issuer.x509, below)
    current = issuer
  }
  throw untrusted('no trusted authority issued it')
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

function assertUsable({ x509, extensions }: TokenCertificate, at: Date): void {
  assertValid(x509, at)
  // RFC 5280 §4.2: reject unknown critical extensions.
  for (const [name, { isCritical }] of extensions) {
    if (isCritical && !UNDERSTOOD.has(name)) throw untrusted('a certificate has an unknown critical extension')
  }
}

function assertValid({ validFromDate, validToDate }: X509Certificate, at: Date): void {
  if (at < validFromDate || at > validToDate) throw untrusted('a certificate was not valid at that time')
}

/** RFC 5280 §4.2.1.9. @param below authorities between this one and the signer */
function assertLength(authority: X509Certificate, below: number): void {
  const [tbs] = readDerSequence(authority.raw)
  const list = tbs?.parts.find(({ tag }) => tag === EXTENSIONS)?.parts[0]?.parts ?? []
  const constraints = extensionsOf(list).get(BASIC_CONSTRAINTS)
  const length = constraints && readDerSequence(constraints.value).find(({ tag }) => tag === INTEGER)
  if (length !== undefined && Number(`0x${integerBytes(length).toString('hex')}`) < below) {
    throw new Error('The certificate path of the token is longer than an authority allows (pathLenConstraint).')
  }
}

const untrusted = (why: string) => new Error(`The token's certificate does not lead to the trusted authority: ${why}.`)

const malformedToken = () => new Error('The token is malformed.')

/** Returns the dotted identifier (X.690 §8.19), or an empty text. */
function oidOf(element: DerElement | undefined): string {
  if (element?.tag !== OBJECT_IDENTIFIER) return ''
  const numbers: number[] = []
  let number = 0
  for (const byte of element.content) {
    number = number * 128 + (byte & 0x7f)
    if ((byte & 0x80) !== 0) continue
    numbers.push(number)
    number = 0
  }
  const [first = 0, ...rest] = numbers
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - 40 * root, ...rest].join('.')
}

function withoutZeros(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1
  return Buffer.from(bytes.subarray(start))
}
