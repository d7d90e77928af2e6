import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { PLANS } from '../../src/domain/plans.ts'
import { loadMigrations } from '../../src/plugin/loader.ts'
import { ROOT } from '../../src/root.ts'
import { MOST_WAITING_REQUESTS } from '../../src/services/grants.ts'
import { prepareDatabase, tellPlans } from '../../src/storage/database.ts'
import { MOST_KEPT_BYTES } from '../../src/storage/renditions.ts'
import {
  BASE_URL,
  createDatabase,
  createWorkspace,
  MASTER_KEY,
  newGln,
  newGtin,
  superuserUrl,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { aasEnvironment } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway()

/** Metadata of about so many bytes that nothing compresses. */
const heavy = (bytes: number, more: object = {}) => ({
  ...textile(more),
  careInstructions: randomBytes(bytes / 2).toString('hex'),
})

const one = async <Row extends object>(workspace: TestWorkspace, text: string, values: unknown[] = []): Promise<Row> =>
  (await gateway.sqlAs<Row>(workspace.id, text, values))[0] as Row

/** Values of the workspace's own rows; tests see published passports of others besides. */
const own = async (workspace: TestWorkspace, column: string, table: string): Promise<unknown[]> =>
  (
    await gateway.sqlAs<Record<string, unknown>>(workspace.id, `select ${column} from ${table} where tenant_id = $1`, [
      workspace.id,
    ])
  ).map((row) => row[column])

/** What the database has counted. */
const counted = (workspace: TestWorkspace) =>
  one<{ bytes: number; rows: number }>(
    workspace,
    'select sum(bytes)::int as bytes, sum(rows)::int as rows from workspace_usage where tenant_id = $1',
    [workspace.id],
  )

/** The same, counted one by one. */
const stored = async (workspace: TestWorkspace) => {
  const parts = [
    `select octet_length(metadata::text) + coalesce(octet_length(enrichment::text), 0) as bytes, 1 as rows from passport where tenant_id = $1`,
    `select octet_length(metadata::text), 0 from passport_history where metadata is not null and tenant_id = $1`,
    `select octet_length(leaves::text) + octet_length(signature) + octet_length(public_key_pem), 0 from seal where tenant_id = $1`,
    `select coalesce(octet_length(enrichment::text), 0), 0 from sealed_version where tenant_id = $1`,
    `select octet_length(concat(name, activity, street_address, city, postal_code)), 1 from facility where tenant_id = $1`,
    `select octet_length(concat(gln, name, activity, street_address, city, postal_code, country)), 0
     from facility_version where tenant_id = $1`,
    `select octet_length(concat(name, role, contact)), 0 from operator_version where tenant_id = $1`,
    `select octet_length(reg_id), 1 from operator where tenant_id = $1`,
    `select octet_length(concat(grantee_name, grantee_email, organization, purpose)), 1 from access_grant
     where issuer_type = 'TENANT' and tenant_id = $1`,
  ]
  return one<{ bytes: number; rows: number }>(
    workspace,
    `select sum(bytes)::int as bytes, sum(rows)::int as rows from (${parts.join(' union all ')}) as part`,
    [workspace.id],
  )
}

const set = (workspace: TestWorkspace, limits: { storageLimit?: number | null; rowLimit?: number | null }) =>
  gateway.container.cradle.workspaces.set(workspace.id, limits)

/** Leaves room for so many bytes more. */
const leave = async (workspace: TestWorkspace, room: number) => {
  const storageLimit = (await counted(workspace)).bytes + room
  await set(workspace, { storageLimit })
  return storageLimit
}

/** A connection of its own, in the midst of a transaction of the workspace. */
const connected = async (workspace: TestWorkspace) => {
  const client = new pg.Client({ connectionString: await superuserUrl(gateway.databaseUrl) })
  await client.connect()
  await client.query('begin')
  await client.query(`select set_config('app.tenant', $1, true)`, [workspace.id])
  return client
}

const ANOTHER_FACILITY = `insert into facility (id, tenant_id, gln, name, country, created_at, updated_at)
  values (gen_random_uuid(), $1, $2, 'Works', 'PT', now(), now())`

const refusal = (quota: object) => ({
  success: false,
  error: 'Payment Required',
  message: expect.stringContaining('There is no room to store this: '),
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

const given = async () => {
  const workspace = await createWorkspace(gateway)
  const { as } = workspace
  return {
    workspace,
    passports: passportClient(gateway, as),
    facility: (json: object = {}) =>
      gateway.request('POST', '/api/v1/facilities', {
        headers: as,
        json: { gln: newGln(), name: 'Works', country: 'PT', ...json },
      }),
    operator: (regId: string) =>
      gateway.request('POST', '/api/v1/operators', { headers: as, json: { name: 'Another', regId } }),
    grant: (passportId: string) =>
      gateway.request('POST', '/api/v1/grants', {
        headers: as,
        json: {
          granteeName: 'Repair',
          scopeType: 'PASSPORT',
          passportId,
          expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
        },
      }),
    bulk: (passports: readonly object[]) =>
      gateway.request('POST', '/api/v1/passports/bulk', { headers: as, json: { passports } }),
    remove: (path: string) => gateway.request('DELETE', `/api/v1/${path}`, { headers: as }),
  }
}

describe('the history', () => {
  test('of a passport of 1 MiB that is moved many times holds its metadata once, and each row still tells it', async () => {
    const { workspace, passports } = await given()
    const metadata = heavy(1_000_000)
    const { id } = await passports.given({ metadata })
    const before = await counted(workspace)
    for (let moves = 0; moves < 12; moves += 1) {
      expectStatus(200, await passports.setStatus(id, moves % 2 === 0 ? 'RECALLED' : 'ACTIVE'))
    }
    const kept = () =>
      one<{ versions: number; bytes: number; disk: number }>(
        workspace,
        `select count(*)::int as versions, coalesce(sum(octet_length(metadata::text)), 0)::int as bytes,
           coalesce(sum(pg_column_size(metadata)), 0)::int as disk from passport_history where passport_id = $1`,
        [id],
      )
    expect(await kept()).toEqual({ versions: 12, bytes: 0, disk: 0 })
    expect(await counted(workspace)).toEqual(before)
    // Left open by the moves, told by the edit.
    const bytes = Buffer.byteLength(JSON.stringify({ ...metadata, gtin: '12345678901234' }))
    expectStatus(200, await passports.update(id, { metadata: textile() }))
    expectStatus(200, await passports.update(id, { metadata: textile(), changeReason: 'Nothing' }))
    expect(await kept()).toEqual({ versions: 14, bytes, disk: expect.any(Number) })
    const versions = await gateway.sqlAs<{ version: number; digest: string; is_heavy: boolean }>(
      workspace.id,
      `select version, md5(metadata::text) as digest, metadata ->> 'careInstructions' = $2 as is_heavy
       from passport_version where passport_id = $1 order by version`,
      [id, metadata.careInstructions],
    )
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 14 }, (_, index) => index + 1))
    expect(versions.slice(0, 13).every((row) => row.is_heavy && row.digest === versions[0]?.digest)).toBe(true)
    expect(versions[13]).toMatchObject({ version: 14, is_heavy: null })
    const { disk } = await one<{ disk: number }>(
      workspace,
      `select sum(octet_length(body))::int as disk from rendition where passport_id = $1 and representation = 'jsonld'`,
      [id],
    )
    expect(disk).toBeLessThan(10 * 2_100_000)
  })

  test('of a thousand moves holds the metadata once', async () => {
    const { workspace, passports } = await given()
    const metadata = heavy(100_000)
    const { id } = await passports.given({ metadata })
    // As a thousand moves leave it, which one statement does sooner.
    await passports.setStatus(id, 'RECALLED')
    await gateway.sqlAs(
      workspace.id,
      `insert into passport_history (passport_id, tenant_id, version, changed_by, change_reason, created_at)
       select $1, $2, number, 'test', 'Status changed: ACTIVE → RECALLED', now() from generate_series(2, 1000) as number`,
      [id, workspace.id],
    )
    await passports.update(id, { metadata: textile() })
    expect(
      await one(
        workspace,
        `select count(*)::int as versions, count(metadata)::int as copies, count(distinct md5(v.metadata_text))::int as contents
         from passport_history join lateral (
           select metadata::text as metadata_text from passport_version
           where passport_version.passport_id = passport_history.passport_id and passport_version.version = passport_history.version
         ) as v on true where passport_id = $1`,
        [id],
      ),
    ).toEqual({ versions: 1001, copies: 1, contents: 1 })
  })

  test('of a large passport keeps few of the documents that events refer to', async () => {
    const { workspace, passports } = await given()
    const { id } = await passports.given({ metadata: heavy(400_000) })
    for (let moves = 0; moves < 12; moves += 1) await passports.setStatus(id, moves % 2 === 0 ? 'RECALLED' : 'ACTIVE')
    const documents = () =>
      one<{ count: number; bytes: number }>(
        workspace,
        `select count(*)::int as count, sum(octet_length(body))::int as bytes from rendition
         where passport_id = $1 and representation = 'jsonld'`,
        [id],
      )
    const { count, bytes } = await documents()
    expect(count).toBe(9)
    expect(bytes).toBeGreaterThan(MOST_KEPT_BYTES)
    const small = await passports.given()
    for (let moves = 0; moves < 12; moves += 1)
      await passports.setStatus(small.id, moves % 2 === 0 ? 'RECALLED' : 'ACTIVE')
    const [row] = await gateway.sqlAs<{ count: number }>(
      workspace.id,
      `select count(*)::int as count from rendition where passport_id = $1 and representation = 'jsonld'`,
      [small.id],
    )
    expect(row?.count).toBe(13)
  })
})

