import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { didWeb, type Issuer, type IssuerKey } from '../domain/issuer.ts'
import { memoize } from '../domain/memoize.ts'
import { notFound } from '../domain/problem.ts'
import { etagOf, type WireRendition } from '../renditions/rendition.ts'
import { currentKeyNumber as findCurrentKeyNumber, issuingKey, publishedKeys } from '../seals/tenant-keys.ts'
import { didDocument as documentOf, multikey } from './did-document.ts'

declare module '../cradle.ts' {
  interface Cradle {
    issuers: ReturnType<typeof issuers>
  }
}

export default function issuers({ config, database, signer }: Cradle) {
  const baseUrl = config.baseUrl
  return { urlOf, current, currentKeyNumber, didDocument, jwtVcIssuer }

  function urlOf(tenantId: string): string {
    return `${baseUrl}/tenants/${tenantId}`
  }

  /** Returns undefined if the workspace has no key. */
  async function current(tenantId: string): Promise<Issuer | undefined> {
    const key = await issuingKey(database.forTenant(tenantId))
    if (key === undefined) return undefined
    const url = urlOf(tenantId)
    const did = didWeb(url)
    return {
      did,
      name: key.legalName,
      url,
      verificationMethod: `${did}#key-${key.number}`,
      keyNumber: key.number,
      x5c: key.certificate === null ? undefined : [key.certificate],
      sign: (data) => signer.sign(key.signerKey, data),
    }
  }

  function currentKeyNumber(tenantId: string): Promise<number | undefined> {
    return findCurrentKeyNumber(database, tenantId)
  }

  /** @throws Problem 404 for an unknown workspace or one without a key */
  async function didDocument(tenantId: string): Promise<WireRendition> {
    const keys = await published(tenantId)
    return asJson(documentOf(didWeb(urlOf(tenantId)), keys), 'application/did+ld+json')
  }

  /**
   * Returns JWT VC issuer metadata (draft-ietf-oauth-sd-jwt-vc, section 5).
   * @throws Problem 404 like {@link didDocument}
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
    const keys = await publishedKeys(database, tenantId)
    if (keys.length === 0) throw noIssuer()
    return Promise.all(keys.map(async ({ number, publicKeyPem }) => ({ number, ...(await formsOf(publicKeyPem)) })))
  }
}

export const noIssuer = () => notFound('No issuer with a key at this address.')

function asJson(document: object, contentType: string): WireRendition {
  const body = Buffer.from(JSON.stringify(document))
  return { body, etag: etagOf(body), contentType }
}

/** Costs 0.2 ms per key. */
const formsOf = memoize(
  async (pem: string): Promise<Omit<IssuerKey, 'number'>> => {
    const publicJwk: JsonWebKey = createPublicKey(pem).export({ format: 'jwk' })
    return { publicJwk, publicKeyMultibase: await multikey(publicJwk) }
  },
  { entries: 10_000, characters: 200 },
)
