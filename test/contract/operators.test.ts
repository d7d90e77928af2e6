// Also runs without modules (vitest project `core`).
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { auditOf } from '../support/audit.ts'
import type { Answer } from '../support/contract-client.ts'
import { bearer, createWorkspace, newGln, newGtin, textile } from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { changedTables, tableDigests } from '../support/table-digests.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const call = (method: string, path = '', json?: unknown, headers: Record<string, string> = workspace.as) =>
  gateway.request(method, `/api/v1/operators${path}`, { headers, json })
const register = async (json: object = {}) => {
  const regId = `REG-${newGln()}`
  return expectStatus(201, await call('POST', '', { name: regId, regId, ...json })).body.operator
}
const audits = async (subjectId: string, tenantId = workspace.id) =>
  (await auditOf(gateway, tenantId, subjectId)).map(({ action }) => action)
const scopedTo = async (operatorId: string) => {
  const { key } = await gateway.container.cradle.workspaces.createKey({
    workspaceId: workspace.id,
    role: 'BRAND_OPERATOR',
    operatorId,
  })
  return bearer(key)
}
const stateOf = async (id: string) => (await gateway.request('GET', `/passport/${id}`)).body

describe('registering', () => {
  test('answers the operator and records it', async () => {
    const regId = `REG-${newGln()}`
    const { status, body } = await call('POST', '', { name: ' Atelier ', regId: ` ${regId} `, regIdScheme: 'vat' })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      operator: {
        id: expect.any(String),
        name: 'Atelier',
        regId,
        regIdScheme: 'VAT',
        role: 'MANUFACTURER',
        archivedAt: null,
        createdAt: expect.any(String),
      },
    })
    expect(await audits(body.operator.id)).toEqual(['operator.created'])
    expect((await call('GET', `/${body.operator.id}`)).body).toEqual({ success: true, operator: body.operator })
  })

  test('trap 77: a missing name or regId has the minimal form, a bad EORI the standard one', async () => {
    for (const json of [
      {},
      { name: 'N' },
      { regId: 'R' },
      { name: '', regId: 'R' },
      { name: 5, regId: 'R' },
      { name: 'N', regId: 5 },
      undefined,
      [],
      'x',
    ]) {
      const { status, body } = await call('POST', '', json)
      expect(status).toBe(400)
      expect(body).toEqual({ success: false, message: expect.any(String) })
    }
    for (const regId of ['de123', 'D1234567', 'DE', `DE${'1'.repeat(16)}`, 'DE-1', 'DEÜ1']) {
      const { status, body } = await call('POST', '', { name: 'N', regId, regIdScheme: 'EORI' })
      expect(status).toBe(400)
      expect(body).toEqual({ success: false, error: 'Bad Request', message: expect.any(String) })
    }
    for (const json of [
      { regId: '   ' },
      { regId: 'R', regIdScheme: 'ISIN' },
      { regId: '529900T8BM49AURSDO54', regIdScheme: 'LEI' },
      { regId: '5412345000014', regIdScheme: 'GLN' },
      { regId: 'did:web:', regIdScheme: 'DID' },
      { regId: 'R', regIdScheme: 5 },
      { regId: 'EORI-MOCK-1' },
      { regId: 'eori-mock2' },
    ]) {
      const { status, body } = await call('POST', '', { name: 'N', ...json })
      expect(status).toBe(400)
      expect(body).toMatchObject({ success: false, error: 'Bad Request' })
    }
    expect((await register({ regId: `DE${newGln()}`, regIdScheme: 'eori' })).regIdScheme).toBe('EORI')
  })

  test('a LEI, a GLN and a DID are schemes too, and numbers without verifiable check digits stay unchanged', async () => {
    for (const [regIdScheme, regId] of [
      ['LEI', '529900T8BM49AURSDO55'],
      ['GLN', newGln()],
      ['DID', 'did:web:example.com'],
      ['VAT', 'DE 129 274 201'],
      ['DUNS', '15-048-3782'],
    ]) {
      expect(await register({ regId, regIdScheme })).toMatchObject({ regId, regIdScheme })
    }
  })

  test('review-3-inputs N47: a role that is not a text is rejected', async () => {
    const { status, body } = await call('POST', '', { name: 'N', regId: `R-${newGln()}`, role: 5 })
    expect([status, body.message]).toEqual([400, expect.stringContaining('role')])
  })

  test('a regId that is registered answers that operator unchanged', async () => {
    const operator = await register({ name: 'First', regIdScheme: 'DUNS' })
    const again = await call('POST', '', {
      name: 'Second',
      regId: operator.regId,
      role: 'IMPORTER',
      regIdScheme: 'VAT',
    })
    expect(again.status).toBe(201)
    expect(again.body.operator).toEqual(operator)
    expect(await audits(operator.id)).toEqual(['operator.created'])
  })

  test('trap 78: also when it is archived, and it stays archived', async () => {
    const operator = await register()
    await passports.given({ operatorId: operator.id })
    await call('DELETE', `/${operator.id}`)
    const { status, body } = await call('POST', '', { name: 'New', regId: operator.regId })
    expect(status).toBe(201)
    expect(body.operator).toEqual({ ...operator, archivedAt: expect.any(String) })
  })

  test('review-3-inputs N18: an archived operator is never the default', async () => {
    const own = await createWorkspace(gateway)
    const client = passportClient(gateway, own.as)
    const product = () => ({ productId: newGtin(), metadata: textile() })
    const second = expectStatus(201, await call('POST', '', { name: 'Second', regId: `REG-${newGln()}` }, own.as)).body
      .operator
    await client.given()
    await call('DELETE', `/${own.operatorId}`, undefined, own.as)
    const created = await client.create(product())
    expect([created.status, created.body.passport.economicOperator.name]).toEqual([201, second.name])
    await call('DELETE', `/${second.id}`, undefined, own.as)
    const refused = await client.create(product())
    expect([refused.status, refused.body.code]).toEqual([400, 'OPERATOR_NOT_BOUND'])
    expect(refused.body.message).toContain('archived')
    expectStatus(201, await client.create({ ...product(), operatorId: second.id }))
  })

  test('one regId in two workspaces is two operators', async () => {
    const other = await createWorkspace(gateway)
    const mine = await register()
    const { body } = await call('POST', '', { name: 'N', regId: mine.regId }, other.as)
    expect(body.operator.id).not.toBe(mine.id)
  })

  test('concurrent registrations create one', async () => {
    const regId = `REG-${newGln()}`
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', '', { name: 'N', regId })))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(({ body }) => body.operator.id)).size).toBe(1)
    expect(await audits(answers[0]?.body.operator.id)).toEqual(['operator.created'])
  })
})

