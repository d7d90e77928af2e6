import { X509Certificate } from 'node:crypto'
import { BitString } from 'asn1js'
import { BasicConstraints, Certificate, id_BasicConstraints, id_ExtKeyUsage, id_KeyUsage } from 'pkijs'

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

/** The first certificate of `x5c`. Throws where it is malformed. */
export function leafOf(x5c: unknown): X509Certificate {
  if (!Array.isArray(x5c) || x5c.length === 0) throw new Error('x5c is not a list of certificates.')
  const certificates = x5c.map((entry) => {
    const der = typeof entry === 'string' ? Buffer.from(entry, 'base64') : Buffer.alloc(0)
    // RFC 7515 §4.1.6: Base64, not base64url. Node would skip what does not belong to either.
    if (der.length === 0 || der.toString('base64') !== entry) throw new Error('x5c has an entry that is not Base64.')
    const certificate = new X509Certificate(der)
    if (!certificate.raw.equals(der)) throw new Error('x5c has bytes behind a certificate.')
    return certificate
  })
  return certificates[0] as X509Certificate
}

/**
 * Checks the certificate of a seal key: it is of this key, for signing data and nothing else, issued by one of the
 * trusted authorities, and was valid at `at`. The authority signs end-entity certificates directly (its path length is
 * 0), so `x5c` is the leaf, or the leaf and the authority. Throws with the reason when any of this does not hold.
 */
export function checkSealCertificate(
  x5c: unknown,
  publicKeyPem: string,
  authorities: readonly X509Certificate[],
  at: Date,
): SealCertificate {
  const leaf = leafOf(x5c)
  if (leaf.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim() !== publicKeyPem.trim()) {
    throw new Error('The first certificate of x5c is of another key.')
  }
  assertUsage(leaf)
  const authority = authorities.find((candidate) => leaf.checkIssued(candidate) && leaf.verify(candidate.publicKey))
  if (authority === undefined) throw new Error('The certificate was not issued by the trusted seal CA.')
  if (!authority.ca) throw new Error('What is trusted as seal CA is no certificate authority.')
  const rest = (x5c as string[]).slice(1)
  if (rest.length > 1 || (rest.length === 1 && rest[0] !== authority.raw.toString('base64'))) {
    throw new Error('x5c has a certificate that does not belong to the chain.')
  }
  for (const [name, { validFrom, validTo }] of Object.entries({ certificate: leaf, 'seal CA': authority })) {
    if (at < new Date(validFrom) || at > new Date(validTo)) {
      throw new Error(`The ${name} was not valid at ${at.toISOString()}: ${validFrom} to ${validTo}.`)
    }
  }
  return describe(leaf)
}

/** What is shown of a certificate. */
export function describe(certificate: X509Certificate): SealCertificate {
  const { subject, issuer, validFrom, validTo } = certificate
  return { subject: oneLine(subject), issuer: oneLine(issuer), validFrom, validTo }
}

// RFC 5280 §4.2.1.3, §4.2.1.9 and §4.2.1.12: an authority or a key for another purpose seals nothing.
function assertUsage(leaf: X509Certificate): void {
  const { extensions = [] } = Certificate.fromBER(Uint8Array.from(leaf.raw).buffer)
  const find = (id: string) => extensions.find(({ extnID }) => extnID === id)
  const constraints = find(id_BasicConstraints)?.parsedValue
  if (leaf.ca || (constraints instanceof BasicConstraints && constraints.cA)) {
    throw new Error('The first certificate of x5c is that of a certificate authority.')
  }
  const usage = find(id_KeyUsage)?.parsedValue
  const isForSigning = usage instanceof BitString && ((usage.valueBlock.valueHexView[0] ?? 0) & 0x80) !== 0
  if (!isForSigning) throw new Error('The certificate is not for digital signatures.')
  if (find(id_ExtKeyUsage) !== undefined) throw new Error('The certificate is for another purpose than seals.')
}

const oneLine = (name: string) => name.split('\n').join(', ')
