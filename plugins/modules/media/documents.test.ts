import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { BASE_URL, bearer, createWorkspace, textile } from '../../../test/support/gateway.ts'
import { givenUnits } from '../../../test/support/given-units.ts'
import { battery, expectStatus, passportClient, REDACTED } from '../../../test/support/passport-client.ts'
import { pdf } from '../../../test/support/pictures.ts'
import { inDays } from '../../../test/support/sample-calls.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

// Documents in the sealed metadata (Regulation (EU) 2024/1781, Annex III(e), (f); EN 18221, 4.4).

const { gateway, workspace, passports } = await useGateway()
beforeAll(() => gateway.container.cradle.seals.rotateKeys(workspace.id, { actor: 'test' }))

const FILE = pdf(700)
const SHA256 = createHash('sha256').update(FILE).digest('hex')

const upload = (id: string, query = '', raw: Buffer = FILE) =>
  gateway.request('POST', `/api/v1/passports/${id}/media${query}`, {
    headers: { ...workspace.as, 'content-type': 'application/pdf' },
    raw,
  })
const given = async (id: string, query = '') => expectStatus(201, await upload(id, query)).body.medium
const pathOf = (url: string) => url.slice(BASE_URL.length)
const remove = (id: string, mediaId: string) =>
  gateway.request('DELETE', `/api/v1/passports/${id}/media/${mediaId}`, { headers: workspace.as })

const RESTRICTED = '?documentType=dismantlingInstructions&audience=legitimateInterest,authority'
const COMPLIANCE = '?documentType=testReport&language=pt-BR&audience=authority&title=Report&titleLanguage=en'

describe('uploaded documents', () => {
  test('says what it is, and is answered with what the metadata may list', async () => {
    const { id } = await passports.given()
    const medium = await given(id, COMPLIANCE)
    expect(medium).toEqual({
      id: medium.id,
      kind: 'document',
      mediaType: 'application/pdf',
      title: { en: 'Report' },
      url: medium.url,
      sizes: [],
      documentType: 'testReport',
      language: 'pt-BR',
      sha256: SHA256,
      audience: ['authority'],
      entry: {
        mediaId: medium.id,
        url: medium.url,
        documentType: 'testReport',
        language: 'pt-BR',
        title: { en: 'Report' },
        mediaType: 'application/pdf',
        sha256: SHA256,
      },
    })
    const listed = await gateway.request('GET', `/api/v1/passports/${id}/media`, { headers: workspace.as })
    expect(listed.body.media).toEqual([medium])
  })

  test.each([
    ['?documentType=testReport', 'AUDIENCE_MISSING', /Regulation \(EU\) 2024\/1781, Article 9\(2\)\(f\)/],
    ['?documentType=manual&audience=public,authority', 'AUDIENCE_MISSING', /Set only public/],
    ['?documentType=novel&audience=public', 'FW_ERR_VALIDATION', /documentType/],
    ['?documentType=manual&audience=everybody', 'FW_ERR_VALIDATION', /audience/],
    ['?documentType=manual&audience=authority,authority', 'FW_ERR_VALIDATION', /audience/],
    ['?documentType=manual&audience=public&language=German', 'FW_ERR_VALIDATION', /language/],
  ])('is refused with %s', async (query, code, message) => {
    const { id } = await passports.given()
    const { status, body } = await upload(id, query)
    expect([status, body.code]).toEqual([400, code])
    expect(body.message).toMatch(message)
    expect((await gateway.sqlAs(workspace.id, 'select 1 from media where passport_id = $1', [id])).length).toBe(0)
  })

  test('public documents say what they are in the passport, and restricted ones are not there', async () => {
    const { id } = await passports.given()
    const manual = await given(id, '?documentType=manual&language=de&audience=public')
    await given(id, COMPLIANCE)
    const { body } = await gateway.request('GET', `/passport/${id}`)
    const { entry: _, ...shown } = manual
    expect(body.media).toEqual([shown])
    expect(shown).toMatchObject({ documentType: 'manual', language: 'de', sha256: SHA256 })
  })
})

