import { describe, expect, test } from 'vitest'
import type { Contexts } from '../../src/domain/contexts.ts'
import { verify } from '../../src/verify/index.ts'
import { didWebUrl } from '../../src/verify/keys.ts'
import { headline, nextStep } from '../../src/verify/outcome.ts'
import type { Check, Verification } from '../../src/verify/verification.ts'
import { CONTEXTS } from '../support/contexts.ts'
import {
  bitstring,
  digestOf,
  disclosure,
  encodedList,
  type Stranger,
  statusEntry,
  stranger,
  tokenList,
  V2,
} from '../support/stranger.ts'

const check = ({ checks }: Verification, name: Check['name']) => checks.find((one) => one.name === name)
const failures = ({ checks }: Verification) => checks.filter(({ ok }) => ok === false).map(({ name }) => name)

const LIST = 'https://issuer.example/it/list'
const SCHEMA = 'https://issuer.example/it/schema.json'

/** A credential that references everything a verifier could be made to read. */
const curious = (more: object = {}) => ({
  credentialStatus: statusEntry(LIST),
  credentialSchema: { id: SCHEMA, type: 'JsonSchema' },
  ...more,
})

describe('foreign documents cause no requests', () => {
  test('a forged credential in the name of an issuer makes its key read, and nothing else', async () => {
    const [issuer, forger] = [stranger(), stranger()]
    for (const text of [
      await forger.jwt(issuer.credential(curious())),
      await forger.dataIntegrity(issuer.credential(curious())),
      await forger.sdJwt({ iss: issuer.url, vct: 'x', status: { status_list: { uri: LIST, idx: 1 } } }),
    ]) {
      issuer.requested.length = 0
      const verification = await verify(text, issuer.options())
      expect([verification.verdict, failures(verification)]).toEqual(['not valid', ['signature']])
      expect(issuer.requested).toHaveLength(1)
      expect(issuer.requested[0]).toMatch(/did\.json$|\/\.well-known\/jwt-vc-issuer\/it$/)
    }
  })

  test('a key of another is not even looked up', async () => {
    const [issuer, forger] = [stranger(), stranger('https://evil.example/x')]
    for (const text of [
      await forger.jwt(issuer.credential()),
      await forger.dataIntegrity(issuer.credential()),
      await forger.jwt(forger.credential({ iss: issuer.did })),
      await forger.sdJwt({ iss: forger.url, vct: 'x', issuer: issuer.did }),
      await forger.sdJwt({ iss: forger.url, vct: 'x', issuer: { id: issuer.did, name: 'Nordlicht Energie GmbH' } }),
      await forger.sdJwt({ iss: 'http://user@127.0.0.1:9/x', vct: 'x' }),
      await forger.sdJwt({ iss: 'did:web:evil.example', vct: 'x' }),
    ]) {
      const verification = await verify(text, forger.options())
      expect(failures(verification)).toEqual(['issuer'])
      expect(forger.requested).toEqual([])
    }
  })

  test('a valid credential causes one request each for its key and its list, and none for its schema', async () => {
    const issuer = stranger()
    issuer.published.set(LIST, await issuer.jwt(bitstring(issuer, LIST)))
    issuer.published.set(SCHEMA, JSON.stringify({ pattern: '^(a|a?)+$' }))
    for (const text of [
      await issuer.jwt(issuer.credential(curious())),
      await issuer.dataIntegrity(issuer.credential(curious())),
    ]) {
      issuer.requested.length = 0
      const verification = await verify(text, issuer.options())
      expect(verification.verdict).toBe('valid')
      expect(check(verification, 'schema')).toMatchObject({ ok: null })
      expect(issuer.requested).toEqual([`${issuer.url}/did.json`, LIST])
    }
  })

  test('no schema of a stranger is applied, wherever it lies', async () => {
    const issuer = stranger()
    const vocabulary = { read: async (url: string) => Promise.reject(new Error(`${url} was read.`)) }
    const urls: string[] = []
    const text = await issuer.jwt(
      issuer.credential({
        credentialSchema: { id: SCHEMA, type: 'JsonSchema' },
        name: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
      }),
    )
    const trap = {
      read: async (url: string) => {
        urls.push(url)
        return JSON.stringify({ properties: { name: { pattern: '^(a|a?)+$' } } })
      },
    }
    const verification = await verify(text, issuer.options({ vocabulary: trap }))
    expect(verification.verdict).toBe('valid')
    expect(urls).not.toContain(SCHEMA)
    expect((await verify(text, issuer.options({ vocabulary }))).verdict).toBe('valid')
  })

  test('a list has no list: one that names itself is read once', async () => {
    const issuer = stranger()
    const list = bitstring(issuer, LIST, [], { credentialStatus: statusEntry(LIST) })
    for (const published of [await issuer.jwt(list), await issuer.dataIntegrity(list)]) {
      issuer.published.set(LIST, published)
      issuer.requested.length = 0
      const verification = await verify(
        await issuer.jwt(issuer.credential({ credentialStatus: statusEntry(LIST) })),
        issuer.options(),
      )
      expect(verification.verdict).toBe('valid')
      expect(issuer.requested).toEqual([`${issuer.url}/did.json`, LIST])
      issuer.requested.length = 0
      expect((await verify(published, issuer.options())).verdict).toBe('valid')
      expect(issuer.requested).toEqual([`${issuer.url}/did.json`])
    }
  })

  test('a budget ends what lists could ask for, ten times over', async () => {
    const issuer = stranger()
    const entries = (count: number) => Array.from({ length: count }, (_, index) => statusEntry(`${LIST}/${index}`))
    const of = async (count: number) => {
      issuer.requested.length = 0
      return verify(await issuer.jwt(issuer.credential({ credentialStatus: entries(count) })), issuer.options())
    }
    expect((await of(4)).verdict).toBe('undecided')
    expect(issuer.requested).toHaveLength(5)
    const many = await of(40)
    expect([many.verdict, check(many, 'status')?.detail]).toEqual(['not valid', expect.stringContaining('more than 4')])
    expect(issuer.requested).toHaveLength(1)
  })
})

