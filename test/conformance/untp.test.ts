import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import jsonld from 'jsonld'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { productPassportCredential, UNTP_PROFILES, unitCredential } from '../../plugins/representations/untp/untp.ts'
import type { Json } from '../../src/domain/metadata.ts'
import { once } from '../../src/domain/once.ts'
import type { UnitView } from '../../src/domain/unit.ts'
import type { PassportView } from '../../src/domain/view.ts'
import { contextLoader } from '../../src/verify/contexts.ts'
import { anyText } from '../support/any-text.ts'
import { descriptions } from '../support/categories.ts'
import { CONTEXTS } from '../support/contexts.ts'
import { FORMS, type IssuingGateway, METADATA, partOf, startIssuingGateway } from '../support/credentials.ts'
import { BASE_URL, createWorkspace, newGtin, startTestGateway } from '../support/gateway.ts'
import { standard } from '../support/judges.ts'
import { anyUnit, unitOf } from '../support/unit-views.ts'

const PUBLISHED: Readonly<Record<string, string>> = {
  'https://vocabulary.uncefact.org/untp/0.7.0/context/': 'untp/0.7.0/untp-context.jsonld',
  'https://test.uncefact.org/vocabulary/untp/dpp/0.6.1/': 'untp/0.6.1/untp-dpp-context.jsonld',
}
const SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  'untp-0.7.0': [
    'untp/0.7.0/DigitalProductPassport.reconstructed.json',
    'vc/schemas/verifiable-credential-schema.json',
  ],
  'untp-0.6.1': ['untp/0.6.1/untp-dpp-schema.json', 'vc/schemas/verifiable-credential-schema.json'],
}

let issuing: IssuingGateway
beforeAll(async () => {
  issuing = await startIssuingGateway()
})
afterAll(() => issuing.gateway.close())

const accept = (profile: string) => `${FORMS.jwt};profile="${profile}"`
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

const compiled = new Map<string, ValidateFunction>()
function errorsOf(schema: string, document: unknown): string {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const { $id: _id, ...rest } = json(schema)
    validate = ajv.compile(rest)
    compiled.set(schema, validate)
  }
  return validate(document) ? '' : JSON.stringify(validate.errors)
}

const loader = once(async () => {
  const given = new Map<string, object>()
  given.set(`${BASE_URL}/context/v1`, JSON.parse(await issuing.read(`${BASE_URL}/context/v1`)))
  for (const [url, path] of Object.entries(PUBLISHED)) given.set(url, json(standard(path) ?? ''))
  const load = contextLoader(CONTEXTS, given)
  // The library then keeps a context that it has processed.
  return async (url: string) => ({ ...(await load(url)), tag: 'static' })
})

const cases = UNTP_PROFILES.flatMap((profile) => Object.keys(METADATA).map((category) => ({ profile, category })))
const isThere = standard('untp') !== undefined && standard('vc') !== undefined