describe('documents in the metadata', () => {
  test('is sealed with its hash, and changes with it', async () => {
    const { id } = await passports.given()
    const { entry } = await given(id, '?documentType=manual&audience=public')
    expectStatus(200, await passports.update(id, { metadata: textile({ documents: [entry] }) }))
    expectStatus(200, await passports.seal(id))
    const { body } = await gateway.request('GET', `/passport/${id}`)
    expect(body.metadata.documents).toEqual([entry])
    const verify = (payload: unknown) => gateway.request('POST', '/api/v1/audit/verify', { json: { payload } })
    expect((await verify(body)).body).toMatchObject({ verdict: 'valid' })
    const other = JSON.parse(JSON.stringify(body).replaceAll(SHA256, '0'.repeat(64)))
    expect((await verify(other)).body.verdict).not.toBe('valid')
  })

  test('must be a document of the passport, with its hash, at its address, and open to no more readers', async () => {
    const { id } = await passports.given()
    const other = await passports.given()
    const { entry: foreign } = await given(other.id, '?documentType=manual&audience=public')
    const { entry } = await given(id, COMPLIANCE)
    const tried = async (metadata: object) => {
      const { status, body } = await passports.update(id, { metadata: textile(metadata) })
      return [status, body.errors?.map(({ path }: { path: string }) => path)]
    }
    expect(await tried({ documents: [foreign] })).toEqual([400, ['documents[0].mediaId']])
    expect(await tried({ complianceDocuments: [entry, { ...entry, sha256: '0'.repeat(64) }] })).toEqual([
      400,
      ['complianceDocuments[1].sha256'],
    ])
    expect(await tried({ complianceDocuments: [{ ...entry, url: 'https://elsewhere.example/a.pdf' }] })).toEqual([
      400,
      ['complianceDocuments[0].url'],
    ])
    expect(await tried({ documents: [entry] })).toEqual([400, ['documents[0].mediaId']])
    expect(await tried({ restrictedDocuments: [entry] })).toEqual([400, ['restrictedDocuments[0].mediaId']])
    expect(
      await tried({ complianceDocuments: [{ mediaId: entry.mediaId, url: entry.url, documentType: 'manual' }] }),
    ).toEqual([400, ['complianceDocuments[0].sha256']])
    expect(await tried({ complianceDocuments: [entry] })).toEqual([200, undefined])
    const { body } = await gateway.request('PUT', `/api/v1/passports/${id}?lang=de`, {
      headers: workspace.as,
      json: { metadata: textile({ documents: [entry] }) },
    })
    expect(body.errors[0].friendlyMessage).toMatch(
      /^„Dokumente 1 › Nummer des Dokuments“: Dieses Dokument darf nicht unter „Dokumente“ stehen/,
    )
    expect(body.errors[0].message).toContain('Annex XIII')
  })

  test('a document elsewhere needs no id, and is taken as it is said', async () => {
    const documents = [
      { url: 'https://brand.example/doc.pdf', documentType: 'declarationOfConformity', language: 'en' },
    ]
    const { id } = await passports.given({ metadata: textile({ documents }) })
    expect((await gateway.request('GET', `/passport/${id}`)).body.metadata.documents).toEqual(documents)
  })

  test('a new passport has no documents yet, one by one, in bulk and as AAS', async () => {
    const { id } = await passports.given()
    const { entry } = await given(id, '?documentType=manual&audience=public')
    const metadata = textile({ documents: [entry] })
    expect((await passports.create({ productId: 'SKU-DOC-1', metadata })).status).toBe(400)
    const bulk = await gateway.request('POST', '/api/v1/passports/bulk', {
      headers: workspace.as,
      json: { passports: [{ productId: 'SKU-DOC-2', metadata }] },
    })
    expect([bulk.status, bulk.text]).toEqual([400, expect.stringContaining('documents[0].mediaId')])
  })
})

