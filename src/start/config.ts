import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import proxyaddr from 'proxy-addr'
import { pluginEntries } from '../plugin/locate.ts'
import { hostsFault } from '../storage/hosts.ts'
import { certificatesOf } from '../verify/certificate.ts'
import { BOUNDS, type Bounds } from './bounds.ts'
import { ConfigError, isLoopback, shownValue, Variables, withoutFinalSlashes } from './variables.ts'

export { ConfigError } from './variables.ts'

/**
 * `inForce`: acts in force, if the placing on the market is known. `on`: also acts not yet in force, and decommissioned or archived
 * passports.
 */
type RetentionGuard = 'inForce' | 'on' | 'off'

export interface Config {
  readonly port: number
  readonly host: string
  /** No trailing slash. Base of every link; request headers are never used. */
  readonly baseUrl: string
  /** PostgreSQL address; embedded PostgreSQL if undefined. */
  readonly databaseUrl: string | undefined
  /** Connections of all workers. */
  readonly databaseConnections: number
  /** Processes that share the port. */
  readonly workers: number
  /** Number of this process among several workers, from 1; undefined for their primary. */
  readonly worker: number | undefined
  /** Hot standby for public reads, lists and exports. */
  readonly databaseReplicaUrl: string | undefined
  /** Valkey or Redis; per-process counters if undefined. May contain a password. */
  readonly redisUrl: string | undefined
  readonly dataDir: string
  /** Base64 of 32 bytes; undefined in embedded mode until `dataDir/master.key` is read. */
  readonly masterKey: string | undefined
  /** Previous key, for reading only. */
  readonly masterKeyPrevious: string | undefined
  readonly signer: string
  /** Every variable `SIGNER_<NAME>` as `<name>`. */
  readonly signerOptions: Readonly<Record<string, string>>
  /** Folders or package names, in order. */
  readonly plugins: readonly string[]
  readonly demo: boolean
  /** Number of proxies or a comma-separated list of addresses. */
  readonly trustProxy: false | number | string
  readonly workspaceHostSuffix: string | undefined
  readonly rateLimits: boolean
  /** Seconds in which shared caches answer with public renditions. */
  readonly sharedMaxAge: number
  readonly corsOrigins: '*' | ReadonlySet<string>
  /** Time to serve after the stop signal, for slow load balancers. */
  readonly drainSeconds: number
  /** True to redirect GS1 Digital Links, as GS1 requires, unless machine formats are requested. */
  readonly resolverRedirects: boolean
  readonly bounds: Bounds
  readonly retentionYears: number
  readonly retentionGuard: RetentionGuard
  /** Unlimited if undefined. */
  readonly unitEventRetentionMonths: number | undefined
  readonly eoriCheckUrl: string | undefined
  /** No timestamps if undefined (RFC 3161). */
  readonly tsaUrl: string | undefined
  readonly tsaCa: string | undefined
  /** True to permit private addresses and HTTP, for tests and closed networks. */
  readonly webhookAllowPrivate: boolean
  /** Never on the API port. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  readonly logLevel: string
  readonly commit: string
  readonly builtAt: string
  /** All variables, of which modules read their own; empty for services. */
  readonly variables: Variables
}

