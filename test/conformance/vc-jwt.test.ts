import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verify } from '../../src/verify/index.ts'
import { CONTEXTS } from '../support/contexts.ts'
import {
  FORMS,
  forged,
  type IssuingGateway,
  issuerIn,
  METADATA,
  partOf,
  startIssuingGateway,
} from '../support/credentials.ts'
import { credo } from '../support/credo.ts'
import { didJwt } from '../support/did-jwt.ts'

let issuing: IssuingGateway
beforeAll(async () => {
  issuing = await startIssuingGateway()
})
afterAll(() => issuing.gateway.close())

const ours = async (compact: string, now = new Date()) =>
  verify(compact, { documents: issuing.documents, contexts: CONTEXTS, now })
const failures = async (compact: string, now?: Date) =>
  (await ours(compact, now)).checks.filter(({ ok }) => ok === false).map(({ name }) => name)

/** Signs with a foreign key. */
function signedBy(
  header: object,
  payload: object,
  privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
) {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode(header)}.${encode(payload)}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

describe.each(Object.keys(METADATA))('a credential of category %s', (category) => {
  test('is accepted by did-jwt and by dpp verify', async () => {
    const compact = await issuing.credential(await issuing.given(METADATA[category] ?? {}), FORMS.jwt)
    expect(await didJwt(issuing, compact)).toBe(true)
    expect(await ours(compact)).toMatchObject({ form: 'vc+jwt', valid: true })
  })

  test('has the header and the claims that VC-JOSE-COSE names, and no others', async () => {
    const compact = await issuing.credential(await issuing.given(METADATA[category] ?? {}), FORMS.jwt)
    expect(partOf(compact, 0)).toEqual({ alg: 'ES256', typ: 'vc+jwt', cty: 'vc', kid: `${issuing.did}#key-1` })
    const payload = partOf(compact, 1)
    expect(payload.iss).toBe(payload.issuer.id)
    expect(payload).not.toHaveProperty('vc')
    expect(Buffer.from(compact.split('.')[2] ?? '', 'base64url')).toHaveLength(64)
  })

  test('is refused by both when it was tampered with', async () => {
    const compact = await issuing.credential(await issuing.given(METADATA[category] ?? {}), FORMS.jwt)
    const other = await issuing.credential(await issuing.given(METADATA[category] ?? {}), FORMS.jwt)
    const [header, payload, signature = ''] = compact.split('.')
    const mine = signedBy(partOf(compact, 0), partOf(compact, 1))
    const tampered: Record<string, string> = {
      'a changed claim': forged(compact, { payload: { name: 'Another product' } }),
      'a changed subject': forged(compact, { payload: { credentialSubject: { id: 'urn:x' } } }),
      'a changed header': forged(compact, { header: { cty: 'vp' } }),
      'another key of the same DID': forged(compact, { header: { kid: `${issuing.did}#key-2` } }),
      'a key of somebody else': mine,
      'a swapped signature': [header, payload, other.split('.')[2]].join('.'),
      'a broken signature': [header, payload, `${signature.slice(0, -4)}AAAA`].join('.'),
      'alg none': [
        forged(compact, { header: { alg: 'none' } })
          .split('.')
          .slice(0, 2)
          .join('.'),
        '',
      ].join('.'),
      'alg HS256': forged(compact, { header: { alg: 'HS256' } }),
      'alg ES384': forged(compact, { header: { alg: 'ES384' } }),
    }
    for (const [name, forgery] of Object.entries(tampered)) {
      await expect(
        didJwt(issuing, forgery).catch(() => false),
        name,
      ).resolves.toBe(false)
      expect(await ours(forgery), name).toMatchObject({ valid: false })
    }
  })
})

