import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isFresh } from '../../../src/seals/seal-ca.ts'
import { certificatesOf, checkSealCertificate, readNames } from '../../../src/verify/certificate.ts'
import { authority, party } from '../../support/authorities.ts'

const [ca, namesake, short] = await Promise.all([
  authority('Seal CA'),
  authority('Seal CA'),
  authority('Seal CA', '2025-01-01T00:00:00Z'),
])
const [holder, other] = [party(), party()]
const leaf = await ca.issue(holder, '2024-01-01T00:00:00Z', '2027-01-01T00:00:00Z')
const inside = new Date('2025-06-01T00:00:00Z')
const check = (der: Buffer, pem: string, authorityPem: string, at: Date) => () =>
  checkSealCertificate([der], pem, authorityPem, at)

describe('a certificate that was accepted before', () => {
  test('is refused as soon as it has expired, and before it begins', () => {
    for (let round = 0; round < 3; round += 1) {
      expect(check(leaf, holder.pem, ca.pem, inside)().read?.shown.subject).toContain('Holder')
      expect(check(leaf, holder.pem, ca.pem, new Date('2027-01-01T00:00:01Z'))).toThrow('certificate was not valid at')
      expect(check(leaf, holder.pem, ca.pem, new Date('2023-12-31T23:59:59Z'))).toThrow('certificate was not valid at')
    }
  })

  test('is refused as soon as its authority has expired', async () => {
    const der = await short.issue(holder, '2024-01-01T00:00:00Z', '2027-01-01T00:00:00Z')
    for (let round = 0; round < 3; round += 1) {
      expect(check(der, holder.pem, short.pem, new Date('2024-12-31T00:00:00Z'))).not.toThrow()
      expect(check(der, holder.pem, short.pem, inside)).toThrow('seal CA was not valid at')
    }
  })

  test('is refused for another authority, even of the same name', () => {
    for (let round = 0; round < 3; round += 1) {
      expect(check(leaf, holder.pem, ca.pem, inside)).not.toThrow()
      expect(check(leaf, holder.pem, namesake.pem, inside)).toThrow('not issued by the trusted seal CA')
    }
  })

  test('is refused for another key', () => {
    for (let round = 0; round < 3; round += 1) {
      expect(check(leaf, holder.pem, ca.pem, inside)().read?.publicKeyPem).toBe(holder.pem)
      expect(check(leaf, other.pem, ca.pem, inside)).toThrow('certificate is for another key')
    }
  })

  test('is refused with any of its bytes changed', () => {
    expect(check(leaf, holder.pem, ca.pem, inside)).not.toThrow()
    for (let at = 0; at < leaf.length; at += 1) {
      const changed = Buffer.from(leaf)
      changed[at] = (changed[at] as number) ^ 1
      expect(check(changed, holder.pem, ca.pem, inside), `byte ${at}`).toThrow()
    }
    expect(check(leaf, holder.pem, ca.pem, inside)).not.toThrow()
  })

  test('is rejected with another certificate that is not of the chain', () => {
    const chain = [leaf, new X509Certificate(ca.pem).raw]
    expect(() => checkSealCertificate(chain, holder.pem, ca.pem, inside)).not.toThrow()
    expect(() => checkSealCertificate([leaf, leaf], holder.pem, ca.pem, inside)).toThrow('does not belong to the chain')
  })
})

test('a rejected certificate is checked again, and is valid for its issuer', () => {
  const foreign = () => check(leaf, holder.pem, namesake.pem, inside)
  expect(foreign()).toThrow('not issued')
  expect(foreign()).toThrow('not issued')
  expect(check(leaf, holder.pem, ca.pem, inside)).not.toThrow()
})

test('a certificate that was fresh once is not in its last thirty days', () => {
  const certificate = leaf.toString('base64')
  for (let round = 0; round < 3; round += 1) {
    expect(isFresh(certificate, inside)).toBe(true)
    expect(isFresh(certificate, new Date('2026-12-02T00:00:01Z'))).toBe(false)
    expect(isFresh(certificate, new Date('2028-01-01T00:00:00Z'))).toBe(false)
  }
})

test('a file of certificates has all that are in it, whatever stands around them', () => {
  const both = `# the first\n${ca.pem}\n# the second\n${short.pem}`
  expect(certificatesOf(both).map(({ raw }) => raw)).toEqual([ca, short].map(({ pem }) => new X509Certificate(pem).raw))
  expect(() => certificatesOf('')).toThrow('The file contains no certificate in PEM.')
  expect(() => certificatesOf('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----')).toThrow()
  expect(() => certificatesOf(ca.pem.replace('MII', 'AAA'))).toThrow()
})

test('names are read only from the issuer', () => {
  const read = readNames(leaf)
  expect(read?.shown).toMatchObject({ subject: 'CN=Holder', issuer: 'CN=Seal CA' })
  expect(Date.parse(read?.shown.validTo ?? '')).toBe(Date.parse('2027-01-01T00:00:00Z'))
  expect(readNames(Buffer.from('no certificate'))).toBeUndefined()
})

test.each<[string, string]>([
  ['nothing', ''],
  ['what is no PEM', 'seal CA'],
  ['an empty certificate', '-----BEGIN CERTIFICATE-----\n\n-----END CERTIFICATE-----\n'],
  ['text ahead', `x${ca.pem}`],
  ['text behind', `${ca.pem}x`],
  ['a certificate that never ends', ca.pem.replace('-----END CERTIFICATE-----', '')],
  ['a certificate of a holder', new X509Certificate(leaf).toString()],
  ['Base64 that is written in another way', ca.pem.replace('-----END', '====-----END')],
  ['nine of them', ca.pem.repeat(9)],
  [
    'a certificate of more bytes than any has',
    `-----BEGIN CERTIFICATE-----\n${Buffer.alloc(16 * 1024 + 1, 0x30).toString('base64')}\n-----END CERTIFICATE-----\n`,
  ],
])('%s is not a seal CA', (_, pem) => {
  expect(check(leaf, holder.pem, pem, inside)).toThrow(/^The seal CA (?:file|certificate|has no|is) ?/)
})

test('eight seal CAs are taken, and the one of them that has issued it counts', () => {
  expect(check(leaf, holder.pem, namesake.pem.repeat(7) + ca.pem, inside)).not.toThrow()
})
