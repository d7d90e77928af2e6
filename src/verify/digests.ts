import { isRecord } from '../domain/record.ts'
import { fromMultibase } from './multibase.ts'
import type { Finding } from './verification.ts'

type Algorithm = 'sha256' | 'sha384' | 'sha512'

/** Published context digests (hexadecimal), of the bytes at the address. */
const PUBLISHED: ReadonlyMap<string, Partial<Record<Algorithm, readonly string[]>>> = new Map([
  [
    // Verifiable Credentials Data Model 2.0, appendix B.1; second value: 2024 candidate recommendations, used by the W3C test suite. The
    // 512-bit digest has the first one's input.
    'https://www.w3.org/ns/credentials/v2',
    {
      sha256: [
        '59955ced6697d61e03f2b2556febe5308ab16842846f5b586d7f1f7adec92734',
        '24a18c90e9856d526111f29376e302d970b2bd10182e33959995b0207d7043b9',
      ],
      sha384: [
        '97f1eb8e5042356c805fdd61afa2c557663785e0794dcafa21e138fd38def18cb360133c221aa31d6896a6bf3e65b614',
        '35239c36999d2155312091af194a1edb61634d6ad789a5e5b19f2aebdd762dd9d1dcaada40eda7ef921c6b8c0ae107a0',
      ],
      sha512: [
        '5d55452bd2dcf8a29f5a290473eb242b1c5fb77d4e68f1a0aa87baa4dba2694852d65ec63d48ac04a99d956f9f7153b9406f84d2d04c74869b02c239a1d81305',
      ],
    },
  ],
  // Verifiable Credentials Data Model 1.1, appendix B.1.
  [
    'https://www.w3.org/2018/credentials/v1',
    { sha256: ['ab4ddd9a531758807a79a5b450510d61ae8d147eab966cc9a200c07095b0cdcc'] },
  ],
  // Verifiable Credential Data Integrity 1.0, section 2.4.
  [
    'https://w3id.org/security/data-integrity/v2',
    { sha256: ['67f21e6e33a6c14e5ccfd2fc7865f7474fb71a04af7e94136cb399dfac8ae8f4'] },
  ],
  [
    'https://w3id.org/security/multikey/v1',
    { sha256: ['ba2c182de2d92f7e47184bcca8fcf0beaee6d3986c527bf664c195bbc7c58597'] },
  ],
  [
    'https://w3id.org/security/jwk/v1',
    { sha256: ['0f14b62f6071aafe00df265770ea0c7508e118247d79b7d861a406d2aa00bece'] },
  ],
  // Controlled Identifiers 1.0.
  ['https://www.w3.org/ns/cid/v1', { sha256: ['ea216ecc1cb02cd39b693dba2250141e270ba0bf95890be107dd9a9e8e43de85'] }],
])

/** Compares with published digests, without fetching (data model 2.0, section 5.3). */
export function digestFindings(resource: unknown): Finding[] {
  if (!isRecord(resource) || typeof resource.id !== 'string') return []
  const known = PUBLISHED.get(resource.id)
  if (known === undefined) return []
  const { digestSRI, digestMultibase } = resource
  const stated: [string, Digest | undefined][] = [
    ...(typeof digestSRI === 'string' ? expressions(digestSRI).map(readSri) : []).map(
      (digest): [string, Digest | undefined] => ['digestSRI', digest],
    ),
    ...(typeof digestMultibase === 'string' ? [readMultibase(digestMultibase)] : []).map(
      (digest): [string, Digest | undefined] => ['digestMultibase', digest],
    ),
  ]
  return stated.flatMap(([member, digest]) => {
    const path = `relatedResource ${resource.id}, ${member}:`
    if (digest === undefined) return [{ path, message: 'the digest is malformed' }]
    const published = known[digest.algorithm]
    return published === undefined || published.includes(digest.hex)
      ? []
      : [{ path, message: 'the digest differs from the published one' }]
  })
}

interface Digest {
  readonly algorithm: Algorithm
  readonly hex: string
}

const BYTES: Readonly<Record<Algorithm, number>> = { sha256: 32, sha384: 48, sha512: 64 }

/** Subresource Integrity, section 3.5. */
const expressions = (text: string) => text.trim().split(/\s+/, 8)

function readSri(expression: string): Digest | undefined {
  const [, algorithm, base64] =
    /^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]{1,100}={0,2})(?:\?.*)?$/.exec(expression) ?? []
  if (algorithm === undefined || base64 === undefined) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === BYTES[algorithm as Algorithm]
    ? { algorithm: algorithm as Algorithm, hex: bytes.toString('hex') }
    : undefined
}

/** Multihash codes. */
const MULTIHASH: readonly [Algorithm, number][] = [
  ['sha256', 0x12],
  ['sha384', 0x20],
  ['sha512', 0x13],
]

/** Multihash or bare SHA-256 (Controlled Identifiers 1.0, section 2.4). */
function readMultibase(text: string): Digest | undefined {
  for (const [algorithm, code] of MULTIHASH) {
    const length = BYTES[algorithm]
    const bytes = fromMultibase(text, length + 2)
    if (bytes?.[0] === code && bytes[1] === length) {
      return { algorithm, hex: Buffer.from(bytes.subarray(2)).toString('hex') }
    }
  }
  const bare = fromMultibase(text, BYTES.sha256)
  return bare === undefined ? undefined : { algorithm: 'sha256', hex: Buffer.from(bare).toString('hex') }
}
