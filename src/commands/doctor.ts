import { X509Certificate } from 'node:crypto'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import { isRecord } from '../domain/record.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
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
      'Reads the variables of the gateway and changes nothing. Run it as the user of the gateway, which may be running or not.',
      'Exit code 1 if something is wrong; warnings do not count.',
    ],
    async run({ config }) {
      const findings = await examine(config)
      const count = findings.filter(({ state }) => state === 'wrong').length
      const warnings = findings.filter(({ state }) => state === 'warning').length
      return {
        json: { healthy: count === 0, findings },
        table: {
          headings: ['CHECK', 'STATE', 'WHAT IT IS, AND WHAT TO DO'],
          rows: findings.map(({ check, state, message }) => [check, state, printable(message)]),
        },
        lines: ['', verdictOf(count, warnings)],
        exitCode: count === 0 ? 0 : EXIT.no,
      }
    },
  },
}

const verdictOf = (wrongs: number, warnings: number) =>
  wrongs === 0
    ? `Nothing is wrong${warnings === 0 ? '' : `; ${warnings} to look at`}.`
    : `${wrongs} to mend${warnings === 0 ? '' : `, ${warnings} to look at`}.`

async function examine(read: () => Promise<Config>): Promise<Finding[]> {
  const findings = [ok('node', `Node.js ${process.versions.node}.`)]
  let config: Config
  try {
    config = await read()
  } catch (error) {
    return [...findings, wrong('variables', messageOf(error))]
  }
  findings.push(ok('variables', 'Each can be read.'))
  const { loadPlugins } = await import('../plugin/loader.ts')
  const plugins = await loadPlugins(config.plugins).catch((error: unknown) => wrong('plugins', messageOf(error)))
  const found = await Promise.all([
    pluginsOf(config, plugins),
    config.databaseUrl === undefined ? dataDirOf(config) : [],
    'state' in plugins ? [] : databaseOf(config, plugins),
    addressOf(config),
    ...servicesOf(config),
  ])
  return [...findings, ...found.flat()]
}