describe('listing', () => {
  test('review-3-inputs N46: is by name in any case, without archived operators unless asked', async () => {
    const own = await createWorkspace(gateway)
    const names = ['B', 'a', 'c']
    const made = []
    for (const name of names) made.push((await call('POST', '', { name, regId: `R-${name}` }, own.as)).body.operator)
    await passportClient(gateway, own.as).given({ operatorId: made[2].id })
    await call('DELETE', `/${made[2].id}`, undefined, own.as)
    const listed = async (query: string) => {
      const { body } = expectStatus(200, await call('GET', query, undefined, own.as))
      expect(body.count).toBe(body.operators.length)
      return body.operators.map(({ name }: { name: string }) => name).filter((name: string) => names.includes(name))
    }
    expect(await listed('')).toEqual(['a', 'B'])
    expect(await listed('?archived=false')).toEqual(['a', 'B'])
    expect(await listed('?archived=true')).toEqual(['a', 'B', 'c'])
    expect((await call('GET', '?archived=maybe', undefined, own.as)).body.code).toBe('FW_ERR_VALIDATION')
  })

  test('a limited key sees its own operator alone', async () => {
    const mine = await register()
    const other = await register()
    const scoped = await scopedTo(mine.id)
    expect((await call('GET', '', undefined, scoped)).body.operators).toEqual([mine])
    for (const answer of [
      await call('GET', `/${other.id}`, undefined, scoped),
      await call('PATCH', `/${other.id}`, { name: 'X' }, scoped),
      await call('DELETE', `/${other.id}`, undefined, scoped),
      await call('POST', `/${other.id}/restore`, undefined, scoped),
      await call('POST', '', { name: 'N', regId: other.regId }, scoped),
      await call('POST', '', { name: 'N', regId: 'new' }, scoped),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.body.code).toBe('OPERATOR_SCOPE_FORBIDDEN')
    }
    expect((await call('GET', `/${other.id}`)).body.operator).toEqual(other)
  })

  test('a bound workspace sees the operator but its record belongs to the other', async () => {
    const bound = await createWorkspace(gateway)
    const operator = await register()
    expect((await call('GET', `/${operator.id}`, undefined, bound.as)).status).toBe(404)
    await gateway.container.cradle.workspaces.bindOperator(operator.id, bound.id)
    expect((await call('GET', `/${operator.id}`, undefined, bound.as)).body.operator).toEqual(operator)
    for (const answer of [
      await call('PATCH', `/${operator.id}`, { name: 'X' }, bound.as),
      await call('DELETE', `/${operator.id}`, undefined, bound.as),
      await call('POST', `/${operator.id}/restore`, undefined, bound.as),
    ]) {
      expect(answer.status).toBe(403)
    }
    expect((await call('GET', `/${operator.id}`)).body.operator).toEqual(operator)
  })
})