describe('did:web', () => {
  test.each([
    ['did:web:issuer.example', 'https://issuer.example/.well-known/did.json'],
    ['did:web:issuer.example:tenants:1-a_b.c', 'https://issuer.example/tenants/1-a_b.c/did.json'],
    ['did:web:issuer.example%3A8443:x', 'https://issuer.example:8443/x/did.json'],
    ['did:web:localhost%3A3000:tenants:1', 'http://localhost:3000/tenants/1/did.json'],
  ])('%s is at %s', (did, url) => {
    expect(didWebUrl(did)).toBe(url)
  })

  test.each([
    'did:web:localhost%3A34299:internal:admin%3Faction=restart%26x=',
    'did:web:issuer.example:a%2Fb',
    'did:web:issuer.example:a%3Fb',
    'did:web:issuer.example:a?b',
    'did:web:issuer.example:a%23b',
    'did:web:issuer.example:a/b',
    'did:web:issuer.example:..:b',
    'did:web:issuer.example:%2e%2e:b',
    'did:web:issuer.example:.:b',
    'did:web:issuer.example::b',
    'did:web:issuer.example:b:',
    'did:web:issuer.example:a%00',
    'did:web:issuer.example:a\\b',
    'did:web:user%40issuer.example',
    'did:web:user@issuer.example',
    'did:web:issuer.example%2Fx',
    'did:web:issuer.example%3A',
    'did:web:issuer.example%3A0',
    'did:web:issuer.example%3A99999',
    'did:web:issuer.example%3Ax',
    'did:web:127.0.0.1',
    'did:web:127.0.0.1%3A80',
    'did:web:127.1',
    'did:web:0x7f.1',
    'did:web:2130706433',
    'did:web:[::1]',
    'did:web:%5B%3A%3A1%5D',
    'did:web:internal',
    'did:web:issuer.example.',
    'did:web:issuer..example',
    'did:web:-issuer.example',
    'did:web:issuer.example/x',
    'did:web:',
    'did:web:issuer.example ',
    `did:web:issuer.example:${'a'.repeat(2000)}`,
  ])('%s is nowhere', async (did) => {
    expect(didWebUrl(did)).toBeUndefined()
    const issuer = stranger()
    const text = await issuer.jwt(issuer.credential({ issuer: did }), { kid: `${did}#key-1` })
    const verification = await verify(text, issuer.options())
    expect(verification.verdict).toBe('not valid')
    expect(issuer.requested).toEqual([])
  })

  test('a document that cannot be had leaves the owner unknown; one of another is wrong', async () => {
    const issuer = stranger()
    const text = await issuer.jwt(issuer.credential())
    const at = `${issuer.url}/did.json`
    const document = JSON.parse(String(issuer.published.get(at)))
    issuer.published.delete(at)
    const unknown = await verify(text, issuer.options())
    expect([unknown.verdict, headline(unknown)]).toEqual(['undecided', 'vc+jwt: fits, but its owner is unknown'])
    const wrong: Record<string, string> = {
      'of another DID': JSON.stringify({ ...document, id: 'did:web:other.example' }),
      'with its id twice': `{"id":"${issuer.did}",${JSON.stringify(document).slice(1)}`,
      'no JSON': '<html>',
      'without keys': JSON.stringify({ id: issuer.did }),
      'with keys for nothing': JSON.stringify({ ...document, assertionMethod: [] }),
      'with keys of another': JSON.stringify({
        ...document,
        verificationMethod: document.verificationMethod.map((one: object) => ({
          ...one,
          controller: 'did:web:other.example',
        })),
      }),
      'with an endless key': JSON.stringify({
        ...document,
        verificationMethod: [{ ...document.verificationMethod[0], publicKeyMultibase: `z${'2'.repeat(1_000_000)}` }],
      }),
    }
    for (const [name, published] of Object.entries(wrong)) {
      issuer.published.set(at, published)
      expect([name, failures(await verify(text, issuer.options()))]).toEqual([name, ['key']])
    }
  })

  test('a method that is not resolved here leaves the owner unknown', async () => {
    const issuer = stranger()
    const text = await issuer.jwt(issuer.credential({ issuer: 'did:example:1' }), { kid: 'did:example:1#k' })
    expect((await verify(text, issuer.options())).verdict).toBe('undecided')
    expect(issuer.requested).toEqual([])
  })
})