describe.skipIf(!isThere)('the published schemas and contexts', () => {
  test.each(cases)('accept a $category credential of $profile', async ({ profile, category }) => {
    const id = await issuing.given(METADATA[category] ?? {})
    const { iss: _iss, ...credential } = partOf(await issuing.credential(id, accept(profile)), 1)
    const { proof: _proof, ...embedded } = JSON.parse(
      await issuing.credential(id, `${FORMS.dataIntegrity};profile="${profile}"`),
    )
    expect(embedded).toEqual(credential)
    for (const path of SCHEMAS[profile] ?? [])
      expect([path, errorsOf(standard(path) ?? '', credential)]).toEqual([path, ''])
    const expanded = await jsonld.expand(credential, { safe: true, documentLoader: await loader() })
    expect(expanded).toHaveLength(1)
  })

  test.each(UNTP_PROFILES)('%s has one name of several, and says in which language the others are', async (profile) => {
    const id = await issuing.given({ ...METADATA.textiles, story: { pl: 'Z Podhala', id: 'Dari Podhale' } })
    const credential = partOf(await issuing.credential(id, accept(profile)), 1)
    expect(JSON.stringify(credential.credentialSubject)).toContain('"name":"Wool coat"')
    const expanded = JSON.stringify(await jsonld.expand(credential, { safe: true, documentLoader: await loader() }))
    expect(expanded).toContain('{"@language":"pl","@value":"Z Podhala"}')
    expect(expanded).toContain('{"@language":"id","@value":"Dari Podhale"}')
  })

  test.each(SCHEMAS['untp-0.7.0'] ?? [])('%s refuses a broken credential, so it judges', async (path) => {
    const credential = partOf(await issuing.credential(await issuing.given(METADATA.textiles ?? {}), FORMS.jwt), 1)
    expect(errorsOf(standard(path) ?? '', { ...credential, issuer: 5 })).not.toBe('')
  })

  test('any metadata makes a credential that meets the schemas and expands in safe mode', async () => {
    const documentLoader = await loader()
    const accepts = async (given: object, profile: string) => {
      const view = viewOf({ ...(given as PassportView['metadata']), category: 'textiles' })
      const credential = await productPassportCredential(view, contextOf(profile))
      for (const path of SCHEMAS[profile] ?? []) expect(errorsOf(standard(path) ?? '', credential)).toBe('')
      await jsonld.expand(credential, { safe: true, documentLoader })
    }
    const awkward = [
      ...['id', 'type', '@id', '@type', '@context', '@graph', '', 'a:b', '_:b', 'name', 'proof', 'issuer'],
      ...['issuingSoftware', 'mediaType', 'characteristics', 'evidence', 'digestSRI', 'payload', 'recordedAt'],
      ...['description', 'untp:x', 'status', 'renderMethod', '%', 'a b', 'ä/ö'],
    ]
    for (const profile of UNTP_PROFILES) {
      for (const leaf of [0.5, ['x', 1]]) {
        const all = Object.fromEntries(awkward.map((key) => [key, leaf]))
        await accepts({ ...all, group: all, list: [all] }, profile)
      }
    }
    const key = fc.oneof(anyText({ maxLength: 8 }), fc.constantFrom(...awkward))
    const value = fc.letrec((tie) => ({
      leaf: fc.oneof(
        anyText({ maxLength: 8 }),
        fc.integer(),
        fc.boolean(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
      node: fc.oneof(
        { maxDepth: 3 },
        tie('leaf'),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(key, tie('node'), { maxKeys: 3 }),
      ),
    })).node
    const isText = (text: string) => text.isWellFormed() && !['__proto__', 'constructor', 'prototype'].includes(text)
    const metadata = fc
      .dictionary(key.filter(isText), value, { maxKeys: 8 })
      .filter((entry) => isText(JSON.stringify(entry)))
    await fc.assert(fc.asyncProperty(metadata, fc.constantFrom(...UNTP_PROFILES), accepts), { numRuns: 6 })
  })

  test.each(UNTP_PROFILES)(
    'any unit makes a credential of %s that meets the schemas and expands in safe mode',
    async (profile) => {
      const documentLoader = await loader()
      const models = (['public', 'legitimateInterest', 'authority', 'owner'] as const).map((audience) =>
        viewOf({ category: 'batteries', productName: 'Pack', serialNumber: 'SERIES' }, { audience }),
      )
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...models).chain(anyUnit), async (unit) => {
          const credential = await unitCredential(unit, contextOf(profile))
          for (const path of SCHEMAS[profile] ?? []) expect(errorsOf(standard(path) ?? '', credential)).toBe('')
          await jsonld.expand(credential, { safe: true, documentLoader })
        }),
        { numRuns: 5 },
      )
    },
  )
})

const signing = {
  issuer: {
    did: 'did:web:issuer.example',
    name: 'Issuer',
    url: 'https://issuer.example',
    verificationMethod: 'did:web:issuer.example#key-1',
    keyNumber: 1,
    sign: async () => new Uint8Array(64),
  },
  statusIndex: async () => 3,
}

const contextOf = (profile: string) => ({
  profile,
  signing,
  describe: (category: Json | undefined) => descriptions.of(category, 'en'),
})

