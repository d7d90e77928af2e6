import { X509Certificate } from 'node:crypto'
import {
  allMigrations,
  type Config,
  existingMasterKeysOf,
  type LoadedPlugins,
  type MasterKeys,
  openEmbeddedPostgres,
  seemsToRun,
  signerOptionsOf,
} from '../../../src/plugin/installation.ts'
import { type Finding, messageOf, ok, skipped, warning, wrong } from './finding.ts'
import { type DatabaseState, diagnoseDatabase } from './storage/diagnosis.ts'

const OLDEST_POSTGRES = 150000
const MAX_CLOCK_SECONDS = 2
const MAX_DUE_SECONDS = 300
const LEAST_CA_MS = 365 * 86_400_000

export async function databaseOf(config: Config, plugins: LoadedPlugins): Promise<Finding[]> {
  const { databaseUrl, dataDir } = config
  const keys = () => existingMasterKeysOf(config)
  try {
    if (databaseUrl !== undefined) return await databaseAt(databaseUrl, await keys(), config, plugins)
    if (!(await seemsToRun(dataDir))) {
      return [
        skipped(
          'database',
          `PostgreSQL is not running in ${dataDir}. Start the gateway (npm start), then run dpp doctor again.`,
        ),
      ]
    }
    const masterKeys = await keys().catch((error: unknown) => wrong('master key', messageOf(error)))
    if ('state' in masterKeys) return [masterKeys]
    const postgres = await openEmbeddedPostgres({ dataDir, log: () => {} })
    try {
      return await databaseAt(postgres.url, masterKeys, config, plugins)
    } finally {
      await postgres.stop()
    }
  } catch (error) {
    return [wrong('database', messageOf(error))]
  }
}

async function databaseAt(url: string, keys: MasterKeys, config: Config, plugins: LoadedPlugins): Promise<Finding[]> {
  const migrations = await allMigrations(plugins)
  const state = await diagnoseDatabase(url, keys, migrations, plugins.entities)
  const names = migrations.map(({ name }) => name)
  return [
    state.versionNumber < OLDEST_POSTGRES
      ? wrong('database', `PostgreSQL ${state.version} is too old. Upgrade to 15 or newer.`)
      : ok('database', `PostgreSQL ${state.version} responds.`),
    connectionsOf(state, config),
    clockOf(state),
    schemaOf(state, names),
    ...(await keysOf(state, keys, config, plugins)),
    ...sealCaOf(state, new Date()),
    ...queueOf(state),
  ]
}

function connectionsOf({ maxConnections }: DatabaseState, { databaseConnections }: Config): Finding {
  const used = `The gateway uses at most ${databaseConnections} connections; PostgreSQL admits ${maxConnections}.`
  return databaseConnections <= maxConnections
    ? ok('connections', used)
    : warning('connections', `${used} Raise max_connections, or lower DATABASE_CONNECTIONS.`)
}

function clockOf({ clockAhead }: DatabaseState): Finding {
  const seconds = Math.abs(clockAhead).toFixed(1)
  if (Math.abs(clockAhead) <= MAX_CLOCK_SECONDS)
    return ok('clock', 'The clocks of the database and of this machine agree.')
  const order = clockAhead > 0 ? 'ahead of' : 'behind'
  return warning(
    'clock',
    `The clock of the database is ${seconds} s ${order} the clock of this machine. Synchronise both (NTP).`,
  )
}

function schemaOf({ migrated, drift }: DatabaseState, names: readonly string[]): Finding {
  const pending = names.filter((name) => !migrated.includes(name))
  const unknown = migrated.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    return wrong(
      'schema',
      `The database has ${unknown.length} migrations unknown to this version, such as ${unknown[0]}. Run the version that created it, or set PLUGINS as before.`,
    )
  }
  if (migrated.length === 0)
    return warning('schema', 'The database is empty. Start the gateway or run dpp migrate to create the schema.')
  if (drift.length > 0) {
    const more = drift.length > 3 ? ` And ${drift.length - 3} more.` : ''
    return wrong(
      'schema',
      `The schema was changed manually: ${drift.slice(0, 3).join(' ')}${more} Revert the changes, or restore a backup.`,
    )
  }
  return pending.length === 0
    ? ok('schema', 'The schema is up to date.')
    : warning(
        'schema',
        `${pending.length} migrations are pending, such as ${pending[0]}. Start the gateway or run dpp migrate.`,
      )
}