describe('time', () => {
  const now = new Date('2026-06-01T00:00:00Z')
  const seconds = (text: string) => Date.parse(text) / 1000
  test.each([
    [{ exp: 1 }, 'expired'],
    [{ exp: seconds('2026-05-31T23:50:00Z') }, 'expired'],
    [{ nbf: seconds('2099-01-01T00:00:00Z') }, 'notYetValid'],
    [{ validUntil: '2026-05-31T00:00:00Z' }, 'expired'],
    [{ validUntil: '2026-05-31T00:00:00Z', exp: seconds('2099-01-01T00:00:00Z') }, 'expired'],
    [{ validFrom: '2026-06-02T00:00:00Z' }, 'notYetValid'],
    [{ validFrom: '2026-06-02T00:00:00Z', nbf: 1 }, 'notYetValid'],
    [{ exp: seconds('2026-05-31T23:56:00Z') }, undefined],
    [{ nbf: seconds('2026-06-01T00:04:00Z'), exp: seconds('2026-06-01T00:05:00Z') }, undefined],
  ])('%j is reported', async (claims, code) => {
    const issuer = stranger()
    for (const text of [
      await issuer.jwt(issuer.credential(claims)),
      await issuer.sdJwt({ iss: issuer.url, vct: 'x', ...claims }),
    ]) {
      const verification = await verify(text, issuer.options({ now, allowUnknownStatus: true }))
      expect(check(verification, 'validity')?.code).toBe(code)
      expect(verification.verdict).toBe(code === undefined ? 'valid' : 'not valid')
    }
  })

  test.each([
    { exp: '1' },
    { nbf: true },
    { exp: null },
    { exp: 1e300 },
    { validUntil: '-0500-01-01T00:00:00Z' },
    { validUntil: 5 },
  ])('%j is neither a valid nor an unlimited time', async (claims) => {
    const issuer = stranger()
    for (const text of [
      await issuer.jwt(issuer.credential(claims)),
      await issuer.sdJwt({ iss: issuer.url, vct: 'x', ...claims }),
    ]) {
      expect(failures(await verify(text, issuer.options({ now })))).toContain('content')
    }
  })

  test('a proof may end before what it proves', async () => {
    const issuer = stranger()
    const secured = JSON.parse(await issuer.dataIntegrity(issuer.credential()))
    for (const [expires, names] of [
      ['2026-05-31T00:00:00Z', ['signature', 'validity']],
      ['soon', ['content', 'signature']],
    ] as const) {
      const text = JSON.stringify({ ...secured, proof: { ...secured.proof, expires } })
      expect(failures(await verify(text, issuer.options({ now })))).toEqual(names)
    }
  })
})

