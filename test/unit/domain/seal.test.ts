import { generateKeyPairSync, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SALT_RANDOM_BYTES, sealTree } from '../../../src/domain/merkle.ts'
import type { Metadata } from '../../../src/domain/metadata.ts'
import { maskedKeysFor, redact } from '../../../src/domain/redaction.ts'
import { buildProof, derFromP1363, type StoredSeal, verifySealSignature } from '../../../src/domain/seal.ts'

const random = () => new Uint8Array(SALT_RANDOM_BYTES).fill(1)
const metadata: Metadata = {
  category: 'batteries',
  facilityDetails: [],
  detailedPerformance: { x: 1 },
  originCountry: 'DE',
}
const tree = sealTree(metadata, random)
const seal: StoredSeal = {
  merkleRoot: tree.root,
  leaves: tree.leaves,
  signature: 'c2ln',
  publicKeyPem: 'pem',
  created: '2026-01-01T00:00:00.000Z',
}
const restricted = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly']
const passportUrl = 'https://dpp.example/passport/1'
const proofFor = (tier: 'public' | 'restricted' | 'owner', stored = seal) => {
  const maskedKeys = maskedKeysFor(metadata, tier, restricted)
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
    expect(Object.keys(proof.salts).sort()).toEqual(['category', 'originCountry'])
  })

  it('gives the restricted tier the salts of what it sees', () => {
    const proof = proofFor('restricted')
    expect(Object.keys(proof.redactedLeaves ?? {})).toEqual(['facilityDetails'])
    expect(Object.keys(proof.salts).sort()).toEqual(['category', 'detailedPerformance', 'originCountry'])
  })

  it('trap 76: carries the leaf of what it masks', () => {
    expect(proofFor('public').redactedLeaves?.facilityDetails).toMatch(/^[0-9a-f]{64}$/)
  })

  it('leaves out a key that was not sealed, inherited names included', () => {
    const proof = buildProof(seal, { metadata: { toString: 1, later: 2 }, maskedKeys: ['toString'], passportUrl })
    expect(proof.salts).toEqual({})
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
    signature[32] = 0x80
    const der = derFromP1363(signature).toString('hex')
    expect(der).toBe(`3026020101022100${'80'.padEnd(64, '0')}`)
    expect(derFromP1363(new Uint8Array(64)).toString('hex')).toBe('3006020100020100')
    expect(derFromP1363(new Uint8Array(64).fill(0xff)).toString('hex')).toBe(
      `3046022100${'ff'.repeat(32)}022100${'ff'.repeat(32)}`,
    )
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
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  const signed = (bytes: Uint8Array) => sign('sha256', bytes, privateKey).toString('base64')
  // One that Base64 and base64url spell differently, as nearly all.
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
