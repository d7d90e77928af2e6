import { X509Certificate } from 'node:crypto'
import { type DerElement, type Proof, readDerSequence } from '../../../src/plugin/index.ts'

interface NamedCompany {
  readonly name: string
  /** ISO 3166-1 alpha-2 by RFC 5280. */
  readonly country?: string
}

/** Names in a seal, not verified. */
export interface SignerNames {
  readonly sealer?: NamedCompany
  readonly certifier?: string
  readonly timeAuthority?: string
}

const MAX_CERTIFICATE_BYTES = 8 * 1024
const MAX_TOKEN_BYTES = 16 * 1024

/** Reads names in the certificate and time-stamp token (RFC 5280, RFC 3161); omits unreadable ones. */
export function toSignerNames({ x5c, rfc3161 }: Pick<Proof, 'x5c' | 'rfc3161'>): SignerNames {
  const certificate = bytesOf(x5c?.[0], MAX_CERTIFICATE_BYTES)
  const token = bytesOf(rfc3161?.token, MAX_TOKEN_BYTES)
  const names = certificate && readable(() => namesIn(certificate))
  const authority = token && readable(() => namesIn(signerIn(token)))
  const { organization = names?.subject.commonName, country } = names?.subject ?? {}
  return {
    sealer: organization === undefined ? undefined : { name: organization, country },
    certifier: names?.issuer.commonName ?? names?.issuer.organization,
    timeAuthority: authority?.subject.organization ?? authority?.subject.commonName,
  }
}

/**
 * Returns the signer's certificate by issuer and serial number (RFC 5652 §5.1).
 * @throws if absent, or not DER
 */
function signerIn(token: Buffer): Buffer {
  const [, content] = readDerSequence(token)
  const signed = content?.parts[0]?.parts ?? []
  const [issuer, serial] = signed.at(-1)?.parts[0]?.parts[1]?.parts ?? []
  const certificates = signed.find(({ tag }) => tag === CERTIFICATES)?.parts ?? []
  const isSigner = ({ parts: [body] }: DerElement): boolean => {
    const [, number, , name] = body?.parts ?? []
    return issuer !== undefined && serial !== undefined && isEqual(name, issuer) && isEqual(number, serial)
  }
  const signer = certificates.find(isSigner)
  if (signer === undefined) throw new Error('The token has no certificate of its signer.')
  return signer.raw
}

/** `[0] IMPLICIT CertificateSet`. */
const CERTIFICATES = 0xa0

const isEqual = (element: DerElement | undefined, { raw }: DerElement): boolean => element?.raw.equals(raw) === true

function namesIn(der: Uint8Array) {
  const { subject, issuer } = new X509Certificate(der).toLegacyObject()
  return { subject: nameOf(subject), issuer: nameOf(issuer) }
}

const nameOf = (name: unknown) => {
  const { CN, O, C } = name as Readonly<Record<string, string | readonly string[] | undefined>>
  return { commonName: first(CN), organization: first(O), country: first(C) }
}

const first = (attribute: string | readonly string[] | undefined): string | undefined =>
  [attribute].flat().find((text) => text !== undefined && text.trim() !== '')

const bytesOf = (base64: string | undefined, maxBytes: number): Buffer | undefined =>
  base64 === undefined || base64.length > (maxBytes * 4) / 3 + 4 ? undefined : Buffer.from(base64, 'base64')

function readable<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
