import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { PUBLIC_CACHING } from '../support/answer-rules.ts'
import type { Answer } from '../support/contract-client.ts'
import { BASE_URL, newGln, textile } from '../support/gateway.ts'
import { battery, expectStatus } from '../support/passport-client.ts'
import { dpp } from '../support/process.ts'
import { referenceTool } from '../support/reference-tools.ts'
import { inDays } from '../support/sample-calls.ts'
import { hasOpenssl, startTimestampAuthority, type TimestampAuthorityDouble } from '../support/timestamp-authority.ts'
import { useGateway } from '../support/use-gateway.ts'

const authority: TimestampAuthorityDouble | undefined = hasOpenssl ? await startTimestampAuthority() : undefined
afterAll(() => authority?.close())
const { gateway, workspace, passports } = await useGateway({
  TRUST_PROXY: '1',
  ...(authority !== undefined && { TSA_URL: authority.url, TSA_CA: authority.caFile }),
})
const folder = mkdtempSync(join(tmpdir(), 'dpp-versions-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'ca.pem'), (await gateway.request('GET', '/.well-known/opendpp-seal-ca.pem')).text)

const read = (id: string, query = '', headers: Record<string, string> = {}) =>
  gateway.request('GET', `/passport/${id}${query}`, { headers })
const textOf = async (id: string, query = ''): Promise<string> => expectStatus(200, await read(id, query)).text
const revise = (id: string, metadata: object, more: object = {}) =>
  passports.revise(id, { metadata, changeReason: 'Misspelt', ...more })

/** A sealed and corrected passport, with its first public response. */
async function givenRevised(
  first: object = textile({ size: 'S' }),
  second: object = textile({ size: 'L' }),
  json = {},
) {
  const { id } = await passports.given({ metadata: first, ...json })
  const { passport } = expectStatus(200, await passports.seal(id)).body
  const published = await textOf(id)
  const revised = expectStatus(200, await revise(id, second)).body.passport
  return { id: id as string, sealedAt: passport.updatedAt as string, published, revised }
}
let revisedOnce: ReturnType<typeof givenRevised> | undefined
/** Shared by tests that only read it. */
const theRevised = () => {
  revisedOnce ??= givenRevised()
  return revisedOnce
}
const verdict = async (document: string) =>
  expectStatus(200, await gateway.request('POST', '/api/v1/audit/verify', { json: { payload: JSON.parse(document) } }))
    .body
const justBefore = (time: string) => new Date(Date.parse(time) - 1).toISOString()
const problem = ({ status, body }: Answer) => [status, body.message]

describe('an earlier sealed version', () => {
  test('is what the public read then, byte for byte, with its own seal and timestamp', async () => {
    const { id, published, revised } = await theRevised()
    expect(await textOf(id, '?version=1')).toBe(published)
    expect(await textOf(id, '?version=2')).toBe(JSON.stringify(revised))
    expect(await textOf(id)).toBe(JSON.stringify(revised))
    const { proof } = JSON.parse(published)
    if (hasOpenssl) expect(proof.rfc3161.token).not.toBe(revised.proof.rfc3161.token)
    expect(proof.merkleRoot).not.toBe(revised.proof.merkleRoot)
  })

  test("is valid according to the gateway's own verifiers, which report a newer version", async () => {
    const { id } = await theRevised()
    const text = await textOf(id, '?version=1')
    const { verified, verdict: stated, checks } = await verdict(text)
    expect([verified, stated]).toEqual([true, 'valid'])
    const key = checks.find(({ name }: { name: string }) => name === 'key').detail
    expect(key).toContain('A later seal replaced this one')
    expect(key).toContain(`${BASE_URL}/passport/${id}`)
    writeFileSync(join(folder, 'earlier.json'), text)
    const { code, stdout, stderr } = await dpp(
      ['verify', join(folder, 'earlier.json'), '--offline', folder, '--seal-ca', join(folder, 'ca.pem'), '--json'],
      {},
    )
    expect([code, stderr, JSON.parse(stdout || '{}').valid]).toEqual([0, '', true])
  })

  test.skipIf(referenceTool('python3') === undefined)('and of one that was written from the rule alone', async () => {
    const { id } = await givenRevised(battery(), battery({ color: 'blue' }))
    const script = new URL('../conformance/verify_seal.py', import.meta.url).pathname
    const verifyFile = (name: string, document: string) => {
      const file = join(folder, `${name}.json`)
      writeFileSync(file, document)
      return promisify(execFile)('python3', [script, file, join(folder, 'ca.pem')])
    }
    const [first, second] = [await textOf(id, '?version=1'), await textOf(id, '?version=2')]
    const forged = first.replace('"originCountry":"DE"', '"originCountry":"FR"')
    await Promise.all([
      verifyFile('first', first),
      verifyFile('second', second),
      expect(verifyFile('forged', forged)).rejects.toMatchObject({ code: 1 }),
    ])
  })

  test('stays as it was, and holds, when operator and facility are renamed and the passport loses its facility', async () => {
    const as = workspace.as
    const send = (method: string, path: string, json: object) => gateway.request(method, path, { headers: as, json })
    const { operator } = (await send('POST', '/api/v1/operators', { name: 'Old name', regId: `REG-${newGln()}` })).body
    const gln = newGln()
    const { facility } = (await send('POST', '/api/v1/facilities', { gln, name: 'Old works', country: 'PT' })).body
    const { id, published } = await givenRevised(undefined, undefined, {
      operatorId: operator.id,
      facilityId: facility.id,
    })
    await send('PATCH', `/api/v1/operators/${operator.id}`, { name: 'New name' })
    await send('PUT', `/api/v1/facilities/${facility.id}`, { name: 'New works' })
    expectStatus(200, await revise(id, textile(), { facilityId: null }))
    const earlier = await textOf(id, '?version=1')
    expect(earlier).toBe(published)
    expect(earlier).toContain('Old name')
    expect(earlier).toContain('Old works')
    expect(await textOf(id)).toContain('New name')
    const { verified, checks } = await verdict(earlier)
    expect([verified, checks.filter(({ ok }: { ok: boolean }) => ok === false)]).toEqual([true, []])
    // A name that was never registered is still rejected.
    expect((await verdict(earlier.replace('Old works', 'Other works'))).verified).toBe(false)
    expect((await verdict(earlier.replace('Old name', 'New name'))).verified).toBe(false)
  })

  test('has the status and the enrichment that it had', async () => {
    const { id } = await passports.given({ enrichment: { tagline: 'First words' } })
    await passports.seal(id)
    await passports.setStatus(id, 'RECALLED')
    await passports.setStatus(id, 'ACTIVE')
    expectStatus(200, await revise(id, textile(), { enrichment: { tagline: 'Second words' } }))
    expectStatus(200, await revise(id, textile({ size: 'L' }), { enrichment: null }))
    const page = async (version: number) => (await read(id, `?version=${version}`, { accept: 'text/html' })).text
    for (const version of [1, 2, 3]) expect(await page(version)).toContain('First words')
    expect(await page(4)).toContain('Second words')
    expect(await page(5)).not.toMatch(/First words|Second words/)
    const statuses = [1, 2, 3, 4, 5].map(async (version) => JSON.parse(await textOf(id, `?version=${version}`)).status)
    expect(await Promise.all(statuses)).toEqual(['ACTIVE', 'RECALLED', 'ACTIVE', 'ACTIVE', 'ACTIVE'])
  })

  test('is found by a time at which it was published', async () => {
    const { id, sealedAt, published, revised } = await theRevised()
    expect(await textOf(id, `?asOf=${sealedAt}`)).toBe(published)
    expect(await textOf(id, `?asOf=${justBefore(revised.updatedAt)}`)).toBe(published)
    expect(await textOf(id, `?asOf=${revised.updatedAt}`)).toBe(JSON.stringify(revised))
    expect(await textOf(id, `?asOf=${encodeURIComponent('9999-12-31T23:59:59-23:59')}`)).toBe(JSON.stringify(revised))
    expect((await read(id, `?asOf=${justBefore(sealedAt)}`)).status).toBe(404)
    for (const time of ['0000-01-01', '0001-01-01T00:00:00Z', '1969-12-31']) {
      expect([time, (await read(id, `?asOf=${time}`)).status]).toEqual([time, 404])
    }
  })

  test('that was sealed twice has by its times each seal, and by its number the last', async () => {
    const { id } = await passports.given()
    const first = expectStatus(200, await passports.seal(id)).body.passport
    const again = expectStatus(200, await passports.seal(id)).body.passport
    expectStatus(200, await revise(id, textile({ size: 'L' })))
    expect(await textOf(id, '?version=1')).toBe(JSON.stringify(again))
    expect(await textOf(id, `?asOf=${first.updatedAt}`)).toBe(JSON.stringify(first))
    expect(await textOf(id, `?asOf=${again.updatedAt}`)).toBe(JSON.stringify(again))
    for (const passport of [first, again]) expect((await verdict(JSON.stringify(passport))).verified).toBe(true)
  })
})

/** Facts of a page by label. */
const factsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, label = '', value = '']) => [
      label.trim(),
      value.trim(),
    ]),
  )