describe('a document that a published version names', () => {
  test('stays, by the clause, also where a later version names it no more', async () => {
    const { id } = await passports.given()
    const { id: mediaId, entry } = await given(id, COMPLIANCE)
    expectStatus(200, await passports.update(id, { metadata: textile({ complianceDocuments: [entry] }) }))
    const refused = await remove(id, mediaId)
    expect([refused.status, refused.body.code]).toEqual([409, 'MEDIA_IN_USE'])
    expect(refused.body.message).toMatch(/^The published version 2 .* \(EN 18221, 4\.4\)\.$/)
    expectStatus(200, await passports.update(id, { metadata: textile() }))
    expectStatus(200, await passports.setStatus(id, 'RECALLED'))
    expect((await remove(id, mediaId)).body.message).toMatch(/^The published version 2 /)
    expect((await gateway.request('GET', pathOf(entry.url), { headers: workspace.as })).bytes.equals(FILE)).toBe(true)
  })

  test('one that only a draft named goes', async () => {
    const draft = await passports.given({ draft: true })
    const { id: mediaId, entry } = await given(draft.id, '?documentType=manual&audience=public')
    expectStatus(200, await passports.update(draft.id, { metadata: textile({ documents: [entry] }), draft: true }))
    expectStatus(200, await passports.update(draft.id, { metadata: textile() }))
    expect((await remove(draft.id, mediaId)).status).toBe(200)
  })

  test('is not deleted while it is being named', async () => {
    const { id } = await passports.given()
    const { id: mediaId, entry } = await given(id, '?documentType=manual&audience=public')
    const metadata = textile({ documents: [entry] })
    const [named, removed] = await Promise.all([passports.update(id, { metadata }), remove(id, mediaId)])
    expect([
      [200, 409],
      [400, 200],
    ]).toContainEqual([named.status, removed.status])
  })
})

