import canonicalize from 'canonicalize'
import { describe, expect, test } from 'vitest'
import { verify } from '../../src/verify/index.ts'
import { randomOf } from '../support/numbers.ts'
import {
  bitstring,
  digestOf,
  disclosure,
  type Stranger,
  statusEntry,
  stranger,
  tokenList,
  V2,
} from '../support/stranger.ts'

// L9: a verifier returns a verdict for any input; valid means it was signed. The seed is fixed, so that failures are
// reproducible.

const ROUNDS = 250
const LIST = 'https://issuer.example/it/list'
const TOKENS = 'https://issuer.example/it/tokens'

type Random = ReturnType<typeof randomOf>
const among = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const ODD: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    '',
    ' ',
    'x',
    '#',
    '~',
    '.',
    [],
    {},
    [[]],
    [null],
    [{}],
    { a: { b: [{}] } },
  ],
  ...[
    { toString: 1, valueOf: 1 },
    { id: {} },
    { id: [] },
    { type: {} },
    { length: -1 },
    { '@value': 1 },
    { '@id': [] },
  ],
  ...[
    { '@context': {} },
    { '@context': null },
    { '@graph': [] },
    { '@reverse': { x: 1 } },
    { '@set': [] },
    { '@list': {} },
  ],
  ...['did:web:', 'did:key:z', 'did:key:zDna', 'did:web:issuer.example:it#', 'https://', 'data:,', 'urn:x', '%E0%A4%A'],
  ...[V2, [V2], [V2, {}], [V2, null], ['', V2], '2020-01-01T00:00:00Z', '9999-99-99T99:99:99Z', 'z'.repeat(5000)],
  ...[
    Array.from({ length: 500 }, () => 'x'),
    { _sd: {} },
    { _sd: [{}] },
    { '...': {} },
    [{ '...': [] }],
    ['sha256-', 'u'],
  ],
  ...[
    { type: 'BitstringStatusListEntry' },
    { type: 'JsonSchema', id: 'x y' },
    { keys: {} },
    { kty: 'EC', crv: 'P-256', x: 1 },
  ],
]

/** Every place in a value: container and key. */
function places(value: unknown, found: [Record<string, unknown>, string][] = []) {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    found.push([value as Record<string, unknown>, key])
    places((value as Record<string, unknown>)[key], found)
  }
  return found
}

/** A copy with a few values changed in type, place or name, or removed. */
function mutated<T>(value: T, random: Random): T {
  const root = { value: structuredClone(value) }
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
    const [container, key] = among(random, places(root).slice(1)) ?? [root, 'value']
    const old = container[key]
    const how = random()
    if (how < 0.5) container[key] = structuredClone(among(random, ODD))
    else if (how < 0.65) delete container[key]
    else if (how < 0.75) container[key] = [old, structuredClone(old)]
    else if (how < 0.85) container[key] = { [among(random, ['@value', 'id', 'x', '_sd', '...'])]: old }
    else if (how < 0.95) container[`${key}x`] = old
    else container[among(random, ['@context', '@type', 'proof', 'vc', 'status', 'exp', '_sd', '_sd_alg', '@id'])] = old
  }
  return root.value
}

/** A copy with a few changed characters. */
function scratched(text: string, random: Random): string {
  const at = Math.floor(random() * text.length)
  const [before, after] = [text.slice(0, at), text.slice(at)]
  const how = random()
  if (how < 0.4)
    return `${before}${among(random, ['A', '_', '.', '~', '"', '{', ',', '\u0000', 'é', '\\'])}${after.slice(1)}`
  if (how < 0.6) return `${before}${after.slice(1 + Math.floor(random() * 8))}`
  if (how < 0.8) return `${before}${text.slice(at, at + 20)}${after}`
  if (how < 0.9) return before
  return after
}