describe('SD-JWT (RFC 9901, section 7.1)', () => {
  const issuer = stranger()
  const base = { iss: issuer.url, vct: 'https://issuer.example/vct', issuer: issuer.did }
  const verifyPayload = async (payload: object, disclosures: readonly string[] = [], header?: object) =>
    verify(await issuer.sdJwt({ ...base, ...payload }, disclosures, header), issuer.options())

  test('members and elements are disclosed, some in one another', async () => {
    const inner = disclosure('deep', [1])
    const outer = disclosure('subject', { _sd: [digestOf(inner)], open: true })
    const element = disclosure('second')
    const [hidden] = [disclosure('hidden', 1)]
    const payload = {
      _sd: [digestOf(outer), digestOf(hidden)],
      list: ['first', { '...': digestOf(element) }, { '...': digestOf('nobody knows') }],
      _sd_alg: 'sha-256',
    }
    const verification = await verifyPayload(payload, [outer, inner, element])
    expect([verification.verdict, failures(verification)]).toEqual(['valid', []])
    expect(check(verification, 'status')?.detail).toBe('The credential has no status: it cannot be revoked.')
  })

  const one = disclosure('more', 1)
  const element = disclosure('in a list')
  const cases: Record<string, [object, readonly string[]]> = {}
  for (const name of ['exp', 'nbf', 'iss', 'vct', 'status', 'cnf', 'vct#integrity', '_sd_alg']) {
    const hidden = disclosure(name, name === 'exp' ? 1 : 'x')
    cases[`${name} as a disclosure`] = [{ _sd: [digestOf(hidden)] }, [hidden]]
  }
  const replacing = disclosure('issuer', 'did:web:evil.example')
  cases['a disclosure that replaces what is in clear'] = [{ _sd: [digestOf(replacing)] }, [replacing]]
  const twins = [disclosure('same', 1), disclosure('same', 2)]
  cases['two of one name'] = [{ _sd: twins.map(digestOf) }, twins]
  cases['one of an element among members'] = [{ _sd: [digestOf(element)] }, [element]]
  cases['one of a member in a list'] = [{ list: [{ '...': digestOf(one) }] }, [one]]
  cases['one for an object that is in no list'] = [{ thing: { '...': digestOf(element) } }, [element]]
  cases['an element with members beside its digest'] = [{ list: [{ '...': digestOf(element), x: 1 }] }, [element]]
  cases['a digest twice'] = [{ _sd: [digestOf(one)], thing: { _sd: [digestOf(one)] } }, [one]]
  cases['a digest twice that nobody discloses'] = [{ _sd: ['x'], thing: { _sd: ['x'] } }, []]
  cases['the same disclosure twice'] = [{ _sd: [digestOf(one)] }, [one, one]]
  cases['a disclosure of nothing'] = [{}, [one]]
  cases['digests that are no list'] = [{ _sd: digestOf(one) }, [one]]
  cases['a digest that is no text'] = [{ _sd: [7] }, []]
  cases['a hash below the top'] = [{ thing: { _sd_alg: 'sha-256' } }, []]
  cases['an unknown hash'] = [{ _sd_alg: 'md5' }, []]
  for (const name of ['_sd', '...']) {
    const hidden = disclosure(name, ['x'])
    cases[`${name} as a name`] = [{ _sd: [digestOf(hidden)] }, [hidden]]
  }
  for (const [index, parts] of [[], [1], [1, 2, 3], ['n', 1, 2], [{}]].entries()) {
    const odd = disclosure(...parts)
    cases[`a disclosure of other parts (${index})`] = [{ _sd: [digestOf(odd)] }, [odd]]
  }
  const twofold = Buffer.from('["salt","a",{"x":1,"x":2}]').toString('base64url')
  cases['a disclosure that reads two ways'] = [{ _sd: [digestOf(twofold)] }, [twofold]]
  const chain = Array.from({ length: 100 }).reduce<string[]>((made) => {
    const last = made.at(-1)
    return [...made, disclosure('n', last === undefined ? 1 : { _sd: [digestOf(last)] })]
  }, [])
  cases['a chain that is too deep'] = [{ _sd: [digestOf(chain.at(-1) ?? '')] }, chain]

  test.each(Object.keys(cases))('%s is refused', async (name) => {
    const [payload, disclosures] = cases[name] as [object, string[]]
    const verification = await verifyPayload(payload, disclosures)
    expect([verification.verdict, failures(verification)]).toEqual(['not valid', ['content']])
  })

  test('more disclosures than a passport can have are not read', async () => {
    const disclosures = Array.from({ length: 20_000 }, (_, index) => disclosure(`n${index}`, 1))
    expect(failures(await verifyPayload({ _sd: disclosures.slice(0, 19_000).map(digestOf) }, disclosures))).toEqual([
      'form',
    ])
  })

  test('the certificate next to the signature is of its key, and no key is taken from it', async () => {
    for (const x5c of [['AAAA'], [], 'x', [1], Array.from({ length: 40 }, () => 'AAAA'), ['A'.repeat(110_000)]]) {
      const verification = await verifyPayload({}, [], { x5c })
      expect([verification.verdict, failures(verification)]).toEqual(['not valid', ['key']])
    }
  })

  test.each([
    [{ alg: 'none' }, 'signature'],
    [{ alg: 'HS256' }, 'signature'],
    [{ kid: undefined }, 'key'],
    [{ kid: 'other' }, 'key'],
    [{ typ: 'JWT' }, 'form'],
    [{ crit: ['b64'], b64: false }, 'form'],
  ])('header %j is refused', async (header, name) => {
    expect(failures(await verifyPayload({}, [], header))).toEqual([name])
  })

  test('a token that binds a key is not passed over', async () => {
    const text = await issuer.sdJwt(base)
    expect(failures(await verify(`${text}eyJhbGciOiJub25lIn0.e30.AAAA`, issuer.options()))).toEqual(['form'])
  })

  test('a private key among the published ones gives nothing but its public half', async () => {
    const at = 'https://issuer.example/.well-known/jwt-vc-issuer/it'
    const metadata = JSON.parse(String(issuer.published.get(at)))
    const other = stranger()
    other.published.set(
      at,
      JSON.stringify({ ...metadata, jwks: { keys: [{ ...metadata.jwks.keys[0], kty: 'oct', k: 'AAAA' }] } }),
    )
    expect(failures(await verify(await issuer.sdJwt(base), other.options()))).toEqual(['key'])
  })
})

