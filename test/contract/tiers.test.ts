// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { PUBLIC_CACHING } from '../support/answer-rules.ts'
import { BASE_URL, bearer, createWorkspace, newGln, newGtin, textile } from '../support/gateway.ts'
import { battery, passportClient, REDACTED } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const HIDDEN = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly', 'facilityDetails']
/** The order of the published samples. */
const FIXED_KEYS = [
  '@context',
  '@type',
  '@id',
  'id',
  'productId',
  'digitalLinkUri',
  'uniqueProductIdentifier',
  'digitalSeal',
  'signingPublicKey',
  'status',
  'archivedAt',
  'retentionUntil',
  'proof',
  'createdAt',
  'updatedAt',
  'economicOperator',
  'manufacturingFacility',
  'granularity',
  'metadata',
]

const { gateway, workspace, passports } = await useGateway()

const resolve = (id: string, headers = {}) => gateway.request('GET', `/passport/${id}`, { headers })
const keyOf = async (more: { role?: string; operatorId?: string; permissions?: string[]; workspaceId?: string }) => {
  const { key } = await gateway.container.cradle.workspaces.createKey({
    workspaceId: workspace.id,
    role: 'BRAND_OPERATOR',
    ...more,
  })
  return bearer(key)
}
const sessionOf = (role: string) =>
  gateway.container.cradle.workspaces.createSession({ workspaceId: workspace.id, user: 'u@x.example', role, mfa: true })
const withFacility = async (metadata: object) => {
  const { body } = await gateway.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: {
      gln: newGln(),
      name: 'Works 1',
      country: 'PT',
      activity: 'sewing',
      streetAddress: 'Rua 1',
      city: 'Porto',
      postalCode: '4000',
    },
  })
  return passports.given({ metadata, facilityId: body.facility.id })
}
const isMasked = (document: Record<string, unknown>, key: string) =>
  [document[key], (document.metadata as Record<string, unknown>)[key]].every((value) => value === REDACTED)

describe('the passport document', () => {
  test('trap 14: @type is a string in the passport and a list in the proof', async () => {
    const { id } = await passports.given()
    const { body } = await passports.seal(id)
    expect(body.passport['@type']).toBe('DigitalProductPassport')
    expect(body.passport.proof['@type']).toEqual(['MerkleTreeAttestationProof'])
    expect(body.passport.proof.type).toBe('MerkleTreeAttestationProof')
  })

  test('trap 15: the operator is economicOperator, and has its role outside lists', async () => {
    const passport = await passports.given()
    expect(passport.economicOperator).toEqual({
      '@type': 'EconomicOperator',
      id: workspace.operatorId,
      name: expect.any(String),
      regId: expect.any(String),
      role: 'MANUFACTURER',
    })
  })

  test('trap 16: every metadata key appears twice with one value, in the order of the published samples', async () => {
    const metadata = textile({ facilityDetails: [{ facilityName: 'F' }], nested: { a: [1, null] }, size: 'M' })
    const passport = await withFacility(metadata)
    expect(Object.keys(passport)).toEqual([...FIXED_KEYS, ...Object.keys(metadata), 'gtin'])
    for (const [key, value] of Object.entries(passport.metadata)) expect(passport[key]).toEqual(value)
    const owner = (await passports.get(passport.id)).body
    expect(Object.keys(owner)).toEqual(Object.keys(passport))
    expect(owner.metadata).toEqual({ ...metadata, gtin: passport.productId })
    for (const [key, value] of Object.entries(owner.metadata)) expect(owner[key]).toEqual(value)
  })

  test('fixed fields win over metadata of their name', async () => {
    const forged = {
      id: 'forged',
      status: 'RECALLED',
      digitalSeal: 'forged',
      proof: { type: 'forged' },
      metadata: 'forged',
    }
    const passport = await passports.given({ metadata: textile({ ...forged, '': 'empty' }) })
    expect(passport).toMatchObject({
      status: 'ACTIVE',
      digitalSeal: null,
      proof: null,
      '@type': 'DigitalProductPassport',
    })
    expect(passport['@id']).toBe(passport.digitalLinkUri)
    expect(passport.metadata).toMatchObject({ ...forged, '': 'empty' })
  })

  test('inline terms name the fixed terms, the level and the flattened keys, none with a colon or a slash', async () => {
    const passport = await passports.given({
      metadata: textile({ 'a:b': 1, 'http://x.example/y': 2, 'c/d': 3, 'e f': 4, ü: 5, '': 6, status: 7 }),
    })
    const [context, terms] = passport['@context']
    expect(context).toBe(`${BASE_URL}/context/v1`)
    expect(Object.keys(terms)).toEqual([
      'DigitalProductPassport',
      'economicOperator',
      'manufacturingFacility',
      'metadata',
      'digitalSeal',
      'signingPublicKey',
      'status',
      'archivedAt',
      'retentionUntil',
      'uniqueProductIdentifier',
      'granularity',
      'category',
      'originCountry',
      'e f',
      'ü',
      'gtin',
    ])
    expect(terms.status).toBe(`${BASE_URL}/ns/dpp#status`)
    expect(terms.category).toBe(`${BASE_URL}/context/v1#category`)
    for (const iri of Object.values(terms)) expect(URL.canParse(String(iri))).toBe(true)
  })

  test('trap 25: enrichment is in no document and in no seal', async () => {
    const enrichment = { tagline: 'Warm all winter' }
    const passport = await passports.given({ enrichment })
    await passports.seal(passport.id)
    for (const { text } of [await resolve(passport.id), await passports.get(passport.id), await passports.list()]) {
      expect(text).not.toContain('Warm all winter')
      expect(text).not.toContain('enrichment')
    }
    const { body } = await resolve(passport.id)
    expect(Object.keys(body.proof.salts).sort()).toEqual(['@passport', 'category', 'gtin', 'originCountry'])
  })
})

