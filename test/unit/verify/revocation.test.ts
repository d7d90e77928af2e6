import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readDerSequence } from '../../../src/domain/der.ts'
import { checkSealCertificate } from '../../../src/verify/certificate.ts'
import { revocationsAmong, revocationsOf } from '../../../src/verify/revocation.ts'
import { authority, party } from '../../support/authorities.ts'

const [FROM, TO, NOW] = ['2025-06-01T00:00:00Z', '2025-06-08T00:00:00Z', new Date('2025-06-02T00:00:00Z')]
const AT = new Date('2025-05-01T10:00:00Z')
const [ca, namesake] = await Promise.all([authority('Seal CA'), authority('Seal CA')])
const [holder, other] = [party(), party()]
const issue = async (of: typeof holder) => {
  const der = await ca.issue(of, '2024-01-01T00:00:00Z', '2027-01-01T00:00:00Z')
  return checkSealCertificate([der], of.pem, ca.pem, NOW)
}
const [certificate, good] = [await issue(holder), await issue(other)]
const entry = { serial: certificate.serial, revokedAt: AT, reason: 'keyCompromise' }
const list = await ca.revoke([entry], FROM, TO)
const empty = await ca.revoke([], FROM, TO)
const pemOf = (...lists: readonly Buffer[]) =>
  Buffer.from(
    lists.map((der) => `-----BEGIN X509 CRL-----\n${der.toString('base64')}\n-----END X509 CRL-----\n`).join(''),
  )

test('a node knows what it has revoked', () => {
  const revocations = revocationsAmong(new Map([[certificate.serial, AT]]))
  expect([revocations(certificate), revocations(good)]).toEqual([{ state: 'revoked', at: AT }, { state: 'good' }])
})

/** DER of an element (X.690 §8.1.3), encoded independently of the parser. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const bytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}
const CRITICAL = der(
  0x30,
  der(0x06, Buffer.from('551d1c', 'hex')),
  der(0x01, Buffer.from([0xff])),
  der(0x04, der(0x30)),
)
/** The list with other inner elements, unsigned: malformed lists are rejected before. */
function changed(change: (parts: Buffer[]) => Buffer[]): Buffer {
  const [tbs, algorithm, signature] = readDerSequence(list)
  const parts = change(tbs?.parts.map(({ raw }) => raw) ?? [])
  return der(0x30, der(0x30, ...parts), algorithm?.raw as Buffer, signature?.raw as Buffer)
}
/** The list with other elements in its only entry. */
const changedEntry = (change: (parts: Buffer[]) => Buffer[], tag = 0x30) =>
  changed((parts) => {
    const [only] = readDerSequence(parts[5] as Buffer)
    const entries = der(0x30, der(tag, ...change(only?.parts.map(({ raw }) => raw) ?? [])))
    return parts.with(5, entries)
  })