describe('the status', () => {
  const revocable = (more: object = {}) => ({ credentialStatus: { ...statusEntry(LIST), ...more } })
  const verifyList = async (
    published: (issuer: ReturnType<typeof stranger>) => Promise<string> | string,
    entry: object = {},
  ) => {
    const issuer = stranger()
    issuer.published.set(LIST, await published(issuer))
    return verify(await issuer.jwt(issuer.credential(revocable(entry))), issuer.options())
  }
  const list =
    (set: number[] = [], more: object = {}) =>
    (issuer: ReturnType<typeof stranger>) =>
      issuer.jwt(bitstring(issuer, LIST, set, more as never))
  const subject = (more: object) => ({
    credentialSubject: {
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: encodedList([]),
      ...more,
    },
  })

  test('clear is valid; revoked and suspended are distinguished', async () => {
    expect(await verifyList(list([8]))).toMatchObject({ verdict: 'valid' })
    const revoked = await verifyList(list([7]))
    expect([revoked.verdict, check(revoked, 'status')?.code]).toEqual(['not valid', 'revoked'])
    const both = subject({ statusPurpose: ['suspension', 'revocation'], encodedList: encodedList([7]) })
    const suspended = await verifyList(list([], both), { statusPurpose: 'suspension' })
    expect([suspended.verdict, check(suspended, 'status')?.code]).toEqual(['not valid', 'suspended'])
    expect(await verifyList((issuer) => issuer.dataIntegrity(bitstring(issuer, LIST, [7])))).toMatchObject({
      verdict: 'not valid',
    })
  })

  test('a set bit is found among several lists, before what is not known', async () => {
    const issuer = stranger()
    issuer.published.set(LIST, await issuer.jwt(bitstring(issuer, LIST, [7])))
    const entries = [statusEntry('https://issuer.example/gone'), statusEntry(LIST)]
    const verification = await verify(
      await issuer.jwt(issuer.credential({ credentialStatus: entries })),
      issuer.options(),
    )
    expect(check(verification, 'status')).toMatchObject({ ok: false, code: 'revoked' })
  })

  const wrong: Record<string, Parameters<typeof verifyList>> = {
    'a list of another issuer': [
      async () => {
        const other = stranger('https://evil.example/x')
        return other.jwt(bitstring(other, LIST))
      },
    ],
    'a forged list': [(issuer) => stranger().jwt(bitstring(issuer, LIST))],
    'a list that calls itself otherwise': [list([], { id: 'https://issuer.example/other' })],
    'a list for something else': [list([], subject({ statusPurpose: 'message' }))],
    'a list that is no list': [list([], { credentialSubject: { type: 'Thing' } })],
    'a list that is too short': [list([], subject({ encodedList: encodedList([], 8192) }))],
    'an index beyond the list': [list(), { statusListIndex: '131072' }],
    'an index that is none': [list(), { statusListIndex: '-1' }],
    'an index in words': [list(), { statusListIndex: '1e3' }],
    'no address': [list(), { statusListCredential: undefined }],
  }
  test.each(Object.keys(wrong))('%s is wrong', async (name) => {
    const verification = await verifyList(...(wrong[name] as Parameters<typeof verifyList>))
    expect([verification.verdict, failures(verification)]).toEqual(['not valid', ['status']])
  })

  const unknown: Record<string, Parameters<typeof verifyList>> = {
    'a list that has ended': [list([7], { validUntil: '2020-01-01T00:00:00Z' })],
    'a list that has not begun': [list([7], { validFrom: '2120-01-01T00:00:00Z' })],
    'no list': [() => '<html>'],
    'a list that is not there': [() => ''],
    'a list that cannot be unpacked': [list([], subject({ encodedList: 'uAAAA' }))],
    'a list without its prefix': [list([], subject({ encodedList: encodedList([]).slice(1) }))],
    'a bomb': [list([], subject({ encodedList: encodedList([], 10 * 128 * 1024 * 1024) }))],
    'another kind of status': [
      list(),
      {
        type: 'https://issuer.example/Status',
        statusPurpose: undefined,
        statusListIndex: undefined,
        statusListCredential: undefined,
      },
    ],
    'another purpose': [list(), { statusPurpose: 'message' }],
    'more than a bit': [list(), { statusSize: 2 }],
  }
  test.each(Object.keys(unknown))('%s leaves it unknown, which is not valid', async (name) => {
    const verification = await verifyList(...(unknown[name] as Parameters<typeof verifyList>))
    expect([verification.verdict, check(verification, 'status')]).toMatchObject([
      'undecided',
      { ok: null, code: 'statusUnknown' },
    ])
    expect(headline(verification)).toBe('vc+jwt: fits, but its status is unknown')
  })

  test('of a token list is reported in the same words', async () => {
    const issuer = stranger()
    const text = await issuer.sdJwt({ iss: issuer.url, vct: 'x', status: { status_list: { uri: LIST, idx: 3 } } })
    const other = stranger('https://evil.example/x')
    const listed = async (published: string) => {
      issuer.published.set(LIST, published)
      const { verdict, checks } = await verify(text, issuer.options())
      return [verdict, checks.find(({ name }) => name === 'status')?.code]
    }
    expect(await listed(await tokenList(issuer, LIST))).toEqual(['valid', undefined])
    expect(await listed(await tokenList(issuer, LIST, { 3: 1 }))).toEqual(['not valid', 'revoked'])
    expect(await listed(await tokenList(issuer, LIST, { 3: 2 }))).toEqual(['not valid', 'suspended'])
    expect(await listed(await tokenList(issuer, LIST, { 3: 9 }))).toEqual(['not valid', undefined])
    expect(await listed(await tokenList(issuer, LIST, {}, { exp: 5 }))).toEqual(['undecided', 'statusUnknown'])
    expect(await listed(await tokenList(issuer, LIST, {}, { status_list: 5 }))).toEqual(['undecided', 'statusUnknown'])
    expect(await listed('x')).toEqual(['undecided', 'statusUnknown'])
    expect(await listed(await tokenList(issuer, LIST, {}, { sub: 'https://issuer.example/other' }))).toEqual([
      'not valid',
      undefined,
    ])
    expect(await listed(await tokenList(issuer, LIST, {}, { iss: 'https://evil.example/x' }))).toEqual([
      'not valid',
      undefined,
    ])
    expect(await listed(await tokenList(other, LIST))).toEqual(['not valid', undefined])
  })
})