describe('the public tier', () => {
  test('trap 17: create, update, seal and status mask even for the owner', async () => {
    const created = await passports.given({ metadata: battery() })
    const updated = await passports.update(created.id, { metadata: battery() })
    const sealed = await passports.seal(created.id)
    const moved = await passports.setStatus(created.id, 'RECALLED')
    for (const document of [created, updated.body.passport, sealed.body.passport, moved.body.passport]) {
      expect(HIDDEN.filter((key) => isMasked(document, key))).toEqual(HIDDEN)
    }
    expect(Object.keys(sealed.body.passport.proof.redactedLeaves).sort()).toEqual([...HIDDEN].sort())
  })

  test('nothing is masked that is not there', async () => {
    const passport = await passports.given()
    expect(passport).not.toHaveProperty('facilityDetails')
    expect(passport.metadata).not.toHaveProperty('facilityDetails')
  })

  test('trap 28: the facility address is shown to the owner alone', async () => {
    const { id } = await withFacility(textile())
    const seen = (await resolve(id)).body.manufacturingFacility
    expect(Object.keys(seen)).toEqual(['@type', 'id', 'gln', 'name', 'activity', 'country'])
    const owned = (await passports.get(id)).body.manufacturingFacility
    expect(owned).toEqual({ ...seen, streetAddress: 'Rua 1', city: 'Porto', postalCode: '4000' })
  })

  test('is what a bad, foreign or narrowed credential gets from the public resolver, and never a refusal', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const stranger = await createWorkspace(gateway)
    const otherOperator = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name: 'Other', regId: `R-${newGln()}` },
    })
    const expected = await resolve(id)
    expect(expected.headers['cache-control']).toBe(PUBLIC_CACHING)
    for (const headers of [
      bearer('dpp_key_AAAAAAAA_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
      { authorization: 'Basic dTpw' },
      stranger.as,
      await keyOf({ permissions: ['passport:create'] }),
      await keyOf({ operatorId: otherOperator.body.operator.id }),
      bearer((await sessionOf('BRAND_OPERATOR')).token),
      { cookie: (await sessionOf('BRAND_OPERATOR')).cookie },
    ]) {
      const { status, body } = await resolve(id, headers)
      expect(status).toBe(200)
      expect(body).toEqual(expected.body)
    }
  })
})