describe('a list', () => {
  test.each([
    ['DER', list],
    ['PEM', pemOf(list)],
  ])('in %s says who is revoked, and from when', (_, file) => {
    const revocations = revocationsOf(file, NOW)
    expect([revocations(certificate), revocations(good)]).toEqual([{ state: 'revoked', at: AT }, { state: 'good' }])
  })

  test('may be empty, and have any reason', async () => {
    expect(revocationsOf(empty, NOW)(certificate)).toEqual({ state: 'good' })
    const unspecified = await ca.revoke([{ ...entry, reason: 'unspecified' }], FROM, TO)
    expect(revocationsOf(unspecified, NOW)(certificate)).toEqual({ state: 'revoked', at: AT })
  })

  test('says nothing before it begins and after the next is due, and all in between', () => {
    const stateAt = (at: string) => revocationsOf(list, new Date(at))(certificate)
    const why =
      'the certificate revocation list is not current, but valid from 2025-06-01T00:00:00.000Z to 2025-06-08T00:00:00.000Z'
    expect(stateAt('2025-05-31T23:59:59Z')).toEqual({ state: 'unknown', why })
    expect(stateAt('2025-06-08T00:00:01Z')).toEqual({ state: 'unknown', why })
    expect([stateAt(FROM).state, stateAt(TO).state]).toEqual(['revoked', 'revoked'])
  })

  test('says nothing of certificates of another authority, even of the same name', async () => {
    const foreign = await namesake.revoke([entry], FROM, TO)
    const why = 'no certificate revocation list of its seal CA was given'
    expect(revocationsOf(foreign, NOW)(certificate)).toEqual({ state: 'unknown', why })
    const another = await (await authority('Other CA')).revoke([entry], FROM, TO)
    expect(revocationsOf(another, NOW)(certificate)).toEqual({ state: 'unknown', why })
    expect(revocationsOf(pemOf(foreign, another, list), NOW)(certificate).state).toBe('revoked')
  })

  test('the latest of several counts, in any order', async () => {
    const earlier = await ca.revoke([], '2025-05-31T00:00:00Z', TO)
    for (const file of [pemOf(list, earlier), pemOf(earlier, list)]) {
      expect(revocationsOf(file, NOW)(certificate).state).toBe('revoked')
    }
    const later = await ca.revoke([], '2025-06-01T12:00:00Z', TO)
    for (const file of [pemOf(list, later), pemOf(later, list)]) {
      expect(revocationsOf(file, NOW)(certificate).state).toBe('good')
    }
  })

  test('is rejected, or unsigned, with any of its bytes changed', () => {
    for (let at = 0; at < list.length; at += 1) {
      const changed = Buffer.from(list)
      changed[at] = (changed[at] as number) ^ 1
      let state = 'refused'
      try {
        state = revocationsOf(changed, NOW)(certificate).state
      } catch (error) {
        expect((error as Error).message, `byte ${at}`).toMatch(
          /^(?:A certificate revocation list|The file must contain 1 to 8)/,
        )
      }
      expect(['refused', 'unknown'], `byte ${at}`).toContain(state)
    }
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('Hello')],
    ['a certificate', new X509Certificate(ca.pem).raw],
    ['a certificate in PEM', Buffer.from(ca.pem)],
    ['what is cut off', list.subarray(0, -1)],
    ['more than a list', Buffer.concat([list, Buffer.from([0])])],
    ['text ahead of the first', Buffer.concat([Buffer.from('x'), pemOf(list)])],
    ['text behind the last', Buffer.concat([pemOf(list), Buffer.from('x')])],
    ['a list that never ends', Buffer.from(`-----BEGIN X509 CRL-----\n${list.toString('base64')}`)],
    ['an empty one', Buffer.from('-----BEGIN X509 CRL-----\n\n-----END X509 CRL-----\n')],
    ['nine of them', pemOf(...Array.from({ length: 9 }, () => list))],
    ['a megabyte', Buffer.concat([Buffer.from([0x30]), Buffer.alloc(1024 * 1024)])],
    ['more than all of them may have', Buffer.alloc(16 * 1024 * 1024 + 1, 0x30)],
  ])('%s is not a list', (_, file) => {
    expect(() => revocationsOf(file, NOW)).toThrow(
      /^(?:A certificate revocation list (?:is malformed|has more than)|The file must contain 1 to 8|The certificate revocation lists are too large)/,
    )
  })

  test('is put together again here as it was', () => {
    expect(changed((parts) => parts)).toEqual(list)
    expect(changedEntry((parts) => parts)).toEqual(list)
  })

  const NULL = der(0x05)
  test.each<[string, Buffer]>([
    ['of version 1', changed((parts) => parts.slice(1))],
    ['of version 3', changed((parts) => parts.with(0, der(0x02, Buffer.from([2]))))],
    ['without an issuer', changed((parts) => parts.toSpliced(2, 1))],
    ['whose issuer is no name', changed((parts) => parts.with(2, NULL))],
    ['that names no next', changed((parts) => parts.toSpliced(4, 1))],
    ['without extensions', changed((parts) => parts.slice(0, -1))],
    ['whose extensions are something else', changed((parts) => [...parts.slice(0, -1), NULL])],
    ['whose entries are something else', changed((parts) => parts.with(5, NULL))],
    ['with more than belongs to it', changed((parts) => parts.toSpliced(5, 0, parts[5] as Buffer))],
    ['that speaks of some alone', changed((parts) => [...parts.slice(0, -1), der(0xa0, der(0x30, CRITICAL))])],
    ['with an entry of another kind', changedEntry((parts) => parts, 0x31)],
    ['with an entry without a date', changedEntry((parts) => parts.slice(0, 1))],
    ['with an empty entry', changedEntry(() => [])],
    ['with an entry of four parts', changedEntry((parts) => [...parts, NULL])],
    ['with an entry of another issuer', changedEntry((parts) => [...parts.slice(0, 2), der(0x30, CRITICAL)])],
    ['with an entry whose serial is no number', changedEntry((parts) => parts.with(0, NULL))],
  ])('%s is rejected, for any signer', (_, file) => {
    expect(() => revocationsOf(file, NOW)).toThrow('malformed: version 2 in DER with nextUpdate is required')
  })

  test('a signature with unused bits is rejected', () => {
    const [tbs, algorithm, signature] = readDerSequence(list).map(({ raw }) => raw) as [Buffer, Buffer, Buffer]
    const bits = Buffer.from(signature)
    bits[2] = 1
    expect(() => revocationsOf(der(0x30, tbs, algorithm, bits), NOW)).toThrow('malformed: version 2 in DER')
  })

  test('signed by another algorithm, or invalidly, counts as unsigned', () => {
    const other = der(0x30, der(0x06, Buffer.from('2a8648ce3d040303', 'hex')))
    const [tbs, algorithm, signature] = readDerSequence(list).map(({ raw }) => raw) as [Buffer, Buffer, Buffer]
    for (const file of [
      der(0x30, tbs, other, signature),
      changed((parts) => parts.with(1, other)),
      der(0x30, tbs, algorithm, der(0x03, Buffer.from([0, 1, 2]))),
    ]) {
      expect(revocationsOf(file, NOW)(certificate).state).toBe('unknown')
    }
  })

  test('eight are taken', () => {
    expect(revocationsOf(pemOf(...Array.from({ length: 8 }, () => list)), NOW)(certificate).state).toBe('revoked')
  })
})
