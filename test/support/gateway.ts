import { join, resolve } from 'node:path'
import pg from 'pg'
import { PERMISSIONS } from '../../src/domain/permissions.ts'
import { ROOT } from '../../src/root.ts'
import type { Bounds } from '../../src/start/bounds.ts'
import { loadConfig } from '../../src/start/config.ts'
import { type RunningGateway, startGateway } from '../../src/start/gateway.ts'
import { ROLES, type Role, roleName, rolePassword, urlAs } from '../../src/storage/database-roles.ts'
import { hostsIn } from '../../src/storage/hosts.ts'
import { type Answer, ContractClient, type RequestOptions } from './contract-client.ts'
import { createDatabase, createPreparedDatabase, superuserUrl } from './databases.ts'
import { nextNumber } from './numbers.ts'
import { testPlugins } from './test-plugins.ts'

export { createDatabase, superuserUrl }

/** Prefix of every link in responses; the server listens on a random port. */
export const BASE_URL = 'https://dpp.example.test'

export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/** A gateway on a random port with its own database. */
export interface TestGateway extends RunningGateway {
  /** Sends a request and checks status, media type and body of the response against the contract. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  readonly client: ContractClient
  /** Connects as the owner of the tables (migrations only). */
  readonly databaseUrl: string
  /** Connects as a test-only role with the owner's rights and the visibility of the gateway's roles. */
  readonly inspectorUrl: string
  /** Connects as a role of the gateway. */
  urlOf(role: Role): string
  /** Runs SQL as the inspector, without a workspace. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Runs SQL in a workspace. */
  sqlAs<Row extends pg.QueryResultRow>(tenantId: string, text: string, values?: unknown[]): Promise<Row[]>
  /** Closes the gateway but not the connections of the test. */
  stop(): Promise<void>
}

/**
 * Creates a test-only role, a member of the owner and of the gateway's roles. The owner itself must not become a
 * member: triggers that run as the owner would see more than in operation.
 */
async function makeInspector(databaseUrl: string, clusterDir?: string): Promise<string> {
  const { username, pathname } = new URL(databaseUrl)
  const database = decodeURIComponent(pathname.slice(1))
  const login = { name: `inspector_${database}`, password: 'inspector' }
  const client = new pg.Client({ connectionString: await superuserUrl(databaseUrl, clusterDir) })
  await client.connect()
  const members = [decodeURIComponent(username), ...ROLES.map((role) => roleName(role, database))]
  // Several gateways of one test may share a database.
  await client.query(`select pg_advisory_lock(7033)`)
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [login.name])
  if (rowCount === 0) {
    await client.query(
      `create role ${pg.escapeIdentifier(login.name)} login password 'inspector' in role ${members.map(pg.escapeIdentifier).join()}`,
    )
  }
  await client.end()
  return urlAs(databaseUrl, login)
}

/** True if the migrations of the prepared database are loaded, perhaps with others, which the gateway runs. */
const hasAllPlugins = ({ PLUGINS }: Record<string, string>) =>
  PLUGINS === undefined || PLUGINS.split(',').some((folder) => resolve(folder) === join(ROOT, 'plugins'))

/**
 * Starts a gateway in this process, without modules if `TEST_MODULES=off`. `env` overrides the defaults (new database, no
 * limits); `clusterDir` is the cluster of `env.DATABASE_URL` if it is not the run's.
 */