describe('what a workspace stores', () => {
  test('is counted by the database, whatever is done', async () => {
    const { workspace, passports, facility, operator, grant, bulk, remove } = await given()
    const check = async (step: string) =>
      expect([step, await counted(workspace)]).toEqual([step, await stored(workspace)])
    await check('an operator')
    const { id } = await passports.given({ enrichment: { headline: 'For every day' } })
    await check('a passport')
    await passports.update(id, { metadata: textile({ size: 'L' }), enrichment: null })
    await check('an update')
    await passports.setStatus(id, 'RECALLED')
    await check('a move')
    expectStatus(200, await passports.seal(id))
    await check('a seal')
    const revise = (json: object) =>
      passports.revise(id, { metadata: textile({ size: 'XL' }), changeReason: 'Misspelt', ...json })
    expectStatus(200, await revise({ enrichment: { description: 'Woven in the valley' } }))
    await check('a revision')
    expectStatus(200, await revise({ enrichment: { tagline: 'For every day' } }))
    await check('other enrichment')
    expectStatus(200, await passports.setStatus(id, 'ACTIVE'))
    await check('a move of what is sealed')
    expectStatus(
      201,
      await bulk([
        { productId: newGtin(), metadata: textile() },
        { productId: newGtin(), metadata: battery() },
      ]),
    )
    await check('a bulk')
    const draft = await passports.given({ metadata: { a: 1 }, draft: true })
    await passports.update(draft.id, { metadata: { a: 'larger' }, draft: true })
    await passports.seal(draft.id)
    await check('a draft')
    expectStatus(200, await passports.remove(draft.id))
    await check('no draft')
    const works = expectStatus(201, await facility({ streetAddress: 'Ruß 1', activity: 'assembly' })).body.facility
    await check('a facility')
    await gateway.request('PUT', `/api/v1/facilities/${works.id}`, { headers: workspace.as, json: { city: 'Porto' } })
    await check('another facility')
    expectStatus(200, await remove(`facilities/${works.id}`))
    await check('no facility')
    const another = expectStatus(201, await operator('REG-ANOTHER')).body.operator
    await check('two operators')
    expectStatus(200, await remove(`operators/${another.id}`))
    await check('one operator')
    expectStatus(201, await grant(id))
    await check('a grant')
    await gateway.request('POST', `/request-access?passport=${id}`, {
      form: { granteeName: 'Ada', granteeEmail: 'ada@a.example' },
    })
    await check('a request')
    expect((await counted(workspace)).rows).toBe(5)
  })

  test('is as much as the plan includes, or as the workspace is allowed', async () => {
    const rows = await gateway.sql(
      'select name, storage_limit::float8 as "storageLimit", row_limit::int as "rowLimit" from plan',
    )
    expect(rows).toHaveLength(Object.keys(PLANS).length)
    for (const { name, ...limits } of rows) expect(PLANS[name as string]).toMatchObject(limits)
    expect([PLANS.starter?.storageLimit, PLANS.growth?.storageLimit, PLANS.scale?.storageLimit]).toEqual(
      [256, 1024, 8192].map((mebibytes) => mebibytes * 1024 * 1024),
    )
    const { workspace, passports } = await given()
    await gateway.container.cradle.workspaces.set(workspace.id, { plan: 'growth' })
    await gateway.container.cradle.workspaces.set(workspace.id, { storageLimit: 10 })
    const { status, body } = await passports.create({ productId: newGtin(), metadata: textile() })
    expect([status, body.quota]).toMatchObject([402, { tier: 'growth', storageLimit: 10, rowLimit: 50_000 }])
  })
})