describe('changing', () => {
  test('changes name and role, shows the change in passports immediately, and never the regId', async () => {
    const operator = await register()
    const { id } = await passports.given({ operatorId: operator.id })
    expect((await stateOf(id)).economicOperator.name).toBe(operator.name)
    const { body } = await call('PATCH', `/${operator.id}`, {
      name: ' New ',
      role: 'IMPORTER',
      regId: 'other',
      regIdScheme: 'VAT',
    })
    expect(body.operator).toEqual({ ...operator, name: 'New', role: 'IMPORTER' })
    expect(body.warnings.map(({ path }: { path: string }) => path)).toEqual(['regId', 'regIdScheme'])
    expect((await stateOf(id)).economicOperator).toMatchObject({ name: 'New', role: 'IMPORTER', regId: operator.regId })
    expect(await audits(operator.id)).toEqual(['operator.created', 'operator.updated'])
  })

  test('trap 79: nothing usable answers 200, unchanged, without an audit record', async () => {
    const operator = await register()
    for (const json of [{ name: '  ', role: '\t' }, {}, { name: 5, role: null }, { name: ['x'] }, undefined, []]) {
      const { status, body } = await call('PATCH', `/${operator.id}`, json)
      expect(status).toBe(200)
      expect(body).toEqual({ success: true, operator })
    }
    expect(await audits(operator.id)).toEqual(['operator.created'])
  })

  test('an operator that is not there has the printed message in the minimal form', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense']) {
      for (const answer of [
        await call('GET', `/${id}`),
        await call('PATCH', `/${id}`, { name: 'X' }),
        await call('DELETE', `/${id}`),
        await call('POST', `/${id}/restore`),
      ]) {
        expect(answer.status).toBe(404)
        expect(answer.body).toEqual({ success: false, message: 'Operator not found in your workspace.' })
      }
    }
  })
})