const partsOf = (compact: string) =>
  compact.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString())) as [object, object]
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Genuine documents of an issuer, each with its signed content in canonical text. */
async function genuine(issuer: Stranger) {
  issuer.published.set(LIST, await issuer.jwt(bitstring(issuer, LIST)))
  issuer.published.set(TOKENS, await tokenList(issuer, TOKENS))
  const credential = issuer.credential({
    id: 'https://issuer.example/it/1',
    name: 'A credential',
    validFrom: '2020-01-01T00:00:00Z',
    issuer: { id: issuer.did, name: 'Stranger' },
    credentialStatus: statusEntry(LIST),
    credentialSchema: { id: 'https://issuer.example/schema', type: 'JsonSchema' },
    relatedResource: [{ id: 'https://a.example/', digestSRI: 'sha256-x' }],
  })
  const disclosures = [disclosure('colour', 'red'), disclosure('parts', [{ name: 'one' }])]
  const payload = {
    iss: issuer.url,
    vct: 'https://issuer.example/vct',
    iat: 1,
    issuer: { id: issuer.did },
    status: { status_list: { uri: TOKENS, idx: 3 } },
    thing: { _sd: disclosures.map(digestOf) },
    list: ['x', { '...': digestOf('nobody') }],
  }
  return { credential, disclosures, payload }
}

/** Checks that verification never throws and that the verdict matches the findings. */
async function isAccepted(text: string, issuer: Stranger) {
  const verification = await verify(text, issuer.options()).catch((error: Error) => {
    throw new Error(`${text}\n${error.stack}`)
  })
  const { verdict, valid, checks } = verification
  expect(valid).toBe(verdict === 'valid')
  expect(checks.length).toBeGreaterThan(0)
  for (const { detail } of checks) expect(typeof detail).toBe('string')
  return valid
}

describe('mutants of genuine documents', () => {
  test('of a vc+jwt: none with other content is valid', { timeout: 120_000 }, async () => {
    const [issuer, random] = [stranger(), randomOf(1)]
    const { credential } = await genuine(issuer)
    const compact = await issuer.jwt(credential)
    expect(await isAccepted(compact, issuer)).toBe(true)
    const [header, payload] = partsOf(compact)
    const signature = compact.split('.')[2]
    const signedOf = (text: string) => canonicalize(partsOf(text.trim()))
    for (let round = 0; round < ROUNDS; round += 1) {
      const changed = `${encode(mutated(header, random))}.${encode(payload)}.${signature}`
      const other = `${encode(header)}.${encode(mutated(payload, random))}.${signature}`
      for (const text of [changed, other, scratched(compact, random)]) {
        if (await isAccepted(text, issuer)) expect(signedOf(text)).toBe(signedOf(compact))
      }
    }
  })

  test('of a Data Integrity credential: none with other content is valid', { timeout: 120_000 }, async () => {
    const [issuer, random] = [stranger(), randomOf(2)]
    const { credential } = await genuine(issuer)
    const secured = await issuer.dataIntegrity(credential)
    expect(await isAccepted(secured, issuer)).toBe(true)
    const document = JSON.parse(secured)
    // A single proof is equal to a list of one.
    const signedOf = (text: string) => {
      const { proof, ...rest } = JSON.parse(text)
      return canonicalize({ ...rest, proof: [proof].flat() })
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const texts = [
        JSON.stringify(mutated(document, random)),
        JSON.stringify({ ...document, proof: mutated(document.proof, random) }),
        scratched(secured, random),
      ]
      for (const text of texts) if (await isAccepted(text, issuer)) expect(signedOf(text)).toBe(signedOf(secured))
    }
  })

  test('of an SD-JWT: none is valid but with disclosures left out', { timeout: 120_000 }, async () => {
    const [issuer, random] = [stranger(), randomOf(3)]
    const { payload, disclosures } = await genuine(issuer)
    const text = await issuer.sdJwt(payload, disclosures)
    expect(await isAccepted(text, issuer)).toBe(true)
    const [compact = ''] = text.split('~')
    const [header] = partsOf(compact)
    const signature = compact.split('.')[2]
    const allowed = new Set(['', ...disclosures])
    for (let round = 0; round < ROUNDS; round += 1) {
      const changed = disclosures.map((one) => {
        const parts: unknown = JSON.parse(Buffer.from(one, 'base64url').toString())
        return encode(random() < 0.5 ? parts : mutated(parts, random))
      })
      const texts = [
        `${encode(mutated(header, random))}.${encode(payload)}.${signature}~${disclosures.join('~')}~`,
        `${encode(header)}.${encode(mutated(payload, random))}.${signature}~${disclosures.join('~')}~`,
        `${compact}~${changed.join('~')}~`,
        scratched(text, random),
      ]
      for (const mutant of texts) {
        if (!(await isAccepted(mutant, issuer))) continue
        const [same = '', ...shown] = mutant.trim().split('~')
        expect(canonicalize(partsOf(same))).toBe(canonicalize(partsOf(compact)))
        for (const one of shown) expect(allowed).toContain(one)
      }
    }
  })
})

