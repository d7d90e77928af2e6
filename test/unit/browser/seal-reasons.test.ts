import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { questionOf, vectors } from '../../support/seal-vectors.ts'

// The first rule that a document breaks, by clause and text: a missing check would be hidden by a later one.

interface Verdict {
  readonly verdict: string
  readonly reason: string
  readonly clause?: string
  readonly altered?: string
  readonly owner?: object
}

interface PageVerifier {
  verifySeal(text: string, sealCa?: string, options?: { lists?: readonly Uint8Array[]; now?: Date }): Promise<Verdict>
  demandPoint(spki: Uint8Array, place: string): void
  fingerprintOf(pem: string): Promise<string>
}

const SCRIPT: string = '../../../plugins/modules/verifier/browser/seal.js'
const { verifySeal, demandPoint, fingerprintOf }: PageVerifier = await import(SCRIPT)

// biome-ignore lint/suspicious/noExplicitAny: a document whose members are replaced by anything.
type Document = any

const GENUINE = vectors.documents.small as string
const CREATED = '2025-06-02T09:30:00.000Z'
const ORDER = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'
const HALF = '7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8'
const ROOT = JSON.parse(GENUINE).proof.merkleRoot

const edited = (edit: (document: Document) => void, text = GENUINE) => {
  const document = JSON.parse(text)
  edit(document)
  return JSON.stringify(document)
}
const verdictOf = async (text: string, sealCa = vectors.sealCa) => {
  const { verdict, clause, reason } = await verifySeal(text, sealCa)
  return [verdict, clause, reason]
}
/** Sets the signature in both places to the Base64 of these hex bytes. */
const signed = (der: string) => (document: Document) => {
  const value = Buffer.from(der, 'hex').toString('base64')
  Object.assign(document, { digitalSeal: value, proof: { ...document.proof, signatureValue: value } })
}
/** DER of this tag, with the shortest length. */
const der = (tag: string, content: string): string => {
  const length = content.length / 2
  const digits = length.toString(16).padStart(length < 0x100 ? 2 : length < 0x10000 ? 4 : 6, '0')
  return `${tag}${length < 0x80 ? digits : `${(0x80 + digits.length / 2).toString(16)}${digits}`}${content}`
}
const nested = (depth: number): string => (depth === 0 ? '' : der('30', nested(depth - 1)))
const pair = (r: string, s: string) => der('30', der('02', r) + der('02', s))

describe('a text', () => {
  const NO_JSON = 'The text is not complete JSON.'
  const rounded = (literal: string) => `${literal.slice(0, 40)} is a number that cannot be represented exactly.`
  const LONG_NAME = 'n'.repeat(257)
  const LONG_NUMBER = '1234567890'.repeat(6)
  test.each([
    ['half a character', '"\ud800"', 'The text is not UTF-8.'],
    ['an object that does not end', '{', NO_JSON],
    ['a text that does not end', '"abc', NO_JSON],
    ['a list without brackets', '1,2', NO_JSON],
    ['two numbers in one', '[1-1]', NO_JSON],
    ['two points in one', '[1.5.5]', NO_JSON],
    ['more than a double holds', '[1e999]', rounded('1e999')],
    ['more than a double holds, with a sign', '[1e+999]', rounded('1e+999')],
    ['digits that are rounded', '[0.12345678901234567890]', rounded('0.12345678901234567890')],
    ['a long number', `[${LONG_NUMBER}]`, rounded(LONG_NUMBER)],
    ['a long name', `{"${LONG_NAME}":1}`, `The name ${LONG_NAME.slice(0, 40)}… is longer than 256 characters.`],
  ])('with %s is rejected before its form', async (_, text, reason) => {
    expect(await verdictOf(text)).toEqual(['not valid', 'T', reason])
  })
})

