import { describe, expect, test, vi } from 'vitest'
import { BASE_URL, newGln, newGtin, textile } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { aasEnvironment } from '../support/sample-calls.ts'
import { ANOTHER_FACILITY, heavy, useStorage } from '../support/storage-client.ts'

const { gateway, own, counted, stored, set, leave, connected, given } = await useStorage()

const refusal = (quota: object) => ({
  success: false,
  error: 'Payment Required',
  message: expect.stringContaining('The storage limit is reached: '),
  code: 'STORAGE_LIMIT_REACHED',
  quota: {
    tier: 'enterprise',
    storedBytes: expect.any(Number),
    storageLimit: null,
    storedRows: expect.any(Number),
    rowLimit: null,
    ...quota,
  },
  upgradeUrl: `${BASE_URL}/console/billing`,
})

describe('at the limit', () => {
  test('a passport that just fits is stored, and one byte more is not', async () => {
    const { workspace, passports } = await given()
    const metadata = { category: 'textiles', originCountry: 'PT', gtin: newGtin() }
    const size = Buffer.byteLength(JSON.stringify(metadata))
    const storageLimit = await leave(workspace, size - 1)
    const { bytes, rows } = await counted(workspace)
    const refused = await passports.create({ productId: metadata.gtin, metadata })
    expect([refused.status, refused.body]).toEqual([
      402,
      refusal({ storedBytes: bytes, storageLimit, storedRows: rows }),
    ])
    expect(await own(workspace, 'id', 'passport')).toEqual([])
    expect(await counted(workspace)).toEqual({ bytes, rows })
    await set(workspace, { storageLimit: storageLimit + 1 })
    expectStatus(201, await passports.create({ productId: metadata.gtin, metadata }))
    expect(await counted(workspace)).toEqual({ bytes: storageLimit + 1, rows: rows + 1 })
  })

  test('a bulk is refused as a whole, and an edit leaves the passport as it was', async () => {
    const { workspace, passports, bulk } = await given()
    const { id, metadata } = await passports.given()
    await leave(workspace, 500)
    const rows = Array.from({ length: 20 }, () => ({ productId: newGtin(), metadata: textile() }))
    const refused = await bulk(rows)
    expect([refused.status, refused.body.code]).toEqual([402, 'STORAGE_LIMIT_REACHED'])
    expect(await own(workspace, 'id', 'passport')).toEqual([id])
    const edited = await passports.update(id, { metadata: heavy(1000) })
    expect([edited.status, edited.body.code]).toEqual([402, 'STORAGE_LIMIT_REACHED'])
    expect((await passports.get(id)).body.metadata).toEqual(metadata)
    expect(await own(workspace, 'version', 'passport_history')).toEqual([])
    // An Idempotency-Key does not store the rejection: quota may be available later.
    const headers = { ...workspace.as, 'idempotency-key': 'later' }
    const json = { productId: newGtin(), metadata: heavy(1000) }
    const create = () => gateway.request('POST', '/api/v1/passports', { headers, json })
    expect((await create()).status).toBe(402)
    await set(workspace, { storageLimit: null })
    expect((await create()).status).toBe(201)
  })

  test('a recall is possible, and so is what makes room', async () => {
    const { workspace, passports } = await given()
    const { id } = await passports.given()
    const draft = await passports.given({ metadata: { text: 'x'.repeat(2000) }, draft: true })
    await passports.update(draft.id, { metadata: { text: 'y'.repeat(2000) }, draft: true })
    const sealed = await passports.given({ enrichment: { description: 'x'.repeat(2000) } })
    expectStatus(200, await passports.seal(sealed.id))
    await leave(workspace, 0)
    expectStatus(200, await passports.setStatus(id, 'RECALLED'))
    expectStatus(200, await passports.setStatus(sealed.id, 'RECALLED'))
    const json = { productId: newGtin(), metadata: heavy(3000) }
    expect((await passports.create(json)).status).toBe(402)
    expectStatus(200, await passports.remove(draft.id))
    expectStatus(201, await passports.create(json))
    // Deletion of both versions freed exactly their size.
    expect((await passports.create({ ...json, productId: newGtin() })).status).toBe(402)
  })

  test('a workspace above a limit that was lowered still shrinks', async () => {
    const { workspace, facility } = await given()
    const works = expectStatus(201, await facility({ activity: 'x'.repeat(500) })).body.facility
    await set(workspace, { storageLimit: 1 })
    const change = (json: object) =>
      gateway.request('PUT', `/api/v1/facilities/${works.id}`, { headers: workspace.as, json })
    expectStatus(200, await change({ activity: 'short' }))
    const refused = await change({ activity: 'longer than it was' })
    expect([refused.status, refused.body.code]).toEqual([402, 'STORAGE_LIMIT_REACHED'])
    expect(await own(workspace, 'activity', 'facility')).toEqual(['short'])
  })

  test('rows have an end too: operators, facilities, grants and drafts', async () => {
    const { workspace, passports, facility, operator, grant, remove } = await given()
    const { id } = await passports.given()
    const works = expectStatus(201, await facility()).body.facility
    const { rows } = await counted(workspace)
    expect(rows).toBe(3)
    await set(workspace, { rowLimit: rows })
    const attempts = [
      () => facility(),
      () => operator(`REG-${newGln()}`),
      () => grant(id),
      () => passports.create({ productId: newGtin(), metadata: {}, draft: true }),
    ]
    for (const attempt of attempts) {
      const { status, body } = await attempt()
      expect([status, body]).toEqual([402, refusal({ storedRows: rows, rowLimit: rows })])
    }
    const left = await Promise.all(
      ['facility', 'operator', 'access_grant', 'passport'].map((table) => own(workspace, 'id', table)),
    )
    expect(left.map(({ length }) => length)).toEqual([1, 1, 0, 1])
    expect((await counted(workspace)).rows).toBe(rows)
    for (const attempt of attempts.slice(0, 3)) {
      await set(workspace, { rowLimit: (await counted(workspace)).rows + 1 })
      expectStatus(201, await attempt())
      expect((await attempt()).status).toBe(402)
    }
    await set(workspace, { rowLimit: (await counted(workspace)).rows })
    expectStatus(200, await remove(`facilities/${works.id}`))
    expectStatus(201, await facility())
    expect((await facility()).status).toBe(402)
  })

  test('20 concurrent writes never go beyond it', async () => {
    const { workspace, passports, facility } = await given()
    const size = Buffer.byteLength(JSON.stringify({ ...textile(), gtin: newGtin() }))
    const storageLimit = await leave(workspace, 7 * size)
    const creations = await Promise.all(
      Array.from({ length: 20 }, () => passports.create({ productId: newGtin(), metadata: textile() })),
    )
    expect(creations.map(({ status }) => status).sort()).toEqual([...Array(7).fill(201), ...Array(13).fill(402)])
    expect((await counted(workspace)).bytes).toBe(storageLimit)
    expect(await counted(workspace)).toEqual(await stored(workspace))
    const { rows } = await counted(workspace)
    await set(workspace, { storageLimit: null, rowLimit: rows + 5 })
    const facilities = await Promise.all(Array.from({ length: 20 }, () => facility()))
    expect(facilities.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(15).fill(402)])
    expect(await counted(workspace)).toEqual(await stored(workspace))
  })

  test('concurrent edits, seals and drafts wait for each other and do not deadlock', async () => {
    const { workspace, passports } = await given()
    await set(workspace, { storageLimit: 1_000_000_000, rowLimit: 1000 })
    const ids = await Promise.all(
      Array.from({ length: 4 }, async () => (await passports.given({ metadata: {}, draft: true })).id),
    )
    const answers = await Promise.all(
      ids.flatMap((id) => [
        ...Array.from({ length: 4 }, (_, index) => passports.update(id, { metadata: { index }, draft: true })),
        passports.seal(id),
        passports.create({ productId: `SKU-${id}`, metadata: {}, draft: true }),
        passports.create({ productId: `SKU-${id}`, metadata: textile() }),
      ]),
    )
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    expect(await counted(workspace)).toEqual(await stored(workspace))
  })

  test('an edit that a deadlock undoes is begun again', async () => {
    const { workspace, passports } = await given()
    await set(workspace, { storageLimit: 1_000_000_000 })
    const { id } = await passports.given()
    const other = await connected(workspace)
    // It has charged the workspace; with a limit, all writers wait for each other …
    await other.query(ANOTHER_FACILITY, [workspace.id, newGln()])
    const edit = passports.update(id, { metadata: textile({ size: 'edited' }) })
    await vi.waitUntil(async () => {
      const { rows } = await other.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    }, 10_000)
    // … and now requests a lock of the edit, which has waited longer and is aborted.
    await other.query('update passport set updated_at = updated_at where id = $1', [id])
    await other.query('commit')
    await other.end()
    expectStatus(200, await edit)
    expect((await passports.get(id)).body.metadata.size).toBe('edited')
    expect(await counted(workspace)).toEqual(await stored(workspace))
  })

  test('links, deletions and changes of facilities next to concurrent creations do not deadlock', async () => {
    const { workspace, passports, facility, remove } = await given()
    await gateway.container.cradle.workspaces.set(workspace.id, { plan: 'growth' })
    const of = async () => (await facility()).body.facility.id
    for (let round = 0; round < 5; round += 1) {
      const [a, b, c] = [await of(), await of(), await of()]
      const made = await Promise.all([1, 2, 3].map(() => passports.given({ facilityId: a })))
      const answers = await Promise.all([
        ...made.map(({ id }, index) =>
          passports.update(id, { metadata: textile({ size: `${index}` }), facilityId: b }),
        ),
        remove(`facilities/${b}`),
        ...[a, c].map((id) =>
          gateway.request('PUT', `/api/v1/facilities/${id}`, {
            headers: workspace.as,
            json: { activity: 'x'.repeat(100) },
          }),
        ),
        ...Array.from({ length: 5 }, () =>
          passports.create({ productId: newGtin(), metadata: textile(), facilityId: c }),
        ),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    }
    expect(await counted(workspace)).toEqual(await stored(workspace))
  })

  test('a document of another system is refused like a passport', async () => {
    const { workspace } = await given()
    await leave(workspace, 10)
    const json = aasEnvironment({ productId: newGtin(), metadata: textile() })
    const refused = await gateway.request('POST', '/api/v1/passports/aas/ingest', { headers: workspace.as, json })
    expect([refused.status, refused.body.code]).toEqual([402, 'STORAGE_LIMIT_REACHED'])
    expect(await own(workspace, 'id', 'passport')).toEqual([])
  })
})
