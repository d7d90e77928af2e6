import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { applyPatch } from 'rfc6902'
import { describe, expect, test } from 'vitest'
import { BASE_URL, bearer, newGtin, textile } from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const clientOf = async (role: string) => {
  const { key } = await gateway.container.cradle.workspaces.createKey({ workspaceId: workspace.id, role })
  return passportClient(gateway, bearer(key))
}
const historyOf = async (id: string, query = '', client = passports) =>
  expectStatus(200, await client.history(id, query)).body
const actor = `api-key:${workspace.key.slice(8, 16)}`

interface Version {
  readonly version: number
  readonly changes: readonly { readonly path: string }[] | null
}

/** Applies the changes of a version with another implementation of RFC 6902. */
function patched(document: object, { changes }: Version): object {
  const whole = { root: structuredClone(document) }
  const steps = (changes ?? []).map((step) => ({ ...step, path: `/root${step.path}` }))
  expect(applyPatch(whole, steps as never)).toEqual(steps.map(() => null))
  return whole.root
}

test('tells who has changed what, when and why, newest first', async () => {
  const { id, createdAt } = await passports.given({
    productId: `SKU-${newGtin()}`,
    metadata: textile({ size: 'S', tags: ['a', 'b'] }),
  })
  await passports.update(id, { metadata: textile({ size: 'M', tags: ['a', 'b', 'c'] }), changeReason: 'Grown' })
  const { updatedAt } = (await passports.setStatus(id, 'RECALLED')).body.passport
  const sealed = expectStatus(200, await passports.seal(id)).body.passport
  const body = await historyOf(id)
  const { text } = await gateway.request('GET', '/api/v1/schemas/textiles')
  const version = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const metadataSchema = `${BASE_URL}/api/v1/schemas/textiles?version=${version}`
  expect(body).toEqual({
    success: true,
    passportId: id,
    count: 3,
    nextBefore: null,
    versions: [
      {
        version: 3,
        createdAt: updatedAt,
        changedBy: actor,
        changeReason: 'Status changed: ACTIVE → RECALLED',
        status: 'RECALLED',
        seal: { id: expect.any(String), createdAt: sealed.proof.created },
        url: `${BASE_URL}/passport/${id}?version=3`,
        metadataSchema,
        changes: [],
      },
      {
        version: 2,
        createdAt: expect.any(String),
        changedBy: actor,
        changeReason: 'Grown',
        status: 'ACTIVE',
        seal: null,
        url: null,
        metadataSchema,
        changes: [
          { op: 'replace', path: '/size', value: 'M' },
          { op: 'add', path: '/tags/2', value: 'c' },
        ],
      },
      {
        version: 1,
        createdAt,
        changedBy: null,
        changeReason: null,
        status: 'ACTIVE',
        seal: null,
        url: null,
        metadataSchema,
        changes: null,
      },
    ],
  })
})

test('keeps the seal of a version that was replaced, with the address of what was published', async () => {
  const { id } = await passports.given()
  const { passport } = expectStatus(200, await passports.seal(id)).body
  expectStatus(200, await passports.revise(id, { metadata: textile({ size: 'L' }), changeReason: ' Misspelt ' }))
  const [second, first] = (await historyOf(id)).versions
  expect(second).toMatchObject({ version: 2, changeReason: 'Misspelt', url: `${BASE_URL}/passport/${id}?version=2` })
  expect(first).toMatchObject({
    version: 1,
    seal: { createdAt: passport.proof.created },
    url: `${BASE_URL}/passport/${id}?version=1`,
  })
  expect(second.seal.id).not.toBe(first.seal.id)
})

test('each version is what its patch makes of the one before, over random edits', { timeout: 120_000 }, async () => {
  const value = fc
    .jsonValue({ maxDepth: 3, stringUnit: 'grapheme-ascii' })
    // Keys that a body may not have.
    .filter((json) => !/"(@|__proto__|constructor|prototype)/.test(JSON.stringify(json)))
  const name = fc.constantFrom('a', 'b/c', '~d', 'list', 'facilityDetails', 'lifecycleAndInUse', 'category')
  const content = fc.dictionary(name, value, { maxKeys: 7, noNullPrototype: true })
  const auditor = await clientOf('AUDITOR')
  await fc.assert(
    fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 6 }), async (edits) => {
      const first = { a: 'first' }
      const { id } = await passports.given({ productId: `SKU-${newGtin()}`, draft: true, metadata: first })
      for (const metadata of edits) expectStatus(200, await passports.update(id, { metadata, draft: true }))
      for (const [client, hidden] of [
        [passports, []],
        [auditor, ['facilityDetails']],
      ] as const) {
        const shown = (metadata: object) =>
          Object.fromEntries(Object.entries(metadata).filter(([key]) => !(hidden as readonly string[]).includes(key)))
        const versions: Version[] = (await historyOf(id, '', client)).versions.toReversed()
        expect(versions.map(({ version }) => version)).toEqual([...Array(edits.length + 1).keys()].map((n) => n + 1))
        let document: object = first
        for (const [index, version] of versions.slice(1).entries()) {
          document = patched(document, version)
          // As stored: JSON has one zero.
          expect(document).toEqual(JSON.parse(JSON.stringify(shown(edits[index] as object))))
        }
      }
    }),
    { numRuns: 25 },
  )
})