describe('the form', () => {
  const proof = (members: object) => (document: Document) => Object.assign(document.proof, members)
  const root = 'proof.merkleRoot is malformed.'
  const leaf = 'proof.redactedLeaves.x is malformed.'
  const salt = 'proof.salts.category is not a salt.'
  const SALT = JSON.parse(GENUINE).proof.salts.category
  const salts = (category: unknown) => (document: Document) => Object.assign(document.proof.salts, { category })
  test.each<[string, (document: Document) => void, string]>([
    ['no proof', (document) => delete document.proof, 'This passport is not sealed: it has no proof.'],
    ['an empty proof', (document) => (document.proof = null), 'This passport is not sealed: it has no proof.'],
    ['a member less', (document) => delete document.proof.type, 'proof.type is missing.'],
    ['a root with more before it', proof({ merkleRoot: `0${ROOT}` }), root],
    ['a root with more behind it', proof({ merkleRoot: `${ROOT}0` }), root],
    ['a root in a list', proof({ merkleRoot: [ROOT] }), root],
    ['an empty signature', proof({ signatureValue: '' }), 'proof.signatureValue is missing or empty.'],
    ['no key', proof({ publicKeyPem: 'x' }), 'proof.publicKeyPem is not one public key in PEM.'],
    ['a leaf with more before it', proof({ redactedLeaves: { x: `0${ROOT}` } }), leaf],
    ['a leaf with more behind it', proof({ redactedLeaves: { x: `${ROOT}0` } }), leaf],
    ['a leaf in a list', proof({ redactedLeaves: { x: [ROOT] } }), leaf],
    ['a salt with more before it', salts(`A${SALT}`), salt],
    ['a salt with more behind it', salts(`${SALT}A`), salt],
    ['a salt in a list', salts([SALT]), salt],
    ['a product id that is a number', (document) => (document.productId = 5), 'productId is missing.'],
    ['no subject', proof({ subject: 5 }), 'proof.subject is missing or not an object.'],
  ])('with %s is reported', async (_, edit, reason) => {
    expect(await verdictOf(edited(edit))).toEqual(['not valid', 'F', reason])
  })
})

describe('subject and masks', () => {
  test.each<[string, string, (document: Document) => void, string, string?]>([
    [
      'an operator without number',
      'S',
      ({ proof }) => delete proof.subject.operator.regId,
      'proof.subject.operator.regId is missing.',
    ],
    [
      'a value without salt',
      'M',
      ({ proof }) => delete proof.salts.category,
      'category was not sealed: its salt is missing.',
    ],
    [
      'no salt of the subject',
      'M',
      ({ proof }) => delete proof.salts['@passport'],
      'The salt of @passport is missing.',
    ],
  ])('%s is reported', async (_, clause, edit, reason) => {
    expect(await verdictOf(edited(edit))).toEqual(['not valid', clause, reason])
  })

  test('a masked value without leaf is reported', async () => {
    const restricted = vectors.documents['battery, restricted'] as string
    const { metadata } = JSON.parse(restricted)
    const [masked] = Object.entries(metadata).find(([, value]) => String(value).startsWith('[REDACTED')) ?? ['']
    const text = edited(({ proof }) => delete proof.redactedLeaves[masked], restricted)
    expect(await verdictOf(text)).toEqual(['not valid', 'M', `${masked} is masked, but was not sealed.`])
  })

  test('a seal of five minutes ahead is valid, and none of later', async () => {
    const at = (milliseconds: number) => new Date(Date.parse(CREATED) - milliseconds)
    expect((await verifySeal(GENUINE, vectors.sealCa, { now: at(300_000) })).verdict).toBe('valid')
    expect(await verifySeal(GENUINE, vectors.sealCa, { now: at(300_001) })).toEqual({
      verdict: 'not valid',
      clause: 'S',
      reason: 'proof.created is in the future.',
    })
  })

  test('a value that was altered is named, and only then', async () => {
    const text = edited(({ economicOperator }) => (economicOperator.regId = 'DE1'))
    expect(await verifySeal(text, vectors.sealCa)).toEqual({
      verdict: 'not valid',
      clause: 'S',
      reason: 'economicOperator.regId differs from the sealed value.',
      altered: 'economicOperator.regId',
    })
  })
})

