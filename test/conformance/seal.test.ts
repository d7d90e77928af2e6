import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leafHash, rootOf, sealTree, verifyTree } from '../../src/domain/merkle.ts'
import type { Json, Metadata } from '../../src/domain/metadata.ts'
import { redact } from '../../src/domain/redaction.ts'
import { buildProof, derFromP1363, type StoredSeal, verifySealSignature } from '../../src/domain/seal.ts'

interface Vector {
  readonly name: string
  readonly metadata: Metadata
  readonly masked: readonly string[]
  readonly salts: Readonly<Record<string, string>>
  readonly canonical: Readonly<Record<string, string>>
  readonly leaves: Readonly<Record<string, string>>
  readonly root: string
}

const file = JSON.parse(readFileSync(new URL('seal-vectors.json', import.meta.url), 'utf8')) as {
  readonly vectors: readonly Vector[]
  readonly signature: { readonly root: string; readonly base64: string; readonly publicKeyPem: string }
}

const saltOf = (label: string) => createHash('sha256').update(label).digest().subarray(0, 16)
const shuffled = (metadata: Metadata, order: readonly number[]): Metadata =>
  Object.fromEntries(
    Object.entries(metadata)
      .map((entry, index) => ({ entry, rank: order[index % order.length] as number }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ entry }) => entry),
  )

// Values as the guard of request bodies lets them in: well-formed text and finite numbers.
const values = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }) as fc.Arbitrary<Json>
const documents = fc
  .dictionary(fc.string({ unit: 'grapheme', maxLength: 12 }), values, { minKeys: 1, maxKeys: 20 })
  .map((record) => ({ ...record }) as Metadata)

describe('seal vectors', () => {
  it('are what the reference implementation computes', () => {
    const script = new URL('seal-reference.mjs', import.meta.url).pathname
    const printed = execFileSync(process.execPath, [script], { encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual({ vectors: file.vectors })
  })

  describe.each(file.vectors)('$name', ({ metadata, masked, salts, canonical, leaves, root }) => {
    it('hashes every entry to the same leaf', () => {
      for (const [key, value] of Object.entries(metadata)) {
        const salt = Buffer.from(salts[key] as string, 'base64url')
        expect(leafHash(salt, key, value).toString('hex')).toBe(leaves[key])
        const preimage = Buffer.concat([Buffer.from([0]), salt, Buffer.from(canonical[key] as string)])
        expect(createHash('sha256').update(preimage).digest('hex')).toBe(leaves[key])
      }
    })

    it('seals to the same root and leaves', () => {
      const tree = sealTree(metadata, (key) => Buffer.from(salts[key] as string, 'base64url'))
      expect(tree.root).toBe(root)
      for (const key of Object.keys(metadata)) {
        expect(tree.leaves[key]).toEqual({ hash: leaves[key], salt: salts[key] })
      }
    })

    it('is verified to the same root, complete and redacted', () => {
      expect(verifyTree(metadata, salts)).toBe(root)
      const visible = Object.fromEntries(Object.entries(salts).filter(([key]) => !masked.includes(key)))
      const hidden = Object.fromEntries(Object.entries(leaves).filter(([key]) => masked.includes(key)))
      expect(verifyTree(redact(metadata, masked), visible, hidden)).toBe(root)
    })
  })
})

describe('Merkle tree', () => {
  const leaf = (name: string) => leafHash(saltOf(name), name, name)
  const list = (length: number) => Array.from({ length }, (_, index) => leaf(`leaf ${index}`))

  it('splits at the largest power of two below the number of leaves (RFC 9162 §2.1.1)', () => {
    const node = (left: Buffer, right: Buffer) =>
      createHash('sha256')
        .update(Buffer.from([1]))
        .update(left)
        .update(right)
        .digest()
    const [a, b, c, d, e, f, g] = list(7) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]
    expect(rootOf([a])).toEqual(a)
    expect(rootOf([a, b, c])).toEqual(node(node(a, b), c))
    expect(rootOf([a, b, c, d, e])).toEqual(node(node(node(a, b), node(c, d)), e))
    expect(rootOf([a, b, c, d, e, f, g])).toEqual(node(node(node(a, b), node(c, d)), node(node(e, f), g)))
  })

  it('has another root when the last leaf is doubled (CVE-2012-2459)', () => {
    for (const length of [1, 2, 3, 5, 6, 7, 9, 100]) {
      const leaves = list(length)
      expect(rootOf([...leaves, leaves.at(-1) as Buffer])).not.toEqual(rootOf(leaves))
    }
    const [a, b, c] = list(3) as [Buffer, Buffer, Buffer]
    expect(rootOf([a, b, c, a, b, c])).not.toEqual(rootOf([a, b, c]))
  })

  it('cannot have an inner node presented as the content of a leaf', () => {
    const [a, b] = list(2) as [Buffer, Buffer]
    const content = Buffer.concat([a, b])
    const asLeaf = createHash('sha256')
      .update(Buffer.from([0]))
      .update(content)
      .digest()
    expect(asLeaf).not.toEqual(rootOf([a, b]))
    expect(createHash('sha256').update(content).digest()).not.toEqual(rootOf([a, b]))
  })

  it('has the same root for any order of keys', () => {
    fc.assert(
      fc.property(documents, fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), (metadata, order) => {
        expect(sealTree(shuffled(metadata, order), saltOf).root).toBe(sealTree(metadata, saltOf).root)
      }),
    )
  })

  it('has another root when any value, key or salt differs, or an entry is missing', () => {
    fc.assert(
      fc.property(documents, fc.nat(), (document, choice) => {
        const metadata: Metadata = { ...document, category: 'toys', originCountry: 'PT' }
        const { root } = sealTree(metadata, saltOf)
        const keys = Object.keys(metadata)
        const key = keys[choice % keys.length] as string
        const { [key]: value, ...rest } = metadata
        const name = `${keys.join('')} renamed`
        const renamed = { ...rest, [name]: value as Json }

        expect(sealTree({ ...metadata, [key]: [value as Json] }, saltOf).root).not.toBe(root)
        expect(sealTree(rest, saltOf).root).not.toBe(root)
        expect(sealTree(renamed, (k) => saltOf(k === name ? key : k)).root).not.toBe(root)
        expect(sealTree(metadata, (k) => saltOf(k === key ? `other ${k}` : k)).root).not.toBe(root)
      }),
    )
  })

  it('hides equal values: another salt gives another leaf', () => {
    fc.assert(
      fc.property(values, fc.uint8Array({ minLength: 16, maxLength: 16 }), (value, salt) => {
        const other = salt.map((byte, index) => (index === 0 ? byte ^ 1 : byte))
        expect(leafHash(salt, 'facilityDetails', value)).not.toEqual(leafHash(other, 'facilityDetails', value))
      }),
    )
  })
})