export async function startTestGateway(
  env: Record<string, string> = {},
  { bounds = {}, clusterDir }: { bounds?: Partial<Bounds>; clusterDir?: string } = {},
): Promise<TestGateway> {
  const ownKey = env.MASTER_KEY ?? MASTER_KEY
  const databaseUrl =
    env.DATABASE_URL ?? (await (hasAllPlugins(env) ? createPreparedDatabase(ownKey) : createDatabase()))
  const config = loadConfig({
    PORT: '0',
    BASE_URL,
    DATABASE_URL: databaseUrl,
    MASTER_KEY,
    RATE_LIMITS: 'off',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    LOG_LEVEL: 'fatal',
    PLUGINS: testPlugins(),
    // Tests of its pages set it on.
    ...(process.env.TEST_MODULES !== 'off' && hasAllPlugins(env) ? { CONSOLE: 'off' } : {}),
    ...env,
  })
  const running = await startGateway({ ...config, bounds: { ...config.bounds, ...bounds } }, () => {})
  const client = new ContractClient(running.origin, running.container.cradle.contract.json)
  const { url } = hostsIn(databaseUrl)
  const inspectorUrl = await makeInspector(url, clusterDir)
  // Keeps its connection even if the database rejects new ones (`cutOff`).
  const pool = new pg.Pool({ connectionString: inspectorUrl, max: 2, idleTimeoutMillis: 0 })
  pool.on('error', () => {})
  const database = decodeURIComponent(new URL(url).pathname.slice(1))
  return {
    ...running,
    client,
    databaseUrl,
    inspectorUrl,
    urlOf: (role) =>
      urlAs(databaseUrl, {
        name: roleName(role, database),
        password: rolePassword(config.masterKey ?? '', role, database),
      }),
    request: (method, path, options) => client.request(method, path, options),
    sql: async (text, values) => (await pool.query(text, values)).rows,
    sqlAs: async (tenantId, text, values) => {
      const connection = await pool.connect()
      try {
        await connection.query('begin')
        await connection.query(`select set_config('app.tenant', $1, true)`, [tenantId])
        const { rows } = await connection.query(text, values)
        await connection.query('commit')
        return rows
      } catch (error) {
        await connection.query('rollback')
        throw error
      } finally {
        connection.release()
      }
    },
    stop: () => running.close(),
    close: async () => {
      await pool.end()
      await running.close()
    },
  }
}

/** A workspace with a seal key, an operator and API keys. */
export interface TestWorkspace {
  readonly id: string
  readonly operatorId: string
  readonly key: string
  readonly as: { authorization: string }
}

/** Creates a workspace through the services that the command line and the API use. */
export async function createWorkspace(
  gateway: TestGateway,
  options: { plan?: string; withKey?: boolean; subdomain?: string; role?: string } = {},
): Promise<TestWorkspace> {
  const { workspaces } = gateway.container.cradle
  const counter = nextNumber()
  const workspace = await workspaces.create({
    name: `Workspace ${counter}`,
    legalName: `Legal Name ${counter} GmbH`,
    country: 'DE',
    plan: options.plan ?? 'enterprise',
    subdomain: options.subdomain,
    withKey: options.withKey ?? true,
  })
  const { key } = await workspaces.createKey({ workspaceId: workspace.id, role: options.role ?? 'BRAND_OPERATOR' })
  const as = bearer(key)
  const { body } = await gateway.request('POST', '/api/v1/operators', {
    headers: bearer((await workspaces.createKey({ workspaceId: workspace.id, role: 'BRAND_OPERATOR' })).key),
    json: { name: `Operator ${counter}`, regId: `REG-${counter}` },
  })
  return { id: workspace.id, key, as, operatorId: body.operator?.id }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const textile = (more: object = {}) => ({ category: 'textiles', originCountry: 'PT', ...more })

/** A new valid GTIN-14 below a GS1 company prefix of at most 8 digits. */
export function newGtin(prefix = '9500009'): string {
  const counter = nextNumber()
  const digits = `0${prefix}${String(counter).padStart(12 - prefix.length, '0')}`
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

export function newGln(): string {
  const counter = nextNumber()
  const digits = String(counter).padStart(12, '4000000')
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** An auditor key whose row has every permission; no command stores one. */
export async function widenedAuditor(gateway: TestGateway, workspaceId: string): Promise<Record<string, string>> {
  const { id, key } = await gateway.container.cradle.workspaces.createKey({ workspaceId, role: 'AUDITOR' })
  await gateway.sqlAs(workspaceId, 'update api_key set permissions = $2 where id = $1', [id, [...PERMISSIONS]])
  return bearer(key)
}