function pluginsOf({ signer }: Config, plugins: LoadedPlugins | Finding): Finding {
  if ('state' in plugins) return plugins
  const signers = [...plugins.signers.keys()]
  return signers.includes(signer)
    ? ok('plugins', `${plugins.list.length} are loaded.`)
    : wrong('plugins', `SIGNER: there is no signer "${signer}". Set one of: ${signers.join(', ') || 'none is loaded'}.`)
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
        `DATA_DIR: ${folder} cannot be written. Give it to this user, or set DATA_DIR to another folder.`,
      ),
    ]
  }
  const { bavail, bsize } = await statfs(folder)
  const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB are free`
  return [
    bavail * bsize < LEAST_FREE_BYTES
      ? warning('data folder', `Only ${free} for ${dataDir}: PostgreSQL stops when there is nothing left. Make room.`)
      : ok('data folder', `${dataDir} can be written; ${free}.`),
  ]
}

async function databaseOf(config: Config, plugins: LoadedPlugins): Promise<Finding[]> {
  const { databaseUrl, dataDir } = config
  const { existingMasterKeysOf } = await import('../master-key.ts')
  const keys = () => existingMasterKeysOf(config)
  try {
    if (databaseUrl !== undefined) return await databaseAt(databaseUrl, await keys(), config, plugins)
    const { seemsToRun } = await import('../storage/embedded-postgres/running-server.ts')
    if (!(await seemsToRun(dataDir))) {
      return [skipped('database', `None runs in ${dataDir}: npm start starts it. Look again when it does.`)]
    }
    const kept = await keys().catch((error: unknown) => wrong('master key', messageOf(error)))
    if ('state' in kept) return [kept]
    const { openEmbeddedPostgres } = await import('../storage/embedded-postgres/index.ts')
    const postgres = await openEmbeddedPostgres({ dataDir, log: () => {} })
    try {
      return await databaseAt(postgres.url, kept, config, plugins)
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
    import('../gateway.ts'),
  ])
  const migrations = await allMigrations(plugins)
  const state = await diagnoseDatabase(url, keys, migrations, plugins.entities)
  const names = migrations.map(({ name }) => name)
  return [
    state.versionNumber < OLDEST_POSTGRES
      ? wrong('database', `It is PostgreSQL ${state.version}; the gateway needs 15 or newer.`)
      : ok('database', `PostgreSQL ${state.version} answers.`),
    clockOf(state),
    schemaOf(state, names),
    ...(await keysOf(state, keys, config, plugins)),
    ...sealCaOf(state, new Date()),
    ...queueOf(state),
  ]
}

function clockOf({ clockAhead }: DatabaseState): Finding {
  const seconds = Math.abs(clockAhead).toFixed(1)
  if (Math.abs(clockAhead) <= MAX_CLOCK_SECONDS) return ok('clock', 'That of the database and of this machine agree.')
  const order = clockAhead > 0 ? 'ahead of' : 'behind'
  return warning(
    'clock',
    `The clock of the database is ${seconds} s ${order} that of this machine. Seals, tokens and jobs go by both: synchronise them (NTP).`,
  )
}

function schemaOf({ migrated, drift }: DatabaseState, names: readonly string[]): Finding {
  const pending = names.filter((name) => !migrated.includes(name))
  const unknown = migrated.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    return wrong(
      'schema',
      `The database knows ${unknown.length} migrations that this version does not, such as ${unknown[0]}. Start the newer version, or name its PLUGINS.`,
    )
  }
  if (migrated.length === 0)
    return warning('schema', 'It is empty. The gateway makes it when it starts, or dpp migrate.')
  if (drift.length > 0) {
    const more = drift.length > 3 ? ` And ${drift.length - 3} more.` : ''
    return wrong(
      'schema',
      `It was changed by hand: ${drift.slice(0, 3).join(' ')}${more} Undo this, or restore a back-up.`,
    )
  }
  return pending.length === 0
    ? ok('schema', 'It is up to date.')
    : warning(
        'schema',
        `${pending.length} migrations are to be made, such as ${pending[0]}. The gateway does it when it starts, or dpp migrate.`,
      )
}

async function keysOf(
  { roles, urls, migrated, isFormer }: DatabaseState,
  keys: MasterKeys,
  config: Config,
  plugins: LoadedPlugins,
): Promise<Finding[]> {
  if (migrated.length === 0) return [skipped('roles', 'They are made with the schema.')]
  const named = (which: (role: DatabaseState['roles'][number]) => boolean) =>
    roles
      .filter(which)
      .map(({ name }) => name)
      .join(', ')
  const unbound = named(({ isUnbound }) => isUnbound)
  const missing = named(({ exists }) => !exists)
  const shut = named(({ exists, opens }) => exists && !opens)
  if (unbound !== '') {
    return [
      wrong(
        'roles',
        `${unbound} may pass over row-level security, which keeps workspaces apart. Run: alter role … nosuperuser nobypassrls`,
      ),
    ]
  }
  if (missing !== '')
    return [wrong('roles', `${missing} are missing. Start the gateway, which makes them, or dpp migrate.`)]
  if (shut !== '') {
    return [
      wrong(
        'master key',
        `MASTER_KEY does not open ${shut}. Set the one that the other processes on this database have.`,
      ),
    ]
  }
  const wellRoles = [
    ok('roles', 'All four log in, and none passes over row-level security.'),
    ...(keys.formerKey === undefined ? [] : [replacedKey(isFormer)]),
  ]
  const signer = plugins.signers.get(config.signer)
  if (signer === undefined) return wellRoles
  try {
    const { signerOptionsOf } = await import('../gateway.ts')
    const opened = await signer.open({ ...config.signerOptions, ...signerOptionsOf(urls, keys) })
    await opened.close?.()
    return [...wellRoles, ok('signer', `The signer "${config.signer}" opens.`)]
  } catch (error) {
    return [...wellRoles, wrong('signer', `SIGNER: ${messageOf(error)}`)]
  }
}

/** Certificates of seal keys renew automatically. */
export function sealCaOf({ sealCa }: Pick<DatabaseState, 'sealCa'>, now: Date): Finding[] {
  if (sealCa === null) return [skipped('seal CA', 'There is none yet: it is made with the first seal key.')]
  const { subject, validTo } = new X509Certificate(Buffer.from(sealCa, 'base64'))
  const end = new Date(validTo)
  const day = end.toISOString().slice(0, 10)
  if (end <= now) return [wrong('seal CA', `${subject} ended ${day}; no seal can be made. Run: dpp seal-ca rotate`)]
  if (end.getTime() - now.getTime() > LEAST_CA_MS) return [ok('seal CA', `${subject} is valid until ${day}.`)]
  return [
    warning(
      'seal CA',
      `${subject} is valid until ${day}, and no certificate of a seal key beyond it. Run: dpp seal-ca rotate, so that verifiers have the next one in time.`,
    ),
  ]
}

const replacedKey = (isFormer: boolean) =>
  warning(
    'master key',
    isFormer
      ? 'MASTER_KEY is to replace MASTER_KEY_PREVIOUS. When all gateways know both, run: dpp key rewrap'
      : 'MASTER_KEY_PREVIOUS is still set. When dpp key rewrap has ended well, start the gateways without it.',
  )

function queueOf({ oldestJob, roles }: DatabaseState): Finding[] {
  // Already reported.
  if (roles.some(({ opens }) => !opens)) return []
  if (oldestJob === null) return [skipped('queue', 'There is none yet: the gateway makes it when it starts.')]
  if (oldestJob <= MAX_DUE_SECONDS) return [ok('queue', 'Nothing waits for long.')]
  const seconds = Math.round(oldestJob)
  return [
    warning('queue', `A job has been due for ${seconds} s. Start a gateway, or read in its log what it waits for.`),
  ]
}

async function addressOf({ baseUrl }: Config): Promise<Finding[]> {
  const { protocol, hostname } = new URL(baseUrl)
  const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  const findings: Finding[] = []
  if (isLocal) {
    findings.push(
      warning(
        'address',
        `BASE_URL is ${baseUrl}: codes and links that are made now lead nowhere from another machine. Set it before products carry them.`,
      ),
    )
  } else if (protocol === 'http:') {
    findings.push(
      wrong(
        'address',
        `BASE_URL is ${baseUrl}, without TLS: anybody on the way can change what a code leads to. Put a proxy with a certificate in front, and set it to https.`,
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
    warning('gateway', `None answers at ${baseUrl}: ${why}. Start it, or mend the way to it.`)
  try {
    const url = `${baseUrl}/health`
    const { status, body } = await outgoing.get({ url, headers: {}, withinMs: WITHIN_MS, mostBytes: MAX_BYTES })
    const said: unknown = JSON.parse(body.toString())
    if (status !== 200 || !isRecord(said) || said.service !== 'dpp-gateway')
      return none(`what answers there is another (${status})`)
    return ok('gateway', `It answers there: ${said.status}, API ${said.apiVersion}, commit ${said.commit}.`)
  } catch (error) {
    return none(messageOf(error).replace(/\.$/, ''))
  } finally {
    outgoing.close()
  }
}

function servicesOf(config: Config): Promise<Finding[]>[] {
  const { redisUrl, tsaUrl, registry, eoriCheckUrl, mediaStore, tracing, mail } = config
  const given: readonly (readonly [name: string, variable: string, address: string | undefined])[] = [
    ['shared limits', 'REDIS_URL', redisUrl],
    ['timestamps', 'TSA_URL', tsaUrl],
    ['registry', 'REGISTRY_URL', registry?.url],
    ['EORI numbers', 'EORI_CHECK_URL', eoriCheckUrl],
    ['media', 'MEDIA_S3_ENDPOINT', mediaStore?.endpoint],
    ['traces', 'OTEL_EXPORTER_OTLP_ENDPOINT', tracing?.url],
  ]
  const asked = given.map(([name, variable, address]) => {
    if (address === undefined) return reached(name, variable, undefined)
    return reached(name, variable, placeOf(address))
  })
  return [...asked, reached('e-mail', 'SMTP_URL', mail?.server)]
}

function placeOf(address: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(address)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || portOf(protocol) }
}

const portOf = (protocol: string) => (/^rediss?:$/.test(protocol) ? 6379 : protocol === 'https:' ? 443 : 80)

async function reached(
  name: string,
  variable: string,
  place: { readonly host: string; readonly port: number } | undefined,
): Promise<Finding[]> {
  if (place === undefined) return [skipped(name, `Off: ${variable} is not set.`)]
  const { whyNotReached } = await import('../outside/http-client.ts')
  const why = await whyNotReached(place.host, place.port, WITHIN_MS)
  const where = `${place.host}:${place.port}`
  return [
    why === undefined
      ? ok(name, `${where} takes connections.`)
      : wrong(
          name,
          `${variable}: ${where} is not reached: ${why}. Start it, correct the variable, or let this machine through.`,
        ),
  ]
}

const messageOf = (error: unknown) => (error instanceof Error && error.message !== '' ? error.message : String(error))
