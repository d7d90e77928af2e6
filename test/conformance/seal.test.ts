import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  byCodeUnit,
  leafHash,
  rootOf,
  SALT_RANDOM_BYTES,
  SUBJECT_KEY,
  sealTree,
  verifyTree,
} from '../../src/domain/merkle.ts'
import type { Json, Metadata } from '../../src/domain/metadata.ts'
import { redact } from '../../src/domain/redaction.ts'
import { buildProof, derFromP1363, type StoredSeal, verifySealSignature } from '../../src/domain/seal.ts'
import { REDACTED } from '../../src/domain/view.ts'
import { anyText } from '../support/any-text.ts'

interface Vector {
  readonly name: string
  readonly metadata: Metadata
  readonly subject: Json
  readonly masked: readonly string[]
  readonly salts: Readonly<Record<string, string>>
  readonly canonical: Readonly<Record<string, string>>
  readonly leaves: Readonly<Record<string, string>>
  readonly root: string
}

const file = JSON.parse(readFileSync(new URL('seal-vectors.json', import.meta.url), 'utf8')) as {
  readonly vectors: readonly Vector[]
  /** A document that rebuilds the root of the last vector and must be rejected. */
  readonly forgery: {
    readonly metadata: Metadata
    readonly subject: Json
    readonly salts: Readonly<Record<string, string>>
    readonly redactedLeaves: Readonly<Record<string, string>>
    readonly root: string
  }
  readonly signature: { readonly root: string; readonly base64: string; readonly publicKeyPem: string }
}

const saltOf = (label: string) => createHash('sha256').update(label).digest().subarray(0, 16)
/** Deterministic random bytes, different for each leaf. */
const drawn =
  (label = 'random') =>
  (count: number) =>
    Buffer.concat(
      Array.from({ length: count / SALT_RANDOM_BYTES }, (_, index) =>
        saltOf(`${label} ${index + 1}`).subarray(0, SALT_RANDOM_BYTES),
      ),
    )
const decoded = (salt: string | undefined) => Buffer.from(salt as string, 'base64url')
const subject = { id: 'p', productId: 'SKU-1', operator: { id: 'o', regId: 'DE1' }, created: '', maskable: [] }
const shuffled = (metadata: Metadata, order: readonly number[]): Metadata =>
  Object.fromEntries(
    Object.entries(metadata)
      .map((entry, index) => ({ entry, rank: order[index % order.length] as number }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ entry }) => entry),
  )

// Values that the guard of request bodies accepts: well-formed text and finite numbers.
const values = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }) as fc.Arbitrary<Json>
const documents = fc
  .dictionary(anyText({ maxLength: 12 }), values, { minKeys: 1, maxKeys: 20 })
  .map((record) => ({ ...record }) as Metadata)

