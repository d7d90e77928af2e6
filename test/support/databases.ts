import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { ensureRoles, ROLES, roleName, urlAs } from '../../src/storage/database-roles.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'
import { PREPARED_DATABASE as PREPARED } from './prepared-cluster.ts'

// Test databases are copies of a migrated database of the run's cluster (`prepared-cluster.ts`). Role names contain the
// database name, so a copy gives its own roles the rights of the original's.

/** System catalogues of privileges. */
const GRANTS: Readonly<Record<string, string>> = {
  pg_class: 'relacl',
  pg_attribute: 'attacl',
  pg_namespace: 'nspacl',
  pg_proc: 'proacl',
  pg_type: 'typacl',
  pg_default_acl: 'defaclacl',
}

let cluster: Promise<EmbeddedPostgres> | undefined

function testCluster(): Promise<EmbeddedPostgres> {
  cluster ??= openEmbeddedPostgres({ dataDir: inject('clusterDir'), log: () => {}, fast: true })
  return cluster
}

const newName = () => `test_${randomBytes(6).toString('hex')}`

export async function createDatabase(): Promise<string> {
  return (await testCluster()).createDatabase(newName())
}

/** A migrated database with all plugins, without a node key. */
export async function createPreparedDatabase(masterKey: string): Promise<string> {
  const name = newName()
  const url = (await testCluster()).urlFor(name)
  await asSuperuser((await testCluster()).urlFor('postgres'), (server) =>
    server.query(`create database ${name} template ${PREPARED} owner ${new URL(url).username} strategy file_copy`),
  )
  await connected(url, (owner) => ensureRoles(owner, url, { masterKey, formerKey: undefined }))
  await asSuperuser(url, (copy) => giveRoles(copy, name))
  return url
}

/** Grants the rights of the original's roles to those of the copy. */
async function giveRoles(copy: pg.Client, name: string): Promise<void> {
  const pairs = ROLES.map((role) => [roleName(role, PREPARED), roleName(role, name)] as const)
  const statements = [
    // Role names need no quotes, and none is part of another except at the end.
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

/** Superuser URL of the run's cluster, for the database of `url`. */
export async function superuserUrl(url: string, clusterDir = inject('clusterDir')): Promise<string> {
  const password = (await readFile(join(clusterDir, 'postgres.password'), 'utf8')).trim()
  return urlAs(url, { name: 'postgres', password })
}

const asSuperuser = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  connected(await superuserUrl(url), work)

/** Connects, runs `work` and always ends the connection. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
