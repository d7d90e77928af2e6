import { createHash, createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import * as meeco from '@meeco/sd-jwt'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import { compactVerify } from 'jose'
import { type IssuingGateway, partOf } from './credentials.ts'

/** Two libraries that verify an SD-JWT VC with the gateway's published documents. */
export function sdJwtVerifiers(issuing: Pick<IssuingGateway, 'read'>) {
  /** The key from the JWT VC issuer metadata, resolved as a verifier does. */
  async function issuerKey(compact: string): Promise<KeyObject> {
    const { iss } = partOf(compact, 1)
    const { origin, pathname } = new URL(iss)
    const metadata = JSON.parse(await issuing.read(`${origin}/.well-known/jwt-vc-issuer${pathname}`))
    if (metadata.issuer !== iss) throw new Error('The metadata are of another issuer.')
    const jwk = metadata.jwks.keys.find(({ kid }: { kid: string }) => kid === partOf(compact, 0).kid)
    if (jwk === undefined) throw new Error('The issuer has no such key.')
    return createPublicKey({ key: jwk, format: 'jwk' })
  }

  /** The reference library, with key and status list from the gateway. */
  async function reference(text: string) {
    const key = await issuerKey(text)
    const instance = new SDJwtVcInstance({
      hasher: (data) =>
        createHash('sha256')
          .update(typeof data === 'string' ? data : new Uint8Array(data))
          .digest(),
      hashAlg: 'sha-256',
      verifier: (data, signature) => checks(key, data, signature),
      statusVerifier: (data, signature) => checks(key, data, signature),
      statusListFetcher: (uri) => issuing.read(uri, 'application/statuslist+jwt'),
    })
    return { instance, payload: (await instance.verify(text)).payload as Record<string, unknown> }
  }

  /** A second implementation, without status. */
  async function secondOpinion(text: string): Promise<Record<string, unknown>> {
    const key = await issuerKey(text)
    return (await meeco.verifySDJWT(
      text,
      async (jwt: string) => {
        await compactVerify(jwt, key)
        return true
      },
      async () => (data: string) => createHash('sha256').update(data).digest('base64url'),
    )) as Record<string, unknown>
  }

  return { reference, secondOpinion }
}

const checks = (key: KeyObject, data: string, signature: string) =>
  verifySignature('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
