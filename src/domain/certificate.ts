import { hash } from 'node:crypto'
import {
  Set as AsnSet,
  BitString,
  Integer,
  ObjectIdentifier,
  OctetString,
  PrintableString,
  Sequence,
  Utf8String,
} from 'asn1js'
import {
  AlgorithmIdentifier,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  CRLDistributionPoints,
  DistributionPoint,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralNames,
  id_AuthorityKeyIdentifier,
  id_BasicConstraints,
  id_CRLDistributionPoints,
  id_ExtKeyUsage,
  id_KeyUsage,
  id_SubjectAltName,
  id_SubjectKeyIdentifier,
  PublicKeyInfo,
  RelativeDistinguishedNames,
  Time,
} from 'pkijs'
import { derFromP1363 } from './seal.ts'
import { beginningOf } from './text.ts'

interface CertificateName {
  readonly commonName: string
  readonly organization?: string
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
}

interface CertificateContent {
  readonly subject: CertificateName
  /** SubjectPublicKeyInfo, DER. */
  readonly subjectKey: Uint8Array
  /** Issuer certificate, DER; absent: self-signed. */
  readonly issuer?: Uint8Array
  /** 16 random bytes. */
  readonly serial: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
  /** True: signs only end-entity certificates. False: signs only data. */
  readonly isCa: boolean
  /** Extended key usage (RFC 5280 §4.2.1.12), an object identifier. */
  readonly purpose?: string
  readonly revocationList?: string
  readonly alternativeNames: readonly { readonly type: 'dns' | 'ip' | 'uri'; readonly value: string }[]
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const COUNTRY = '2.5.4.6'
const ORGANIZATION = '2.5.4.10'
/** RFC 5280, appendix A.1: ub-common-name, ub-organization-name. */
const NAME_LENGTH = 64
// RFC 5280 §4.2.1.3, bits from the left.
const DIGITAL_SIGNATURE = { bits: 0b1000_0000, unused: 7 }
const SIGNS_CERTIFICATES_AND_LISTS = { bits: 0b0000_0110, unused: 1 }

/**
 * RFC 5280, as DER.
 * @param sign ES256, as r‖s
 */
export async function issueCertificate(
  content: CertificateContent,
  sign: (data: Uint8Array) => Promise<Uint8Array>,
): Promise<Buffer> {
  const certificate = new Certificate()
  const issuer = content.issuer === undefined ? undefined : Certificate.fromBER(exactly(content.issuer))
  certificate.version = 2
  certificate.serialNumber = new Integer({ valueHex: positive(content.serial) })
  certificate.subject = nameOf(content.subject)
  certificate.issuer = issuer?.subject ?? certificate.subject
  certificate.notBefore = timeOf(content.notBefore)
  certificate.notAfter = timeOf(content.notAfter)
  certificate.subjectPublicKeyInfo = PublicKeyInfo.fromBER(exactly(content.subjectKey))
  const issuerKey = issuer?.subjectPublicKeyInfo ?? certificate.subjectPublicKeyInfo
  certificate.extensions = extensionsOf(content, new Uint8Array(issuerKey.toSchema().toBER()))
  return signed(certificate, sign)
}

export async function signed(
  document: Pick<
    Certificate,
    'signature' | 'signatureAlgorithm' | 'signatureValue' | 'tbsView' | 'encodeTBS' | 'toSchema'
  >,
  sign: (data: Uint8Array) => Promise<Uint8Array>,
): Promise<Buffer> {
  document.signature = new AlgorithmIdentifier({ algorithmId: ECDSA_WITH_SHA256 })
  document.signatureAlgorithm = new AlgorithmIdentifier({ algorithmId: ECDSA_WITH_SHA256 })
  const body = new Uint8Array(document.encodeTBS().toBER())
  document.tbsView = body
  document.signatureValue = new BitString({ valueHex: exactly(derFromP1363(await sign(body))) })
  return Buffer.from(document.toSchema().toBER())
}

export const extension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }): Extension =>
  new Extension({ extnID, critical, extnValue: value.toBER() })

