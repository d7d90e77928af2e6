import { generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { multikey } from '../../../src/credentials/did-document.ts'
import { derFromP1363, verifySealSignature } from '../../../src/domain/seal.ts'
import { jwkPublicKey, multikeyPublicKey } from '../../../src/verify/keys.ts'

const party = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const [one, other] = [party(), party()]
const jwk = one.publicKey.export({ format: 'jwk' }) as JsonWebKey & { x: string; y: string }
const otherJwk = other.publicKey.export({ format: 'jwk' }) as JsonWebKey & { x: string; y: string }

test('a key that was read once is the same again, and no other one is taken for it', async () => {
  const [text, otherText] = [await multikey(jwk), await multikey(otherJwk)]
  for (let round = 0; round < 3; round += 1) {
    expect(jwkPublicKey({ ...jwk }).equals(one.publicKey)).toBe(true)
    expect(jwkPublicKey({ ...otherJwk }).equals(other.publicKey)).toBe(true)
    expect(multikeyPublicKey(text).equals(one.publicKey)).toBe(true)
    expect(multikeyPublicKey(otherText).equals(other.publicKey)).toBe(true)
  }
})

test('an invalid key is rejected each time', () => {
  expect(jwkPublicKey(jwk).equals(one.publicKey)).toBe(true)
  for (let round = 0; round < 3; round += 1) {
    for (const odd of [
      { ...jwk, x: otherJwk.x },
      { ...jwk, x: jwk.y, y: jwk.x },
      { ...jwk, x: `${jwk.x}","y":"${jwk.y}` },
      { ...jwk, y: '' },
      { ...jwk, crv: 'P-384' },
      { ...jwk, kty: 'OKP' },
    ]) {
      expect(() => jwkPublicKey(odd)).toThrow()
    }
    expect(() => multikeyPublicKey('zDnaeNoKey')).toThrow('is not a P-256 key in Multikey format')
  }
})

test('a seal that verified under one key does not under another, and still does under its own', () => {
  const root = 'ab'.repeat(32)
  const signature = derFromP1363(
    sign('sha256', Buffer.from(root), { key: one.privateKey, dsaEncoding: 'ieee-p1363' }),
  ).toString('base64')
  const pem = (key: typeof one) => key.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
  for (let round = 0; round < 3; round += 1) {
    expect(verifySealSignature(root, signature, pem(one))).toBe(true)
    expect(verifySealSignature(root, signature, pem(other))).toBe(false)
    expect(verifySealSignature(root, signature, `${pem(one)}\n`)).toBe(false)
    expect(verifySealSignature('cd'.repeat(32), signature, pem(one))).toBe(false)
  }
})
