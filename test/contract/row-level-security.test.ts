import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/storage/database-roles.ts'
import { createWorkspace, type TestWorkspace } from '../support/gateway.ts'
import { givenRows } from '../support/given-rows.ts'
import { passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

/**
 * Tables without tenant data: node keys, migrations, e-mail counters, pending deletions in the object store, plans, and
 * the signer's, which no workspace role reads.
 */
const WITHOUT_TENANT_DATA = [
  'dpp_migration',
  'local_signing_key',
  'mail_count',
  'media_gone',
  'node_key',
  'plan',
  'seal_revocation',
]
let other: TestWorkspace
let app: pg.Client
let lookup: pg.Client

const { gateway, workspace: owner } = await useGateway()

beforeAll(async () => {
  other = await createWorkspace(gateway)
  await givenRows(gateway, owner)
  app = await connectAs('app')
  lookup = await connectAs('lookup')
})
afterAll(async () => {
  await app.end()
  await lookup.end()
})

async function connectAs(role: Role): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: gateway.urlOf(role) })
  await client.connect()
  return client
}
/**
 * Runs one statement in a workspace.
 * @returns the SQLSTATE of its failure, or its row count
 */
async function attempt(
  client: pg.Client,
  tenantId: string,
  text: string,
  values: unknown[] = [],
): Promise<string | number> {
  await client.query('begin')
  try {
    await client.query(`select set_config('app.tenant', $1, true)`, [tenantId])
    return (await client.query(text, values)).rowCount ?? 0
  } catch (error) {
    return (error as pg.DatabaseError).code ?? 'unknown'
  } finally {
    await client.query('rollback')
  }
}
const tenantTables = async () => {
  const tables = await gateway.sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
  )
  return tables.map(({ name }) => name).filter((name) => !WITHOUT_TENANT_DATA.includes(name))
}
const anyPassport = (tenantId: string) =>
  gateway.sqlAs<{ id: string }>(tenantId, 'select id from passport limit 1').then(([row]) => row?.id)
const anyBatch = (tenantId: string) =>
  gateway.sqlAs<{ id: string }>(tenantId, 'select id from product_batch limit 1').then(([row]) => row?.id)
const anyUnit = (tenantId: string) =>
  gateway.sqlAs<{ id: string }>(tenantId, 'select id from battery_unit limit 1').then(([row]) => row?.id)

test('every table with data of a workspace has row-level security, forced on its owner too', async () => {
  const open = await gateway.sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not (relrowsecurity and relforcerowsecurity) order by relname`,
  )
  expect(open.map(({ name }) => name)).toEqual(WITHOUT_TENANT_DATA)
  expect(await tenantTables()).toContain('passport')
})

test('no role of ours may bypass it', async () => {
  const roles = await gateway.sql<{ name: string }>(
    `select rolname as name from pg_roles
     where (rolname like 'dpp%' or rolname = 'dpp_owner') and (rolbypassrls or rolsuper)`,
  )
  expect(roles).toEqual([])
})

test('the application role sees nothing before it names a workspace', async () => {
  for (const table of await tenantTables()) {
    expect([0, '42501'], table).toContain(await attempt(app, '', `select 1 from ${table}`))
    const own = await gateway.sqlAs(owner.id, `select 1 from ${table}`)
    expect(own.length, `${table} has rows to hide`).toBeGreaterThan(0)
  }
})

test('the application role sees nothing of another workspace', async () => {
  for (const table of await tenantTables()) {
    const columns = await gateway.sql<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass`,
      [table],
    )
    const values: Record<string, () => Promise<string | undefined>> = {
      tenant_id: async () => owner.id,
      passport_id: () => anyPassport(owner.id),
      unit_id: () => anyUnit(owner.id),
      batch_id: () => anyBatch(owner.id),
      operator_id: async () => owner.operatorId,
      person_id: async () => owner.id,
      id: async () => owner.id,
    }
    const column = Object.keys(values).find((name) => columns.some((candidate) => candidate.name === name))
    if (column === undefined) {
      expect(await attempt(app, owner.id, `select 1 from ${table}`), table).toBe('42501')
      continue
    }
    const text = `select 1 from ${table} where ${column} = $1`
    const value = await values[column]?.()
    expect([0, '42501'], table).toContain(await attempt(app, other.id, text, [value]))
    expect(await attempt(app, owner.id, text, [value]), table).not.toBe(0)
  }
})

