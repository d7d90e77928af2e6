import { X509Certificate } from 'node:crypto'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRecord } from '../domain/record.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { Config } from '../start/config.ts'
import { settingsOf } from '../start/module-settings.ts'
import type { MasterKeys } from '../storage/database-roles.ts'
import type { DatabaseState } from '../storage/diagnosis.ts'
import { type Commands, EXIT, printable } from './command.ts'

interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'wrong' | 'skipped'
  readonly message: string
}

const WITHIN_MS = 5000
const OLDEST_POSTGRES = 150000
const MAX_CLOCK_SECONDS = 2
const MAX_DUE_SECONDS = 300
const LEAST_FREE_BYTES = 1024 ** 3
const LEAST_CA_MS = 365 * 86_400_000
const MAX_BYTES = 16_384

const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message })
const warning = (check: string, message: string): Finding => ({ check, state: 'warning', message })
const wrong = (check: string, message: string): Finding => ({ check, state: 'wrong', message })
const skipped = (check: string, message: string): Finding => ({ check, state: 'skipped', message })

export const DOCTOR_COMMANDS: Commands = {
  doctor: {
    summary: 'Diagnose this installation and suggest fixes',
    notes: [
      'Reads the environment variables of the gateway and changes nothing. Run it as the user of the gateway, running or stopped.',
      'Exit code 1 if a check fails; warnings do not count.',
    ],
    async run({ config }) {
      const findings = await examine(config)
      const count = findings.filter(({ state }) => state === 'wrong').length
      const warnings = findings.filter(({ state }) => state === 'warning').length
      return {
        json: { healthy: count === 0, findings },
        table: {
          headings: ['CHECK', 'STATE', 'RESULT AND REMEDY'],
          rows: findings.map(({ check, state, message }) => [check, state, printable(message)]),
        },
        lines: ['', verdictOf(count, warnings)],
        exitCode: count === 0 ? 0 : EXIT.no,
      }
    },
  },
}

const counted = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

const verdictOf = (wrongs: number, warnings: number) =>
  wrongs === 0
    ? `No errors, ${counted(warnings, 'warning')}.`
    : `${counted(wrongs, 'error')}, ${counted(warnings, 'warning')}.`

/** Service outside the gateway. */
type Service = readonly [check: string, variable: string, address: string | undefined]

async function examine(read: () => Promise<Config>): Promise<Finding[]> {
  const node = ok('node', `Node.js ${process.versions.node}.`)
  const configured = await configurationOf(read).catch((error: unknown) => wrong('variables', messageOf(error)))
  if ('state' in configured) return [node, configured]
  const { config, plugins, services } = configured
  const found = await Promise.all([
    pluginsOf(config, plugins),
    config.databaseUrl === undefined ? dataDirOf(config) : [],
    'state' in plugins ? [] : databaseOf(config, plugins),
    addressOf(config),
    ...services.map(reached),
  ])
  return [node, ok('variables', 'All variables are valid.'), ...found.flat()]
}

async function configurationOf(read: () => Promise<Config>) {
  const config = await read()
  const { redisUrl, tsaUrl, eoriCheckUrl } = config
  const services: Service[] = [
    ['shared limits', 'REDIS_URL', redisUrl],
    ['timestamps', 'TSA_URL', tsaUrl],
    ['EORI numbers', 'EORI_CHECK_URL', eoriCheckUrl],
  ]
  const { loadPlugins } = await import('../plugin/loader.ts')
  const plugins = await loadPlugins(config.plugins).catch((error: unknown) => wrong('plugins', messageOf(error)))
  if ('state' in plugins) return { config, plugins, services }
  const parsed = settingsOf(config, plugins)
  for (const { name, settings } of plugins.modules) {
    if (settings !== undefined) services.push([name, settings.variables[0], parsed.get(name)?.address])
  }
  return { config, plugins, services }
}

function pluginsOf({ signer }: Config, plugins: LoadedPlugins | Finding): Finding {
  if ('state' in plugins) return plugins
  const signers = [...plugins.signers.keys()]
  return signers.includes(signer)
    ? ok('plugins', `${plugins.list.length} plugins are loaded.`)
    : wrong('plugins', `SIGNER: unknown signer "${signer}". Loaded signers: ${signers.join(', ') || 'none'}.`)
}