describe('odd documents that their issuer signed', () => {
  // These cannot be converted to text or number, or fake their length.
  test.each([[{ toString: 1, valueOf: 1 }], [null], [[]], [[{}]], [7], [''], [true]])(
    'have %j in each place once, and are answered',
    { timeout: 120_000 },
    async (odd) => {
      const issuer = stranger()
      const { credential, payload, disclosures } = await genuine(issuer)
      const variants = (value: object) =>
        places({ value }).map((_, index) => {
          const copy = { value: structuredClone(value) }
          const [container, key] = places(copy)[index] as [Record<string, unknown>, string]
          container[key] = odd
          return copy.value
        })
      for (const one of variants(credential)) {
        await isAccepted(await issuer.jwt(one ?? {}), issuer)
        if (typeof one === 'object' && one !== null)
          await isAccepted(await issuer.dataIntegrity(one).catch(() => '{}'), issuer)
      }
      const secured = JSON.parse(await issuer.dataIntegrity(credential))
      for (const proof of variants(secured.proof)) await isAccepted(JSON.stringify({ ...secured, proof }), issuer)
      for (const one of variants(payload)) await isAccepted(await issuer.sdJwt(one ?? {}, disclosures), issuer)
      const header = { alg: 'ES256', typ: 'vc+jwt', kid: 'k', x5c: ['AAAA'], crit: ['x'] }
      for (const one of variants(header)) {
        await isAccepted(await issuer.jwt(credential, one ?? {}), issuer)
        await isAccepted(await issuer.sdJwt(payload, disclosures, { ...one, typ: 'dc+sd-jwt' }), issuer)
      }
      const texts = [await issuer.jwt(credential), await issuer.sdJwt(payload, disclosures)]
      for (const [url, published] of [...issuer.published]) {
        const text = String(published)
        const isToken = !text.startsWith('{')
        for (const one of variants(isToken ? partsOf(text)[1] : JSON.parse(text))) {
          const header = url === TOKENS ? { typ: 'statuslist+jwt' } : {}
          issuer.published.set(url, isToken ? await issuer.jwt(one ?? {}, header) : JSON.stringify(one))
          for (const each of texts) await isAccepted(each, issuer)
        }
        issuer.published.set(url, text)
      }
    },
  )

  test('are answered in every form', { timeout: 240_000 }, async () => {
    const [issuer, random] = [stranger(), randomOf(4)]
    const { credential, payload, disclosures } = await genuine(issuer)
    let held = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const odd = mutated(credential, random)
      const hidden = disclosures.map((one) => mutated(JSON.parse(Buffer.from(one, 'base64url').toString()), random))
      const shown = hidden.map(encode)
      const around = { ...mutated(payload, random), [random() < 0.5 ? '_sd' : 'x']: shown.map(digestOf) }
      const proof = { type: 'DataIntegrityProof', cryptosuite: 'ecdsa-jcs-2019', proofPurpose: 'assertionMethod' }
      for (const text of [
        await issuer.jwt(odd),
        await issuer.dataIntegrity(odd).catch(() => JSON.stringify({ ...(odd as object), proof })),
        await issuer.sdJwt(around, shown),
        JSON.stringify(odd),
      ]) {
        if (await isAccepted(text, issuer)) held += 1
      }
    }
    // Some mutations leave a valid credential, so that later steps are reached.
    expect(held).toBeGreaterThan(ROUNDS / 10)
  })

  test('their keys, metadata and lists may be odd as well', { timeout: 240_000 }, async () => {
    const [issuer, random] = [stranger(), randomOf(5)]
    const { credential, payload, disclosures } = await genuine(issuer)
    const texts = [
      await issuer.jwt(credential),
      await issuer.dataIntegrity(credential),
      await issuer.sdJwt(payload, disclosures),
    ]
    const plain = new Map(issuer.published)
    const list = bitstring(issuer, LIST)
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [url, published] of plain) {
        const text = String(published)
        const odd = text.startsWith('{')
          ? JSON.stringify(mutated(JSON.parse(text), random))
          : url === LIST
            ? await issuer.jwt(mutated(list, random))
            : await issuer.jwt(mutated(partsOf(text)[1], random), { typ: 'statuslist+jwt' })
        issuer.published.set(url, random() < 0.1 ? scratched(text, random) : odd)
        await isAccepted(among(random, texts), issuer)
        issuer.published.set(url, published)
      }
    }
  })
})