describe("writing in another workspace's name fails", () => {
  const insertPassport = `insert into passport (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
    values (gen_random_uuid(), $1, $2, 'smuggled', 'ACTIVE', '{}', now(), now())`

  test('for passports', async () => {
    expect(await attempt(app, other.id, insertPassport, [owner.id, owner.operatorId])).toBe('42501')
    expect(await attempt(app, other.id, insertPassport, [owner.id, other.operatorId])).toBe('42501')
    // A workspace may not issue for an operator of another one.
    expect(await attempt(app, other.id, insertPassport, [other.id, owner.operatorId])).toBe('42501')
    expect(await attempt(app, other.id, insertPassport, [other.id, other.operatorId])).toBe(1)
  })

  test('for passports of a bound operator too', async () => {
    const bound = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.bindOperator(owner.operatorId, bound.id)
    expect(await attempt(app, bound.id, insertPassport, [owner.id, owner.operatorId])).toBe('42501')
    expect(await attempt(app, bound.id, insertPassport, [bound.id, owner.operatorId])).toBe(1)
    for (const column of ['tenant_id', 'operator_id', 'id']) {
      expect(await attempt(app, bound.id, `update passport set ${column} = $1`, [bound.id]), column).toBe('42501')
    }
  })

  test("for another workspace's operators, bound or not", async () => {
    const bound = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.bindOperator(owner.operatorId, bound.id)
    expect(await attempt(app, bound.id, 'select 1 from operator where id = $1', [owner.operatorId])).toBe(1)
    expect(await attempt(app, bound.id, `update operator set name = 'x' where id = $1`, [owner.operatorId])).toBe(0)
    expect(await attempt(app, bound.id, 'delete from operator where id = $1', [owner.operatorId])).toBe(0)
  })

  test('for keys, facilities, audit and workspaces', async () => {
    for (const [text, values] of [
      [
        `insert into api_key (id, tenant_id, secret_hash, role) values ('smuggled', $1, '', 'BRAND_OPERATOR')`,
        [owner.id],
      ],
      [
        `insert into facility (id, tenant_id, gln, name, country, created_at, updated_at)
         values (gen_random_uuid(), $1, '1', 'n', 'PT', now(), now())`,
        [owner.id],
      ],
      [`insert into audit_inbox (tenant_id, action, subject_id, actor) values ($1, 'a', 's', 'a')`, [owner.id]],
      [`insert into operator_binding (tenant_id, operator_id) values ($1, $2)`, [owner.id, other.operatorId]],
    ] as const) {
      expect(await attempt(app, other.id, text, [...values]), text).toBe('42501')
    }
    expect(await attempt(app, other.id, `update workspace set plan = 'enterprise' where id = $1`, [owner.id])).toBe(0)
    expect(await attempt(app, other.id, 'update api_key set revoked_at = null where tenant_id = $1', [owner.id])).toBe(
      0,
    )
  })

  test('and history, seals and audit cannot be rewritten even by their own workspace', async () => {
    for (const table of ['passport_history', 'seal', 'audit_entry', 'audit_inbox']) {
      expect(await attempt(app, owner.id, `delete from ${table}`), table).toBe('42501')
      expect(await attempt(app, owner.id, `update ${table} set created_at = now()`), table).toBe('42501')
    }
    for (const text of [
      `insert into audit_inbox (action, subject_id, actor, created_at) values ('a', 's', 'a', '2020-01-01')`,
      'insert into audit_entry select * from audit_entry',
      'update audit_head set sequence = 0',
      'delete from audit_head',
      'select audit_chain(app_tenant(), 1)',
      'select audit_waiting()',
      'select audit_chain_of(app_tenant(), 1)',
    ]) {
      expect(await attempt(app, owner.id, text), text).toBe('42501')
    }
  })
})

describe('the lookup role', () => {
  test('reads no metadata, no private column and no private table', async () => {
    for (const text of [
      'select metadata from passport',
      'select * from passport',
      'select enrichment from passport',
      'select facility_id from passport',
      'select origin_country from passport',
      'select 1 from passport_history',
      'select 1 from seal',
      'select 1 from facility',
      'select 1 from operator',
      'select signer_key from tenant_key',
      'select * from tenant_key',
      'insert into status_entry (tenant_id) values (null)',
      'delete from signed_status_list',
      'delete from status_change',
      'select certificate from tenant_key',
      'select 1 from audit_entry',
      'select 1 from audit_inbox',
      'select 1 from audit_head',
      'select 1 from resolution_count',
      'select audit_chain_own()',
      'select 1 from access_audit',
      'select 1 from local_signing_key',
      `update passport set status = 'ACTIVE'`,
      'delete from rendition',
      'delete from api_key',
    ]) {
      expect(await attempt(lookup, owner.id, text), text).toBe('42501')
    }
    expect((await lookup.query('select id, status from passport')).rowCount).toBeGreaterThan(0)
  })

  test('sees no rendition of another tier than the public one', async () => {
    const [{ id = '' } = {}] = await gateway.sqlAs<{ id: string }>(owner.id, 'select passport_id as id from rendition')
    const tiers = async (client: pg.Client) => {
      await client.query('begin')
      await client.query(`select set_config('app.tenant', $1, true)`, [owner.id])
      const { rows } = await client.query('select distinct tier from rendition where passport_id = $1 order by 1', [id])
      await client.query('rollback')
      return rows.map(({ tier }) => tier)
    }
    await gateway.request('GET', `/passport/${id}`, { headers: { ...owner.as, accept: 'application/dc+sd-jwt' } })
    expect(await tiers(app)).toEqual(['owner', 'public'])
    expect(await tiers(lookup)).toEqual(['public'])
  })

  test('sees no rendition of a draft', async () => {
    const passports = passportClient(gateway, owner.as)
    const { id } = await passports.given()
    await gateway.request('GET', `/passport/${id}`)
    const renditions = async () =>
      (await lookup.query('select 1 from rendition where passport_id = $1', [id])).rowCount ?? 0
    expect(await renditions()).toBeGreaterThan(0)
    await passports.update(id, { metadata: {}, draft: true })
    expect(await renditions()).toBe(0)
  })
})

