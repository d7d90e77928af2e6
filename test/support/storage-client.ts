import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createWorkspace, newGln, superuserUrl, type TestWorkspace, textile } from './gateway.ts'
import { passportClient } from './passport-client.ts'
import { useGateway } from './use-gateway.ts'

/** Incompressible metadata of about this size. */
export const heavy = (bytes: number, more: object = {}) => ({
  ...textile(more),
  careInstructions: randomBytes(bytes / 2).toString('hex'),
})

/** Adds a facility with GLN $2 to workspace $1. */
export const ANOTHER_FACILITY = `insert into facility (id, tenant_id, gln, name, country, created_at, updated_at)
  values (gen_random_uuid(), $1, $2, 'Works', 'PT', now(), now())`

/** Starts a gateway with helpers for stored sizes. */
export async function useStorage() {
  const { gateway } = await useGateway()

  /**
   * Runs a statement in the workspace.
   * @returns its only row
   */
  const one = async <Row extends object>(
    workspace: TestWorkspace,
    text: string,
    values: unknown[] = [],
  ): Promise<Row> => (await gateway.sqlAs<Row>(workspace.id, text, values))[0] as Row

  /** Values of the workspace's own rows; the inspector also sees published passports of others. */
  const own = async (workspace: TestWorkspace, column: string, table: string): Promise<unknown[]> =>
    (
      await gateway.sqlAs<Record<string, unknown>>(
        workspace.id,
        `select ${column} from ${table} where tenant_id = $1`,
        [workspace.id],
      )
    ).map((row) => row[column])

  /** Usage as counted by the database. */
  const counted = (workspace: TestWorkspace) =>
    one<{ bytes: number; rows: number }>(
      workspace,
      'select sum(bytes)::int as bytes, sum(rows)::int as rows from workspace_usage where tenant_id = $1',
      [workspace.id],
    )

  /** Usage, counted row by row. */
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

  /** Sets the limit to leave this many bytes. */
  const leave = async (workspace: TestWorkspace, room: number) => {
    const storageLimit = (await counted(workspace)).bytes + room
    await set(workspace, { storageLimit })
    return storageLimit
  }

  /** A separate connection inside a transaction of the workspace. */
  const connected = async (workspace: TestWorkspace) => {
    const client = new pg.Client({ connectionString: await superuserUrl(gateway.databaseUrl) })
    await client.connect()
    await client.query('begin')
    await client.query(`select set_config('app.tenant', $1, true)`, [workspace.id])
    return client
  }

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

  return { gateway, one, own, counted, stored, set, leave, connected, given }
}
