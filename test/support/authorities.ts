import { createHash, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { issueCertificate } from '../../src/domain/certificate.ts'
import { issueRevocationList, type RevokedEntry } from '../../src/domain/revocation-list.ts'

export interface Party {
  readonly pem: string
  readonly spki: Buffer
  sign(data: Uint8Array): Promise<Uint8Array>
}

export function party(): Party {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString().trim(),
    spki: publicKey.export({ type: 'spki', format: 'der' }),
    sign: async (data) => sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  }
}

let serial = 0
const common = (from: string, to: string) => {
  serial += 1
  return {
    serial: createHash('sha256').update(String(serial)).digest().subarray(0, 16),
    notBefore: new Date(from),
    notAfter: new Date(to),
    alternativeNames: [],
  }
}

/** A certificate authority, valid from 2020 to 2040 by default. */
export async function authority(commonName: string, to = '2040-01-01T00:00:00Z') {
  const keys = party()
  const der = await issueCertificate(
    { ...common('2020-01-01T00:00:00Z', to), subject: { commonName }, subjectKey: keys.spki, isCa: true },
    keys.sign,
  )
  return {
    pem: new X509Certificate(der).toString(),
    issue: (holder: Party, from: string, to: string) =>
      issueCertificate(
        { ...common(from, to), subject: { commonName: 'Holder' }, subjectKey: holder.spki, issuer: der, isCa: false },
        keys.sign,
      ),
    /** List of revoked certificates, DER. */
    revoke: (revoked: readonly RevokedEntry[], from: string, to: string) =>
      issueRevocationList(
        { issuer: der, number: 1n, thisUpdate: new Date(from), nextUpdate: new Date(to), revoked },
        keys.sign,
      ),
  }
}