describe('its page', () => {
  const page = async (id: string, query: string, headers: Record<string, string> = {}) => {
    const answer = expectStatus(200, await read(id, query, { accept: 'text/html', ...headers }))
    expect(answer.headers['content-type']).toContain('text/html')
    return answer.text
  }

  test('says first that it is an earlier one, and leads to the present', async () => {
    const { id, revised } = await theRevised()
    const text = await page(id, '?version=1')
    expect(text).toContain('Version 1 of this passport, not the current one')
    expect(text).toContain(`<a href="${BASE_URL}/passport/${id}?lang=en">Go to the current version</a>`)
    expect(text).toContain(`<link rel="canonical" href="${BASE_URL}/passport/${id}?version=1">`)
    expect(text).toContain(`${BASE_URL}/verify?lang=en#passport/${id}?version=1`)
    expect(text).toContain('noindex')
    // Unavailable representations are not offered.
    expect(text).toContain('application/ld+json')
    expect(text).not.toMatch(/application\/(vc|aas|dc)/)
    expect(await page(id, `?asOf=${justBefore(revised.updatedAt)}`)).toBe(text)
    expect(await page(id, '?version=1&lang=de')).toContain('Version 1 dieses Passes, nicht die aktuelle')
    for (const current of ['', '?version=2']) expect(await page(id, current)).not.toContain('not the current one')
  })

  test('review-3-users O1: shows the number of the history, and lists earlier numbers, all of which are answered', async () => {
    const { id, revised } = await theRevised()
    const text = await page(id, '')
    expect(factsOf(text)).toMatchObject({ Version: '2' })
    const date = new Date(revised.updatedAt).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    const [, href] = /<a href="([^"]*)" rel="nofollow"><bdi>Version 1 \([^)]*\)<\/bdi><\/a>/.exec(text) ?? []
    expect(text).toContain(`Version 1 (${date})`)
    expect(href).toBe(`${BASE_URL}/passport/${id}?version=1&amp;lang=en`)
    for (const version of ['1', '2']) {
      expect(factsOf(await page(id, `?version=${version}`))).toMatchObject({ Version: version })
    }
  })

  test('review-3-users O1: lists the latest 20 earlier versions', async () => {
    const { id } = await passports.given({ metadata: textile({ size: '0' }) })
    expectStatus(200, await passports.seal(id))
    for (let size = 1; size <= 21; size += 1) expectStatus(200, await revise(id, textile({ size: String(size) })))
    const listed = [...(await page(id, '')).matchAll(/\?version=(\d+)&amp;lang=en/g)].map(([, number]) =>
      Number(number),
    )
    expect(listed).toEqual(Array.from({ length: 20 }, (_, index) => 21 - index))
  })

  test('review-3-users O1: counts a status as the history does, and a second seal not at all', async () => {
    const { id } = await passports.given()
    expect(factsOf(await page(id, ''))).not.toHaveProperty('Version')
    expectStatus(200, await passports.seal(id))
    expectStatus(200, await passports.seal(id))
    expect(factsOf(await page(id, ''))).toMatchObject({ Version: '1' })
    expectStatus(200, await passports.setStatus(id, 'RECALLED'))
    const { versions } = expectStatus(200, await passports.history(id)).body
    expect(factsOf(await page(id, ''))).toMatchObject({ Version: String(versions[0].version) })
    expect(factsOf(await page(id, `?version=${versions[0].version}`))).toMatchObject({ Version: '2' })
  })

  test('warns of a recall that came later', async () => {
    const { id } = await givenRevised()
    await passports.setStatus(id, 'RECALLED')
    const text = await page(id, '?version=1')
    expect(text).toContain('This product has been recalled')
    expect(JSON.parse(await textOf(id, '?version=1')).status).toBe('ACTIVE')
  })

  test('offers no access request, which would open the present', async () => {
    const { id } = await givenRevised(battery(), battery({ color: 'blue' }))
    expect(await page(id, '')).toContain('/request-access')
    expect(await page(id, '?version=1')).not.toContain('/request-access')
  })
})