describe('the owner tier', () => {
  test('is for keys of the owning workspace and of one to which the operator is bound', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const bound = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.bindOperator(workspace.operatorId, bound.id)
    for (const headers of [
      workspace.as,
      bound.as,
      await keyOf({ role: 'TENANT_ADMIN' }),
      await keyOf({ role: 'AUDITOR' }),
      await keyOf({ operatorId: workspace.operatorId }),
    ]) {
      for (const { status, body, headers: answered } of [
        await resolve(id, headers),
        await passportClient(gateway, headers).get(id),
      ]) {
        expect(status).toBe(200)
        expect(body.metadata).toMatchObject(battery())
        expect(body.facilityDetails).toEqual(battery().facilityDetails)
        expect(answered['cache-control']).toBe('private, no-store')
      }
    }
  })

  test('leaves nothing behind that an anonymous caller could see', async () => {
    const { id } = await passports.given({ metadata: battery() })
    await resolve(id, workspace.as)
    const { body } = await resolve(id)
    expect(HIDDEN.filter((key) => isMasked(body, key))).toEqual(HIDDEN)
    // Caches must vary on the credential.
    expect((await resolve(id)).headers.vary).toMatch(/Authorization/)
  })
})

describe('sessions and drafts', () => {
  test('trap 29: a session reads the public tier, and a draft answers 404 without success', async () => {
    const published = await passports.given({ metadata: battery() })
    const draft = await passports.given({ metadata: {}, draft: true })
    const session = await sessionOf('BRAND_OPERATOR')
    for (const headers of [bearer(session.token), { cookie: session.cookie }]) {
      const caller = passportClient(gateway, headers)
      const seen = (await caller.get(published.id)).body
      expect(HIDDEN.filter((key) => isMasked(seen, key))).toEqual(HIDDEN)
      const hidden = await caller.get(draft.id)
      expect(hidden.status).toBe(404)
      expect(hidden.body).toEqual({ error: 'Not Found', message: expect.any(String) })
      const page = await passportClient(gateway, { ...headers, accept: 'text/html' }).get(draft.id)
      expect(page.status).toBe(404)
      expect(page.headers['content-type']).toMatch(/^text\/html/)
    }
  })

  test('trap 30: the same draft answers 200 unmasked to a key of the owner, by UUID and by product id', async () => {
    const productId = newGtin()
    const draft = await passports.given({ productId, metadata: battery(), draft: true })
    for (const { status, body } of [
      await passports.get(draft.id),
      await passports.get(productId),
      await resolve(draft.id, workspace.as),
      await gateway.request('GET', `/01/${productId}`, { headers: workspace.as }),
    ]) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ status: 'DRAFT', metadata: battery() })
    }
  })

  test('a hidden draft and an absent passport answer alike', async () => {
    const draft = await passports.given({ metadata: {}, draft: true })
    const absent = '00000000-0000-4000-8000-000000000000'
    const stranger = await createWorkspace(gateway)
    for (const headers of [{}, stranger.as]) {
      const [one, other] = [await resolve(draft.id, headers), await resolve(absent, headers)]
      expect(one.status).toBe(404)
      expect(one.body).toEqual(other.body)
    }
    const html = await resolve(draft.id, { accept: 'text/html' })
    expect(html.status).toBe(404)
    expect(html.headers['content-type']).toContain('text/html')
  })

  test('a published passport that becomes a draft again disappears immediately', async () => {
    const { id, productId } = await passports.given()
    expect((await resolve(id)).status).toBe(200)
    expect((await gateway.request('GET', `/01/${productId}`)).status).toBe(200)
    await passports.update(id, { metadata: {}, draft: true })
    expect((await resolve(id)).status).toBe(404)
    expect((await gateway.request('GET', `/01/${productId}`)).status).toBe(404)
  })
})
