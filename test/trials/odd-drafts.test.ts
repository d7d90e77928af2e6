import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { newGln, newGtin, textile } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { oddMetadata } from '../support/random-metadata.ts'
import { useGateway } from '../support/use-gateway.ts'

// DRAFT_RUNS and DRAFT_SEED select more or other drafts; a failure prints its seed and the draft.
const RUNS = Number(process.env.DRAFT_RUNS ?? 12)
const SEED = Number(process.env.DRAFT_SEED ?? 20_261_123)
/** JavaScript cannot convert it to text or number, or compare it. */
const POISON = { toString: 1, valueOf: 1 }
let facilityId: string
let mediaTypes: string[]

const { gateway, workspace, passports } = await useGateway()

beforeAll(async () => {
  const json = { gln: newGln(), name: 'Works', country: 'PT', city: 'Braga' }
  const { body } = await gateway.request('POST', '/api/v1/facilities', { headers: workspace.as, json })
  facilityId = body.facility.id
  const { representations } = gateway.container.cradle.plugins
  mediaTypes = representations.flatMap((plugin) => plugin.mediaTypes)
})

/** Failed reads of a draft, as `request status`. */
async function failuresOf(id: string, productId: string): Promise<string[]> {
  const failures: string[] = []
  const ask = async (what: string, path: string, headers: Record<string, string> = {}) => {
    const { status, text } = await gateway.client.send('GET', path, { headers: { ...workspace.as, ...headers } })
    if (status >= 500) failures.push(`${what}: ${status} ${text}`)
    return status
  }
  await ask('list', '/api/v1/passports?limit=100')
  await ask('filtered list', '/api/v1/passports?category=textiles&originCountry=PT')
  await ask('vc-readiness', '/api/v1/passports/vc-readiness')
  for (const accept of mediaTypes) {
    await ask(`get ${accept}`, `/api/v1/passports/${encodeURIComponent(productId)}`, { accept })
    await ask(`resolve ${accept}`, `/passport/${id}?lang=el`, { accept })
  }
  await ask('credential', `/credentials/${id}`)
  await ask('link', `/01/${productId}`)
  await ask('serial', `/01/${productId}/21/x`)
  return failures
}

describe('a draft may hold anything, and nothing that reads it fails', () => {
  const KEYS = [
    'category',
    'originCountry',
    'gtin',
    'grai',
    'productName',
    'serialNumber',
    'materialComposition',
    'facilityDetails',
  ]
  const VALUES = [POISON, [POISON], { category: POISON }, [], {}, 0, true, null]

  test.each(KEYS)('under %s', async (key) => {
    for (const value of [...VALUES, { [key]: POISON }]) {
      const created = await passports.create({
        productId: newGtin(),
        metadata: { [key]: value },
        facilityId,
        draft: true,
      })
      const { id, productId } = expectStatus(201, created).body.passport
      // The other values are read under all keys at the same time.
      if (value === POISON) expect(await failuresOf(id, productId)).toEqual([])
      expect((await passports.get(id)).body.metadata).toEqual({ [key]: value })
      const listed = (await passports.list('?limit=1')).body.passports
      expect(listed.map((passport: { id: string }) => passport.id)).toEqual([id])
      expectStatus(400, await passports.update(id, { metadata: { [key]: value } }))
      expectStatus(200, await passports.remove(id))
    }
  })

  test.each(VALUES.map((value) => [JSON.stringify(value), value]))(
    'under all keys at the same time: %s',
    async (_, value) => {
      const odd = Object.fromEntries(KEYS.map((key) => [key, value]))
      for (const known of [{}, { category: 'textiles', originCountry: 'PT' }]) {
        const metadata = { ...odd, ...known }
        const { id, productId } = await passports.given({ metadata, facilityId, draft: true })
        expect(await failuresOf(id, productId)).toEqual([])
        expect((await passports.get(id)).body.metadata).toEqual(metadata)
        expectStatus(200, await passports.remove(id))
      }
    },
  )

  test('a published passport that becomes such a draft, and one that is published from it', async () => {
    const { id, productId } = await passports.given({ facilityId })
    expectStatus(200, await passports.update(id, { metadata: { category: POISON, gtin: POISON }, draft: true }))
    expect(await failuresOf(id, productId)).toEqual([])
    expect((await gateway.request('GET', `/passport/${id}`)).status).toBe(404)
    expectStatus(200, await passports.update(id, { metadata: textile() }))
    expect((await gateway.request('GET', `/passport/${id}`)).status).toBe(200)
  })

  test('unreadable values are not stored', async () => {
    const { passportViews: views } = gateway.container.cradle
    const { view } = views
    const content = { productId: newGtin(), metadata: textile() }
    views.view = () => {
      throw new Error('no view')
    }
    const answers = [
      await passports.create(content),
      await passports.create({ ...content, draft: true }),
      await gateway.request('POST', '/api/v1/passports', {
        headers: { ...workspace.as, 'idempotency-key': 'k' },
        json: content,
      }),
    ]
    views.view = view
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500])
    for (const [table, column] of [
      ['passport', 'product_id'],
      ['idempotency_key', 'key'],
    ]) {
      const text = `select 1 from ${table} where tenant_id = $1 and ${column} = $2`
      const value = column === 'key' ? 'k' : content.productId
      expect(await gateway.sqlAs(workspace.id, text, [workspace.id, value])).toEqual([])
    }
    expectStatus(201, await passports.create(content))
  })

  test(
    `${RUNS} drafts with seed ${SEED}: saved, listed, read in every form, validated, changed, published or refused, deleted`,
    async () => {
      const statuses = new Map<string, number>()
      for (const metadata of fc.sample(oddMetadata(), { seed: SEED, numRuns: RUNS })) {
        const failures: string[] = []
        const seen = (what: string, { status, text }: { status: number; text: string }) => {
          statuses.set(`${what} ${status}`, (statuses.get(`${what} ${status}`) ?? 0) + 1)
          if (status >= 500) failures.push(`${what}: ${status} ${text}`)
        }
        const content = { productId: newGtin(), metadata, facilityId }
        seen('validate', await passports.validate(content))
        const created = await passports.create({ ...content, draft: true })
        seen('create', created)
        const { id, productId } = created.body.passport ?? {}
        if (id !== undefined) {
          failures.push(...(await failuresOf(id, productId)))
          seen('update', await passports.update(id, { metadata: { ...metadata, size: 'M' }, draft: true }))
          const published = await passports.update(id, { metadata })
          seen('publish', published)
          if (published.status === 200) failures.push(...(await failuresOf(id, productId)))
          seen('delete', await passports.remove(id))
        }
        expect([JSON.stringify(metadata), failures]).toEqual([JSON.stringify(metadata), []])
      }
      // Any draft is stored, whatever its metadata.
      expect(statuses.get('create 201')).toBe(RUNS)
    },
    60_000 + RUNS * 1000,
  )
})