describe('restricted values are in no version, for any reader', () => {
  test('owners, grantees and anonymous readers get the same', async () => {
    const secret = { detailedPerformance: { note: 'SECRET' }, lifecycleAndInUse: { note: 'SECRET' } }
    const { id } = await givenRevised(battery(secret), battery({ ...secret, color: 'blue' }))
    const json = { granteeName: 'R', scopeType: 'PASSPORT', passportId: id, expiresAt: inDays(1) }
    const { body } = await gateway.request('POST', '/api/v1/grants', { headers: workspace.as, json })
    expect((await read(id, `?grant=${body.token}`)).text).toContain('SECRET')
    for (const accept of ['application/ld+json', 'text/html']) {
      for (const version of ['version=1', 'version=2']) {
        const anybody = await read(id, `?${version}`, { accept })
        for (const answer of [
          await read(id, `?${version}`, { accept, ...workspace.as }),
          await read(id, `?${version}&grant=${body.token}`, { accept }),
        ]) {
          expect([answer.status, answer.headers['x-access-tier']]).toEqual([200, 'public'])
          expect(answer.text).toBe(anybody.text)
          expect(answer.text).not.toMatch(/SECRET|Cologne/)
        }
      }
    }
  })

  test('values masked at publication stay masked, and so do those masked now', async () => {
    const { id, published } = await givenRevised(battery({ color: 'blue' }), battery())
    // Written as the superuser: no role of the gateway may change it.
    await gateway.sql('alter table sealed_version no force row level security')
    await gateway.sql(`update sealed_version set masked = '{color}' where passport_id = $1`, [id])
    await gateway.sql('alter table sealed_version force row level security')
    const { metadata } = JSON.parse(await textOf(id, '?version=1'))
    expect(metadata.color).toBe(JSON.parse(published).metadata.facilityDetails)
    expect(metadata.facilityDetails).toBe(metadata.color)
  })
})