async function dataDirOf({ dataDir }: Config): Promise<Finding[]> {
  let folder = dataDir
  while ((await stat(folder).catch(() => undefined)) === undefined && dirname(folder) !== folder) {
    folder = dirname(folder)
  }
  try {
    await access(folder, constants.W_OK | constants.X_OK)
  } catch {
    return [
      wrong(
        'data folder',
        `DATA_DIR: ${folder} cannot be written. Make it writable for this user, or set DATA_DIR to another folder.`,
      ),
    ]
  }
  const { bavail, bsize } = await statfs(folder)
  const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB are free`
  return [
    bavail * bsize < LEAST_FREE_BYTES
      ? warning('data folder', `Only ${free} for ${dataDir}: PostgreSQL stops if the disk is full. Free disk space.`)
      : ok('data folder', `${dataDir} can be written; ${free}.`),
  ]
}

async function databaseOf(config: Config, plugins: LoadedPlugins): Promise<Finding[]> {
  const { databaseUrl, dataDir } = config
  const { existingMasterKeysOf } = await import('../start/master-key.ts')
  const keys = () => existingMasterKeysOf(config)
  try {
    if (databaseUrl !== undefined) return await databaseAt(databaseUrl, await keys(), config, plugins)
    const { seemsToRun } = await import('../storage/embedded-postgres/running-server.ts')
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
    const { openEmbeddedPostgres } = await import('../storage/embedded-postgres/index.ts')
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
  const [{ diagnoseDatabase }, { allMigrations }] = await Promise.all([
    import('../storage/diagnosis.ts'),
    import('../start/gateway.ts'),
  ])
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
    const { signerOptionsOf } = await import('../start/gateway.ts')
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

async function addressOf({ baseUrl }: Config): Promise<Finding[]> {
  const { protocol, hostname } = new URL(baseUrl)
  const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  const findings: Finding[] = []
  if (isLocal) {
    findings.push(
      warning(
        'address',
        `BASE_URL is ${baseUrl}: codes and links do not work on other machines. Set BASE_URL before you print codes on products.`,
      ),
    )
  } else if (protocol === 'http:') {
    findings.push(
      wrong(
        'address',
        `BASE_URL is ${baseUrl}, without TLS: responses can be modified in transit. Put a TLS proxy in front, and set BASE_URL to https.`,
      ),
    )
  } else findings.push(ok('address', `BASE_URL is ${baseUrl}.`))
  findings.push(await gatewayAt(baseUrl))
  return findings
}

async function gatewayAt(baseUrl: string): Promise<Finding> {
  const { ANYWHERE, Outgoing } = await import('../outside/http-client.ts')
  const outgoing = new Outgoing(ANYWHERE)
  const none = (why: string) =>
    warning('gateway', `No gateway responds at ${baseUrl}: ${why}. Start it, or correct the network route to it.`)
  try {
    const url = `${baseUrl}/health`
    const { status, body } = await outgoing.get({ url, headers: {}, withinMs: WITHIN_MS, maxBytes: MAX_BYTES })
    const health: unknown = JSON.parse(body.toString())
    if (status !== 200 || !isRecord(health) || health.service !== 'dpp-gateway')
      return none(`another service responds (${status})`)
    return ok(
      'gateway',
      `The gateway responds at BASE_URL: ${health.status}, API ${health.apiVersion}, commit ${health.commit}.`,
    )
  } catch (error) {
    return none(messageOf(error).replace(/\.$/, ''))
  } finally {
    outgoing.close()
  }
}

function placeOf(address: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(address)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || portOf(protocol) }
}

const portOf = (protocol: string) => (/^rediss?:$/.test(protocol) ? 6379 : protocol === 'https:' ? 443 : 80)

async function reached([name, variable, address]: Service): Promise<Finding[]> {
  if (address === undefined) return [skipped(name, `Off: ${variable} is not set.`)]
  const { whyNotReached } = await import('../outside/http-client.ts')
  const place = placeOf(address)
  const why = await whyNotReached(place.host, place.port, WITHIN_MS)
  const hostAndPort = `${place.host}:${place.port}`
  return [
    why === undefined
      ? ok(name, `${hostAndPort} accepts connections.`)
      : wrong(
          name,
          `${variable}: ${hostAndPort} cannot be reached: ${why}. Start the service, correct the variable, or open the firewall.`,
        ),
  ]
}

const messageOf = (error: unknown) => (error instanceof Error && error.message !== '' ? error.message : String(error))
