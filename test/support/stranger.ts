import { createHash, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import { createSignCryptosuite } from '@digitalbazaar/ecdsa-jcs-2019-cryptosuite'
import { encode as base58 } from 'base58-universal'
import jsigs from 'jsonld-signatures'
import { didWeb, type Issuer } from '../../src/domain/issuer.ts'
import type { JsonRecord } from '../../src/domain/record.ts'
import type { Documents, VerifyOptions } from '../../src/verify/documents.ts'
import { CONTEXTS } from './contexts.ts'

/** An independent issuer that publishes and signs whatever a test needs. */
export interface Stranger {
  readonly url: string
  readonly did: string
  readonly issuer: Issuer
  readonly publicJwk: JsonWebKey
  /** Documents by address. */
  readonly published: Map<string, string | (() => Promise<string>)>
  readonly requested: string[]
  readonly documents: Documents
  /** Verifier options with the published documents. */
  options(more?: Partial<VerifyOptions>): VerifyOptions
  credential(more?: JsonRecord): JsonRecord
  jwt(payload: object, header?: object): Promise<string>
  dataIntegrity(credential: object): Promise<string>
  /** An SD-JWT with these disclosures; the payload places their digests. */
  sdJwt(payload: object, disclosures?: readonly string[], header?: object): Promise<string>
}

/** Status entry of an index that must be clear. */
export const statusEntry = (url: string, index: number | string = '7', more: JsonRecord = {}): JsonRecord => ({
  type: 'BitstringStatusListEntry',
  statusPurpose: 'revocation',
  statusListIndex: String(index),
  statusListCredential: url,
  ...more,
})

export const V2 = 'https://www.w3.org/ns/credentials/v2'

/** An issuer at an address, with a new key. */
export function stranger(url = 'https://issuer.example/it'): Stranger {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicJwk = publicKey.export({ format: 'jwk' })
  const did = didWeb(url)
  const verificationMethod = `${did}#key-1`
  const issuer: Issuer = {
    did,
    name: 'Stranger',
    url,
    verificationMethod,
    keyNumber: 1,
    sign: async (data) => sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  }
  const { origin, pathname } = new URL(url)
  const published = new Map<string, string | (() => Promise<string>)>([
    [
      `${url}/did.json`,
      JSON.stringify({
        '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
        id: did,
        verificationMethod: [
          { id: verificationMethod, type: 'Multikey', controller: did, publicKeyMultibase: multikeyOf(publicJwk) },
        ],
        assertionMethod: [verificationMethod],
        authentication: [verificationMethod],
      }),
    ],
    [
      `${origin}/.well-known/jwt-vc-issuer${pathname === '/' ? '' : pathname}`,
      JSON.stringify({ issuer: url, jwks: { keys: [{ ...publicJwk, kid: verificationMethod }] } }),
    ],
  ])
  const requested: string[] = []
  const documents: Documents = {
    read: async (at) => {
      requested.push(at)
      const found = published.get(at)
      if (found === undefined) throw new Error(`${at} answered 404.`)
      return typeof found === 'string' ? found : found()
    },
  }
  const compact = async (header: object, payload: object) => {
    const signed = `${encode(header)}.${encode(payload)}`
    return `${signed}.${Buffer.from(await issuer.sign(Buffer.from(signed))).toString('base64url')}`
  }
  return {
    url,
    did,
    issuer,
    publicJwk,
    published,
    requested,
    documents,
    options: (more) => ({ documents, contexts: CONTEXTS, now: new Date(), ...more }),
    credential: (more = {}) => ({
      '@context': [V2],
      type: ['VerifiableCredential'],
      issuer: did,
      credentialSubject: { id: 'https://id.gs1.org/01/09506000134352', name: 'A thing' },
      ...more,
    }),
    jwt: (payload, header = {}) =>
      compact({ alg: 'ES256', typ: 'vc+jwt', kid: verificationMethod, ...header }, payload),
    // Signs without validating.
    dataIntegrity: async (credential) => {
      const suite = new DataIntegrityProof({
        signer: {
          id: verificationMethod,
          algorithm: 'P-256',
          sign: ({ data }: { data: Uint8Array }) => issuer.sign(data),
        },
        date: '2026-01-01T00:00:00Z',
        cryptosuite: createSignCryptosuite(),
      })
      const purpose = new jsigs.purposes.AssertionProofPurpose()
      const documentLoader = () => Promise.reject(new Error('Nothing is loaded while signing.'))
      return JSON.stringify(await jsigs.sign(structuredClone(credential), { suite, purpose, documentLoader }))
    },
    sdJwt: async (payload, disclosures = [], header = {}) =>
      `${await compact({ alg: 'ES256', typ: 'dc+sd-jwt', kid: verificationMethod, ...header }, payload)}~${disclosures.map((one) => `${one}~`).join('')}`,
  }
}

/** A disclosure: of a member with a name, or of an element without. */
export const disclosure = (...parts: readonly unknown[]) => encode([`salt-${counter++}`, ...parts])
export const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')
let counter = 0

export const bitstring = (of: Stranger, url: string, set: readonly number[] = [], more: JsonRecord = {}): JsonRecord =>
  of.credential({
    id: url,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    credentialSubject: {
      id: `${url}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: encodedList(set),
    },
    ...more,
  })

/** Encodes bits as W3C does. */
export function encodedList(set: readonly number[], bits = 131_072): string {
  const bytes = Buffer.alloc(bits / 8)
  for (const index of set) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7))
  return `u${gzipSync(bytes).toString('base64url')}`
}

/** A Token Status List: values by index, one byte each. */
export function tokenList(
  of: Stranger,
  uri: string,
  values: Readonly<Record<number, number>> = {},
  more: JsonRecord = {},
) {
  const bytes = Buffer.alloc(1024)
  for (const [index, value] of Object.entries(values)) bytes[Number(index)] = value
  const payload = { sub: uri, iat: 1, status_list: { bits: 8, lst: deflateSync(bytes).toString('base64url') }, ...more }
  return of.jwt(payload, { typ: 'statuslist+jwt' })
}

/** Multicodec `p256-pub` and the compressed point, in base58btc (Controlled Identifiers 1.0, section 2.2.2). */
function multikeyOf({ x = '', y = '' }: JsonWebKey): string {
  const isOdd = ((Buffer.from(y, 'base64url').at(-1) ?? 0) & 1) === 1
  return `z${base58(Buffer.concat([Buffer.from([0x80, 0x24, isOdd ? 3 : 2]), Buffer.from(x, 'base64url')]))}`
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