describe('nothing else is readable', () => {
  test('a version that was not sealed, or is not there', async () => {
    const { id } = await passports.given()
    await passports.update(id, { metadata: textile({ size: 'M' }) })
    await passports.seal(id)
    for (const version of [1, 3, 999_999_999]) {
      const message = `This passport has no sealed version ${version}. Only sealed versions stay readable.`
      expect(problem(await read(id, `?version=${version}`))).toEqual([404, message])
    }
    const { id: unsealed } = await passports.given()
    expect((await read(unsealed, '?version=1')).status).toBe(404)
    expect((await read(unsealed, `?asOf=${new Date().toISOString()}`)).body).toEqual({
      error: 'Not Found',
      message: 'No sealed version of this passport was published at that time. Only sealed versions stay readable.',
    })
  })

  test('any version of what is a draft today, except by its owner', async () => {
    const { id } = await givenRevised()
    await gateway.sqlAs(workspace.id, `update passport set status = 'DRAFT' where id = $1`, [id])
    const absent = (await read('00000000-0000-4000-8000-000000000000', '?version=1')).body
    const now = `?asOf=${new Date().toISOString()}`
    for (const query of ['?version=1', '?version=2', now]) {
      const { status, body } = await read(id, query)
      expect([query, status, body]).toEqual([query, 404, absent])
    }
    expect((await read(id, now, workspace.as)).body).toMatchObject({ id, status: 'DRAFT' })
    expect((await read(id, '?version=1', workspace.as)).body).toMatchObject({ id, metadata: { size: 'S' } })
    expect((await passports.history(id)).body.versions.map(({ url }: { url: string | null }) => url)).toEqual([
      null,
      `${BASE_URL}/passport/${id}?version=1`,
    ])
  })

  test.each([
    'version=0',
    'version=-1',
    'version=1.5',
    'version=x',
    'version=',
    'version=1000000000',
    'version=1&version=2',
    'version=1&asOf=2027-01-31T00:00:00Z',
    'asOf=yesterday',
    'asOf=',
    'asOf=2027-13-01',
    'asOf=2027-01-31T00:00:00',
    'asOf=2027-01-31T00:00:00Z&asOf=2027-01-31T00:00:00Z',
  ])('%s is malformed', async (query) => {
    const { id } = await theRevised()
    expect((await read(id, `?${query}`)).status).toBe(400)
  })

  test('other forms, by the names of those that there are', async () => {
    const { id } = await theRevised()
    const { representations } = gateway.container.cradle.plugins
    const others = representations.filter(({ name }) => !/^(?:json|jsonld|html)$/.test(name))
    expect(others.length).toBeGreaterThan(2)
    for (const accept of others.flatMap(({ mediaTypes }) => mediaTypes)) {
      const answer = await read(id, '?version=1', { accept })
      const message = 'Earlier versions are available as application/json, application/ld+json, text/html.'
      expect([
        accept,
        answer.status,
        [...(answer.body.message ?? '').matchAll(/[a-z]+\/[a-z+]+/g)].flat().toSorted(),
      ]).toEqual([accept, 406, [...message.matchAll(/[a-z]+\/[a-z+]+/g)].flat().toSorted()])
    }
  })
})

