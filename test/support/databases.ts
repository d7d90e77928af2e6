import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { startGateway } from '../../src/gateway.ts'
import { ensureRoles, ROLES, roleName, urlAs } from '../../src/storage/database-roles.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'

// What a gateway starts on in tests. Migrations and the schema of the queues are most of what a fresh database costs, so one is
// prepared for the whole run, by the first who asks, and copied. A copy lacks nothing but roles of its own, which carry the name
// of the database: what its roles may do is what those of the first one may.

const PREPARED = 'prepared_for_tests'
/** One prepares, the others wait. A number of our own choice. */
const LOCK = 7034
/** Where PostgreSQL keeps who may do what. */
const GRANTS: Readonly<Record<string, string>> = {
  pg_class: 'relacl',
  pg_attribute: 'attacl',
  pg_namespace: 'nspacl',
  pg_proc: 'proacl',
  pg_type: 'typacl',
  pg_default_acl: 'defaclacl',
}

let cluster: Promise<EmbeddedPostgres> | undefined

/** The cluster of this test run. */
function testCluster(): Promise<EmbeddedPostgres> {
  cluster ??= openEmbeddedPostgres({ dataDir: inject('clusterDir'), log: () => {}, fast: true })
  return cluster
}

const newName = () => `test_${randomBytes(6).toString('hex')}`

/** An empty database in the cluster of this test run. */
export async function createDatabase(): Promise<string> {
  return (await testCluster()).createDatabase(newName())
}

/** One in which a gateway with all plugins has started and ended, and which has no key of a node. */
export async function createPreparedDatabase(masterKey: string): Promise<string> {
  const name = newName()
  const url = (await testCluster()).urlFor(name)
  await asSuperuser((await testCluster()).urlFor('postgres'), async (server) => {
    await server.query('select pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await server.query('select from pg_database where datname = $1 and datistemplate', [PREPARED])
    if (rowCount === 0) await prepare(server, masterKey)
    await server.query('select pg_advisory_unlock($1)', [LOCK])
    await server.query(`create database ${name} template ${PREPARED} owner ${new URL(url).username} strategy file_copy`)
  })
  await connected(url, (owner) => ensureRoles(owner, url, { masterKey, formerKey: undefined }))
  await asSuperuser(url, (copy) => giveRoles(copy, name))
  return url
}

async function prepare(server: pg.Client, masterKey: string): Promise<void> {
  const url = await (await testCluster()).createDatabase(PREPARED)
  const env = { PORT: '0', BASE_URL: 'https://dpp.example.test', DATABASE_URL: url, MASTER_KEY: masterKey }
  const gateway = await startGateway(loadConfig({ ...env, RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' }), () => {})
  await gateway.close()
  await asSuperuser(url, (prepared) => prepared.query('truncate node_key, seal_revocation'))
  await server.query(`alter database ${PREPARED} is_template true`)
}

/** What the roles of the prepared database have in this copy of it is given to those of the copy. */
async function giveRoles(copy: pg.Client, name: string): Promise<void> {
  const pairs = ROLES.map((role) => [roleName(role, PREPARED), roleName(role, name)] as const)
  const statements = [
    // No role's name needs quoting, and none has another's in it but for the end.
    ...Object.entries(GRANTS).map(
      ([table, column]) =>
        `update ${table} set ${column} = replace(${column}::text, '_${PREPARED}', '_${name}')::aclitem[]
          where ${column}::text like '%\\_${PREPARED}%'`,
    ),
    ...pairs.flatMap(([from, to]) => [
      `update pg_policy set polroles = array_replace(polroles, '${from}'::regrole::oid, '${to}'::regrole::oid)
        where '${from}'::regrole = any (polroles)`,
      `reassign owned by ${from} to ${to}`,
    ]),
  ]
  await copy.query(statements.join(';'))
}

/** The superuser of this test run's cluster, in the database of `url`. */
export async function superuserUrl(url: string, clusterDir = inject('clusterDir')): Promise<string> {
  const password = (await readFile(join(clusterDir, 'postgres.password'), 'utf8')).trim()
  return urlAs(url, { name: 'postgres', password })
}

const asSuperuser = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  connected(await superuserUrl(url), work)

/** Connects, works, and ends the connection whatever comes of it. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