describe('the bytes of a restricted document', () => {
  const at = { id: '', unitId: '', restricted: '', compliance: '' }
  const tokens = { li: '', auth: '', unit: '', other: '', expired: '', workspace: '' }
  let etag: string
  const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    gateway.request(method, path, { headers })
  const grant = async (json: object) =>
    expectStatus(
      201,
      await gateway.request('POST', '/api/v1/grants', {
        headers: workspace.as,
        json: { granteeName: 'Repair Ltd', expiresAt: inDays(3), ...json },
      }),
    ).body

  beforeAll(async () => {
    const { id } = await passports.given({ metadata: battery() })
    const [unitId = ''] = await givenUnits(gateway, workspace, id, ['DOC-1'])
    const restricted = await given(id, RESTRICTED)
    const compliance = await given(id, COMPLIANCE)
    const metadata = battery({ restrictedDocuments: [restricted.entry], complianceDocuments: [compliance.entry] })
    expectStatus(200, await passports.update(id, { metadata }))
    expectStatus(200, await passports.seal(id))
    Object.assign(at, {
      id,
      unitId,
      restricted: pathOf(restricted.url),
      compliance: pathOf(compliance.url),
    })
    etag = `"${SHA256}"`
    const other = await passports.given()
    tokens.li = (await grant({ scopeType: 'PASSPORT', passportId: id })).token
    tokens.unit = (await grant({ scopeType: 'UNIT', batteryUnitId: at.unitId })).token
    tokens.workspace = (await grant({ scopeType: 'TENANT' })).token
    tokens.other = (await grant({ scopeType: 'PASSPORT', passportId: other.id })).token
    const ended = await grant({ scopeType: 'PASSPORT', passportId: id })
    await gateway.sqlAs(
      workspace.id,
      `update access_grant set expires_at = now() - interval '1 second' where id = $1`,
      [ended.grant.id],
    )
    tokens.expired = ended.token
    tokens.auth = (
      await gateway.container.cradle.grants.issueAuthority({ scope: 'PASSPORT', target: id, expires: inDays(3) })
    ).token
  })

  const absent = async () => (await read('/media/00000000-0000-4000-8000-000000000000/document.pdf')).body

  test('are readable by their audience, and never cached', async () => {
    const open: [string, Record<string, string>][] = [
      [at.restricted, bearer(tokens.li)],
      [at.restricted, bearer(tokens.auth)],
      [at.restricted, bearer(tokens.unit)],
      [at.restricted, bearer(tokens.workspace)],
      [`${at.restricted}?grant=${tokens.li}`, {}],
      [at.compliance, bearer(tokens.auth)],
      [at.restricted, workspace.as],
      [at.compliance, workspace.as],
    ]
    for (const [path, headers] of open) {
      const answer = await read(path, headers)
      expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 200, 'private, no-store'])
      expect(answer.bytes.equals(FILE)).toBe(true)
      const known = await read(path, { ...headers, 'if-none-match': etag })
      expect([known.status, known.headers['cache-control']]).toEqual([304, 'private, no-store'])
    }
  })

  test('are to all others as if they were not there', async () => {
    const stranger = await createWorkspace(gateway)
    const closed: [string, Record<string, string>][] = [
      ...[at.restricted, at.compliance].flatMap((path): [string, Record<string, string>][] => [
        [path, {}],
        [path, bearer(tokens.other)],
        [path, bearer(tokens.expired)],
        [path, bearer(`dpp_li_${'0'.repeat(32)}`)],
        [path, stranger.as],
        [`${path}?grant=${tokens.other}`, {}],
      ]),
      [at.compliance, bearer(tokens.li)],
      [at.compliance, bearer(tokens.unit)],
      [`${at.compliance}?grant=${tokens.li}`, {}],
    ]
    const expected = await absent()
    for (const [path, headers] of closed) {
      const conditions: Record<string, string>[] = [
        {},
        { 'if-none-match': etag },
        { 'if-none-match': '*' },
        { range: 'bytes=0-9' },
      ]
      for (const more of conditions) {
        const answer = await read(path, { ...headers, ...more })
        expect([path, answer.status, answer.body]).toEqual([path, 404, expected])
        expect(answer.headers.etag).toBeUndefined()
        expect(answer.headers['cache-control']).not.toMatch(/public/)
      }
      const head = await gateway.client.send('HEAD', path, { headers })
      expect([head.status, head.headers.etag, head.headers['content-disposition']]).toEqual([404, undefined, undefined])
    }
  })

  test('a session of the workspace sees what the public sees', async () => {
    const { token } = await gateway.container.cradle.workspaces.createSession({
      workspaceId: workspace.id,
      user: 'user-1',
      role: 'BRAND_OPERATOR',
      mfa: true,
    })
    expect((await read(at.restricted, bearer(token))).status).toBe(404)
  })

  test('the role of public reads cannot read them in the database', async () => {
    const rows = await gateway.container.cradle.database.lookup.run(
      { name: 'media-file-of-everybody', text: 'select name from media_file where media_id = $1' },
      [at.restricted.split('/')[2]],
    )
    expect(rows).toEqual([])
  })

  test('nor their addresses, nor their hashes, are anywhere in what the public gets', async () => {
    const secrets = [at.restricted.split('/')[2], at.compliance.split('/')[2], SHA256] as string[]
    const { productId } = (await passports.get(at.id)).body
    const forms = [
      'application/ld+json',
      'text/html',
      'application/aas+json',
      'application/vc+jwt',
      'application/linkset+json',
    ]
    const texts = await Promise.all(
      forms.flatMap((accept) =>
        [`/passport/${at.id}`, `/01/${productId}`, `/unit/${at.unitId}`].map(async (path) => {
          const { text } = await read(path, { accept })
          return [path, accept, secrets.filter((secret) => text.includes(secret))]
        }),
      ),
    )
    expect(texts.filter(([, , found]) => (found as unknown as string[]).length > 0)).toEqual([])
    const linkset = await read(`/01/${productId}?linkType=linkset`)
    expect(secrets.filter((secret) => linkset.text.includes(secret))).toEqual([])
    // Events contain the public view.
    const jobs = await gateway.sql<{ data: unknown }>(`select data from pgboss.job where name = 'passport-event'`)
    expect(secrets.filter((secret) => JSON.stringify(jobs).includes(secret))).toEqual([])
  })

  test('a token reads the lists that are for it', async () => {
    const listsFor = async (headers: Record<string, string>) => {
      const { metadata, media } = (await read(`/passport/${at.id}`, headers)).body
      const { restrictedDocuments, complianceDocuments } = metadata
      return [restrictedDocuments !== REDACTED, complianceDocuments !== REDACTED, media?.length ?? 0]
    }
    expect(await listsFor({})).toEqual([false, false, 0])
    expect(await listsFor(bearer(tokens.li))).toEqual([true, false, 1])
    expect(await listsFor(bearer(tokens.auth))).toEqual([true, true, 2])
    expect(await listsFor(workspace.as)).toEqual([true, true, 2])
  })
})

test('callers with access to the operator also specify its documents', async () => {
  const { id } = await passports.given()
  const { entry } = await given(id, '?documentType=manual&audience=public')
  const other = await createWorkspace(gateway)
  await gateway.container.cradle.workspaces.bindOperator(workspace.operatorId, other.id)
  const client = passportClient(gateway, other.as)
  expectStatus(200, await client.update(id, { metadata: textile({ documents: [entry] }) }))
})