function viewOf(metadata: PassportView['metadata'], more: Partial<PassportView> = {}): PassportView {
  return {
    baseUrl: BASE_URL,
    audience: 'public',
    id: '00000000-0000-4000-8000-000000000001',
    productId: 'SKU 1',
    identifier: { scheme: 'sku', value: 'SKU 1' },
    digitalLinkUri: `${BASE_URL}/01/SKU%201`,
    status: 'ACTIVE',
    archivedAt: null,
    retentionUntil: null,
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-02T03:04:05.678Z',
    version: 1,
    operator: {
      id: '00000000-0000-4000-8000-000000000004',
      name: 'Sample GmbH',
      regId: 'DE1',
      role: 'IMPORTER',
      contact: null,
    },
    links: [],
    media: [],
    brand: null,
    recall: null,
    registration: null,
    journey: null,
    facility: {
      id: '00000000-0000-4000-8000-000000000003',
      gln: '4012345000009',
      name: 'Works',
      activity: null,
      country: 'DE',
    },
    metadata,
    maskedKeys: [],
    grantableKeys: [],
    privilegedKeys: [],
    seal: null,
    enrichment: null,
    ...more,
  }
}

interface Claimed {
  readonly id: string
  readonly name: string
  readonly claimedPerformance: readonly [{ readonly measure: { readonly value: number; readonly unit: string } }]
}

describe('the mapping to UNTP 0.7.0', () => {
  const subjectOf = async (metadata: object, more: Partial<PassportView> = {}) => {
    const view = viewOf(metadata as PassportView['metadata'], more)
    const credential = await productPassportCredential(view, contextOf('untp-0.7.0'))
    // biome-ignore lint/suspicious/noExplicitAny: tests read into what they have made.
    return credential.credentialSubject as any
  }

  test('states a material only where its origin and share are known, and keeps all of them as they came', async () => {
    const fiberComposition = [
      { fiber: 'Wool', percentage: 55, countryOfOrigin: 'NZ' },
      { fiber: 'Polyester', percentage: 45 },
    ]
    const { materialProvenance, characteristics } = await subjectOf({ category: 'textiles', fiberComposition })
    expect(materialProvenance).toMatchObject([
      { name: 'Wool', originCountry: { countryCode: 'NZ' }, massFraction: 0.55 },
    ])
    expect(characteristics.fiberComposition).toEqual(fiberComposition)
  })

  test('takes the country of production from the facility and not from the origin of the product', async () => {
    const { countryOfProduction, characteristics } = await subjectOf({ category: 'textiles', originCountry: 'CN' })
    expect([countryOfProduction, characteristics.originCountry]).toEqual([{ countryCode: 'DE' }, 'CN'])
  })

  test.each([
    ['gtin', 'https://id.gs1.org/01/'],
    ['grai', 'https://id.gs1.org/8003/'],
    ['sku', 'did:web:issuer.example'],
  ] as const)('names the scheme of a %s', async (scheme, id) => {
    const subject = await subjectOf({ category: 'textiles' }, { identifier: { scheme, value: 'x' } })
    expect(subject.idScheme.id).toBe(id)
  })

  test('leaves masked values out, and their placeholder', async () => {
    const view = {
      metadata: { category: 'batteries', recycledContentPct: '[REDACTED]', facilityDetails: '[REDACTED]' },
      maskedKeys: ['recycledContentPct', 'facilityDetails'],
    }
    expect(JSON.stringify(await subjectOf(view.metadata, view))).not.toContain('REDACTED')
  })

  test('claims what is measured, with unit and date', async () => {
    const { performanceClaim } = await subjectOf({ category: 'iron-steel', carbonEmissionIntensityPerTon: 1.85 })
    expect(performanceClaim).toMatchObject([
      {
        name: 'Greenhouse gas emissions, in t CO2 equivalent per t of product',
        claimDate: '2026-01-02',
        claimedPerformance: [{ measure: { value: 1.85, unit: 'TNE' } }],
        conformityTopic: [{ name: 'Greenhouse Gas Emissions' }],
      },
    ])
  })

  test.each([
    [{ category: 'batteries', carbonFootprint: 61.5 }, [['carbonFootprint', 61.5, 'KGM', 'per kWh']]],
    [{ category: 'toys', carbonFootprint: 2 }, [['carbonFootprint', 2, 'KGM', 'per piece']]],
    [
      { category: 'batteries', carbonFootprint: { kgCo2ePerKWh: 60, absolute: 4000 } },
      [
        ['carbonFootprint-kgCo2ePerKWh', 60, 'KGM', 'per kWh'],
        ['carbonFootprint-absolute', 4000, 'KGM', 'per piece'],
      ],
    ],
    [
      { category: 'toys', carbonFootprint: { co2eKg: 1, unit: 'kg CO2e per m2' } },
      [['carbonFootprint-co2eKg', 1, 'KGM', 'per m2']],
    ],
    [{ category: 'toys', carbonFootprint: { co2eKg: 1, unit: 'lb CO2e' } }, []],
    [
      { category: 'textiles', recycledContent: { percentage: 40, source: 'mixed' } },
      [['recycledContent-percentage', 40, 'P1', 'in percent by mass']],
    ],
    [
      { category: 'toys', recycledContentPct: 5, durabilityScore: 3 },
      [['recycledContentPct', 5, 'P1', 'percent by mass']],
    ],
    // What another category claims under this key is not said of this one.
    [{ category: 'toys', carbonEmissionIntensityPerTon: 1.85, recycledContent: { percentage: 40 } }, []],
    [{ category: 'toys', other: { recycledContentPct: 5 } }, []],
  ])('claims what the schema of the category says: %j', async (metadata, expected) => {
    const { performanceClaim = [] } = await subjectOf(metadata)
    const found = performanceClaim.map(({ id, name, claimedPerformance: [{ measure }] }: Claimed) => [
      id.split('#claim-')[1],
      measure.value,
      measure.unit,
      name,
    ])
    expect(found).toEqual(
      expected.map(([id, value, unit, end]) => [id, value, unit, expect.stringMatching(new RegExp(`${end}$`))]),
    )
    const credential = await productPassportCredential(
      viewOf(metadata as PassportView['metadata']),
      contextOf('untp-0.7.0'),
    )
    for (const path of SCHEMAS['untp-0.7.0'] ?? []) expect(errorsOf(standard(path) ?? '', credential)).toBe('')
    await jsonld.expand(credential, { safe: true, documentLoader: await loader() })
  })
})