describe('seal vectors', () => {
  it('are what other code than the gateway computes', () => {
    const script = new URL('seal-cases.mjs', import.meta.url).pathname
    const printed = execFileSync(process.execPath, [script], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    expect(JSON.parse(printed)).toMatchObject({ vectors: file.vectors, forgery: file.forgery })
  })

  describe.each(file.vectors)('$name', ({ metadata, subject, masked, salts, canonical, leaves, root }) => {
    it('hashes every entry to the same leaf', () => {
      for (const [key, value] of [...Object.entries(metadata), [SUBJECT_KEY, subject] as const]) {
        const salt = decoded(salts[key])
        expect(leafHash(salt, key, value)).toBe(leaves[key])
        const preimage = Buffer.concat([Buffer.from([0]), salt, Buffer.from(canonical[key] as string)])
        expect(createHash('sha256').update(preimage).digest('hex')).toBe(leaves[key])
      }
    })

    it('begins every salt with the place of its leaf', () => {
      const keys = [...Object.keys(metadata), SUBJECT_KEY].sort(byCodeUnit)
      const places = keys.map((key) => decoded(salts[key])).map((salt) => [salt.readUInt16BE(0), salt.readUInt16BE(2)])
      expect(places).toEqual(keys.map((_, index) => [index, keys.length]))
    })

    it('seals to the same root and leaves', () => {
      const parts = Object.keys(salts)
        .sort(byCodeUnit)
        .map((key) => decoded(salts[key]).subarray(4))
      const tree = sealTree(metadata, subject, () => Buffer.concat(parts))
      expect(tree.root).toBe(root)
      for (const key of Object.keys(salts)) {
        expect(tree.leaves[key]).toEqual({ hash: leaves[key], salt: salts[key] })
      }
    })

    it('is verified to the same root, complete and redacted', () => {
      expect(verifyTree({ metadata, subject, salts })).toBe(root)
      const visible = Object.fromEntries(Object.entries(salts).filter(([key]) => !masked.includes(key)))
      const hidden = Object.fromEntries(Object.entries(leaves).filter(([key]) => masked.includes(key)))
      const shown = { metadata: redact(metadata, masked), subject, salts: visible, redactedLeaves: hidden }
      expect(verifyTree(shown)).toBe(root)
    })
  })
})

describe('Merkle tree', () => {
  const leaf = (name: string) => leafHash(saltOf(name), name, name)
  const list = (length: number) => Array.from({ length }, (_, index) => leaf(`leaf ${index}`))

  it('splits at the largest power of two below the number of leaves (RFC 9162 §2.1.1)', () => {
    const node = (left: string, right: string) =>
      createHash('sha256')
        .update(Buffer.from([1]))
        .update(left, 'hex')
        .update(right, 'hex')
        .digest('hex')
    const [a, b, c, d, e, f, g] = list(7) as [string, string, string, string, string, string, string]
    expect(rootOf([a])).toEqual(a)
    expect(rootOf([a, b, c])).toEqual(node(node(a, b), c))
    expect(rootOf([a, b, c, d, e])).toEqual(node(node(node(a, b), node(c, d)), e))
    expect(rootOf([a, b, c, d, e, f, g])).toEqual(node(node(node(a, b), node(c, d)), node(node(e, f), g)))
  })

  it('has another root when the last leaf is doubled (CVE-2012-2459)', () => {
    for (const length of [1, 2, 3, 5, 6, 7, 9, 100]) {
      const leaves = list(length)
      expect(rootOf([...leaves, leaves.at(-1) as string])).not.toEqual(rootOf(leaves))
    }
    const [a, b, c] = list(3) as [string, string, string]
    expect(rootOf([a, b, c, a, b, c])).not.toEqual(rootOf([a, b, c]))
  })

  it('cannot have an inner node presented as the content of a leaf', () => {
    const [a, b] = list(2) as [string, string]
    const content = Buffer.from(a + b, 'hex')
    const asLeaf = createHash('sha256')
      .update(Buffer.from([0]))
      .update(content)
      .digest('hex')
    expect(asLeaf).not.toEqual(rootOf([a, b]))
    expect(createHash('sha256').update(content).digest('hex')).not.toEqual(rootOf([a, b]))
  })

  it('has the same root for any order of keys', () => {
    fc.assert(
      fc.property(documents, fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), (metadata, order) => {
        expect(sealTree(shuffled(metadata, order), subject, drawn()).root).toBe(
          sealTree(metadata, subject, drawn()).root,
        )
      }),
    )
  })

  it('has another root when any value, key or salt differs, or an entry is missing', () => {
    fc.assert(
      fc.property(documents, fc.nat(), (document, choice) => {
        const metadata: Metadata = { ...document, category: 'toys', originCountry: 'PT' }
        const same = (count: number) => new Uint8Array(count)
        const { root } = sealTree(metadata, subject, same)
        const keys = Object.keys(metadata)
        const key = keys[choice % keys.length] as string
        const { [key]: value, ...rest } = metadata
        const renamed = { ...rest, [`${keys.join('')} renamed`]: value as Json }
        const otherOnce = (count: number) => {
          const at = (choice % keys.length) * SALT_RANDOM_BYTES
          return same(count).fill(1, at, at + SALT_RANDOM_BYTES)
        }

        expect(sealTree({ ...metadata, [key]: [value as Json] }, subject, same).root).not.toBe(root)
        expect(sealTree(rest, subject, same).root).not.toBe(root)
        expect(sealTree(renamed, subject, same).root).not.toBe(root)
        expect(sealTree(metadata, subject, otherOnce).root).not.toBe(root)
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
        const tree = sealTree(metadata, subject, drawn())
        const seal: StoredSeal = {
          merkleRoot: tree.root,
          leaves: tree.leaves,
          signature: '',
          publicKeyPem: '',
          subject,
          created: '2026-01-01T00:00:00.000Z',
        }
        const maskedKeys = Object.keys(metadata).filter((_, index) => mask[index])
        const view = {
          metadata: redact(metadata, maskedKeys),
          maskedKeys,
          passportUrl: 'https://dpp.example/passport/1',
        }
        const proof = JSON.parse(JSON.stringify(buildProof(seal, view)))
        const received = JSON.parse(JSON.stringify(view.metadata))
        expect(verifyTree({ metadata: received, ...proof })).toBe(tree.root)
      }),
    )
  })
})