describe('hidden values', () => {
  const KEYS = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly', 'facilityDetails']
  const secrets = (text: string) =>
    battery(
      Object.fromEntries(
        KEYS.map((key) => [
          key,
          key === 'facilityDetails' ? [{ facilityName: text, location: 'Cologne', activity: 'assembly' }] : { text },
        ]),
      ),
    )

  test.each(['AUDITOR', 'TENANT_ADMIN'])(
    'is in no history that %s reads: neither value, old or new, nor name',
    async (role) => {
      const client = await clientOf(role)
      const { id } = await passports.given({ metadata: secrets('SECRET-1') })
      await passports.update(id, { metadata: secrets('SECRET-2'), changeReason: 'One' })
      await passports.update(id, { metadata: { category: 'batteries', originCountry: 'FR' }, draft: true })
      await passports.update(id, { metadata: secrets('SECRET-3') })
      const { text } = await client.history(id)
      expect(text).not.toMatch(/SECRET/)
      for (const key of KEYS) expect(text).not.toContain(key)
      expect(text).not.toContain('REDACTED')
      // Public changes are disclosed; the owner reads all changes.
      expect(text).toContain('"/originCountry"')
      const own = await passports.history(id)
      for (const word of ['SECRET-1', 'SECRET-2', 'SECRET-3'].slice(1)) expect(own.text).toContain(word)
    },
  )

  test('stays hidden in versions of a category in which it was public', async () => {
    const client = await clientOf('AUDITOR')
    const plain = { category: 'textiles', originCountry: 'PT', lifecycleAndInUse: { text: 'SECRET' } }
    const { id } = await passports.given({ draft: true, metadata: plain })
    await passports.update(id, { draft: true, metadata: { ...plain, lifecycleAndInUse: 'SECRET TOO' } })
    expect((await client.history(id)).text).toContain('SECRET TOO')
    await passports.update(id, { draft: true, metadata: { ...plain, category: 'batteries' } })
    const { text } = await client.history(id, '?limit=1&before=3')
    expect(text).not.toMatch(/SECRET|lifecycleAndInUse/)
    expect((await client.history(id)).text).not.toMatch(/SECRET|lifecycleAndInUse/)
  })
})

describe('a page', () => {
  test('continues after the last page, whatever is added meanwhile', async () => {
    const { id, productId } = await passports.given()
    for (let count = 2; count <= 7; count += 1) await passports.setStatus(id, 'ACTIVE')
    const numbers = (body: { versions: Version[] }) => body.versions.map(({ version }) => version)
    const first = await historyOf(id, '?limit=3')
    expect([numbers(first), first.nextBefore, first.count]).toEqual([[7, 6, 5], 5, 3])
    await passports.setStatus(id, 'ACTIVE')
    const second = await historyOf(productId, `?limit=3&before=${first.nextBefore}`)
    expect([numbers(second), second.nextBefore]).toEqual([[4, 3, 2], 2])
    const last = await historyOf(id, `?limit=3&before=${second.nextBefore}`)
    expect([numbers(last), last.nextBefore]).toEqual([[1], null])
    expect(last.versions[0].changes).toBeNull()
    expect(await historyOf(id, '?before=1')).toMatchObject({ count: 0, versions: [], nextBefore: null })
    expect(numbers(await historyOf(id, '?limit=0'))).toEqual([8])
    for (const query of ['?before=0', '?before=x', '?limit=x']) {
      expect((await passports.history(id, query)).status, query).toBe(400)
    }
  })

  test('has fewer versions where they are large, and none is left out', async () => {
    const heavy = () => ({ a: randomBytes(400_000).toString('hex') })
    const { id } = await passports.given({ draft: true, metadata: heavy() })
    const written: object[] = []
    for (let count = 0; count < 7; count += 1) {
      written.push(heavy())
      expectStatus(200, await passports.update(id, { draft: true, metadata: written[count] }))
    }
    const seen: number[] = []
    for (let before: number | null = 100; before !== null; ) {
      const body: { versions: Version[]; nextBefore: number | null } = await historyOf(id, `?before=${before}`)
      expect(JSON.stringify(body).length).toBeLessThan(6 * 1024 * 1024)
      for (const { version, changes } of body.versions) {
        seen.push(version)
        if (version > 1) expect(changes).toEqual([{ op: 'replace', path: '/a', ...ofWritten(written[version - 2]) }])
      }
      before = body.nextBefore
    }
    expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
  })
})

const ofWritten = (document: object | undefined) => ({ value: (document as { a: string }).a })