test('both lanes answer it alike; it may be kept, and is asked for again', async () => {
  const { id, published } = await theRevised()
  for (const accept of ['application/ld+json', 'text/html']) {
    for (const query of ['?version=1', '?version=1&lang=de', '?lang=de&version=1']) {
      const [lane, detour] = await Promise.all([
        read(id, query, { accept }),
        read(id, `${query}&x=1`, { accept, authorization: 'Bearer nobody' }),
      ])
      const wire = ({ status, text, headers }: Answer) => ({ status, text, etag: headers.etag, vary: headers.vary })
      expect(wire(lane)).toEqual(wire(detour))
      expect(lane.headers['cache-control']).toBe(PUBLIC_CACHING)
    }
  }
  const { headers } = await read(id, '?version=1')
  const known = await read(id, '?version=1', { 'if-none-match': headers.etag ?? '' })
  expect([known.status, known.text]).toEqual([304, ''])
  const head = await gateway.request('HEAD', `/passport/${id}?version=1`)
  expect([head.status, head.headers['content-length']]).toEqual([200, String(Buffer.byteLength(published))])
})

test('every reader is counted', async () => {
  const { id } = await givenRevised()
  await gateway.container.cradle.accessAudit.flush()
  await gateway.sqlAs(workspace.id, 'delete from access_audit where passport_id = $1', [id])
  for (const accept of ['application/ld+json', 'text/html']) {
    await read(id, '?version=1', { accept, 'x-forwarded-for': '203.0.113.9' })
  }
  await read(id, '?version=9')
  await gateway.container.cradle.accessAudit.flush()
  expect(
    await gateway.sqlAs(
      workspace.id,
      'select representation, tier, network, accesses from access_audit where passport_id = $1 order by representation',
      [id],
    ),
  ).toEqual(
    ['html', 'jsonld'].map((representation) => ({
      representation,
      tier: 'public',
      network: '203.0.113.0/24',
      accesses: 1,
    })),
  )
})