test('members without meaning are named', async () => {
  const issuer = stranger()
  const detail = async (more: object) =>
    check(await verify(await issuer.jwt(issuer.credential(more as never)), issuer.options()), 'content')?.detail
  expect(await detail({ unmapped: 'x' })).toBe('No context defines unmapped.')
  expect(await detail({ type: ['VerifiableCredential', 'Unmapped'] })).toBe('No context defines the type Unmapped.')
})

test.each(['form', 'content', 'issuer', 'key', 'signature', 'status', 'schema'] as const)(
  'the next step is stated if %s is invalid, and only then',
  (name) => {
    expect(nextStep({ name, ok: false, detail: '' })).toMatch(/\.$/)
    expect(nextStep({ name, ok: true, detail: '' })).toBeUndefined()
  },
)

describe('bounds', () => {
  const issuer = stranger()
  test('a text ten times too long, and JSON ten times too deep or too large, are not read', async () => {
    expect((await verify('a'.repeat(40 * 1024 * 1024), issuer.options())).checks).toMatchObject([
      { code: 'unreadable' },
    ])
    const deep = `${'['.repeat(640)}${']'.repeat(640)}`
    const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1])))
    for (const inside of [deep, keys]) {
      const json = `{"@context":["${V2}"],"x":${inside}}`
      expect(failures(await verify(json, issuer.options()))).toEqual(['form'])
      const token = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from(json).toString('base64url')}.AAAA`
      expect(failures(await verify(token, issuer.options()))).toEqual(['form'])
    }
    expect(issuer.requested).toEqual([])
  })

  test('JSON that two readers read differently does not hold', async () => {
    const secured = await issuer.dataIntegrity(issuer.credential())
    const twofold = `{"credentialSubject":{"id":"urn:forged"},${secured.slice(1)}`
    const verification = await verify(twofold, issuer.options())
    expect(verification).toMatchObject({
      verdict: 'not valid',
      checks: [{ name: 'form', detail: expect.stringContaining('duplicate key') }],
    })
    const [header, payload, signature] = (await issuer.jwt(issuer.credential())).split('.')
    const doubled = `{"issuer":"did:web:evil.example",${Buffer.from(payload ?? '', 'base64url')
      .toString()
      .slice(1)}`
    const token = [header, Buffer.from(doubled).toString('base64url'), signature].join('.')
    expect(failures(await verify(token, issuer.options()))).toEqual(['form'])
  })

  test('an expensive expansion is skipped, and its content stays unknown', async () => {
    const terms = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`t${index}`, `https://issuer.example/t#${index}`]),
    )
    const nested = Array.from({ length: 160 }).reduce<object>(
      (inner, _, index) => ({
        '@context': { [`n${index}`]: { '@id': 'https://issuer.example/n', '@context': inner } },
      }),
      {},
    )
    for (const more of [
      { '@context': [V2, terms] },
      { '@context': [V2, ...Array.from({ length: 160 }, () => V2)] },
      {
        '@context': [
          V2,
          { t: { '@id': 'https://issuer.example/t', '@context': Array.from({ length: 160 }, () => ({})) } },
        ],
      },
      { credentialSubject: { id: 'urn:a', name: Array.from({ length: 500_000 }, () => 'x') } },
    ]) {
      const verification = await verify(await issuer.jwt(issuer.credential(more)), issuer.options())
      expect([verification.verdict, check(verification, 'content')]).toMatchObject(['undecided', { ok: null }])
      expect(headline(verification)).toBe('vc+jwt: fits, but its content is unknown')
    }
    expect(
      (await verify(await issuer.jwt(issuer.credential({ '@context': [V2, nested] })), issuer.options())).valid,
    ).toBe(false)
  })

  test('contexts of a stranger are not fetched, inline ones neither', async () => {
    for (const context of [
      'https://evil.example/c',
      { '@import': 'https://evil.example/c' },
      { x: { '@id': 'urn:x', '@context': 'https://evil.example/c' } },
    ]) {
      issuer.requested.length = 0
      const credential = issuer.credential({
        '@context': [V2, context],
        credentialSubject: { id: 'urn:a', x: { y: 1 } },
      })
      expect(failures(await verify(await issuer.jwt(credential), issuer.options()))).toEqual(['content'])
      expect(issuer.requested).toEqual([`${issuer.url}/did.json`])
    }
  })

  test('contexts that a plugin brings are known', async () => {
    const credential = issuer.credential({ '@context': [V2, 'https://shoes.example/v1'], sole: 'rubber' })
    const contextsWith = (context: object | null) => new Map([...CONTEXTS, ['https://shoes.example/v1', context]])
    const verdictWith = async (contexts: Contexts) =>
      (await verify(await issuer.jwt(credential), issuer.options({ contexts }))).verdict
    expect(await verdictWith(CONTEXTS)).toBe('not valid')
    expect(await verdictWith(contextsWith({ '@context': { sole: 'https://shoes.example/#sole' } }))).toBe('valid')
    expect(await verdictWith(contextsWith({ '@context': { heel: 'https://shoes.example/#heel' } }))).toBe('not valid')
    // A known context that is not available here.
    expect(await verdictWith(contextsWith(null))).toBe('valid')
  })

  test('the only context among the documents of a gateway is its own, and the only tenants are its own', async () => {
    const tenant = stranger('https://gateway.example/tenants/1')
    const verdictOf = async (by: Stranger, context: string) =>
      (await verify(await by.jwt(by.credential({ '@context': [V2, context] })), by.options())).verdict
    expect(await verdictOf(tenant, 'https://gateway.example/context/v1')).toBe('valid')
    expect(await verdictOf(tenant, 'https://gateway.example/vct/digital-product-passport')).toBe('not valid')
    expect(await verdictOf(tenant, 'https://gateway.example/ns/dpp')).toBe('not valid')
    expect(await verdictOf(tenant, 'https://other.example/context/v1')).toBe('not valid')
    expect(await verdictOf(issuer, 'https://gateway.example/context/v1')).toBe('not valid')
  })

  test('one proof is verified', async () => {
    const secured = JSON.parse(await issuer.dataIntegrity(issuer.credential()))
    const proofs = (proof: unknown) => JSON.stringify({ ...secured, proof })
    expect((await verify(proofs([secured.proof]), issuer.options())).verdict).toBe('valid')
    for (const proof of [
      Array.from({ length: 1000 }, () => secured.proof),
      [],
      [[secured.proof]],
      'x',
      { ...secured.proof, previousProof: 'urn:x' },
    ]) {
      expect(failures(await verify(proofs(proof), issuer.options()))).toEqual(['form'])
    }
    for (const proofValue of [
      `z${'2'.repeat(1_000_000)}`,
      `u${Buffer.alloc(64).toString('base64url')}`,
      'z',
      5,
      undefined,
    ]) {
      expect(failures(await verify(proofs({ ...secured.proof, proofValue }), issuer.options()))).toEqual(['signature'])
    }
  })

  test('contexts that the proof does not sign do not hold', async () => {
    const secured = JSON.parse(await issuer.dataIntegrity(issuer.credential()))
    for (const context of [[V2, 'https://w3id.org/security/data-integrity/v2'], V2, []]) {
      const verification = await verify(JSON.stringify({ ...secured, '@context': context }), issuer.options())
      expect(failures(verification)).toContain('signature')
      expect(check(verification, 'signature')?.detail).toContain('differs from the signed proof.@context')
    }
  })
})

test.each([
  '',
  ' ',
  'x',
  '{',
  '{}',
  '[]',
  '[{"@context":[]}]',
  'a.b.c',
  '~',
  'a~b~',
  'eyJ9.eyJ9.eyJ9',
  '\0',
  'null',
  '"x"',
])('%j is unreadable, which is distinct from invalid', async (text) => {
  const verification = await verify(text, stranger().options())
  expect(verification).toMatchObject({
    form: 'unknown',
    verdict: 'not valid',
    valid: false,
    checks: [{ name: 'form', ok: false, code: 'unreadable' }],
  })
  expect(headline(verification)).toBe('The document cannot be read')
})