describe('dpp verify', () => {
  let id: string
  let compact: string
  beforeAll(async () => {
    id = await issuing.given(METADATA.textiles ?? {})
    compact = await issuing.credential(id, FORMS.jwt)
  })

  test('takes no key from the token, and none of another issuer', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = publicKey.export({ format: 'jwk' })
    expect(await failures(signedBy({ ...partOf(compact, 0), jwk }, partOf(compact, 1), privateKey))).toEqual([
      'signature',
    ])
    const stranger = signedBy(
      { ...partOf(compact, 0), kid: 'did:web:evil.example#key-1' },
      partOf(compact, 1),
      privateKey,
    )
    const urls: string[] = []
    const documents = { read: async (url: string) => Promise.reject(new Error(String(urls.push(url)))) }
    const { checks } = await verify(stranger, { documents, contexts: CONTEXTS, now: new Date() })
    expect(checks.filter(({ ok }) => ok === false).map(({ name }) => name)).toEqual(['issuer'])
    expect(urls).toEqual([])
    const { kid: _kid, ...unnamed } = partOf(compact, 0)
    expect(await failures(signedBy({ ...unnamed, jwk }, partOf(compact, 1), privateKey))).toContain('key')
  })

  test('rejects iss that differs, members of data model 1.1, extensions, and another typ, without any request', async () => {
    for (const [change, check] of [
      [{ payload: { iss: 'did:web:evil.example' } }, 'issuer'],
      [{ payload: { vc: {} } }, 'form'],
      [{ header: { typ: 'at+jwt' } }, 'form'],
      [{ header: { crit: ['b64'], b64: false } }, 'form'],
    ] as const) {
      const urls: string[] = []
      const documents = { read: async (url: string) => Promise.reject(new Error(String(urls.push(url)))) }
      const { checks } = await verify(forged(compact, change), { documents, contexts: CONTEXTS, now: new Date() })
      expect(checks.filter(({ ok }) => ok === false).map(({ name }) => name)).toEqual([check])
      expect(urls).toEqual([])
    }
    const old = forged(compact, { payload: { '@context': ['https://www.w3.org/2018/credentials/v1'] } })
    expect(await failures(old)).toEqual(['content', 'signature'])
  })

  test('refuses it before and after its time, and tells them apart', async () => {
    const validity = async (text: string, now: Date) =>
      (await ours(text, now)).checks.find(({ name }) => name === 'validity')
    expect(await validity(compact, new Date(0))).toMatchObject({ ok: false, code: 'notYetValid' })
    expect((await ours(compact, new Date(0))).verdict).toBe('not valid')
    await issuing.passports.setStatus(id, 'DECOMMISSIONED')
    const ending = await issuing.credential(id, FORMS.jwt)
    expect(partOf(ending, 1).validUntil).toBeDefined()
    expect(await validity(ending, new Date('2126-01-01'))).toMatchObject({ ok: false, code: 'expired' })
  })

  test('unwraps an enveloped credential', async () => {
    const enveloped = {
      '@context': 'https://www.w3.org/ns/credentials/v2',
      id: `data:application/vc+jwt,${compact}`,
      type: 'EnvelopedVerifiableCredential',
    }
    expect((await ours(JSON.stringify(enveloped))).form).toBe('vc+jwt')
  })

  test.each(['', 'x', '{', '{}', '[]', 'a.b.c', '~', 'a~b~', '{"@context":[]}', 'eyJ9.eyJ9.eyJ9', '\0'])(
    'says that %j is nothing that holds',
    async (text) => {
      expect((await ours(text)).valid).toBe(false)
    },
  )
})

describe('a rotated key', () => {
  test('signs what is asked for from then on, and what the old one signed stays valid', async () => {
    const rotating = await issuerIn(issuing.gateway)
    const id = await rotating.given(METADATA['iron-steel'] ?? {})
    const before = await rotating.credential(id, FORMS.jwt)
    expect(await rotating.credential(id, FORMS.jwt)).toBe(before)
    const { status } = await rotating.gateway.request('POST', '/api/v1/tenants/rotate-keys', {
      headers: rotating.workspace.as,
    })
    expect(status).toBe(200)
    const after = await rotating.credential(id, FORMS.jwt)
    expect([before, after].map((compact) => partOf(compact, 0).kid)).toEqual([
      `${rotating.did}#key-1`,
      `${rotating.did}#key-2`,
    ])
    for (const compact of [before, after]) {
      expect(
        await verify(compact, { documents: rotating.documents, contexts: CONTEXTS, now: new Date() }),
      ).toMatchObject({ valid: true })
    }
    const { verificationMethod, assertionMethod } = (await rotating.didDocument()) as {
      verificationMethod: { id: string; type: string }[]
      assertionMethod: string[]
    }
    expect(verificationMethod.map(({ id: at, type }) => [at.split('#')[1], type])).toEqual([
      ['key-1', 'Multikey'],
      ['key-1-jwk', 'JsonWebKey'],
      ['key-1-jwk2020', 'JsonWebKey2020'],
      ['key-2', 'Multikey'],
      ['key-2-jwk', 'JsonWebKey'],
      ['key-2-jwk2020', 'JsonWebKey2020'],
    ])
    expect(assertionMethod).toEqual(verificationMethod.map(({ id: at }) => at))
  })
})

test.each(Object.keys(METADATA))(
  'Credo accepts a vc+jwt of category %s, and refuses it tampered with',
  async (category) => {
    const agent = credo(issuing)
    const compact = await issuing.credential(await issuing.given(METADATA[category] ?? {}), FORMS.jwt)
    const result = await agent.verifyJwt(compact)
    expect([result.isValid, result.error, result.validations]).toEqual([true, undefined, expect.anything()])
    for (const forgery of [
      forged(compact, { payload: { name: 'Another' } }),
      forged(compact, { header: { cty: 'x' } }),
      forged(compact, { header: { kid: `${issuing.did}#key-9` } }),
      forged(compact, { header: { alg: 'none' } }),
      forged(compact, { header: { alg: 'HS256' } }),
      forged(compact, { payload: { issuer: 'did:web:evil.example', iss: 'did:web:evil.example' } }),
    ]) {
      expect((await agent.verifyJwt(forgery).catch(() => ({ isValid: false }))).isValid).toBe(false)
    }
  },
)