describe('a unit', () => {
  const model = viewOf(
    {
      category: 'batteries',
      productName: 'Pack',
      carbonFootprint: 61.5,
      serialNumber: 'SERIES',
      materialComposition: [{ material: 'Nickel', percentage: 100, countryOfOrigin: 'FI' }],
    },
    { productId: '09506000134352', updatedAt: '2026-07-01T00:00:00.000Z' },
  )
  // biome-ignore lint/suspicious/noExplicitAny: tests read into what they have made.
  const credentialOf = async (unit: UnitView, profile: string): Promise<any> => unitCredential(unit, contextOf(profile))
  const reference = { unitId: 'x', serialNumber: 'P', digitalLinkUri: `${BASE_URL}/01/09506000134352/21/P` }
  const unit = unitOf(model, { repurposedFrom: reference, successorUnits: [reference] })
  const id = '5b0c6a52-0000-4000-8000-000000000042'
  const characteristics = {
    status: 'IN_SERVICE',
    repurposedFrom: reference.digitalLinkUri,
    successorUnits: [reference.digitalLinkUri],
    typePassport: `${BASE_URL}/passport/${model.id}`,
    typePassportCredential: `${BASE_URL}/credentials/${model.id}`,
    typePassportStatus: 'ACTIVE',
  }

  test('is an item with its serial number in 0.7.0, and says nothing that is known of its model alone', async () => {
    const { credentialSubject, ...credential } = await credentialOf(unit, 'untp-0.7.0')
    expect(credential).toMatchObject({
      id: `${BASE_URL}/credentials/unit/${id}`,
      name: 'Digital Product Passport – Pack (unit SN-0042)',
      validFrom: model.updatedAt,
      credentialStatus: { statusListIndex: 3 },
    })
    expect(credentialSubject).toMatchObject({
      id: unit.digitalLinkUri,
      name: 'Pack',
      modelNumber: '09506000134352',
      itemNumber: 'SN-0042',
      idGranularity: 'item',
      productionDate: '2026-02-18',
      countryOfProduction: { countryCode: 'DE' },
    })
    expect(credentialSubject.characteristics).toEqual(characteristics)
    for (const member of ['performanceClaim', 'materialProvenance'])
      expect(credentialSubject).not.toHaveProperty(member)
  })

  test('is an item with its serial number in 0.6.1', async () => {
    const { id: credentialId, credentialSubject } = await credentialOf(unit, 'untp-0.6.1')
    expect(credentialId).toBe(`${BASE_URL}/credentials/unit/${id}`)
    expect(credentialSubject).toMatchObject({
      id: `${BASE_URL}/unit/${id}`,
      granularityLevel: 'item',
      product: {
        id: unit.digitalLinkUri,
        registeredId: '09506000134352.21.SN-0042',
        serialNumber: 'SN-0042',
        productionDate: '2026-02-18',
      },
    })
    const { type: _type, ...stated } = credentialSubject.product.characteristics
    expect(stated).toEqual(characteristics)
    expect(credentialSubject).not.toHaveProperty('materialsProvenance')
  })

  test('that changed after its product is valid from then, and has no date that nobody knows', async () => {
    const changed = unitOf(model, { updatedAt: '2026-08-01T00:00:00.000Z', manufacturedAt: null })
    const { validFrom, credentialSubject } = await credentialOf(changed, 'untp-0.7.0')
    expect(validFrom).toBe('2026-08-01T00:00:00.000Z')
    expect(credentialSubject).not.toHaveProperty('productionDate')
    expect(credentialSubject.characteristics).not.toHaveProperty('repurposedFrom')
  })

  test.each(UNTP_PROFILES)('of a draft, and of a product without a facility, is refused in %s', async (profile) => {
    for (const more of [{ status: 'DRAFT' }, { facility: null }] as const) {
      await expect(credentialOf(unitOf({ ...model, ...more }), profile)).rejects.toMatchObject({ status: 406 })
    }
  })
})

describe('what cannot be a credential', () => {
  const ask = async (path: string, headers: object) => {
    const { status, body } = await issuing.gateway.request('GET', path, { headers: { accept: FORMS.jwt, ...headers } })
    return { status, body }
  }
  const refusal = { status: 406, body: { error: 'Not Acceptable', message: expect.any(String) } }

  test('trap 34: a passport without a facility, in every form and for everybody, while its other forms answer', async () => {
    const id = await issuing.given(METADATA.textiles ?? {}, { facilityId: undefined })
    for (const accept of Object.values(FORMS)) {
      for (const headers of [{}, issuing.workspace.as]) {
        for (const path of [`/passport/${id}`, `/credentials/${id}`, `/passport/${id}?x=1`]) {
          expect(await ask(path, { accept, ...headers })).toEqual(refusal)
        }
      }
      expect(await ask(`/api/v1/passports/${id}`, { accept, ...issuing.workspace.as })).toEqual(refusal)
    }
    for (const accept of ['application/ld+json', 'application/aas+json', 'text/html']) {
      expect((await issuing.gateway.request('GET', `/passport/${id}`, { headers: { accept } })).status).toBe(200)
    }
    const rows = await issuing.gateway.sqlAs(issuing.workspace.id, 'select 1 from status_entry where subject_id = $1', [
      id,
    ])
    expect(rows).toEqual([])
  })

  test('a draft, for its owner; nobody else knows that it is there', async () => {
    const id = await issuing.given(METADATA.textiles ?? {}, { draft: true })
    expect(await ask(`/passport/${id}`, issuing.workspace.as)).toEqual(refusal)
    expect((await ask(`/passport/${id}`, {})).status).toBe(404)
  })

  test('a profile that there is not', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    for (const path of [`/passport/${id}`, `/credentials/${id}`]) {
      expect(await ask(path, { accept: `${FORMS.jwt};profile="untp-0.5.0"` })).toEqual(refusal)
    }
  })

  test('a passport of a workspace without a key, which has no DID document and no lists either', async () => {
    const keyless = await createWorkspace(issuing.gateway, { withKey: false })
    const created = await issuing.gateway.request('POST', '/api/v1/passports', {
      headers: keyless.as,
      json: { productId: newGtin(), metadata: METADATA.textiles },
    })
    expect(await ask(`/passport/${created.body.passport.id}`, {})).toEqual(refusal)
    for (const path of ['did.json', 'status/revocation', 'status/tokens']) {
      expect((await ask(`/tenants/${keyless.id}/${path}`, {})).status).toBe(404)
    }
    expect((await ask(`/.well-known/jwt-vc-issuer/tenants/${keyless.id}`, {})).status).toBe(404)
  })
})

