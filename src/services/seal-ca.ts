import { createPublicKey, type JsonWebKey, randomBytes, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Cradle } from '../cradle.ts'
import { issueCertificate } from '../domain/certificate.ts'
import { isUuid } from '../domain/identifiers.ts'
import { memoize } from '../domain/memoize.ts'
import { conflict, notFound } from '../domain/problem.ts'
import { issueRevocationList, type RevokedEntry } from '../domain/revocation-list.ts'
import { yearsAfter } from '../domain/transitions.ts'
import { findSealAuthorities } from '../storage/credentials.ts'
import { certificatesOfKey } from '../storage/tenant-keys.ts'
import { type Revocations, revocationsAmong } from '../verify/revocation.ts'

const PURPOSE = 'seal-ca'
/** Verifiers take no more: with ten years each they are enough. */
const MAX_AUTHORITIES = 8
const CA_YEARS = 10
const LEAF_YEARS = 3
const DAY_MS = 86_400_000
/** A clock that is a little behind ours must not find a certificate that is not valid yet. */
const BACKDATED_MS = 5 * 60_000
/** A seal that is made with the last days of a certificate would be dated outside them by another clock. */
const RENEWED_BEFORE_MS = 30 * DAY_MS

/** A list is made anew every hour, and as soon as something is revoked; whoever keeps one has a week. */
const LIST_MS = 3_600_000
const LIST_VALID_MS = 7 * DAY_MS

/** A key of the seal CA. */
interface Authority {
  /** From 1, as its list is numbered. */
  readonly number: number
  readonly purpose: string
  readonly signerKey: string
  readonly certificate: X509Certificate
  /** Empty where it was not asked for. */
  readonly revoked: readonly (RevokedEntry & { readonly addedAt: number })[]
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
  /** The lists that were signed last, by what is in them: nobody who asks makes the signer work. */
  const lists = new Map<number, { readonly of: string; readonly der: Promise<Buffer> }>()

  let lastRead: string | undefined

  return { pem, pemAsRead, trust, issue, rotate, revoke, revocationList }

  /** The certificates that verifiers trust, as PEM, the newest first. The first is made on first use; every call reads the database. */
  async function pem(): Promise<string> {
    lastRead = pemOf(await authorities())
    return lastRead
  }

  /**
   * The same, as this process has read it last: none of them goes, and what came since is missing. Whoever finds a certificate of
   * none of these reads them anew.
   */
  async function pemAsRead(): Promise<string> {
    return lastRead ?? pem()
  }

  /** What a verifier of this node trusts now: the certificates, and what was revoked of those that they signed. */
  async function trust(): Promise<{ readonly sealCa: string; readonly revocations: Revocations }> {
    const all = await authorities({ withRevoked: true })
    const revoked = all.flatMap((one) => one.revoked.map(({ serial, revokedAt }) => [serial, revokedAt] as const))
    return { sealCa: pemOf(all), revocations: revocationsAmong(new Map(revoked)) }
  }

  /**
   * Revokes every certificate of a workspace's retired key.
   * @param since from when on it does not stand for the workspace any more; of several the earliest counts
   * @returns serial numbers in hexadecimal, and from when on they are revoked now; absent where there are none
   * @throws Problem 404 for a key that there is not, 409 for the current one
   */
  async function revoke(
    workspaceId: string,
    number: number,
    { reason, since }: { readonly reason: string; readonly since: Date },
  ): Promise<{ readonly serials: readonly string[]; readonly since?: Date }> {
    const key = isUuid(workspaceId) ? await certificatesOfKey(database.forTenant(workspaceId), number) : undefined
    if (key === undefined) throw notFound('There is no such seal key.')
    if (key.isCurrent) {
      throw conflict('The workspace seals with this key. Rotate its keys first: POST /api/v1/tenants/rotate-keys.')
    }
    // As a list says it, so that whoever goes by the list says the same.
    const revokedAt = new Date(Math.floor(since.getTime() / 1000) * 1000)
    const serials: string[] = []
    for (const { purpose, certificate: issuer } of await authorities()) {
      const own = key.certificates.map(certificateOf).filter((certificate) => certificate.verify(issuer.publicKey))
      const found = own.map((certificate) => certificate.serialNumber.toLowerCase())
      await database.addRevocations(purpose, { fingerprint: key.fingerprint, serials: found, revokedAt, reason })
      serials.push(...found)
    }
    const all = (await authorities({ withRevoked: true })).flatMap((one) => one.revoked)
    return { serials, since: all.find(({ serial }) => serials.includes(serial))?.revokedAt }
  }

