import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verify } from '../../src/verify/index.ts'
import { PUBLIC_CACHING } from '../support/answer-rules.ts'
import { CONTEXTS } from '../support/contexts.ts'
import { FORMS, forged, type IssuingGateway, METADATA, partOf, startIssuingGateway } from '../support/credentials.ts'
import { BASE_URL, bearer } from '../support/gateway.ts'
import { REDACTED } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { sdJwtVerifiers } from '../support/sd-jwt.ts'

let issuing: IssuingGateway
beforeAll(async () => {
  issuing = await startIssuingGateway()
})
afterAll(() => issuing.gateway.close())

const verifiers = () => sdJwtVerifiers(issuing)
const reference = (text: string) => verifiers().reference(text)
const secondOpinion = (text: string) => verifiers().secondOpinion(text)

const refused = async (text: string) => ({
  reference: await reference(text).then(
    () => false,
    () => true,
  ),
  secondOpinion: await secondOpinion(text).then(
    () => false,
    () => true,
  ),
  ours: !(await verify(text, { documents: issuing.documents, contexts: CONTEXTS, now: new Date() })).valid,
})
const BY_ALL = { reference: true, secondOpinion: true, ours: true }

describe.each(Object.keys(METADATA))('a credential of category %s', (category) => {
  let text: string
  beforeAll(async () => {
    text = await issuing.credential(await issuing.given(METADATA[category] ?? {}), FORMS.sdJwt)
  })

  test('is accepted by @sd-jwt, @meeco/sd-jwt and dpp verify, which see the same', async () => {
    const { payload } = await reference(text)
    const other = await secondOpinion(text)
    expect(other.credentialSubject).toEqual(payload.credentialSubject)
    expect(payload).toMatchObject({
      iss: issuing.url,
      vct: `${BASE_URL}/vct/digital-product-passport`,
      credentialSubject: { idGranularity: 'model', countryOfProduction: { countryCode: 'PT' } },
    })
    expect(await verify(text, { documents: issuing.documents, contexts: CONTEXTS, now: new Date() })).toMatchObject({
      form: 'dc+sd-jwt',
      valid: true,
    })
  })

  test('shows identity and status in clear, and everything else as a disclosure', () => {
    const clear = partOf(text, 1)
    expect(Object.keys(clear.credentialSubject)).toEqual(
      expect.arrayContaining(['id', 'name', 'idScheme', 'idGranularity', 'productCategory', '_sd']),
    )
    for (const hidden of [
      'characteristics',
      'producedAtFacility',
      'countryOfProduction',
      'performanceClaim',
      'materialProvenance',
    ]) {
      expect(clear.credentialSubject).not.toHaveProperty(hidden)
    }
    expect(clear.status.status_list.uri).toBe(`${issuing.url}/status/tokens`)
    expect(partOf(text, 0)).toMatchObject({ alg: 'ES256', typ: 'dc+sd-jwt', kid: `${issuing.did}#key-1` })
    const [leaf] = partOf(text, 0).x5c
    expect(new X509Certificate(Buffer.from(leaf, 'base64')).subjectAltName).toContain(`URI:${issuing.url}`)
    expect(text.endsWith('~')).toBe(true)
  })

  test('holds with disclosures dropped, one by one and all', async () => {
    const { instance } = await reference(text)
    const presented = await instance.present(text, { credentialSubject: { countryOfProduction: true } } as never)
    expect(presented.length).toBeLessThan(text.length)
    expect(await secondOpinion(presented)).toMatchObject({
      credentialSubject: { countryOfProduction: { countryCode: 'PT' } },
    })
    const bare = `${text.split('~')[0]}~`
    for (const shortened of [presented, bare]) {
      const { payload } = await reference(shortened)
      expect(payload.credentialSubject).not.toHaveProperty('characteristics')
      expect(
        await verify(shortened, { documents: issuing.documents, contexts: CONTEXTS, now: new Date() }),
      ).toMatchObject({ valid: true })
    }
  })

  test('is refused by all when it was tampered with', async () => {
    const [jwt = '', ...disclosures] = text.split('~')
    const rest = disclosures.join('~')
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const [header, payload] = jwt.split('.')
    const mine = sign('sha256', Buffer.from(`${header}.${payload}`), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const forgeries: Record<string, string> = {
      'a changed claim': `${forged(jwt, { payload: { name: 'Another' } })}~${rest}`,
      'another vct': `${forged(jwt, { payload: { vct: 'https://evil.example' } })}~${rest}`,
      'a changed header': `${forged(jwt, { header: { cty: 'x' } })}~${rest}`,
      'another key': `${header}.${payload}.${mine.toString('base64url')}~${rest}`,
      'an unknown key': `${forged(jwt, { header: { kid: `${issuing.did}#key-9` } })}~${rest}`,
      'alg none': `${forged(jwt, { header: { alg: 'none' } })
        .split('.')
        .slice(0, 2)
        .join('.')}.~${rest}`,
    }
    for (const [name, forgery] of Object.entries(forgeries)) expect(await refused(forgery), name).toEqual(BY_ALL)
  })

  test('never reveals an unsigned disclosure', async () => {
    const [jwt = '', first = '', ...others] = text.split('~')
    const forgedAs = (name: string, value: unknown) =>
      Buffer.from(JSON.stringify(['c2FsdHNhbHRzYWx0c2FsdA', name, value])).toString('base64url')
    const replaced = [jwt, forgedAs('status', 'forged'), ...others].join('~')
    for (const forgery of [`${text}${forgedAs('name', 'forged')}~`, replaced, `${text}${first}~`]) {
      // Both libraries accept it; RFC 9901, section 7.1, requires rejection.
      for (const seen of [(await reference(forgery)).payload, await secondOpinion(forgery)])
        expect(JSON.stringify(seen)).not.toContain('forged')
      expect((await verify(forgery, { documents: issuing.documents, contexts: CONTEXTS, now: new Date() })).valid).toBe(
        false,
      )
    }
  })
})

describe('restricted values', () => {
  const HIDDEN = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly', 'facilityDetails']
  const characteristicsOf = async (text: string) => {
    const { payload } = await reference(text)
    return (payload.credentialSubject as { characteristics: Record<string, unknown> }).characteristics
  }

  test('are further disclosures for the owner, and absent for the public', async () => {
    const id = await issuing.given(METADATA.batteries ?? {})
    const owned = await issuing.credential(id, FORMS.sdJwt, issuing.workspace.as)
    const open = await issuing.credential(id, FORMS.sdJwt)
    expect(Object.keys(await characteristicsOf(owned))).toEqual(expect.arrayContaining(HIDDEN))
    for (const key of HIDDEN) expect(await characteristicsOf(open)).not.toHaveProperty(key)
    expect(await secondOpinion(owned)).toBeTruthy()
    const { instance } = await reference(owned)
    const presented = await instance.present(owned, {
      credentialSubject: { characteristics: { lifecycleAndInUse: true } },
    } as never)
    expect(Object.keys(await characteristicsOf(presented))).toEqual(['lifecycleAndInUse'])
  })

  test('are further disclosures for whom a grant lets see them, without what is for the owner alone', async () => {
    const id = await issuing.given(METADATA.batteries ?? {})
    const { body } = await issuing.gateway.request('POST', '/api/v1/grants', {
      headers: issuing.workspace.as,
      json: { granteeName: 'Repair Ltd', scopeType: 'TENANT', expiresAt: inDays(1) },
    })
    const granted = await issuing.credential(id, FORMS.sdJwt, bearer(body.token))
    const seen = Object.keys(await characteristicsOf(granted))
    expect(HIDDEN.filter((key) => seen.includes(key))).toEqual(HIDDEN.filter((key) => key !== 'facilityDetails'))
    expect(granted).not.toBe(await issuing.credential(id, FORMS.sdJwt, issuing.workspace.as))
    for (const accept of [FORMS.jwt, FORMS.dataIntegrity]) {
      expect(await issuing.credential(id, accept, bearer(body.token))).toBe(await issuing.credential(id, accept))
    }
  })

  test('are in no other credential, nor is the placeholder', async () => {
    const secret = 'c0ffee-secret-value'
    const id = await issuing.given({
      ...METADATA.batteries,
      facilityDetails: [{ facilityName: secret }],
      lifecycleAndInUse: { note: secret },
    })
    for (const headers of [{}, issuing.workspace.as]) {
      for (const accept of [
        ...Object.values(FORMS),
        `${FORMS.jwt};profile="untp-0.6.1"`,
        `${FORMS.sdJwt};profile="untp-0.6.1"`,
      ]) {
        const text = await issuing.credential(id, accept, headers)
        const plain = text
          .split(/[.~]/)
          .map((part) => `${part}\n${Buffer.from(part, 'base64url')}`)
          .join('\n')
        const isOwnersSdJwt = accept.startsWith(FORMS.sdJwt) && 'authorization' in headers
        expect([accept, plain.includes(secret)]).toEqual([accept, isOwnersSdJwt])
        expect(plain).not.toContain(REDACTED)
        expect(plain).not.toContain('REDACTED')
        if (!isOwnersSdJwt) for (const key of HIDDEN) expect(plain).not.toContain(key)
      }
    }
  })

  test('are cached for the owner and never sent from the public cache', async () => {
    const id = await issuing.given(METADATA.batteries ?? {})
    const ask = (headers: object) =>
      issuing.gateway.request('GET', `/passport/${id}`, { headers: { accept: FORMS.sdJwt, ...headers } })
    const owned = await ask(issuing.workspace.as)
    expect(owned.headers['cache-control']).toBe('private, no-store')
    expect((await ask(issuing.workspace.as)).text).toBe(owned.text)
    for (let count = 0; count < 3; count += 1) {
      const open = await ask({})
      expect(open.headers['cache-control']).toBe(PUBLIC_CACHING)
      expect(open.text).not.toBe(owned.text)
      for (const key of HIDDEN)
        expect(Buffer.from(open.text.split('~').join(''), 'base64url').toString()).not.toContain(key)
    }
  })
})

test('vct resolves to type metadata that names itself', async () => {
  const vct = `${BASE_URL}/vct/digital-product-passport`
  const metadata = JSON.parse(await issuing.read(vct, 'application/json'))
  expect(metadata.vct).toBe(vct)
  expect(metadata.claims.find(({ path }: { path: string[] }) => path.at(-1) === 'characteristics').sd).toBe('allowed')
})
