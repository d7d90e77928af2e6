import { hash, type X509Certificate } from 'node:crypto'
import { Integer, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import {
  BasicConstraints,
  Certificate,
  CertificateChainValidationEngine,
  ContentInfo,
  ExtKeyUsage,
  IssuerAndSerialNumber,
  id_BasicConstraints,
  id_ExtKeyUsage,
  id_eContentType_TSTInfo,
  SignedData,
  TSTInfo,
} from 'pkijs'
import { exactly } from '../domain/certificate.ts'
import { dictionary } from '../domain/record.ts'

export const SHA_256 = '2.16.840.1.101.3.4.2.1'
const SIGNED_DATA = '1.2.840.113549.1.7.2'
/** RFC 3161 §2.3: the purpose of an authority's certificate. */
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
/** RFC 5035: the attribute that says which certificate signed, with SHA-1 and with a named hash. */
export const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12'
export const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'
const DIGESTS = dictionary<string>({
  '1.3.14.3.2.26': 'sha1',
  [SHA_256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
})

/** What is asked of a token beside that it is one of this text. */
interface TimestampDemands {
  /** What the token must have of a request; absent where the request is not known. */
  readonly nonce?: Uint8Array
}

/**
 * Checks a TimeStampToken (RFC 3161, DER) of a text's SHA-256: imprint and nonce; one signer, whose certificate
 * is for time stamping and for nothing else, is named by the token, and leads to one of the trusted authorities at the
 * time of the token; and the signature. Throws with the reason when any of this does not hold.
 * @param authorities trust anchors of the timestamp authority, never those of seals
 * @returns the time of the token
 */
export async function checkTimestampToken(
  token: Uint8Array,
  text: string,
  authorities: readonly X509Certificate[],
  demands: TimestampDemands = {},
): Promise<Date> {
  const { signed, info } = readTimestampToken(token)
  assertContent(info, text, demands)
  if (signed.signerInfos.length !== 1) throw new Error('The token must have one signer.')
  const signer = signerOf(signed)
  assertForTimeStamping(signer)
  assertNamed(signed, signer)
  const data = exactly(Buffer.from(text, 'utf8'))
  // The library's own check of the chain ignores the purpose and the time that is asked for; it follows below.
  const isSigned = await signed.verify({ signer: 0, data, checkChain: false }).catch(() => false)
  if (!isSigned) throw new Error('The signature of the token does not verify.')
  const chain = new CertificateChainValidationEngine({
    trustedCerts: authorities.map(({ raw }) => Certificate.fromBER(exactly(raw))),
    certs: [signer, ...certificatesIn(signed).filter((certificate) => certificate !== signer)].reverse(),
    checkDate: info.genTime,
  })
  const { result, resultMessage, certificatePath = [] } = await chain.verify()
  if (!result) throw new Error(`The token's certificate does not lead to the trusted authority: ${resultMessage}`)
  assertPathLengths(certificatePath)
  return info.genTime
}

/** RFC 5280 §4.2.1.9; the library does not look at it. `path` begins with the signer's certificate. */
function assertPathLengths(path: readonly Certificate[]): void {
  for (const [below, { extensions = [] }] of path.slice(1).entries()) {
    const constraints = extensions.find(({ extnID }) => extnID === id_BasicConstraints)?.parsedValue
    const most = constraints instanceof BasicConstraints ? constraints.pathLenConstraint : undefined
    if (most !== undefined && Number(most instanceof Integer ? most.valueBlock.valueDec : most) < below) {
      throw new Error("The token's certificate has more authorities above it than one of them allows.")
    }
  }
}

/** What a token says, with nothing checked but its form. Throws where it is malformed. */
export function readTimestampToken(token: Uint8Array): { signed: SignedData; info: TSTInfo } {
  const content = ContentInfo.fromBER(exactly(token))
  if (content.contentType !== SIGNED_DATA) throw new Error('The token is no signed data.')
  const signed = new SignedData({ schema: content.content })
  const { eContent, eContentType } = signed.encapContentInfo
  if (eContentType !== id_eContentType_TSTInfo || eContent === undefined)
    throw new Error('This is no time-stamp token.')
  return { signed, info: TSTInfo.fromBER(eContent.getValue()) }
}

function assertContent(info: TSTInfo, text: string, { nonce }: TimestampDemands): void {
  const { hashAlgorithm, hashedMessage } = info.messageImprint
  const imprint = Buffer.from(hashedMessage.valueBlock.valueHexView)
  if (hashAlgorithm.algorithmId !== SHA_256 || !imprint.equals(hash('sha256', text, 'buffer'))) {
    throw new Error('The token is of something else.')
  }
  if (nonce !== undefined && (info.nonce === undefined || !bytesOf(info.nonce).equals(withoutZeros(nonce)))) {
    throw new Error('The token answers another request.')
  }
}

function signerOf(signed: SignedData): Certificate {
  const sid = signed.signerInfos[0]?.sid
  const signer =
    sid instanceof IssuerAndSerialNumber
      ? certificatesIn(signed).find(
          ({ issuer, serialNumber }) => issuer.isEqual(sid.issuer) && serialNumber.isEqual(sid.serialNumber),
        )
      : undefined
  if (signer === undefined) throw new Error('The token has no certificate of its signer.')
  return signer
}

const certificatesIn = (signed: SignedData): Certificate[] =>
  (signed.certificates ?? []).filter((entry): entry is Certificate => entry instanceof Certificate)

// RFC 3161 §2.3: critical, and this purpose alone. The library looks at neither.
function assertForTimeStamping({ extensions = [] }: Certificate): void {
  const purpose = extensions.find(({ extnID }) => extnID === id_ExtKeyUsage)
  const purposes = purpose?.parsedValue instanceof ExtKeyUsage ? purpose.parsedValue.keyPurposes : []
  if (purpose?.critical !== true || purposes.length !== 1 || purposes[0] !== TIME_STAMPING) {
    throw new Error('The signer of the token is no timestamp authority.')
  }
}

// RFC 3161 §2.4.2 with RFC 5816: without it another certificate of the same key could be put in.
function assertNamed(signed: SignedData, signer: Certificate): void {
  const attributes = signed.signerInfos[0]?.signedAttrs?.attributes ?? []
  const attribute =
    attributes.find(({ type }) => type === SIGNING_CERTIFICATE_V2) ??
    attributes.find(({ type }) => type === SIGNING_CERTIFICATE)
  // value → certs → the first ESSCertID, which is that of the signer → [hash algorithm], hash
  const id = children(children(children(attribute?.values[0])[0])[0])
  const algorithm = children(id[0])[0]
  const named = id.find((part) => part instanceof OctetString)
  const fallback = attribute?.type === SIGNING_CERTIFICATE ? 'sha1' : 'sha256'
  const digest = algorithm instanceof ObjectIdentifier ? DIGESTS[algorithm.valueBlock.toString()] : fallback
  const expected = digest && hash(digest, Buffer.from(signer.toSchema().toBER()), 'buffer')
  if (!expected || named === undefined || !expected.equals(Buffer.from(named.valueBlock.valueHexView))) {
    throw new Error('The token does not name the certificate of its signer.')
  }
}

const children = (node: unknown): unknown[] => (node instanceof Sequence ? node.valueBlock.value : [])

const bytesOf = (integer: Integer): Buffer => withoutZeros(new Uint8Array(integer.valueBlock.valueHexView))

function withoutZeros(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1
  return Buffer.from(bytes.subarray(start))
}