describe('redacted documents', () => {
  it('verify to the root of the complete document, whatever is masked', () => {
    fc.assert(
      fc.property(documents, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), (metadata, mask) => {
        const tree = sealTree(metadata, saltOf)
        const seal: StoredSeal = {
          merkleRoot: tree.root,
          leaves: tree.leaves,
          signature: '',
          publicKeyPem: '',
          created: '2026-01-01T00:00:00.000Z',
        }
        const maskedKeys = Object.keys(metadata).filter((_, index) => mask[index])
        const view = {
          metadata: redact(metadata, maskedKeys),
          maskedKeys,
          passportUrl: 'https://dpp.example/passport/1',
        }
        // As a reader gets it.
        const proof = JSON.parse(JSON.stringify(buildProof(seal, view)))
        const received = JSON.parse(JSON.stringify(view.metadata))
        expect(verifyTree(received, proof.salts, proof.redactedLeaves)).toBe(tree.root)
      }),
    )
  })
})

describe('seal signature', () => {
  const openssl = spawnSync('openssl', ['version']).status === 0
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'seal-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('made by openssl over the 64 characters of the root is accepted', () => {
    const { root, base64, publicKeyPem } = file.signature
    expect(root).toBe(file.vectors.at(-1)?.root)
    expect(verifySealSignature(root, base64, publicKeyPem)).toBe(true)
    expect(verifySealSignature(file.vectors[0]?.root as string, base64, publicKeyPem)).toBe(false)
  })

  it('made by us is accepted by `openssl dgst -sha256 -verify`', ({ skip }) => {
    skip(!openssl, 'openssl is not installed')
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
    writeFileSync(join(folder, 'key.pem'), pem)
    // Enough signatures to meet r and s with a leading one bit and with leading zero bytes.
    for (let index = 0; index < 20; index += 1) {
      const root = createHash('sha256').update(`${index}`).digest('hex')
      const p1363 = sign('sha256', Buffer.from(root), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      const der = derFromP1363(p1363)
      expect(verifySealSignature(root, der.toString('base64'), pem)).toBe(true)
      writeFileSync(join(folder, 'root'), root)
      writeFileSync(join(folder, 'signature'), der)
      const verdict = spawnSync('openssl', [
        ...['dgst', '-sha256', '-verify', join(folder, 'key.pem')],
        ...['-signature', join(folder, 'signature'), join(folder, 'root')],
      ])
      expect(verdict.stdout.toString().trim()).toBe('Verified OK')
    }
  })
})