function extensionsOf(
  { isCa, purpose, subjectKey, alternativeNames, revocationList }: CertificateContent,
  issuerKey: Uint8Array,
): Extension[] {
  const { bits, unused } = isCa ? SIGNS_CERTIFICATES_AND_LISTS : DIGITAL_SIGNATURE
  return [
    extension(
      id_BasicConstraints,
      true,
      new BasicConstraints(isCa ? { cA: true, pathLenConstraint: 0 } : { cA: false }).toSchema(),
    ),
    extension(id_KeyUsage, true, new BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits: unused })),
    ...(purpose === undefined
      ? []
      : [extension(id_ExtKeyUsage, true, new ExtKeyUsage({ keyPurposes: [purpose] }).toSchema())]),
    extension(id_SubjectKeyIdentifier, false, new OctetString({ valueHex: identifierOf(subjectKey) })),
    extension(
      id_AuthorityKeyIdentifier,
      false,
      new AuthorityKeyIdentifier({ keyIdentifier: new OctetString({ valueHex: identifierOf(issuerKey) }) }).toSchema(),
    ),
    ...(alternativeNames.length === 0
      ? []
      : [
          extension(
            id_SubjectAltName,
            false,
            new GeneralNames({ names: alternativeNames.map(alternativeName) }).toSchema(),
          ),
        ]),
    ...(revocationList === undefined
      ? []
      : [extension(id_CRLDistributionPoints, false, pointsOf(revocationList).toSchema())]),
  ]
}

/** RFC 5280 §4.2.1.13. */
const pointsOf = (address: string): CRLDistributionPoints =>
  new CRLDistributionPoints({
    distributionPoints: [new DistributionPoint({ distributionPoint: [new GeneralName({ type: 6, value: address })] })],
  })

function alternativeName({ type, value }: CertificateContent['alternativeNames'][number]): GeneralName {
  if (type === 'dns') return new GeneralName({ type: 2, value })
  if (type === 'uri') return new GeneralName({ type: 6, value })
  return new GeneralName({
    type: 7,
    value: new OctetString({ valueHex: Uint8Array.from(value.split('.').map(Number)).buffer }),
  })
}

// The library writes one relative distinguished name, but preserves a parsed sequence (RFC 5280 §4.1.2.4).
function nameOf({ commonName, organization, country }: CertificateName): RelativeDistinguishedNames {
  const attributes: [string, PrintableString | Utf8String][] = [
    ...(country === undefined ? [] : [[COUNTRY, new PrintableString({ value: country })] as [string, PrintableString]]),
    ...(organization === undefined ? [] : [[ORGANIZATION, utf8(organization)] as [string, Utf8String]]),
    [COMMON_NAME, utf8(commonName)],
  ]
  const names = attributes.map(
    ([type, value]) => new AsnSet({ value: [new Sequence({ value: [new ObjectIdentifier({ value: type }), value] })] }),
  )
  return RelativeDistinguishedNames.fromBER(new Sequence({ value: names }).toBER())
}

const utf8 = (name: string) => new Utf8String({ value: beginningOf(name, NAME_LENGTH) })

// RFC 5280 §4.1.2.5: UTCTime until 2049, GeneralizedTime from 2050; no fractional seconds.
export function timeOf(date: Date): Time {
  const value = new Date(Math.floor(date.getTime() / 1000) * 1000)
  return new Time({ type: value.getUTCFullYear() < 2050 ? 0 : 1, value })
}

/** Positive INTEGER in shortest form (RFC 5280 §4.1.2.2). */
export function positive(serial: Uint8Array): ArrayBuffer {
  const bytes = Uint8Array.from(serial)
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40
  return bytes.buffer
}

// RFC 7093 §2, method 4.
export const identifierOf = (spki: Uint8Array): ArrayBuffer => exactly(hash('sha256', spki, 'buffer').subarray(0, 20))

/** Copies the bytes, because Buffers share memory. */
export const exactly = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer
