import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { rebuildRoot } from '../conformance/seal-tree.mjs'
import { aasStandard, isReferenceMissing } from '../support/aas-reference.ts'
import { bearer, createWorkspace, newGtin, textile } from '../support/gateway.ts'
import { battery, eventsOf, expectStatus, passportClient, REDACTED } from '../support/passport-client.ts'
import { standard } from '../support/reference-tools.ts'
import { aasEnvironment } from '../support/sample-calls.ts'
import { changedTables, tableDigests } from '../support/table-digests.ts'
import { anotherOperator } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const ingest = (json: unknown, headers: Record<string, string> = workspace.as) =>
  gateway.request('POST', '/api/v1/passports/aas/ingest', { headers, json })
const environmentOf = async (id: string, headers: Record<string, string> = workspace.as) =>
  expectStatus(
    200,
    await gateway.request('GET', `/passport/${id}`, { headers: { ...headers, accept: 'application/aas+json' } }),
  ).body
const countOf = async () =>
  Number((await gateway.sqlAs<{ count: string }>(workspace.id, 'select count(*) from passport'))[0]?.count)
/** An environment with these elements in addition to category and country. */
const withElements = (elements: unknown[], productId = newGtin()) => {
  const environment = aasEnvironment({ productId, metadata: textile() })
  environment.submodels[0]?.submodelElements.push(...(elements as never[]))
  return environment
}
const property = (idShort: string, value: unknown, valueType = 'xs:string') => ({
  modelType: 'Property',
  idShort,
  valueType,
  value,
})
const collection = (idShort: string, value: unknown) => ({ modelType: 'SubmodelElementCollection', idShort, value })

describe.skipIf(isReferenceMissing)('environments of other vendors', () => {
  const { cases } = (isReferenceMissing ? { cases: {} } : aasStandard('ingest/expected.json')) as {
    cases: Record<string, { expect: number; error?: string }>
  }

  test('every sample has an expected outcome', () => {
    const files = readdirSync(standard('aas/ingest') ?? '')
    expect(files.filter((file) => file !== 'expected.json').sort()).toEqual(Object.keys(cases).sort())
  })

  test.each(Object.entries(cases))('%s', async (file, { expect: status, error }) => {
    const own = await createWorkspace(gateway)
    const answer = await ingest(aasStandard(`ingest/${file}`), own.as)
    expect([answer.status, answer.body.error]).toEqual([status, error])
    const rows = await gateway.sqlAs(own.id, 'select 1 from passport where tenant_id = $1', [own.id])
    expect(rows).toHaveLength(status === 201 ? 1 : 0)
  })

  test('without metadata of a passport are rejected with the reason', async () => {
    for (const file of readdirSync(standard('aas/environments') ?? '')) {
      const { status, body } = await ingest(aasStandard(`environments/${file}`))
      expect([file, status, body.error, body.message]).toEqual([
        file,
        400,
        'Ingestion Failed',
        'The submodel with the idShort ComplianceMetadata is missing.',
      ])
    }
  })

  test('say the same as text, as JSON text and as collections', async () => {
    const metadataOf = async (file: string) => {
      const own = await createWorkspace(gateway)
      const { body } = expectStatus(201, await ingest(aasStandard(`ingest/${file}`), own.as))
      return (await passportClient(gateway, own.as).get(body.passportId)).body.metadata
    }
    expect(await metadataOf('01-flat-iron-steel.json')).toEqual({
      category: 'iron-steel',
      originCountry: 'DE',
      gtin: '09506000134352',
      scrapMetalContentRatio: 62.5,
      tensileStrengthClass: 'S355',
      carbonEmissionIntensityPerTon: 1.42,
    })
    expect(await metadataOf('02-json-string-complex-values.json')).toEqual({
      category: 'textiles',
      originCountry: 'PT',
      size: 'M',
      careInstructions: '30 C gentle, line dry',
      fiberComposition: [
        { fiber: 'cotton', percentage: 80 },
        { fiber: 'polyester', percentage: 20 },
      ],
      regulatoryCompliance: { ceMarking: false, certificates: [] },
    })
    expect(await metadataOf('03-native-collections-and-lists.json')).toEqual({
      category: 'aluminium',
      originCountry: 'NO',
      materialComposition: [
        { material: 'aluminium', percentage: 97.5 },
        { material: 'magnesium', percentage: 2.5 },
      ],
      regulatoryCompliance: {
        ceMarking: true,
        certificates: [{ name: 'EN 15088', referenceNumber: 'AL-2026-1', issuer: 'Example Body' }],
      },
    })
  })
})

describe('ingest', () => {
  test('answers what the specification lists, publishes, and emits no event', async () => {
    const productId = newGtin()
    const { body } = expectStatus(201, await ingest(aasEnvironment({ productId, metadata: textile({ size: 'M' }) })))
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      passportId: expect.any(String),
      productId,
      isSealed: false,
      signatureVerified: false,
    })
    const { body: passport } = await gateway.request('GET', `/01/${productId}`)
    expect(passport).toMatchObject({ id: body.passportId, status: 'ACTIVE' })
    expect(passport.metadata).toEqual(textile({ size: 'M' }))
    expect(await eventsOf(gateway, body.passportId)).toEqual([])
  })

  test('takes the media types of the format too, and no others', async () => {
    const statusOf = async (type: string) => {
      const raw = JSON.stringify(aasEnvironment({ productId: newGtin(), metadata: textile() }))
      const headers = { ...workspace.as, 'content-type': type }
      return (await gateway.request('POST', '/api/v1/passports/aas/ingest', { headers, raw })).status
    }
    expect(await statusOf('application/aas+json; charset=utf-8')).toBe(201)
    expect(await statusOf('application/asset-administration-shell+json')).toBe(201)
    expect(await statusOf('application/ld+json')).toBe(415)
    expect(await statusOf('application/aas+zip')).toBe(415)
    const headers = { ...workspace.as, 'content-type': 'application/aas+json' }
    expect((await gateway.request('POST', '/api/v1/passports', { headers, raw: '{}' })).status).toBe(415)
  })

  test('trap 60: takes the product id from gtin, grai, productId and the shell, in this order', async () => {
    const gtin = newGtin()
    const grai = `${newGtin()}A1`
    const outer = newGtin()
    for (const [metadata, expected] of [
      [{ gtin, grai, productId: 'SKU-1' }, gtin],
      [{ grai, productId: 'SKU-1' }, grai],
      [{ productId: 'SKU-1' }, 'SKU-1'],
      [{}, outer],
    ] as const) {
      const answer = await ingest(aasEnvironment({ productId: outer, metadata: textile(metadata) }))
      expect(expectStatus(201, answer).body.productId).toBe(expected)
    }
  })

  test('trap 57: replaces an unsealed passport with a history entry and no event, and leaves no old rendition', async () => {
    const { id, productId } = await passports.given({ metadata: textile({ size: 'S' }) })
    await environmentOf(id, {})
    const { body } = expectStatus(201, await ingest(aasEnvironment({ productId, metadata: textile({ size: 'L' }) })))
    expect(body.passportId).toBe(id)
    expect((await gateway.request('GET', `/passport/${id}`)).body.metadata).toEqual(textile({ size: 'L' }))
    expect((await gateway.request('GET', `/01/${productId}`)).body.metadata.size).toBe('L')
    const text = JSON.stringify(await environmentOf(id, {}))
    expect([text.includes('"L"'), text.includes('"S"')]).toEqual([true, false])
    expect(await eventsOf(gateway, id)).toEqual(['passport.ingested'])
    const history = await gateway.sqlAs(
      workspace.id,
      'select version, metadata, changed_by, change_reason from passport_version where passport_id = $1',
      [id],
    )
    expect(history).toEqual([
      {
        version: 1,
        metadata: textile({ size: 'S', gtin: productId }),
        changed_by: expect.any(String),
        change_reason: 'Ingested as AAS',
      },
    ])
  })

  test('is for the operator of a key that is limited to one, and else for the first that was bound', async () => {
    const other = await anotherOperator(gateway, workspace)
    const environment = aasEnvironment({ productId: newGtin(), metadata: textile() })
    const operatorOf = async (headers: Record<string, string>) => {
      const { passportId } = expectStatus(201, await ingest(environment, headers)).body
      return (await gateway.request('GET', `/passport/${passportId}`)).body.economicOperator.id
    }
    expect(await operatorOf(other.as)).toBe(other.id)
    expect(await operatorOf(workspace.as)).toBe(workspace.operatorId)
  })

  test('publishes a draft of the same product', async () => {
    const draft = await passports.given({ metadata: {}, draft: true })
    expectStatus(201, await ingest(aasEnvironment({ productId: draft.productId, metadata: textile() })))
    expect((await gateway.request('GET', `/passport/${draft.id}`)).body.status).toBe('ACTIVE')
  })

  describe('to create is not to change', () => {
    const keyWith = (...permissions: string[]) =>
      gateway.container.cradle.workspaces
        .createKey({ workspaceId: workspace.id, role: 'BRAND_OPERATOR', permissions })
        .then(({ key }) => bearer(key))
    const forbidden = (permission: string) => ({
      success: false,
      error: 'Forbidden',
      message: `Insufficient permissions. Required: "${permission}".`,
    })

    test.each([
      ['a draft', { draft: true, metadata: {} }],
      ['a published passport', { metadata: textile({ size: 'S' }) }],
    ])('%s is replaced with passport:update alone', async (_, given) => {
      const { productId } = await passports.given(given)
      const environment = aasEnvironment({ productId, metadata: textile({ originCountry: 'CN' }) })
      const before = await tableDigests(gateway, workspace.id)
      const refused = await ingest(environment, await keyWith('passport:create', 'passport:seal'))
      expect([refused.status, refused.body]).toEqual([403, forbidden('passport:update')])
      expect(changedTables(before, await tableDigests(gateway, workspace.id))).toEqual(['api_key', 'audit_entry'])
      expectStatus(201, await ingest(environment, await keyWith('passport:create', 'passport:update')))
      const fresh = aasEnvironment({ productId: newGtin(), metadata: textile() })
      expectStatus(201, await ingest(fresh, await keyWith('passport:create')))
    })

    test('a seal that comes along needs passport:seal, before it is looked at', async () => {
      const { id } = await passports.given({ productId: `SKU-${newGtin()}` })
      expectStatus(200, await passports.seal(id))
      const environment = await environmentOf(id)
      const before = await tableDigests(gateway, workspace.id)
      const refused = await ingest(environment, await keyWith('passport:create', 'passport:update', 'passport:read'))
      expect([refused.status, refused.body]).toEqual([403, forbidden('passport:seal')])
      expect(changedTables(before, await tableDigests(gateway, workspace.id))).toEqual(['api_key', 'audit_entry'])
    })
  })

  test('trap 57: refuses a sealed passport, and changes nothing', async () => {
    const { id, productId } = await passports.given()
    const before = (await passports.seal(id)).body.passport
    const answer = expectStatus(403, await ingest(aasEnvironment({ productId, metadata: textile({ size: 'L' }) })))
    expect(answer.body).toMatchObject({ success: false, code: 'PASSPORT_SEALED_IMMUTABLE' })
    expect((await gateway.request('GET', `/passport/${id}`)).body).toEqual(before)
    const history = await gateway.sqlAs(workspace.id, 'select 1 from passport_history where passport_id = $1', [id])
    expect(history).toEqual([])
  })

  test('concurrent ingestion of one product creates one passport', async () => {
    const productId = newGtin()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        ingest(aasEnvironment({ productId, metadata: textile({ size: String(index) }) })),
      ),
    )
    expect(answers.map(({ status, text }) => [status, text.slice(0, 15)])).toEqual(
      answers.map(() => [201, '{"success":true']),
    )
    expect(new Set(answers.map(({ body }) => body.passportId)).size).toBe(1)
    const [{ count } = { count: '' }] = await gateway.sqlAs<{ count: string }>(
      workspace.id,
      'select count(*) from passport_history where passport_id = $1',
      [answers[0]?.body.passportId],
    )
    expect(count).toBe('7')
  })

  test('counts against the plan', async () => {
    const own = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.set(own.id, { passportLimit: 1 })
    const productId = newGtin()
    expectStatus(201, await ingest(aasEnvironment({ productId, metadata: textile() }), own.as))
    expectStatus(201, await ingest(aasEnvironment({ productId, metadata: textile() }), own.as))
    const { status, body } = await ingest(aasEnvironment({ productId: newGtin(), metadata: textile() }), own.as)
    expect([status, body.code]).toEqual([402, 'passport_quota_exceeded'])
  })

  test('trap 59: an internal failure responds 400 Ingestion Failed', async () => {
    await gateway.sql('alter table passport rename to passport_away')
    try {
      const { status, body } = await ingest(aasEnvironment({ productId: newGtin(), metadata: textile() }))
      expect([status, body.error]).toEqual([400, 'Ingestion Failed'])
      expect(JSON.stringify(body)).not.toMatch(/passport_away|relation|select/)
    } finally {
      await gateway.sql('alter table passport_away rename to passport')
    }
  })
})

test('concurrent ingestion and sealing: the seal covers the stored content in either order', async () => {
  for (let count = 0; count < 25; count += 1) {
    const { id, productId } = await passports.given({ metadata: textile({ size: 'S' }) })
    const replace = () => ingest(aasEnvironment({ productId, metadata: textile({ size: 'L' }) }))
    const [first, second] = await Promise.all(
      count % 2 === 0 ? [passports.seal(id), replace()] : [replace(), passports.seal(id)],
    )
    const [sealed, ingested] = count % 2 === 0 ? [first, second] : [second, first]
    expect(sealed?.status, sealed?.text).toBe(200)
    expect([201, 403], ingested?.text).toContain(ingested?.status)
    const { body } = await passports.get(id)
    expect(body.metadata.size).toBe(ingested?.status === 201 ? 'L' : 'S')
    expect(rebuildRoot(body)).toBe(body.proof.merkleRoot)
  }
})

describe('a seal that comes along', () => {
  const sealed = async (metadata: object = textile(), more: object = {}) => {
    const { id } = await passports.given({ metadata, ...more })
    expectStatus(200, await passports.seal(id))
    return { id, environment: await environmentOf(id) }
  }
  // biome-ignore lint/suspicious/noExplicitAny: environments are edited by hand here.
  const submodel = (environment: any, idShort: string) =>
    environment.submodels.find((candidate: { idShort: string }) => candidate.idShort === idShort)
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const element = (environment: any, idShort: string, name: string) =>
    submodel(environment, idShort).submodelElements.find((candidate: { idShort: string }) => candidate.idShort === name)
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const asProduct = (environment: any, productId: string) => {
    environment.assetAdministrationShells[0].assetInformation.specificAssetIds[0].value = productId
    return environment
  }

  /** The environment of a sealed, then deleted draft, whose id is free again. */
  const ofDeletedDraft = async (metadata: object, productId: string, owner = workspace) => {
    const client = passportClient(gateway, owner.as)
    const { id } = await client.given({ metadata, productId, draft: true })
    const before = expectStatus(200, await client.seal(id)).body.passport
    const environment = await environmentOf(id, owner.as)
    expectStatus(200, await client.remove(id))
    return { id, before, environment }
  }

  test('comes back sealed, with its id, after its draft was deleted', async () => {
    const { id, before, environment } = await ofDeletedDraft(textile({ size: 'M' }), 'SKU-SEALED-1')
    const { body } = expectStatus(201, await ingest(environment))
    expect(body).toMatchObject({ passportId: id, productId: 'SKU-SEALED-1', isSealed: true, signatureVerified: true })
    const { body: copy } = await passports.get(id)
    expect(copy.status).toBe('ACTIVE')
    expect(copy.proof).toEqual(before.proof)
    expect(rebuildRoot(copy)).toBe(copy.proof.merkleRoot)
    const key = createPublicKey(copy.proof.publicKeyPem)
    expect(verify('sha256', Buffer.from(copy.proof.merkleRoot), key, Buffer.from(copy.digitalSeal, 'base64'))).toBe(
      true,
    )
    const audited = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload: copy } })
    expect(audited.body).toMatchObject({ verified: true, verdict: 'valid' })
    expect(await eventsOf(gateway, id)).toEqual(['passport.sealed'])
  })

  test('seals the unsealed passport that it names', async () => {
    const { id, environment } = await sealed(textile({ size: 'M' }), { productId: 'SKU-SEALED-3' })
    await gateway.sqlAs(workspace.id, 'update passport set seal_id = null, metadata = $2 where id = $1', [
      id,
      JSON.stringify(textile()),
    ])
    expect((await passports.get(id)).body.digitalSeal).toBeNull()
    const { body } = expectStatus(201, await ingest(environment))
    expect(body).toMatchObject({ passportId: id, isSealed: true })
    expect((await passports.get(id)).body).toMatchObject({
      metadata: textile({ size: 'M' }),
      digitalSeal: expect.any(String),
    })
  })

  test('is still good under a key that was retired since', async () => {
    const own = await createWorkspace(gateway)
    const { environment } = await ofDeletedDraft(textile(), 'SKU-ROTATED-1', own)
    expectStatus(200, await gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: own.as }))
    expect(expectStatus(201, await ingest(environment, own.as)).body.isSealed).toBe(true)
  })

  test('is refused for another product, and for another passport of the same product', async () => {
    const { environment } = await sealed(textile({ size: 'M' }), { productId: 'SKU-AUDITED' })
    const before = await countOf()
    const other = await ingest(asProduct(structuredClone(environment), 'NEVER-AUDITED'))
    expect([other.status, other.body.error]).toEqual([400, 'Signature Verification Failed'])
    expect(other.body.message).toBe('The seal was made for another product, SKU-AUDITED.')
    const deleted = await ofDeletedDraft(textile({ size: 'L' }), 'SKU-TWICE')
    const { id } = await passports.given({ productId: 'SKU-TWICE', metadata: textile() })
    const again = await ingest(deleted.environment)
    expect([again.status, again.body.error, again.body.message]).toEqual([
      400,
      'Signature Verification Failed',
      'The seal was made for another passport.',
    ])
    expect((await passports.get(id)).body).toMatchObject({ metadata: textile(), digitalSeal: null })
    expect(await countOf()).toBe(before + 1)
  })

  test('is refused where another workspace has the id that it names', async () => {
    const { id, environment } = await ofDeletedDraft(textile(), 'SKU-TAKEN')
    const other = await createWorkspace(gateway)
    const { id: foreign } = await passportClient(gateway, other.as).given({ draft: true })
    await gateway.sqlAs(other.id, 'update passport set id = $1 where id = $2', [id, foreign])
    const { status, body } = await ingest(environment)
    expect([status, body.error, body.message]).toEqual([
      400,
      'Signature Verification Failed',
      'The seal was made for another passport.',
    ])
  })

  test.each([
    ['of another workspace', 'other workspace'],
    ['over other metadata', 'other metadata'],
    ['with metadata left out', 'left out'],
    ['with metadata added', 'added'],
    ['with another signature', 'signature'],
    ['with another root', 'root'],
    ['with nothing in it', 'nothing'],
    ['as the public sees it, with values masked', 'masked'],
    ['of another passport', 'subject'],
    ['of a kind that does not say what it is about', 'no subject'],
  ])('is refused %s, and nothing is stored', async (_, what) => {
    const { id, environment } = await ofDeletedDraft(battery(), `SKU-${what}`)
    let caller = workspace.as
    const seal = submodel(environment, 'eidasVerificationSeal')
    const metadata = submodel(environment, 'ComplianceMetadata')
    if (what === 'other workspace') caller = (await createWorkspace(gateway)).as
    if (what === 'other metadata') element(environment, 'ComplianceMetadata', 'originCountry').value = 'FR'
    if (what === 'left out') metadata.submodelElements.pop()
    if (what === 'added') metadata.submodelElements.push(property('extra', 'x'))
    if (what === 'signature') {
      const other = await sealed(textile(), { productId: 'SKU-other' })
      const name = 'cryptographicSignature'
      element(environment, seal.idShort, name).value = element(other.environment, seal.idShort, name).value
    }
    if (what === 'root') element(environment, seal.idShort, 'digitalSealHash').value = '0'.repeat(64)
    if (what === 'nothing') seal.submodelElements = []
    if (what === 'masked') {
      const salts = element(environment, seal.idShort, 'salts')
      const { facilityDetails: _, ...shown } = JSON.parse(salts.value)
      salts.value = JSON.stringify(shown)
      metadata.submodelElements = metadata.submodelElements.filter(
        ({ idShort }: { idShort: string }) => idShort !== 'facilityDetails',
      )
    }
    if (what === 'subject') {
      const subject = element(environment, seal.idShort, 'subject')
      subject.value = subject.value.replace(id, '00000000-0000-4000-8000-000000000000')
    }
    if (what === 'no subject') {
      seal.submodelElements = seal.submodelElements.filter(({ idShort }: { idShort: string }) => idShort !== 'subject')
    }
    const before = await countOf()
    const answer = await ingest(environment, caller)
    expect([answer.status, answer.body.error]).toEqual([400, 'Signature Verification Failed'])
    expect(await countOf()).toBe(before)
  })

  test('trap 58: is not believed by its own public key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { environment } = await ofDeletedDraft(textile(), 'SKU-forged')
    const root = element(environment, 'eidasVerificationSeal', 'digitalSealHash').value
    element(environment, 'eidasVerificationSeal', 'cryptographicSignature').value = sign(
      'sha256',
      Buffer.from(root),
      privateKey,
    ).toString('base64')
    element(environment, 'eidasVerificationSeal', 'pemPublicKey').value = publicKey.export({
      type: 'spki',
      format: 'pem',
    })
    const { status, body } = await ingest(environment)
    expect([status, body.error]).toEqual([400, 'Signature Verification Failed'])
  })
})

describe('bad input is refused with the place, and nothing is stored', () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? property('leaf', 'x') : collection(`level${levels}`, [nested(levels - 1)])

  test.each<[string, unknown, string, RegExp]>([
    ['a list instead of an environment', [], 'Bad Request', /object/],
    ['no shells', { submodels: [] }, 'Bad Request', /assetAdministrationShells/],
    ['submodels that are no list', { assetAdministrationShells: [], submodels: {} }, 'Bad Request', /submodels/],
    ['a submodel that is no object', { assetAdministrationShells: [], submodels: [1] }, 'Bad Request', /submodels\W0/],
    [
      'concept descriptions that are no list',
      { assetAdministrationShells: [], submodels: [], conceptDescriptions: 1 },
      'Bad Request',
      /conceptDescriptions/,
    ],
    ['no metadata', { assetAdministrationShells: [], submodels: [] }, 'Ingestion Failed', /ComplianceMetadata/],
    [
      'metadata twice',
      {
        assetAdministrationShells: [],
        submodels: [{ idShort: 'ComplianceMetadata' }, { idShort: 'ComplianceMetadata' }],
      },
      'Ingestion Failed',
      /Several submodels/,
    ],
    [
      'elements that are no list',
      { assetAdministrationShells: [], submodels: [{ idShort: 'ComplianceMetadata', submodelElements: {} }] },
      'Ingestion Failed',
      /submodelElements/,
    ],
    ['an element that is no object', withElements([7]), 'Ingestion Failed', /ComplianceMetadata\[2\]/],
    ['an element without a name', withElements([property('', 'x')]), 'Ingestion Failed', /\[2\] has no idShort/],
    [
      'an element of a kind that metadata has no place for',
      withElements([collection('a1', [{ modelType: 'Blob', idShort: 'b1', contentType: 'x/y' }])]),
      'Ingestion Failed',
      /ComplianceMetadata\.a1\.b1 is Blob/,
    ],
    [
      'one name twice in a group',
      withElements([collection('a1', [property('b1', '1'), property('b1', '2')])]),
      'Ingestion Failed',
      /ComplianceMetadata\.a1\.b1 occurs more than once/,
    ],
    ...['__proto__', 'constructor', 'prototype'].map((name): [string, unknown, string, RegExp] => [
      `the name ${name}`,
      withElements([collection('a1', [property(name, 'x')])]),
      'Ingestion Failed',
      new RegExp(`ComplianceMetadata\\.a1\\.${name} has a forbidden name`),
    ]),
    [
      'the name __proto__ in an extension',
      withElements([{ ...property('a1', 'x'), extensions: [{ name: 'metadataKey', value: '__proto__' }] }]),
      'Ingestion Failed',
      /__proto__ has a forbidden name/,
    ],
    [
      'a name of 257 characters',
      withElements([property('x'.repeat(257), '')]),
      'Ingestion Failed',
      /\[2\] has a name of/,
    ],
    ['17 levels', withElements([nested(17)]), 'Ingestion Failed', /more than 16 levels/],
    [
      'no product',
      { assetAdministrationShells: [], submodels: aasEnvironment({ productId: '', metadata: textile() }).submodels },
      'Bad Request',
      /has no product identifier/,
    ],
    ['a GTIN with a wrong check digit', withElements([], '09506000134353'), 'Bad Request', /check digit/],
  ])('%s', async (_, environment, error, message) => {
    const before = await countOf()
    const { status, body } = await ingest(environment)
    expect([status, body.error, body.message]).toEqual([400, error, expect.stringMatching(message)])
    expect(await countOf()).toBe(before)
  })

  test.each<[string, unknown, string]>([
    ['a wrong double', property('weight', 'lots', 'xs:double'), 'weight'],
    ['a number that JSON cannot hold', property('weight', 'INF', 'xs:double'), 'weight'],
    ['a number beyond a double', property('weight', '1e999', 'xs:double'), 'weight'],
    ['a fraction as an integer', property('count', '1.5', 'xs:integer'), 'count'],
    ['an integer beyond what a double holds exactly', property('count', '9007199254740993', 'xs:long'), 'count'],
    ['an integer beyond its type', property('count', '300', 'xs:unsignedByte'), 'count'],
    ['a wrong boolean', property('isVegan', 'yes', 'xs:boolean'), 'isVegan'],
    ['a wrong date', property('made', '2026-13-01', 'xs:date'), 'made'],
    ['an unknown type', property('made', 'x', 'xs:colour'), 'made'],
    ['a value that is no string', property('weight', 62.5, 'xs:double'), 'weight'],
    ['the placeholder of a masked value', property('note', REDACTED), 'note'],
    [
      'the placeholder in JSON text',
      property('fiberComposition', JSON.stringify([{ fiber: REDACTED }])),
      'fiberComposition[0].fiber',
    ],
    [
      'the placeholder in a group',
      collection('a1', [
        { modelType: 'SubmodelElementList', idShort: 'b1', value: [{ ...property('', REDACTED), idShort: undefined }] },
      ]),
      'a1.b1[0]',
    ],
    [
      'text that claims to be JSON',
      { ...property('a1', '{'), extensions: [{ name: 'contentType', value: 'application/json' }] },
      'a1',
    ],
    [
      'JSON text with one key twice',
      { ...property('a1', '{"x":1,"x":2}'), extensions: [{ name: 'contentType', value: 'application/json' }] },
      'a1',
    ],
    [
      'JSON text with U+0000',
      { ...property('a1', '["\\u0000"]'), extensions: [{ name: 'contentType', value: 'application/json' }] },
      'a1',
    ],
    ['what the category refuses', property('pillingResistance', '9', 'xs:integer'), 'pillingResistance'],
  ])('%s', async (_, element, path) => {
    const before = await countOf()
    const { status, body } = await ingest(withElements([element]))
    expect([status, body.error, body.errors?.map((issue: { path: string }) => issue.path)]).toEqual([
      400,
      'Validation Failed',
      [path],
    ])
    expect(body.errors[0].friendlyMessage).not.toBe('')
    expect(await countOf()).toBe(before)
  })

  test('in the language of the caller', async () => {
    const { body } = await gateway.request('POST', '/api/v1/passports/aas/ingest?lang=de', {
      headers: workspace.as,
      json: withElements([property('weight', 'lots', 'xs:double')]),
    })
    expect(body.errors).toEqual([
      { path: 'weight', message: 'is not a valid xs:double: "lots"', friendlyMessage: 'weight muss eine Zahl sein.' },
    ])
  })

  test('16 levels are read', async () => {
    expectStatus(201, await ingest(withElements([nested(15)])))
  })

  test('262,144 bytes are read, and one more is not', async () => {
    const environment = JSON.stringify(withElements([property('note', '')]))
    for (const [bytes, status] of [
      [262_144, 201],
      [262_145, 413],
    ] as const) {
      const raw = environment.replace('"value":""', `"value":"${'x'.repeat(bytes - environment.length)}"`)
      expect(raw).toHaveLength(bytes)
      const answer = await gateway.request('POST', '/api/v1/passports/aas/ingest', { headers: workspace.as, raw })
      expect(answer.status).toBe(status)
    }
  })
})
