import { createPublicKey, type JsonWebKey, randomBytes, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Cradle } from '../cradle.ts'
import { issueCertificate } from '../domain/certificate.ts'
import { conflict } from '../domain/problem.ts'
import { remembered } from '../domain/remembered.ts'
import { yearsAfter } from '../domain/transitions.ts'
import { findSealAuthorities } from '../storage/credentials.ts'

const PURPOSE = 'seal-ca'
/** Verifiers take no more: with ten years each they are enough. */
const MOST_AUTHORITIES = 8
const CA_YEARS = 10
const LEAF_YEARS = 3
const DAY_MS = 86_400_000
/** A clock that is a little behind ours must not find a certificate that is not valid yet. */
const BACKDATED_MS = 5 * 60_000
/** A seal that is made with the last days of a certificate would be dated outside them by another clock. */
const RENEWED_BEFORE_MS = 30 * DAY_MS

/** A key of the seal CA. */
interface Authority {
  readonly signerKey: string
  readonly certificate: X509Certificate
}

declare module '../cradle.ts' {
  interface Cradle {
    sealCa: ReturnType<typeof sealCa>
  }
}

/**
 * The node's own certificate authority: it says whose a seal key is, by certificates of workspaces' keys. Its private
 * keys are with the signer like every other. The newest issues, and all stay trusted, since seals outlive them.
 */
export default function sealCa({ config, database, signer }: Cradle) {
  let lastRead: string | undefined

  return { pem, pemAsRead, issue, rotate }

  /** The certificates that verifiers trust, as PEM, the newest first. The first is made on first use; every call reads the database. */
  async function pem(): Promise<string> {
    lastRead = (await authorities()).map(({ certificate }) => certificate.toString()).join('')
    return lastRead
  }

  /**
   * The same, as this process has read it last: none of them goes, and what came since is missing. Whoever finds a certificate of
   * none of these reads them anew.
   */
  async function pemAsRead(): Promise<string> {
    return lastRead ?? pem()
  }

  /**
   * Makes the next one, which issues from now on, in every process.
   * @throws Problem 409 where there are as many as verifiers take
   */
  async function rotate(): Promise<X509Certificate> {
    const before = await authorities()
    if (before.length >= MOST_AUTHORITIES) {
      throw conflict(`There are ${MOST_AUTHORITIES} seal CAs, which is the most; it goes on with the newest.`)
    }
    const [{ certificate }] = await create(before.length + 1)
    return certificate
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
    const [{ signerKey, certificate: ca }] = await authorities()
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

  /** All, the newest first. */
  async function authorities(): Promise<Authorities> {
    return (await find()) ?? (await create(1))
  }

  async function find(): Promise<Authorities | undefined> {
    const [newest, ...older] = (await findSealAuthorities(database)).map(({ signerKey, certificate }) => ({
      signerKey,
      certificate: certificateOf(certificate ?? ''),
    }))
    return newest && [newest, ...older]
  }

  /** Whoever comes first wins; the others use that key and leave theirs unused. */
  async function create(number: number): Promise<Authorities> {
    const purpose = number === 1 ? PURPOSE : `${PURPOSE}-${number}`
    const signerKey = await signer.createKey(`node:${purpose}`)
    const jwk = (await signer.publicJwk(signerKey)) as JsonWebKey
    const now = new Date()
    const certificate = await issueCertificate(
      {
        // A name of its own, by which it and its lists are told from the others.
        subject: { commonName: `Seal CA ${number === 1 ? '' : `${number} `}of ${new URL(config.baseUrl).host}` },
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
      purpose,
      signerKey,
      publicJwk: jwk,
      certificate: certificate.toString('base64'),
    })
    const stored = await find()
    if (stored === undefined) throw new Error('The seal CA was not stored.')
    return stored
  }
}

type Authorities = readonly [Authority, ...Authority[]]

/** Base64 of DER, of this node's own certificates. */
const certificateOf = remembered((certificate: string) => new X509Certificate(Buffer.from(certificate, 'base64')), {
  entries: 100,
  characters: 4096,
})

/** Whether this certificate (Base64 of DER) goes on being valid long enough to seal with it. */
export const isFresh = (certificate: string, now = new Date()): boolean =>
  endOf(certificate) - now.getTime() > RENEWED_BEFORE_MS

/** When a certificate (Base64 of DER) ends; those that are asked for are this node's own. */
const endOf = remembered(
  (certificate: string) => Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo),
  { entries: 1000, characters: 4096 },
)