describe('removing', () => {
  test('trap 80: with passports it archives and counts, without it deletes', async () => {
    const operator = await register()
    const active = await passports.given({ operatorId: operator.id })
    const recalled = await passports.given({ operatorId: operator.id })
    await passports.setStatus(recalled.id, 'RECALLED')
    await passports.given({ operatorId: operator.id, draft: true })
    const { status, body } = await call('DELETE', `/${operator.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, archived: true, archivedPassports: 2 })
    for (const { id } of [active, recalled]) {
      const { archivedAt, retentionUntil } = await stateOf(id)
      expect(retentionUntil.slice(0, 4)).toBe(String(Number(archivedAt.slice(0, 4)) + 10))
    }
    expect(await audits(operator.id)).toEqual(['operator.created', 'operator.archived'])

    const unused = await register()
    expect((await call('DELETE', `/${unused.id.toUpperCase()}`)).body).toEqual({ success: true, archived: false })
    expect((await call('GET', `/${unused.id}`)).status).toBe(404)
    expect(await audits(unused.id)).toEqual(['operator.created', 'operator.deleted'])
  })

  test('review-3-inputs N41: the response counts the facilities left without operator', async () => {
    const operator = await register()
    const facility = expectStatus(
      201,
      await gateway.request('POST', '/api/v1/facilities', {
        headers: workspace.as,
        json: { gln: newGln(), name: 'Works', country: 'PT', operatorId: operator.id },
      }),
    ).body.facility
    expect((await call('DELETE', `/${operator.id}`)).body).toEqual({
      ...{ success: true, archived: false },
      unlinkedFacilities: 1,
    })
    const [entry] = (await auditOf(gateway, workspace.id, operator.id)).slice(-1)
    expect(entry).toMatchObject({ action: 'operator.deleted', detail: { unlinkedFacilities: 1 } })
    const { body } = await gateway.request('GET', `/api/v1/facilities/${facility.id}`, { headers: workspace.as })
    expect(body.facility.operatorId).toBeNull()
  })

  test('trap 80: a passport that comes in between makes the deletion an archival without count and audit', async () => {
    const operator = await register()
    const { status, body } = await removeWhilePassportComesIn(operator.id)
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, archived: true })
    expect((await call('GET', `/${operator.id}`)).body.operator.archivedAt).toEqual(expect.any(String))
    expect(await audits(operator.id)).toEqual(['operator.created'])
  })

  test('an operator that can neither be deleted nor archived is 409 in the minimal form', async () => {
    const operator = await register({ name: 'Stubborn' })
    await gateway.sql(`create function stay() returns trigger language plpgsql as $$
      begin raise exception 'stays as it is'; end $$`)
    await gateway.sql(`create trigger stay before update on operator for each row
      when (old.name = 'Stubborn') execute function stay()`)
    const { status, body } = await removeWhilePassportComesIn(operator.id)
    expect(status).toBe(409)
    expect(body).toEqual({ success: false, message: expect.any(String) })
    expect((await call('GET', `/${operator.id}`)).body.operator).toEqual(operator)
  })

  test('trap 81: restoring clears archive and retention, except of what was decommissioned on its own', async () => {
    const operator = await register()
    const [plain, decommissioned] = [
      await passports.given({ operatorId: operator.id }),
      await passports.given({ operatorId: operator.id }),
    ]
    const { retentionUntil } = (await passports.setStatus(decommissioned.id, 'DECOMMISSIONED')).body.passport
    await call('DELETE', `/${operator.id}`)
    expect((await stateOf(decommissioned.id)).retentionUntil).toBe(retentionUntil)
    const { body } = await call('POST', `/${operator.id}/restore`)
    expect(body).toEqual({ success: true, restoredPassports: 1 })
    expect(await stateOf(plain.id)).toMatchObject({ status: 'ACTIVE', archivedAt: null, retentionUntil: null })
    expect(await stateOf(decommissioned.id)).toMatchObject({
      status: 'DECOMMISSIONED',
      archivedAt: expect.any(String),
      retentionUntil,
    })
    expect((await call('GET', `/${operator.id}`)).body.operator.archivedAt).toBeNull()
    expect((await call('POST', `/${operator.id}/restore`)).body).toEqual({ success: true, restoredPassports: 0 })
    expect((await audits(operator.id)).slice(0, 3)).toEqual([
      'operator.created',
      'operator.archived',
      'operator.restored',
    ])
  })

  describe('the plan holds for what comes back', () => {
    const product = () => ({ productId: newGtin(), metadata: textile() })
    const small = async (passportLimit: number) => {
      const own = await createWorkspace(gateway, { plan: 'growth' })
      await gateway.container.cradle.workspaces.set(own.id, { passportLimit })
      return { own, client: passportClient(gateway, own.as) }
    }
    const refusal = (activePassports: number, passportLimit: number) => ({
      success: false,
      error: 'Payment Required',
      message: expect.any(String),
      code: 'passport_quota_exceeded',
      quota: { tier: 'growth', activePassports, passportLimit },
      upgradeUrl: 'https://dpp.example.test/console/billing',
    })

    test('restoring an operator needs room for all of its passports, and else changes nothing', async () => {
      const { own, client } = await small(3)
      const at = `/${own.operatorId}`
      await Promise.all([client.given(), client.given()])
      expect((await call('DELETE', at, undefined, own.as)).body.archivedPassports).toBe(2)
      const { operatorId } = own
      const late = [await client.given({ operatorId }), await client.given({ operatorId })]
      const before = await tableDigests(gateway, own.id)
      const refused = await call('POST', `${at}/restore`, undefined, own.as)
      expect([refused.status, refused.body]).toEqual([402, refusal(2, 3)])
      expect(changedTables(before, await tableDigests(gateway, own.id))).toEqual([])
      await client.update(late[0].id, { metadata: {}, draft: true })
      expect((await call('POST', `${at}/restore`, undefined, own.as)).body).toEqual({
        success: true,
        restoredPassports: 2,
      })
    })

    test('reactivating an archived passport needs room for it', async () => {
      const { own, client } = await small(1)
      const { id } = await client.given()
      await call('DELETE', `/${own.operatorId}`, undefined, own.as)
      const late = await client.given({ operatorId: own.operatorId })
      const before = await tableDigests(gateway, own.id)
      const refused = await client.setStatus(id, 'ACTIVE')
      expect([refused.status, refused.body]).toEqual([402, refusal(1, 1)])
      expect(changedTables(before, await tableDigests(gateway, own.id))).toEqual([])
      // An active one, and one that stays archived, need none.
      expectStatus(200, await client.setStatus(late.id, 'ACTIVE'))
      expectStatus(200, await client.setStatus(id, 'RECALLED'))
      await client.update(late.id, { metadata: {}, draft: true })
      expectStatus(200, await client.setStatus(id, 'ACTIVE'))
    })

    test('concurrent restoring and creating never exceed it', async () => {
      const { own, client } = await small(6)
      await Promise.all([client.given(), client.given(), client.given()])
      await call('DELETE', `/${own.operatorId}`, undefined, own.as)
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, () => client.create({ ...product(), operatorId: own.operatorId })),
        call('POST', `/${own.operatorId}/restore`, undefined, own.as),
        ...Array.from({ length: 6 }, () => client.create({ ...product(), operatorId: own.operatorId })),
      ])
      expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 201, 402]))).toBe(true)
      const [row] = await gateway.sqlAs<{ count: number }>(
        own.id,
        `select count(*)::int as count from passport where tenant_id = $1 and status <> 'DRAFT' and archived_at is null`,
        [own.id],
      )
      expect(row?.count).toBeLessThanOrEqual(6)
      expect(row?.count).toBeGreaterThanOrEqual(5)
    })
  })

  test('archiving reaches the passports that a bound workspace issued for the operator', async () => {
    const bound = await createWorkspace(gateway)
    const operator = await register()
    await gateway.container.cradle.workspaces.bindOperator(operator.id, bound.id)
    const foreign = await passportClient(gateway, bound.as).create({
      productId: newGtin(),
      metadata: textile(),
      operatorId: operator.id,
    })
    expect(foreign.status).toBe(201)
    expect((await call('DELETE', `/${operator.id}`)).body).toEqual({
      success: true,
      archived: true,
      archivedPassports: 1,
    })
    expect((await stateOf(foreign.body.passport.id)).archivedAt).toEqual(expect.any(String))
  })
})

/** Deletes an operator while another process is about to commit one of its passports. */
async function removeWhilePassportComesIn(operatorId: string): Promise<Answer> {
  const connection = new pg.Client({ connectionString: gateway.inspectorUrl })
  await connection.connect()
  try {
    await connection.query('begin')
    await connection.query(`select set_config('app.tenant', $1, true)`, [workspace.id])
    await connection.query(
      `insert into passport (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, $3, 'ACTIVE', '{"category":"textiles"}', now(), now())`,
      [workspace.id, operatorId, newGtin()],
    )
    const deletion = call('DELETE', `/${operatorId}`)
    await waitsForLock()
    await connection.query('commit')
    return await deletion
  } finally {
    await connection.end()
  }
}

async function waitsForLock(): Promise<void> {
  for (;;) {
    const waiting = await gateway.sql(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query ilike 'delete from "operator"%'`,
    )
    if (waiting.length > 0) return
  }
}

test.each([
  "O'Neil",
  `\\' or 1=1 --`,
  '?, ?? and \\?',
  '$1 :name {0}',
  `"quoted" E'\\x41'`,
  '$$;drop table operator;$$',
])('a name reaches the database as it is: %s', async (name) => {
  const regId = `REG-${newGln()}`
  const registered = await gateway.request('POST', '/api/v1/operators', {
    headers: workspace.as,
    json: { name, regId },
  })
  expect([registered.status, registered.body.operator?.name]).toEqual([201, name])
  const { id } = registered.body.operator
  const renamed = await gateway.request('PATCH', `/api/v1/operators/${id}`, {
    headers: workspace.as,
    json: { name: `${name}'` },
  })
  expect([renamed.status, renamed.body.operator?.name]).toEqual([200, `${name}'`])
  const rows = await gateway.sqlAs(workspace.id, 'select name from operator where id = $1', [id])
  expect(rows).toEqual([{ name: `${name}'` }])
})