/**
 * Reads `process.env`; nothing else does.
 * @throws ConfigError naming the variable
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const variables = new Variables(env)
  const port = variables.integer('PORT', 3000, 0, 65535)
  const databaseUrl = databaseAddress(variables, 'DATABASE_URL')
  const databaseReplicaUrl = databaseAddress(variables, 'DATABASE_REPLICA_URL')
  if (databaseReplicaUrl !== undefined && databaseUrl === undefined) {
    throw new ConfigError('DATABASE_REPLICA_URL is set without DATABASE_URL. Set both, or remove it.')
  }
  const masterKey = keyOf32Bytes(variables, 'MASTER_KEY')
  const masterKeyPrevious = keyOf32Bytes(variables, 'MASTER_KEY_PREVIOUS')
  if (masterKeyPrevious !== undefined && masterKey === undefined) {
    throw new ConfigError('MASTER_KEY_PREVIOUS is set without MASTER_KEY. Set MASTER_KEY to the key that replaces it.')
  }
  if (masterKeyPrevious !== undefined && masterKeyPrevious === masterKey) {
    throw new ConfigError(
      'MASTER_KEY_PREVIOUS is equal to MASTER_KEY. Set it to the previous key, or unset it if no key is being replaced.',
    )
  }
  if (databaseUrl !== undefined && masterKey === undefined) {
    throw new ConfigError(
      'DATABASE_URL is set without MASTER_KEY, which encrypts private keys. Create one with: openssl rand -base64 32',
    )
  }
  const host = variables.text('HOST') ?? '127.0.0.1'
  // One core is for PostgreSQL.
  const workersByCores = variables.text('WORKERS') === 'auto' ? Math.max(1, availableParallelism() - 1) : undefined
  const workers = workersByCores ?? variables.integer('WORKERS', 1, 1, 256)
  const worker = (cluster.isWorker && variables.integer('WORKER', 0, 1, workers)) || undefined
  const tsaUrl = variables.webAddress('TSA_URL')
  const tsaCa = pemFile(variables, 'TSA_CA')
  if (tsaUrl !== undefined && tsaCa === undefined) {
    throw new ConfigError(
      'TSA_URL is set without TSA_CA. Set TSA_CA to the PEM file of the trust anchor of the timestamp authority.',
    )
  }
  const config: Config = {
    port,
    host,
    baseUrl: baseUrl(variables.text('BASE_URL') ?? `http://localhost:${port}`),
    databaseUrl,
    databaseConnections: variables.integer('DATABASE_CONNECTIONS', Math.max(33, 8 * workers), 6 * workers, 100_000),
    workers,
    worker,
    databaseReplicaUrl,
    redisUrl: redisUrl(variables.text('REDIS_URL')),
    dataDir: resolve(variables.text('DATA_DIR') ?? '.data'),
    masterKey,
    masterKeyPrevious,
    signer: variables.text('SIGNER') ?? 'local',
    signerOptions: Object.fromEntries(
      Object.entries(env)
        .filter(([name, value]) => name.startsWith('SIGNER_') && value)
        .map(([name, value]) => [name.slice('SIGNER_'.length).toLowerCase(), value as string]),
    ),
    plugins: pluginEntries(variables.text('PLUGINS')),
    // The demo key has every permission: off by default if other machines can connect.
    demo: variables.isOn('DEMO', databaseUrl === undefined && isLoopback(host)),
    trustProxy: trustProxy(variables.text('TRUST_PROXY')),
    workspaceHostSuffix: variables.text('WORKSPACE_HOST_SUFFIX')?.toLowerCase(),
    rateLimits: variables.isOn('RATE_LIMITS', true),
    sharedMaxAge: variables.integer('CDN_MAX_AGE', 3, 0, 31_536_000),
    corsOrigins: corsOrigins(variables.text('CORS_ORIGINS')),
    drainSeconds: variables.integer('DRAIN_SECONDS', 0, 0, 600),
    resolverRedirects: variables.isOn('RESOLVER_REDIRECTS', false),
    bounds: BOUNDS,
    retentionYears: variables.integer('RETENTION_YEARS', 10, 1, 100),
    retentionGuard: variables.oneOf('RETENTION_GUARD', 'inForce', ['inForce', 'on', 'off']),
    unitEventRetentionMonths: variables.integer('UNIT_EVENT_RETENTION_MONTHS', 0, 1, 1200) || undefined,
    eoriCheckUrl: variables.webAddress('EORI_CHECK_URL'),
    tsaUrl,
    tsaCa,
    webhookAllowPrivate: variables.isOn('WEBHOOK_ALLOW_PRIVATE', false),
    metrics: metrics(variables, workers, worker),
    logLevel: variables.oneOf('LOG_LEVEL', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    commit: variables.text('COMMIT') ?? 'unknown',
    builtAt: variables.text('BUILT_AT') ?? 'unknown',
    variables,
  }
  return Object.freeze(config)
}

// Secret: not in the message.
function keyOf32Bytes(variables: Variables, name: string): string | undefined {
  const value = variables.text(name)
  if (value !== undefined && Buffer.from(value, 'base64').length !== 32) {
    throw new ConfigError(`Invalid ${name}: set 32 bytes in Base64, for example from: openssl rand -base64 32`)
  }
  return value
}

/** Each worker has its own port. */
function metrics(variables: Variables, workers: number, worker = 1): Config['metrics'] {
  if (variables.text('METRICS_PORT') === undefined) return undefined
  const first = variables.integer('METRICS_PORT', 0, 0, 65536 - workers)
  return { host: variables.text('METRICS_HOST') ?? '127.0.0.1', port: first === 0 ? 0 : first + worker - 1 }
}

