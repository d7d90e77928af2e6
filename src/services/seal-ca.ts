import { createPublicKey, type JsonWebKey, randomBytes, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Cradle } from '../cradle.ts'
import { issueCertificate } from '../domain/certificate.ts'
import { remembered } from '../domain/remembered.ts'
import { yearsAfter } from '../domain/transitions.ts'
import { findNodeKey } from '../storage/credentials.ts'

const PURPOSE = 'seal-ca'
const CA_YEARS = 10
const LEAF_YEARS = 3
const DAY_MS = 86_400_000
/** A clock that is a little behind ours must not find a certificate that is not valid yet. */
const BACKDATED_MS = 5 * 60_000
/** A seal that is made with the last days of a certificate would be dated outside them by another clock. */
const RENEWED_BEFORE_MS = 30 * DAY_MS

interface Authority {
  readonly signerKey: string
  readonly certificate: X509Certificate
  readonly pem: string
}

declare module '../cradle.ts' {
  interface Cradle {
    sealCa: ReturnType<typeof sealCa>
  }
}

/**
 * The node's own certificate authority: it says whose a seal key is, by certificates of workspaces' keys. Its private
 * key is with the signer like every other.
 */
export default function sealCa({ config, database, signer }: Cradle) {
  let authority: Authority | undefined

  return { pem, trusted, issue }

  /** The certificate that verifiers trust, as PEM. Made on first use; every call reads the database. */
  async function pem(): Promise<string> {
    authority = (await find()) ?? (await create())
    return authority.pem
  }

  /** The same from memory once it is known, for whoever verifies: a node has one authority as long as it has its database. */
  async function trusted(): Promise<string> {
    return authority?.pem ?? (await pem())
  }

  /**
   * A new certificate (Base64 of DER) that ties a public key to the legal identity of its workspace.
   * @param now when it begins, apart from some minutes for clocks that differ
   */
  async function issue(
    holder: { readonly id: string; readonly legalName: string; readonly country?: string | null },
    publicKeyPem: string,
    now = new Date(),
  ): Promise<string> {
    authority ??= (await find()) ?? (await create())
    const { signerKey, certificate: ca } = authority
    const host = new URL(config.baseUrl).hostname.replace(/^\[|\]$/g, '')
    const certificate = await issueCertificate(
      {
        subject: {
          commonName: holder.legalName,
          organization: holder.legalName,
          ...(holder.country ? { country: holder.country } : {}),
        },
        subjectKey: createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' }),
        issuer: ca.raw,
        serial: randomBytes(16),
        notBefore: new Date(now.getTime() - BACKDATED_MS),
        notAfter: new Date(Math.min(yearsAfter(now, LEAF_YEARS).getTime(), Date.parse(ca.validTo))),
        isCa: false,
        // Verifiers of credentials compare these with the issuer's address.
        alternativeNames: [
          ...(isIP(host) === 6 ? [] : [{ type: isIP(host) === 4 ? ('ip' as const) : ('dns' as const), value: host }]),
          { type: 'uri', value: `${config.baseUrl}/tenants/${holder.id}` },
        ],
      },
      (data) => signer.sign(signerKey, data),
    )
    if (!new X509Certificate(certificate).verify(ca.publicKey)) {
      throw new Error(`The certificate for workspace ${holder.id} does not verify; it was not stored.`)
    }
    return certificate.toString('base64')
  }

  async function find(): Promise<Authority | undefined> {
    const key = await findNodeKey(database, PURPOSE)
    if (key === undefined) return undefined
    const certificate = new X509Certificate(Buffer.from(key.certificate ?? '', 'base64'))
    return { signerKey: key.signerKey, certificate, pem: certificate.toString() }
  }

  /** Whoever comes first wins; the others use that key and leave theirs unused. */
  async function create(): Promise<Authority> {
    const signerKey = await signer.createKey(`node:${PURPOSE}`)
    const jwk = (await signer.publicJwk(signerKey)) as JsonWebKey
    const now = new Date()
    const certificate = await issueCertificate(
      {
        subject: { commonName: `Seal CA of ${new URL(config.baseUrl).host}` },
        subjectKey: createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'der' }),
        serial: randomBytes(16),
        notBefore: new Date(now.getTime() - BACKDATED_MS),
        notAfter: yearsAfter(now, CA_YEARS),
        isCa: true,
        alternativeNames: [],
      },
      (data) => signer.sign(signerKey, data),
    )
    await database.addNodeKey({
      purpose: PURPOSE,
      signerKey,
      publicJwk: jwk,
      certificate: certificate.toString('base64'),
    })
    const authority = await find()
    if (authority === undefined) throw new Error('The seal CA was not stored.')
    return authority
  }
}

/** Whether this certificate (Base64 of DER) goes on being valid long enough to seal with it. */
export const isFresh = (certificate: string, now = new Date()): boolean =>
  endOf(certificate) - now.getTime() > RENEWED_BEFORE_MS

/** When a certificate (Base64 of DER) ends; those that are asked for are this node's own. */
const endOf = remembered(
  (certificate: string) => Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo),
  { entries: 1000, characters: 4096 },
)