describe('what is signed', () => {
  const get = (path: string, headers: object) =>
    issuing.gateway.request('GET', path, { headers: headers as Record<string, string> })

  test.each(Object.values(FORMS))('%s is made once, has an entity tag, and is never stale', async (accept) => {
    const id = await issuing.given(METADATA.textiles ?? {})
    const path = `/passport/${id}`
    const first = await get(path, { accept })
    const again = [
      await get(path, { accept }),
      await get(path, { accept }),
      await get(`${path}?x=1`, { accept }),
      await get(`/credentials/${id}`, { accept }),
    ]
    for (const { text, headers } of again) expect([text, headers.etag]).toEqual([first.text, first.headers.etag])
    expect((await get(path, { accept, 'if-none-match': first.headers.etag })).status).toBe(304)
    for (const change of [
      () => issuing.passports.update(id, { metadata: { ...METADATA.textiles, size: 'XL' } }),
      () => issuing.passports.setStatus(id, 'RECALLED'),
      () =>
        issuing.gateway.request('PUT', `/api/v1/facilities/${issuing.facilityId}`, {
          headers: issuing.workspace.as,
          json: { name: `Works of ${id}` },
        }),
      () => issuing.gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: issuing.workspace.as }),
    ]) {
      const before = await get(path, { accept })
      expect((await change()).status).toBe(200)
      const after = await get(path, { accept, 'if-none-match': before.headers.etag })
      expect(after.status).toBe(200)
      expect(after.text).not.toBe(before.text)
    }
  })

  test('the credential answers at its own id, as a token unless a credential is asked for', async () => {
    const id = await issuing.given(METADATA.textiles ?? {})
    const compact = await issuing.credential(id, FORMS.jwt)
    const { id: url } = partOf(compact, 1)
    for (const accept of ['*/*', 'text/html', 'text/html, application/vc+jwt;q=0.1'])
      expect(await issuing.read(url, accept)).toBe(compact)
    expect(JSON.parse(await issuing.read(url, 'application/vc')).proof.cryptosuite).toBe('ecdsa-jcs-2019')
    expect(await issuing.read(url, 'application/vc+sd-jwt')).toContain('~')
  })

  test('rendering by two processes at once ends in one signature', async () => {
    const twin = await startTestGateway({ DATABASE_URL: issuing.gateway.databaseUrl })
    try {
      const id = await issuing.given(METADATA.batteries ?? {})
      const texts = await Promise.all(
        [issuing.gateway, twin, issuing.gateway, twin].map(
          async (gateway) =>
            (await gateway.request('GET', `/passport/${id}`, { headers: { accept: FORMS.sdJwt } })).text,
        ),
      )
      expect(new Set(texts).size).toBe(1)
    } finally {
      await twin.close()
    }
  })
})

describe('the vocabulary as JSON-LD', () => {
  test('expands in safe mode, and has the terms of every category', async () => {
    const document = JSON.parse(await issuing.read(`${BASE_URL}/ns/dpp`, 'application/ld+json'))
    const [{ '@graph': _graph, ...first } = {} as Record<string, unknown>, ...rest] = (await jsonld.expand(document, {
      safe: true,
      documentLoader: contextLoader(CONTEXTS),
    })) as Record<string, unknown>[]
    const ids = [first, ...rest].map((node) => node['@id'])
    for (const term of ['DigitalProductPassport', 'fiberComposition', 'scrapMetalContentRatio', 'batteryMass']) {
      expect(ids).toContain(`${BASE_URL}/ns/dpp#${term}`)
    }
    expect((await issuing.read(`${BASE_URL}/ns/dpp`, 'text/html')).startsWith('<!doctype html>')).toBe(true)
  })

  test('/context/v1 makes a passport expand in safe mode', async () => {
    const id = await issuing.given(METADATA.batteries ?? {})
    const passport = JSON.parse(await issuing.read(`${BASE_URL}/passport/${id}`, 'application/ld+json'))
    const given = new Map([[`${BASE_URL}/context/v1`, JSON.parse(await issuing.read(`${BASE_URL}/context/v1`))]])
    const expanded = await jsonld.expand(passport, { safe: true, documentLoader: contextLoader(CONTEXTS, given) })
    expect(JSON.stringify(expanded)).toContain(`${BASE_URL}/ns/dpp#status`)
  })
})