// May contain a password: not in the message.
function databaseAddress(variables: Variables, name: string): string | undefined {
  const value = variables.text(name)
  if (value === undefined) return undefined
  if (!/^postgres(ql)?:\/\//.test(value)) {
    throw new ConfigError(`Invalid ${name}: set a postgres:// address. Only PostgreSQL is supported.`)
  }
  const fault = hostsFault(value)
  if (fault !== undefined) throw new ConfigError(`Invalid ${name}: ${fault}.`)
  return value
}

// May contain a password: not in the message.
function redisUrl(value: string | undefined): string | undefined {
  if (value !== undefined && !(/^rediss?:\/\//.test(value) && URL.canParse(value))) {
    throw new ConfigError('Invalid REDIS_URL: set a redis:// or rediss:// address of a Valkey or Redis server.')
  }
  return value
}

function pemFile(variables: Variables, name: string): string | undefined {
  const file = variables.text(name)
  if (file === undefined) return undefined
  try {
    const pem = readFileSync(resolve(file), 'utf8')
    certificatesOf(pem)
    return pem
  } catch (error) {
    throw new ConfigError(`Invalid ${name}: set a PEM file with certificates. ${(error as Error).message}`)
  }
}

function baseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new ConfigError(
      `Invalid BASE_URL${shownValue(value)}: set an http or https address without query and credentials.`,
    )
  }
  return withoutFinalSlashes(url.href)
}

/** Parses origins as browsers write them (RFC 6454, 6.2), without the default port. */
function corsOrigins(value = ''): Config['corsOrigins'] {
  const named = value.split(',').map((one) => one.trim())
  if (value === '*') return '*'
  for (const one of named.filter((one) => one !== '')) {
    const url = /^https?:[^*]+$/i.test(one) && URL.canParse(one) ? new URL(one) : undefined
    if (url?.origin === one) continue
    throw new ConfigError(
      `Invalid CORS_ORIGINS entry "${one}": set * or a comma-separated list of origins such as https://app.example` +
        `${url === undefined ? '' : `; did you mean "${url.origin}"?`}.`,
    )
  }
  return new Set(named.filter((one) => one !== ''))
}

// `true` would let direct clients spoof their address by X-Forwarded-For.
function trustProxy(value: string | undefined): false | number | string {
  if (value === undefined || value === 'false') return false
  if (value === 'true') {
    throw new ConfigError(
      'Invalid TRUST_PROXY "true", which trusts every client: set a number of proxies, or their addresses separated by commas.',
    )
  }
  if (/^\d+$/.test(value)) return Number(value)
  try {
    trustedProxies(value)
  } catch {
    throw new ConfigError(
      `Invalid TRUST_PROXY "${value}": set a number of proxies, or their addresses separated by commas.`,
    )
  }
  return value
}

/** Matches addresses and networks. @throws TypeError for an invalid entry */
export const trustedProxies = (list: string) => proxyaddr.compile(list.split(',').map((one) => one.trim()))