describe('a forger who hides visible entries behind a masked leaf', () => {
  interface Node {
    readonly start: number
    readonly end: number
  }
  const keys = [SUBJECT_KEY, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

  /** Every way to write the leaves from start to end as leaves and inner nodes. */
  const cuts = (start: number, end: number): Node[][] => {
    if (end - start === 1) return [[{ start, end }]]
    let half = 1
    while (half * 2 < end - start) half *= 2
    const left = cuts(start, start + half)
    const right = cuts(start + half, end)
    return [[{ start, end }], ...left.flatMap((l) => right.map((r) => [...l, ...r]))]
  }
  const isInner = ({ start, end }: Node) => end - start > 1

  const sealed = (length: number) => {
    const metadata: Metadata = Object.fromEntries(keys.slice(1, length).map((key) => [key, `value of ${key}`]))
    const { root, leaves } = sealTree(metadata, subject, drawn())
    const hashOf = ({ start, end }: Node) => rootOf(keys.slice(start, end).map((key) => leaves[key]?.hash as string))
    /** A proof with one masked key for each inner node and each leaf outside `shown`. */
    const forge = (cut: readonly Node[], shown: readonly number[]) => {
      const document: [string, Json][] = []
      const salts: [string, string][] = []
      const redactedLeaves: [string, string][] = []
      for (const node of cut) {
        const key = keys[node.start] as string
        const isSubject = key === SUBJECT_KEY && !isInner(node)
        const isShown = isSubject || (!isInner(node) && shown.includes(node.start))
        // The empty key sorts first, like the subject's among these.
        const name = key === SUBJECT_KEY && !isSubject ? '' : key
        if (!isSubject) document.push([name, isShown ? (metadata[key] as Json) : REDACTED])
        if (isShown) salts.push([name, leaves[key]?.salt as string])
        else redactedLeaves.push([name, hashOf(node)])
      }
      return {
        metadata: Object.fromEntries(document) as Metadata,
        subject,
        salts: Object.fromEntries(salts) as Record<string, string>,
        redactedLeaves: Object.fromEntries(redactedLeaves),
      }
    }
    return { root, hashOf, forge }
  }

  it.each([2, 3, 4, 5, 6, 7, 8, 9])('is refused for every inner node of a tree of %i leaves', (length) => {
    const { root, hashOf, forge } = sealed(length)
    const hiding = cuts(0, length).filter((cut) => cut.some(isInner))
    const presented = new Set<string>()
    for (const cut of hiding) {
      // The root is the seal's: only the places reveal the forgery.
      if (rootOf(cut.map(hashOf)) === root) {
        for (const { start, end } of cut.filter(isInner)) presented.add(`${start}-${end}`)
      }
      const single = cut.filter((node) => !isInner(node) && node.start > 0).map(({ start }) => start)
      for (let choice = 0; choice < 2 ** single.length; choice += 1) {
        const shown = single.filter((_, at) => choice & (1 << at))
        expect(() => verifyTree(forge(cut, shown))).toThrow(
          isInner(cut[0] as Node)
            ? 'The subject has no salt.'
            : `one of ${length} entries; this document has ${cut.length}.`,
        )
      }
    }
    // All n - 1 inner nodes took part in a forgery with the root of the seal.
    expect(presented.size).toBe(length - 1)
  })

  it('is refused with other places in the salts: their leaves no longer give the root', () => {
    for (let length = 2; length <= keys.length; length += 1) {
      const { root, forge } = sealed(length)
      const honest = cuts(0, length).at(-1) as Node[]
      const all = honest.map(({ start }) => start)
      expect(verifyTree(forge(honest, all))).toBe(root)
      const withSubject = cuts(0, length).filter((nodes) => nodes.some(isInner) && !isInner(nodes[0] as Node))
      for (const cut of withSubject) {
        const forged = forge(cut, all)
        const order = [...Object.keys(forged.metadata), SUBJECT_KEY].sort(byCodeUnit)
        const salts = Object.entries(forged.salts).map(([key, text]) => {
          const salt = decoded(text)
          salt.writeUInt16BE(order.indexOf(key), 0)
          salt.writeUInt16BE(cut.length, 2)
          return [key, salt.toString('base64url')]
        })
        expect(verifyTree({ ...forged, salts: Object.fromEntries(salts) })).not.toBe(root)
      }
    }
  })

  it('is refused when index or count of any single salt is changed', () => {
    const { forge } = sealed(5)
    const honest = forge(cuts(0, 5).at(-1) as Node[], [1, 2, 3, 4])
    for (const [key, text] of Object.entries(honest.salts)) {
      for (let bit = 0; bit < 32; bit += 1) {
        const salt = decoded(text)
        salt[bit >> 3] = (salt[bit >> 3] as number) ^ (1 << (bit & 7))
        const changed = { ...honest.salts, [key]: salt.toString('base64url') }
        const name = key === SUBJECT_KEY ? 'The subject' : JSON.stringify(key)
        expect(() => verifyTree({ ...honest, salts: changed })).toThrow(`${name} was sealed`)
      }
    }
  })

  it('is refused for two visible entries behind facilityDetails', () => {
    const metadata: Metadata = { brand: 'A', category: 'toys', color: 'red', originCountry: 'PT', size: 'M' }
    const { root, leaves } = sealTree(metadata, subject, drawn())
    const hash = (key: string) => leaves[key]?.hash as string
    const shown = [SUBJECT_KEY, 'brand', 'category', 'color']
    const node = rootOf(['originCountry', 'size'].map(hash))
    expect(rootOf([...shown.map(hash), node])).toBe(root)
    const forged = {
      metadata: { brand: 'A', category: 'toys', color: 'red', facilityDetails: REDACTED },
      subject,
      salts: Object.fromEntries(shown.map((key) => [key, leaves[key]?.salt as string])),
      redactedLeaves: { facilityDetails: node },
    }
    expect(() => verifyTree(forged)).toThrow('was sealed as one of 6 entries; this document has 5.')
  })

  it('is refused for the published example', () => {
    const { root, ...shown } = file.forgery
    const leaves = { ...file.vectors.at(-1)?.leaves, ...shown.redactedLeaves }
    const keys = [...Object.keys(shown.metadata), SUBJECT_KEY].sort(byCodeUnit)
    expect(rootOf(keys.map((key) => leaves[key] as string))).toBe(root)
    expect(() => verifyTree(shown)).toThrow('one of 6 entries; this document has 5.')
  })
})

describe('seal signature', () => {
  const openssl = spawnSync('openssl', ['version']).status === 0
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'seal-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('made by node:crypto over the 64 characters of the root is accepted', () => {
    const { root, base64, publicKeyPem } = file.signature
    expect(root).toBe(file.vectors.at(-1)?.root)
    expect(verifySealSignature(root, base64, publicKeyPem)).toBe(true)
    expect(verifySealSignature(file.vectors[0]?.root as string, base64, publicKeyPem)).toBe(false)
  })

  it('made by us is accepted by `openssl dgst -sha256 -verify`', ({ skip }) => {
    skip(!openssl, 'openssl is not installed')
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
    writeFileSync(join(folder, 'key.pem'), pem)
    // Enough signatures for r and s with a leading one bit and with leading zero bytes.
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