describe('a signature', () => {
  const MALFORMED = 'proof.signatureValue is malformed.'
  const RANGE = 'proof.signatureValue is out of range.'
  const NO_DER = 'proof.signatureValue is not DER.'
  const OTHER = 'The key of the proof did not sign this content.'
  test.each([
    ['of three numbers', der('30', '020101020101020101'), MALFORMED],
    ['with another behind it', `${pair('01', '01')}0500`, MALFORMED],
    ['that is a set', der('31', '020101020101'), MALFORMED],
    ['with r = 0', pair('00', '01'), RANGE],
    ['with s = 0', pair('01', '00'), RANGE],
    ['with a negative r', pair('80', '01'), RANGE],
    ['with r as large as the order', pair(`00${ORDER}`, '01'), RANGE],
    ['with s as large as the order', pair('01', `00${ORDER}`), RANGE],
    ['with r = s = 1', pair('01', '01'), OTHER],
    ['with r = 128', pair('0080', '01'), OTHER],
    ['with s of half the order', pair('01', HALF), OTHER],
    ['with r of a byte too many', pair('0001', '01'), 'proof.signatureValue has a malformed number.'],
    ['with a negative r of a byte too many', pair('ff80', '01'), 'proof.signatureValue has a malformed number.'],
    ['without r', pair('', '01'), 'proof.signatureValue has a malformed number.'],
    ['of fifteen levels', nested(15), MALFORMED],
    ['of sixteen levels', nested(16), NO_DER],
    ['with a tag of several bytes', '1f0100', NO_DER],
    ['that has a tag and no length', '30', NO_DER],
    ['of indefinite length', `3080${'0500'.repeat(64)}`, NO_DER],
    ['with a length of a byte too many', `30817f${der('04', '00'.repeat(125))}`, NO_DER],
    ['of 128 bytes', der('30', der('04', '00'.repeat(126))), MALFORMED],
    ['of 65,536 bytes', der('30', der('04', '00'.repeat(65_532))), MALFORMED],
  ])('rejects %s with the reason', async (_, bytes, reason) => {
    expect(await verdictOf(edited(signed(bytes)))).toEqual(['not valid', 'G', reason])
  })

  test('with s in the upper half is another spelling', async () => {
    const above = (BigInt(`0x${HALF}`) + 1n).toString(16)
    const [verdict, clause, reason] = await verdictOf(edited(signed(pair('01', above))))
    expect([verdict, clause, reason]).toEqual(['not valid', 'G', expect.stringContaining('not canonical')])
  })
})

describe('a key', () => {
  const PREFIX = '3059301306072a8648ce3d020106082a8648ce3d03010703420004'
  const FIELD = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
  const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
  const spki = (x: bigint, y: bigint) =>
    bytes(PREFIX + [x, y].map((value) => value.toString(16).padStart(64, '0')).join(''))
  /** Square root modulo the field prime, which is 3 modulo 4. */
  const rootOf = (square: bigint) => {
    let [result, base] = [1n, square]
    for (let power = (FIELD + 1n) / 4n; power > 0n; power >>= 1n) {
      if (power & 1n) result = (result * base) % FIELD
      base = (base * base) % FIELD
    }
    return result
  }
  const y = rootOf(B)

  test('is one in the one spelling of its numbers', () => {
    expect(() => demandPoint(spki(0n, y), 'It')).not.toThrow()
    expect(() => demandPoint(spki(FIELD, y), 'It')).toThrow('It is not a point on the curve P-256.')
    expect(() => demandPoint(spki(0n, y + 1n), 'It')).toThrow('It is not a point on the curve P-256.')
  })

  test('is of P-256 and of its length', () => {
    const genuine = spki(0n, y)
    expect(() => demandPoint(bytes(`${Buffer.from(genuine).toString('hex')}00`), 'It')).toThrow(
      'It is not a P-256 key.',
    )
    expect(() =>
      demandPoint(
        Uint8Array.from(genuine, (byte, at) => (at === 12 ? byte + 1 : byte)),
        'It',
      ),
    ).toThrow('It is not a P-256 key.')
  })
})