async function keysOf(
  { roles, urls, migrated, isFormer }: DatabaseState,
  keys: MasterKeys,
  config: Config,
  plugins: LoadedPlugins,
): Promise<Finding[]> {
  if (migrated.length === 0) return [skipped('roles', 'The roles are created with the schema.')]
  const named = (which: (role: DatabaseState['roles'][number]) => boolean) =>
    roles
      .filter(which)
      .map(({ name }) => name)
      .join(', ')
  const unbound = named(({ isUnbound }) => isUnbound)
  const missing = named(({ exists }) => !exists)
  const unreadable = named(({ exists, opens }) => exists && !opens)
  if (unbound !== '') {
    return [
      wrong(
        'roles',
        `${unbound} can bypass row-level security, which separates workspaces. Run: alter role … nosuperuser nobypassrls`,
      ),
    ]
  }
  if (missing !== '')
    return [wrong('roles', `${missing} missing. Start the gateway or run dpp migrate to create them.`)]
  if (unreadable !== '') {
    return [
      wrong(
        'master key',
        `MASTER_KEY is not the key of ${unreadable}. Set the key that the other processes on this database use.`,
      ),
    ]
  }
  const wellRoles = [
    ok('roles', 'All four roles log in, and none can bypass row-level security.'),
    ...(keys.formerKey === undefined ? [] : [replacedKey(isFormer)]),
  ]
  const signer = plugins.signers.get(config.signer)
  if (signer === undefined) return wellRoles
  try {
    const opened = await signer.open({ ...config.signerOptions, ...signerOptionsOf(urls, keys) })
    await opened.close?.()
    return [...wellRoles, ok('signer', `The signer "${config.signer}" opens.`)]
  } catch (error) {
    return [...wellRoles, wrong('signer', `SIGNER: ${messageOf(error)}`)]
  }
}

/** Certificates of seal keys renew automatically. */
export function sealCaOf({ sealCa }: Pick<DatabaseState, 'sealCa'>, now: Date): Finding[] {
  if (sealCa === null) return [skipped('seal CA', 'No seal CA yet. The gateway creates it with the first seal key.')]
  const { subject, validTo } = new X509Certificate(Buffer.from(sealCa, 'base64'))
  const end = new Date(validTo)
  const day = end.toISOString().slice(0, 10)
  if (end <= now)
    return [wrong('seal CA', `${subject} expired on ${day}: no seal can be made. Run: dpp seal-ca rotate`)]
  if (end.getTime() - now.getTime() > LEAST_CA_MS) return [ok('seal CA', `${subject} is valid until ${day}.`)]
  return [
    warning(
      'seal CA',
      `${subject} expires on ${day}, and so do the certificates of seal keys. Run dpp seal-ca rotate early, so that verifiers can fetch the new seal CA in time.`,
    ),
  ]
}

const replacedKey = (isFormer: boolean) =>
  warning(
    'master key',
    isFormer
      ? 'MASTER_KEY_PREVIOUS is still in use. When all gateways run with both keys, run: dpp key rewrap'
      : 'MASTER_KEY_PREVIOUS is still set. After a successful dpp key rewrap, restart the gateways without it.',
  )

function queueOf({ oldestJob, roles }: DatabaseState): Finding[] {
  // Already reported.
  if (roles.some(({ opens }) => !opens)) return []
  if (oldestJob === null) return [skipped('queue', 'No job queue yet. The gateway creates it when it starts.')]
  if (oldestJob <= MAX_DUE_SECONDS) return [ok('queue', 'No job is overdue.')]
  const seconds = Math.round(oldestJob)
  return [warning('queue', `A job has been overdue for ${seconds} s. Start a gateway, or read its log for the cause.`)]
}