test('two connections whose processes have like numbers count side by side', async () => {
  const { workspace } = await given()
  const before = await counted(workspace)
  const first = await connected(workspace)
  const connections = [first]
  const numberOf = async (client: pg.Client) =>
    (await client.query('select pg_backend_pid() & 63 as number')).rows[0].number
  for (let tried = 0; connections.length === 1 && tried < 300; tried += 1) {
    const another = await connected(workspace)
    if ((await numberOf(another)) === (await numberOf(first))) connections.push(another)
    else await another.end()
  }
  expect(connections).toHaveLength(2)
  // Neither waits for the other, whose transaction is still open.
  for (const connection of connections) {
    await connection.query(`set local lock_timeout = '2s'`)
    await connection.query(ANOTHER_FACILITY, [workspace.id, newGln()])
  }
  const counts = `insert into passport (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
    select gen_random_uuid(), tenant_id, id, gen_random_uuid(), 'ACTIVE', '{}', now(), now()
    from operator where tenant_id = $1 limit 1`
  for (const connection of connections) await connection.query(counts, [workspace.id])
  for (const connection of connections) {
    await connection.query('commit')
    await connection.end()
  }
  expect((await counted(workspace)).rows).toBe(before.rows + 4)
  expect(await counted(workspace)).toEqual(await stored(workspace))
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
    // An Idempotency-Key does not keep it: a minute later there may be room.
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
    // Both of its versions are gone, and no more than that came.
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

  test('20 writes at once never go beyond it', async () => {
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

  test('edits, seals and drafts at once wait for each other and do not deadlock', async () => {
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
    // It has charged the workspace, whose limit makes all writers wait for each other …
    await other.query(ANOTHER_FACILITY, [workspace.id, newGln()])
    const edit = passports.update(id, { metadata: textile({ size: 'edited' }) })
    await vi.waitUntil(async () => {
      const { rows } = await other.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    }, 10_000)
    // … and now asks for what the edit holds. The edit has waited longer, and is the one that gives way.
    await other.query('update passport set updated_at = updated_at where id = $1', [id])
    await other.query('commit')
    await other.end()
    expectStatus(200, await edit)
    expect((await passports.get(id)).body.metadata.size).toBe('edited')
    expect(await counted(workspace)).toEqual(await stored(workspace))
  })

  test('links, deletions and changes of facilities beside creations at once do not deadlock', async () => {
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

test('requests of strangers wait in a bounded number, told the same beyond it, and take no room', async () => {
  const { workspace, passports } = await given()
  const { id } = await passports.given({ metadata: battery() })
  await gateway.sqlAs(
    workspace.id,
    `insert into access_grant (id, tenant_id, status, kind, grantee_name, grantee_email, scope_type, passport_id, issuer_type, expires_at)
     select gen_random_uuid(), $1, 'PENDING', 'LEGITIMATE_INTEREST', 'Ada', number || '@a.example', 'PASSPORT', $2, 'REQUEST', now() + interval '1 day'
     from generate_series(1, $3::int) as number`,
    [workspace.id, id, MOST_WAITING_REQUESTS - 3],
  )
  const before = await counted(workspace)
  await set(workspace, { storageLimit: 0, rowLimit: 0 })
  const request = (granteeEmail: string) =>
    gateway.request('POST', `/request-access?passport=${id}`, { form: { granteeName: 'Ada', granteeEmail } })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => request(`new${index}@a.example`)))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  const waiting = () => own(workspace, 'id', 'access_grant')
  expect(await waiting()).toHaveLength(MOST_WAITING_REQUESTS)
  expect(await counted(workspace)).toEqual(before)
  await gateway.sqlAs(workspace.id, `update access_grant set status = 'DENIED' where grantee_email = '1@a.example'`)
  await request('afterwards@a.example')
  expect(await waiting()).toHaveLength(MOST_WAITING_REQUESTS + 1)
})

test('no workspace reads the history or the use of another', async () => {
  const [ours, theirs] = [await given(), await given()]
  const { id } = await theirs.passports.given()
  await theirs.passports.setStatus(id, 'RECALLED')
  const app = new pg.Client({ connectionString: gateway.urlOf('app') })
  await app.connect()
  const seen = async (tenantId: string) => {
    await app.query(`select set_config('app.tenant', $1, false)`, [tenantId])
    const { rows } = await app.query(
      `select (select count(*)::int from passport_version where passport_id = $1) as versions,
         (select count(*)::int from workspace_usage where tenant_id = $2 and slot > 0) as slots`,
      [id, theirs.workspace.id],
    )
    return rows[0]
  }
  expect(await seen(ours.workspace.id)).toEqual({ versions: 0, slots: 0 })
  expect(await seen(theirs.workspace.id)).toEqual({ versions: 1, slots: expect.any(Number) })
  expect((await seen(theirs.workspace.id)).slots).toBeGreaterThan(0)
  await app.end()
})

test('no role of the gateway credits a workspace', async () => {
  const { workspace } = await given()
  const refused = (text: string) =>
    gateway.sqlAs(workspace.id, text).then(
      () => 'done',
      (error) => error.code,
    )
  for (const role of ['app', 'lookup', 'jobs', 'signer'] as const) {
    const name = new URL(gateway.urlOf(role)).searchParams.get('user')
    expect(await refused(`set local role "${name}"; select workspace_stores('${workspace.id}', -1, 0)`)).toBe('42501')
    expect(await refused(`set local role "${name}"; update workspace_usage set bytes = 0`)).toBe('42501')
    expect(await refused(`set local role "${name}"; update plan set storage_limit = null`)).toBe('42501')
  }
})

test('what was stored before is counted, and its history reads as it did', async () => {
  const url = await createDatabase()
  const migrations = (await loadMigrations(join(ROOT, 'migrations'), 'core')) as Parameters<typeof prepareDatabase>[2]
  const earlier = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name.includes('storage')),
  )
  await prepareDatabase(url, MASTER_KEY, earlier)
  const client = new pg.Client({ connectionString: await superuserUrl(url) })
  await client.connect()
  const [workspaceId, operatorId, passportId] = [randomUUID(), randomUUID(), randomUUID()]
  const metadata = ['{"size": "S"}', '{"size":"M"}', '{"size":"L"}']
  await client.query(`insert into workspace (id, name, legal_name, plan) values ($1, 'Old', 'Old', 'growth')`, [
    workspaceId,
  ])
  await client.query(
    `insert into operator (id, tenant_id, name, reg_id, role, created_at) values ($2, $1, 'O', 'REG', 'MANUFACTURER', now())`,
    [workspaceId, operatorId],
  )
  await client.query(
    `insert into passport (id, tenant_id, operator_id, product_id, status, metadata, enrichment, created_at, updated_at)
     values ($1, $2, $3, 'SKU', 'ACTIVE', $4, '{"a":"ü"}', now(), now())`,
    [passportId, workspaceId, operatorId, metadata[2]],
  )
  for (const [index, text] of metadata.slice(0, 2).entries()) {
    await client.query(
      `insert into passport_history (passport_id, version, metadata, changed_by, change_reason, created_at)
       values ($1, $2, $3, 'somebody', 'API Update', now())`,
      [passportId, index + 1, text],
    )
  }
  const { migrated } = await prepareDatabase(url, MASTER_KEY, migrations, { finish: tellPlans })
  expect(migrated).toHaveLength(migrations.length - earlier.length)
  const { rows: versions } = await client.query('select version, metadata::text from passport_version order by version')
  expect(versions).toEqual([
    { version: 1, metadata: metadata[0] },
    { version: 2, metadata: metadata[1] },
  ])
  const { rows: usage } = await client.query('select tenant_id, bytes::int, rows::int from workspace_usage')
  const bytes = Buffer.byteLength([...metadata, '{"a":"ü"}', 'REG'].join(''))
  expect(usage).toEqual([{ tenant_id: workspaceId, bytes, rows: 2 }])
  await client.end()
})