describe('addresses of product and key', () => {
  const named = (productId: string) =>
    verdictOf(
      edited((document) => {
        Object.assign(document, { productId, uniqueProductIdentifier: productId })
        for (const link of ['@id', 'digitalLinkUri']) delete document[link]
      }),
    )

  test.each(['http://example.org/x', 'https://example.org/x', 'did:web:example.org'])(
    '%s identifies a product by itself',
    async (productId) => {
      const [, , reason] = await named(productId)
      // The next rule.
      expect(reason).toBe('productId differs from the sealed value.')
    },
  )

  test.each(['see https://example.org/x', 'https://example.org/x y', 'did:WEB:example.org'])(
    '%s does not identify a product by itself',
    async (productId) => {
      const [verdict, , reason] = await named(productId)
      expect([verdict, reason]).toEqual(['not valid', 'uniqueProductIdentifier does not identify this product.'])
    },
  )

  test('a key address begins with its scheme', async () => {
    const [verdict, , reason] = await verdictOf(
      edited(({ proof }) => {
        proof.verificationMethod = `x${proof.verificationMethod}`
      }),
    )
    expect([verdict, reason]).toEqual(['not valid', 'proof.verificationMethod does not belong to this passport.'])
  })
})

describe('owner and seal CA', () => {
  test('the fingerprint is that of the certificate', async () => {
    const { fingerprint256 } = new X509Certificate(vectors.sealCa)
    expect(await fingerprintOf(vectors.sealCa)).toBe(fingerprint256)
    expect(await fingerprintOf(vectors.sealCa.repeat(2))).toBe(`${fingerprint256}, ${fingerprint256}`)
  })

  test('the owner is identified by name and country, not by a namesake organisation', async () => {
    const { owner, reason } = await verifySeal(GENUINE, vectors.sealCa)
    expect(reason).toBe('Sealed by Nordlicht Energie GmbH, DE.')
    expect(owner).toEqual({ name: 'Nordlicht Energie GmbH', country: 'DE', text: 'Nordlicht Energie GmbH, DE' })
  })

  test.each([
    ['nothing', ''],
    ['a text behind it', `${vectors.sealCa}x`],
    ['another character in it', vectors.sealCa.replace('\n-----END', '!\n-----END')],
    ['nine of them', vectors.sealCa.repeat(9)],
  ])('%s is not a seal CA, and does not affect the document', async (_, sealCa) => {
    const [verdict, clause, reason] = await verdictOf(GENUINE, sealCa)
    expect([verdict, clause, reason]).toEqual([
      'not valid',
      'CA',
      'The seal CA file must contain 1 to 8 certificates in PEM.',
    ])
  })

  test('a list is current in its last second, and not after it', async () => {
    const one = vectors.revocationCases.find(({ name }) => name === 'a list with nobody on it')
    const { lists } = questionOf(one as NonNullable<typeof one>)
    // UTCTime of thisUpdate and nextUpdate.
    const [, [, ...parts] = []] = String(lists?.[0]?.toString('latin1')).matchAll(
      /(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z/g,
    )
    const end = new Date(`20${parts.slice(0, 3).join('-')}T${parts.slice(3).join(':')}Z`).getTime()
    const at = async (time: number) =>
      (await verifySeal(GENUINE, vectors.sealCa, { now: new Date(time), lists: lists as Buffer[] })).reason
    expect(await at(end)).toContain('The certificate is not revoked.')
    expect(await at(end + 1)).toBe('The certificate revocation list is not current.')
  })

  test('a list of revoked certificates adds to the reason', async () => {
    const lists = (name: string) => {
      const one = vectors.revocationCases.find((each) => each.name === name)
      return one === undefined ? undefined : questionOf(one).lists
    }
    const emptyList = await verifySeal(GENUINE, vectors.sealCa, {
      lists: lists('a list with nobody on it') as Buffer[],
    })
    expect([emptyList.verdict, emptyList.reason]).toEqual([
      'valid',
      'Sealed by Nordlicht Energie GmbH, DE. The certificate is not revoked.',
    ])
    const revoked = await verifySeal(GENUINE, vectors.sealCa, {
      lists: lists('revoked a day before the seal') as Buffer[],
    })
    expect([revoked.verdict, revoked.clause, revoked.reason]).toEqual([
      'not valid',
      'L',
      'The certificate is revoked from 2025-06-01T09:30:00.000Z, before the seal.',
    ])
  })
})