  /**
   * The list of what the seal CA of this number has revoked, as DER. Every process makes the same of the same, apart from the
   * signature, so that numbers never go back.
   * @returns undefined where there is no such seal CA
   */
  async function revocationList(number: number): Promise<Buffer | undefined> {
    const authority = (await authorities({ withRevoked: true })).find((one) => one.number === number)
    if (authority === undefined) return undefined
    const hour = Math.floor(Date.now() / LIST_MS) * LIST_MS
    const begun = Math.max(hour, Date.parse(authority.certificate.validFrom))
    const at = Math.floor(Math.max(begun, ...authority.revoked.map(({ addedAt }) => addedAt)))
    const of = `${at} ${authority.revoked.length}`
    if (lists.get(number)?.of !== of) {
      const content = {
        issuer: authority.certificate.raw,
        number: BigInt(at),
        thisUpdate: new Date(at),
        nextUpdate: new Date(at + LIST_VALID_MS),
        revoked: authority.revoked,
      }
      const der = issueRevocationList(content, (data) => signer.sign(authority.signerKey, data))
      lists.set(number, { of, der })
      der.catch(() => lists.delete(number))
    }
    return lists.get(number)?.der
  }

  /**
   * Makes the next one, which issues from now on, in every process.
   * @throws Problem 409 where there are as many as verifiers take
   */
  async function rotate(): Promise<X509Certificate> {
    const before = await authorities()
    if (before.length >= MAX_AUTHORITIES) {
      throw conflict(`There are ${MAX_AUTHORITIES} seal CAs, which is the most; it goes on with the newest.`)
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
    const [{ number, signerKey, certificate: ca }] = await authorities()
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
        revocationList: `${config.baseUrl}/.well-known/opendpp-seal-crl/${number}`,
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
  async function authorities(asked = { withRevoked: false }): Promise<Authorities> {
    return (await find(asked)) ?? (await create(1))
  }

  async function find(asked = { withRevoked: false }): Promise<Authorities | undefined> {
    const [newest, ...older] = (await findSealAuthorities(database, asked)).map(
      ({ purpose, signerKey, certificate, revoked }): Authority => ({
        ...{ purpose, signerKey, number: Number(purpose.slice(PURPOSE.length + 1)) || 1 },
        certificate: certificateOf(certificate ?? ''),
        revoked: revoked.map((entry) => ({ ...entry, revokedAt: new Date(entry.revokedAt) })),
      }),
    )
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

const pemOf = (authorities: Authorities) => authorities.map(({ certificate }) => certificate.toString()).join('')

/** Base64 of DER, of this node's own certificates. */
const certificateOf = memoize((certificate: string) => new X509Certificate(Buffer.from(certificate, 'base64')), {
  entries: 100,
  characters: 4096,
})

/** Whether this certificate (Base64 of DER) goes on being valid long enough to seal with it. */
export const isFresh = (certificate: string, now = new Date()): boolean =>
  endOf(certificate) - now.getTime() > RENEWED_BEFORE_MS

/** When a certificate (Base64 of DER) ends; those that are asked for are this node's own. */
const endOf = memoize(
  (certificate: string) => Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo),
  { entries: 1000, characters: 4096 },
)