test('neither role reads the private keys, which are encrypted besides', async () => {
  expect(await attempt(app, owner.id, 'select 1 from local_signing_key')).toBe('42501')
  const rows = await gateway.sql<{ ciphertext: Buffer }>('select ciphertext from local_signing_key')
  expect(rows.length).toBeGreaterThan(0)
  // Every unencrypted encoding of such a key contains the object identifier of P-256 (1.2.840.10045.3.1.7).
  const p256 = Buffer.from('06082a8648ce3d030107', 'hex')
  for (const { ciphertext } of rows) expect(ciphertext.includes(p256)).toBe(false)
})

describe('the application role adds nothing', () => {
  const unit = `insert into battery_unit (id, tenant_id, passport_id, operator_id, serial_number, status, created_at, updated_at)
    values (gen_random_uuid(), $1, $2, $3, 'B1', 'IN_SERVICE', now(), now())`
  const event = `insert into battery_unit_event (id, unit_id, tenant_id, operator_id, event_type, recorded_at, created_at)
    values (gen_random_uuid(), $2, $1, $3, 'OTHER', now(), now())`
  const unknownId = '00000000-0000-4000-8000-000000000000'

  test('under a passport that is not there, not its own, or of another operator', async () => {
    const passport = await anyPassport(owner.id)
    expect(await attempt(app, owner.id, unit, [owner.id, passport, owner.operatorId])).toBe(1)
    expect(await attempt(app, other.id, unit, [owner.id, passport, owner.operatorId])).toBe('42501')
    expect(await attempt(app, other.id, unit, [other.id, passport, owner.operatorId])).toBe('23503')
    expect(await attempt(app, owner.id, unit, [owner.id, passport, other.operatorId])).toBe('23503')
    expect(await attempt(app, owner.id, unit, [owner.id, unknownId, owner.operatorId])).toBe('23503')
  })

  test('to the seals of a passport that is not its own, or in the name of another operator', async () => {
    const [sealed] = await gateway.sqlAs<{ passport_id: string }>(owner.id, 'select passport_id from seal limit 1')
    const passport = sealed?.passport_id
    const seal = `insert into seal (id, passport_id, tenant_id, operator_id, key_id, passport_version, merkle_root, signature,
        public_key_pem, leaves, created_at)
      select gen_random_uuid(), $2, $1, $3, s.key_id, 1, '', '', '', '{}', now() from seal s limit 1`
    expect(await attempt(app, owner.id, seal, [owner.id, passport, owner.operatorId])).toBe(1)
    const bound = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.bindOperator(owner.operatorId, bound.id)
    // A bound workspace reads every seal of the operator, and seals in the name of the passport's workspace.
    expect(await attempt(app, bound.id, 'select 1 from seal where passport_id = $1', [passport])).toBeGreaterThan(0)
    expect(await attempt(app, bound.id, seal, [owner.id, passport, owner.operatorId])).toBe(1)
    expect(await attempt(app, bound.id, seal, [bound.id, passport, owner.operatorId])).toBe('42501')
    expect(await attempt(app, owner.id, seal, [owner.id, passport, other.operatorId])).toBe('42501')
  })

  test('to the record of a unit that is not there, not its own, or of another operator', async () => {
    const id = await anyUnit(owner.id)
    expect(await attempt(app, owner.id, event, [owner.id, id, owner.operatorId])).toBe(1)
    expect(await attempt(app, other.id, event, [owner.id, id, owner.operatorId])).toBe('42501')
    expect(await attempt(app, other.id, event, [other.id, id, owner.operatorId])).toBe('23503')
    expect(await attempt(app, owner.id, event, [owner.id, id, other.operatorId])).toBe('23503')
    expect(await attempt(app, owner.id, event, [owner.id, unknownId, owner.operatorId])).toBe('23503')
  })
})
