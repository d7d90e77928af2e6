import { createPublicKey, type JsonWebKey, randomBytes, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { memoize } from '../domain/memoize.ts'
import { conflict, notFound } from '../domain/problem.ts'
import type { RevokedEntry } from '../domain/revocation-list.ts'
import { yearsAfter } from '../domain/transitions.ts'
import { type Revocations, revocationsAmong } from '../verify/revocation.ts'
import { findSealAuthorities } from '../workspaces/credential-statements.ts'
import { certificatesOfKey } from './tenant-keys.ts'

const PURPOSE = 'seal-ca'
/** Limit of verifiers; enough with ten years each. */
const MAX_AUTHORITIES = 8
const CA_YEARS = 10
const LEAF_YEARS = 3
const DAY_MS = 86_400_000
/** Tolerance for slow clocks. */
const BACKDATED_MS = 5 * 60_000
/** Prevents seals that other clocks date after the certificate's end. */
const RENEWED_BEFORE_MS = 30 * DAY_MS

/** Lists are re-signed hourly and after revocations, and valid for a week. */
const LIST_MS = 3_600_000
const LIST_VALID_MS = 7 * DAY_MS

interface Authority {
  readonly number: number
  readonly purpose: string
  readonly signerKey: string
  readonly certificate: X509Certificate
  /** Empty unless requested. */
  readonly revoked: readonly (RevokedEntry & { readonly addedAt: number })[]
}

declare module '../cradle.ts' {
  interface Cradle {
    sealCa: ReturnType<typeof sealCa>
  }
}

/** Certificate authority for seal keys. The newest one issues; all stay trusted, since seals outlive them. */
export default function sealCa({ config, database, signer }: Cradle) {
  /** Last signed lists. Public requests for unchanged content cause no signature. */
  const lists = new Map<number, { readonly of: string; readonly der: Promise<Buffer> }>()

  let lastRead: string | undefined

  return { pem, pemAsRead, trust, issue, rotate, revoke, revocationList }

  /** PEM, newest first. */
  async function pem(): Promise<string> {
    lastRead = pemOf(await authorities())
    return lastRead
  }

  /** May miss new ones. */
  async function pemAsRead(): Promise<string> {
    return lastRead ?? pem()
  }

  async function trust(): Promise<{ readonly sealCa: string; readonly revocations: Revocations }> {
    const all = await authorities({ withRevoked: true })
    const revoked = all.flatMap((one) => one.revoked.map(({ serial, revokedAt }) => [serial, revokedAt] as const))
    return { sealCa: pemOf(all), revocations: revocationsAmong(new Map(revoked)) }
  }

  /**
   * Revokes the certificates of a workspace's retired key.
   * @param since start of the revocation; the earliest counts
   * @returns hexadecimal serial numbers, and the effective start
   * @throws Problem 404 for an unknown key, 409 for the current one
   */
  async function revoke(
    workspaceId: string,
    number: number,
    { reason, since }: { readonly reason: string; readonly since: Date },
  ): Promise<{ readonly serials: readonly string[]; readonly since?: Date }> {
    const key = isUuid(workspaceId) ? await certificatesOfKey(database.forTenant(workspaceId), number) : undefined
    if (key === undefined) throw notFound('Seal key not found.')
    if (key.isCurrent) {
      throw conflict('The workspace seals with this key. Rotate its keys first: POST /api/v1/tenants/rotate-keys.')
    }
    // Whole seconds, as in revocation lists.
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
   * Returns a revocation list as DER. Equal content in all processes, so list numbers never decrease.
   * @returns undefined for an unknown seal CA
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
      const der = import('../domain/revocation-list.ts').then(({ issueRevocationList }) =>
        issueRevocationList(content, (data) => signer.sign(authority.signerKey, data)),
      )
      lists.set(number, { of, der })
      der.catch(() => lists.delete(number))
    }
    return lists.get(number)?.der
  }

  /** @throws Problem 409 at the limit */
  async function rotate(): Promise<X509Certificate> {
    const before = await authorities()
    if (before.length >= MAX_AUTHORITIES) {
      throw conflict(`The maximum of ${MAX_AUTHORITIES} seal CAs is reached; the newest stays in use.`)
    }
    const [{ certificate }] = await create(before.length + 1)
    return certificate
  }

  /** Issues a certificate (Base64 of DER). @param now start of validity, before backdating */
  async function issue(
    holder: { readonly id: string; readonly legalName: string; readonly country?: string | null },
    publicKeyPem: string,
    now = new Date(),
  ): Promise<string> {
    const [{ number, signerKey, certificate: ca }] = await authorities()
    const host = new URL(config.baseUrl).hostname.replace(/^\[|\]$/g, '')
    const { issueCertificate } = await import('../domain/certificate.ts')
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
        // Credential verifiers compare these with the issuer's address.
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

  async function authorities(options = { withRevoked: false }): Promise<Authorities> {
    return (await find(options)) ?? (await create(1))
  }

  async function find(options = { withRevoked: false }): Promise<Authorities | undefined> {
    const [newest, ...older] = (await findSealAuthorities(database, options)).map(
      ({ purpose, signerKey, certificate, revoked }): Authority => ({
        ...{ purpose, signerKey, number: Number(purpose.slice(PURPOSE.length + 1)) || 1 },
        certificate: certificateOf(certificate ?? ''),
        revoked: revoked.map((entry) => ({ ...entry, revokedAt: new Date(entry.revokedAt) })),
      }),
    )
    return newest && [newest, ...older]
  }

  /** The first of concurrent processes wins; the others use its key. */
  async function create(number: number): Promise<Authorities> {
    const purpose = number === 1 ? PURPOSE : `${PURPOSE}-${number}`
    const signerKey = await signer.createKey(`node:${purpose}`)
    const jwk = (await signer.publicJwk(signerKey)) as JsonWebKey
    const now = new Date()
    const { issueCertificate } = await import('../domain/certificate.ts')
    const certificate = await issueCertificate(
      {
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

const certificateOf = memoize((certificate: string) => new X509Certificate(Buffer.from(certificate, 'base64')), {
  entries: 100,
  characters: 4096,
})

/** True if the certificate (Base64 of DER) is valid long enough to seal. */
export const isFresh = (certificate: string, now = new Date()): boolean =>
  endOf(certificate) - now.getTime() > RENEWED_BEFORE_MS

const endOf = memoize(
  (certificate: string) => Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo),
  { entries: 1000, characters: 4096 },
)
