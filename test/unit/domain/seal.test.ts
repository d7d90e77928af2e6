import { generateKeyPairSync, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { audienceRules, type Reader } from '../../../src/domain/audience.ts'
import { SUBJECT_KEY, sealTree } from '../../../src/domain/merkle.ts'
import type { Metadata } from '../../../src/domain/metadata.ts'
import { maskedKeysFor, redact } from '../../../src/domain/redaction.ts'
import {
  buildProof,
  derFromP1363,
  p256Key,
  p256Spki,
  type StoredSeal,
  sealSubject,
  verifySealSignature,
} from '../../../src/domain/seal.ts'

const random = (count: number) => new Uint8Array(count).fill(1)
const metadata: Metadata = {
  category: 'batteries',
  facilityDetails: [],
  detailedPerformance: { x: 1 },
  originCountry: 'DE',
}
const subject = sealSubject(
  { id: '1', productId: 'SKU-1', operator: { id: '2', regId: 'DE1', name: 'Works' } as never },
  '2026-01-01T00:00:00.000Z',
  ['facilityDetails', 'detailedPerformance'],
)
const tree = sealTree(metadata, subject, random)
const seal: StoredSeal = {
  merkleRoot: tree.root,
  leaves: tree.leaves,
  subject,
  signature: 'c2ln',
  publicKeyPem: 'pem',
  created: '2026-01-01T00:00:00.000Z',
}
const rules = audienceRules([], ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly'])
const passportUrl = 'https://dpp.example/passport/1'
const proofFor = (reader: Reader, stored = seal) => {
  const maskedKeys = maskedKeysFor(metadata, reader, rules)
  return buildProof(stored, { metadata: redact(metadata, maskedKeys), maskedKeys, passportUrl })
}

describe('buildProof', () => {
  it('has the members of the specification and nothing without content', () => {
    expect(proofFor('owner')).toEqual({
      type: 'MerkleTreeAttestationProof',
      '@type': ['MerkleTreeAttestationProof'],
      signatureAlgorithm: 'ECDSA-P256-SHA256-over-MerkleRoot',
      created: '2026-01-01T00:00:00.000Z',
      proofPurpose: 'assertionMethod',
      verificationMethod: 'https://dpp.example/passport/1#key-1',
      signatureValue: 'c2ln',
      publicKeyPem: 'pem',
      merkleRoot: tree.root,
      salts: Object.fromEntries(Object.entries(tree.leaves).map(([key, leaf]) => [key, leaf.salt])),
      subject: {
        id: '1',
        productId: 'SKU-1',
        operator: { id: '2', regId: 'DE1' },
        created: '2026-01-01T00:00:00.000Z',
        maskable: ['detailedPerformance', 'facilityDetails'],
      },
    })
    expect(Object.keys(proofFor('owner'))).not.toContain('redactedLeaves')
  })

  it('trap 14: has @type as an array of one', () => {
    expect(proofFor('public')['@type']).toEqual(['MerkleTreeAttestationProof'])
  })

  it('gives a masked key by its hash and never by its salt', () => {
    const proof = proofFor('public')
    expect(proof.redactedLeaves).toEqual({
      facilityDetails: tree.leaves.facilityDetails?.hash,
      detailedPerformance: tree.leaves.detailedPerformance?.hash,
    })
    expect(Object.keys(proof.salts).sort()).toEqual([SUBJECT_KEY, 'category', 'originCountry'])
  })

  it('gives the holder of a token the salts of what the token opens', () => {
    const proof = proofFor('legitimateInterest')
    expect(Object.keys(proof.redactedLeaves ?? {})).toEqual(['facilityDetails'])
    expect(Object.keys(proof.salts).sort()).toEqual([SUBJECT_KEY, 'category', 'detailedPerformance', 'originCountry'])
  })

  it('trap 76: carries the leaf of what it masks', () => {
    expect(proofFor('public').redactedLeaves?.facilityDetails).toMatch(/^[0-9a-f]{64}$/)
  })

  it('leaves out a key that was not sealed, inherited names included', () => {
    const proof = buildProof(seal, { metadata: { toString: 1, later: 2 }, maskedKeys: ['toString'], passportUrl })
    expect(proof.salts).toEqual({ [SUBJECT_KEY]: tree.leaves[SUBJECT_KEY]?.salt })
    expect(proof.redactedLeaves).toBeUndefined()
  })

  it('trap 70: carries certificates and timestamp when there are any, and no null otherwise', () => {
    const rfc3161 = { genTime: null, token: 'dG9rZW4=' }
    expect(proofFor('public', { ...seal, x5c: ['YQ=='], rfc3161 })).toMatchObject({ x5c: ['YQ=='], rfc3161 })
    const without = Object.keys(proofFor('public', { ...seal, x5c: null, rfc3161: null }))
    expect(without).not.toContain('x5c')
    expect(without).not.toContain('rfc3161')
  })
})

describe('derFromP1363', () => {
  it('writes minimal integers', () => {
    const signature = new Uint8Array(64)
    signature[31] = 1
    signature[63] = 0x80
    expect(derFromP1363(signature).toString('hex')).toBe('30070201010202' + '0080')
    expect(derFromP1363(new Uint8Array(64)).toString('hex')).toBe('3006020100020100')
  })

  it('has the smaller of the two values of s', () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const of = (s: bigint) =>
      derFromP1363(Buffer.from(`${'1'.padStart(64, '0')}${s.toString(16).padStart(64, '0')}`, 'hex'))
    expect(of(order - 5n)).toEqual(of(5n))
    expect(of(order / 2n + 1n)).toEqual(of(order - order / 2n - 1n))
    expect(of(order / 2n).toString('hex')).toContain((order / 2n).toString(16))
  })

  it('refuses another length', () => {
    expect(() => derFromP1363(new Uint8Array(63))).toThrow(RangeError)
    expect(() => derFromP1363(new Uint8Array(96))).toThrow(RangeError)
  })

  it('is verified by node:crypto in both encodings', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const signature = sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' })
        expect(verify('sha256', bytes, { key: publicKey, dsaEncoding: 'der' }, derFromP1363(signature))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

describe('verifySealSignature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
  const signed = (bytes: Uint8Array) =>
    derFromP1363(sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' })).toString('base64')
  // A signature whose Base64 and base64url differ, like nearly all.
  let good = signed(Buffer.from(tree.root, 'ascii'))
  while (!/[+/=]/.test(good)) good = signed(Buffer.from(tree.root, 'ascii'))

  it('accepts a signature over the characters of the root and not over its bytes', () => {
    expect(verifySealSignature(tree.root, good, pem)).toBe(true)
    expect(verifySealSignature(tree.root, signed(Buffer.from(tree.root, 'hex')), pem)).toBe(false)
  })

  it.each([
    ['an upper-case root', tree.root.toUpperCase(), good, pem],
    ['a root of another length', tree.root.slice(1), good, pem],
    ['an empty signature', tree.root, '', pem],
    ['a signature with another spelling', tree.root, `${good}\n`, pem],
    ['a signature in base64url', tree.root, good.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''), pem],
    [
      'a signature with trailing bytes',
      tree.root,
      Buffer.concat([Buffer.from(good, 'base64'), Buffer.from([0])]).toString('base64'),
      pem,
    ],
    ['the other value of s', tree.root, otherS(good), pem],
    ['a signature of a megabyte', tree.root, 'A'.repeat(1_048_576), pem],
    ['a key with a line feed at its end', tree.root, good, `${pem}\n`],
    ['no key', tree.root, good, ''],
    ['a key that is no PEM', tree.root, good, 'nonsense'],
  ])('refuses %s', (_, root, signature, key) => {
    expect(verifySealSignature(root, signature, key)).toBe(false)
  })

  it.each([
    ['another curve', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ])('refuses a good signature of %s', (_, pair) => {
    const signature = sign('sha256', Buffer.from(tree.root), pair.privateKey).toString('base64')
    expect(
      verifySealSignature(tree.root, signature, pair.publicKey.export({ type: 'spki', format: 'pem' }) as string),
    ).toBe(false)
  })
})

/** The signature with n − s in place of s, which ECDSA also accepts. */
function otherS(signature: string): string {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const der = Buffer.from(signature, 'base64')
  const at = 4 + (der[3] as number)
  const s = order - BigInt(`0x${der.subarray(at + 2).toString('hex')}`)
  const digits = Buffer.from(`00${s.toString(16).padStart(64, '0')}`, 'hex')
  const content = Buffer.concat([der.subarray(2, at), Buffer.from([2, digits.length]), digits])
  return Buffer.concat([Buffer.from([0x30, content.length]), content]).toString('base64')
}

describe('p256Spki', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()

  it('takes a key in its one spelling', () => {
    expect(p256Spki(pem)).toEqual(publicKey.export({ type: 'spki', format: 'der' }))
  })

  it.each([
    ['with other line ends', pem.replaceAll('\n', '\r\n')],
    ['in lines of another length', pem.replace(/\n([^\n]{60})/, '$1\n')],
    ['twice', `${pem}\n${pem}`],
    ['as a certificate', pem.replaceAll('PUBLIC KEY', 'CERTIFICATE')],
    [
      'of another curve',
      generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
        .publicKey.export({ type: 'spki', format: 'pem' })
        .toString()
        .trim(),
    ],
    ['compressed', '-----BEGIN PUBLIC KEY-----\nMDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgAC\n-----END PUBLIC KEY-----'],
  ])('refuses one %s', (_, other) => {
    expect(other).not.toBe(pem)
    expect(p256Spki(other)).toBeUndefined()
  })
})

describe('p256Key', () => {
  const spki = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'der' })

  it('imports a key', () => {
    expect(p256Key(spki)?.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
  })

  it.each([
    ['absent', undefined],
    ['too short', spki.subarray(0, 90)],
    ['too long', Buffer.concat([spki, Buffer.alloc(1)])],
    ['of another type', Buffer.concat([Buffer.alloc(26), spki.subarray(26)])],
    ['not on the curve', Buffer.concat([spki.subarray(0, 27), Buffer.alloc(64)])],
  ])('refuses one that is %s', (_, other) => {
    expect(p256Key(other)).toBeUndefined()
  })
})
