import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Cradle } from '../cradle.ts'
import { didDocument as documentOf } from '../domain/credentials/did-document.ts'
import { didWeb, type Issuer, type IssuerKey } from '../domain/credentials/issuer.ts'
import { isUuid } from '../domain/identifiers.ts'
import { notFound } from '../domain/problem.ts'
import { etagOf, type WireRendition } from './rendition.ts'

declare module '../cradle.ts' {
  interface Cradle {
    issuers: ReturnType<typeof issuers>
  }
}

/** Workspaces as issuers: who they are to verifiers, and their signing keys. */
export default function issuers({ config, database, signer }: Cradle) {
  const baseUrl = config.baseUrl

  return { urlOf, current, currentKeyNumber, didDocument, jwtVcIssuer }

  /** `{BASE_URL}/tenants/{tenantId}` */
  function urlOf(tenantId: string): string {
    return `${baseUrl}/tenants/${tenantId}`
  }

  /** The workspace with its current key, or undefined where it has none. */
  async function current(tenantId: string): Promise<Issuer | undefined> {
    const [row] = await database
      .forTenant(tenantId)
      .execute<{ number: number; signer_key: string; certificate: string | null; legal_name: string }[]>(
        `select k.number, k.signer_key, k.certificate, w.legal_name from tenant_key k join workspace w on w.id = k.tenant_id
         where k.tenant_id = ? and k.retired_at is null`,
        [tenantId],
      )
    if (row === undefined) return undefined
    const url = urlOf(tenantId)
    const did = didWeb(url)
    return {
      did,
      name: row.legal_name,
      url,
      verificationMethod: `${did}#key-${row.number}`,
      keyNumber: row.number,
      ...(row.certificate === null ? {} : { x5c: [row.certificate] }),
      sign: (data) => signer.sign(row.signer_key, data),
    }
  }

  /** Number of the workspace's current key, or undefined where it has none. */
  async function currentKeyNumber(tenantId: string): Promise<number | undefined> {
    const { rows } = await database.lookup.query<{ number: number }>({
      name: 'current-key-number',
      text: 'select number from tenant_key where tenant_id = $1 and retired_at is null',
      values: [tenantId],
    })
    return rows[0]?.number
  }

  /**
   * The DID document with all keys.
   * @throws Problem 404 for an unknown workspace, and for one without a key
   */
  async function didDocument(tenantId: string): Promise<WireRendition> {
    const keys = await published(tenantId)
    return asJson(documentOf(didWeb(urlOf(tenantId)), keys), 'application/did+ld+json')
  }

  /**
   * JWT VC issuer metadata (draft-ietf-oauth-sd-jwt-vc, section 5).
   * @throws Problem 404 as {@link didDocument}
   */
  async function jwtVcIssuer(tenantId: string): Promise<WireRendition> {
    const url = urlOf(tenantId)
    const keys = await published(tenantId)
    const jwks = keys.map(({ number, publicJwk }) => ({
      ...publicJwk,
      alg: 'ES256',
      use: 'sig',
      kid: `${didWeb(url)}#key-${number}`,
    }))
    return asJson({ issuer: url, jwks: { keys: jwks } }, 'application/json; charset=utf-8')
  }

  async function published(tenantId: string): Promise<IssuerKey[]> {
    if (!isUuid(tenantId)) throw noIssuer()
    const { rows } = await database.lookup.query<{ number: number; public_key_pem: string }>({
      name: 'published-keys',
      text: 'select number, public_key_pem from tenant_key where tenant_id = $1 order by number',
      values: [tenantId],
    })
    if (rows.length === 0) throw noIssuer()
    return rows.map(({ number, public_key_pem: pem }) => ({ number, publicJwk: publicJwkOf(pem) }))
  }
}

/** 404 for what a workspace without a key does not have. */
export const noIssuer = () => notFound('There is no issuer with a key at this address.')

function asJson(document: object, contentType: string): WireRendition {
  const body = Buffer.from(JSON.stringify(document))
  return { body, etag: etagOf(body), contentType }
}

const publicJwkOf = (pem: string): JsonWebKey => createPublicKey(pem).export({ format: 'jwk' })
