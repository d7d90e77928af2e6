import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import proxyaddr from 'proxy-addr'
import { type Mailbox, parseMailbox } from '../domain/mail.ts'
import { pluginEntries } from '../plugin/locate.ts'
import { hostsFault } from '../storage/hosts.ts'
import type { TracingConfig } from '../telemetry/current.ts'
import { certificatesOf } from '../verify/certificate.ts'
import { BOUNDS, type Bounds } from './bounds.ts'

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
  readonly registry: { readonly url: string; readonly token: string | undefined } | undefined
  readonly mail: MailConfig | undefined
  /** Stored in the database if undefined. */
  readonly mediaStore: S3Store | undefined
  /** True to permit private addresses and HTTP, for tests and closed networks. */
  readonly webhookAllowPrivate: boolean
  /** Never on the API port. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  readonly tracing: TracingConfig | undefined
  readonly logLevel: string
  readonly commit: string
  readonly builtAt: string
}

/** Variables of settings that only modules use. */
export const MODULE_SETTINGS = {
  mail: 'SMTP_URL',
  mediaStore: 'MEDIA_S3_ENDPOINT',
  registry: 'REGISTRY_URL',
  tracing: 'OTEL_EXPORTER_OTLP_ENDPOINT',
} as const

/** `parentbased_` follows the caller's `traceparent`, if present. */
const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

interface MailConfig {
  readonly server: {
    readonly host: string
    readonly port: number
    /** TLS from the first byte (RFC 8314); otherwise STARTTLS (RFC 3207). */
    readonly isSecure: boolean
    readonly user: string | undefined
    readonly password: string | undefined
    readonly isLoopback: boolean
  }
  readonly from: Mailbox
}

interface S3Store {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  /** Empty or with trailing slash. */
  readonly prefix: string
  readonly accessKey: string
  readonly secretKey: string
}

export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads `process.env`; nothing else does.
 * @throws ConfigError naming the variable
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const port = integer(env, 'PORT', 3000, 0, 65535)
  const databaseUrl = databaseAddress(env, 'DATABASE_URL')
  const databaseReplicaUrl = databaseAddress(env, 'DATABASE_REPLICA_URL')
  if (databaseReplicaUrl !== undefined && databaseUrl === undefined) {
    throw new ConfigError('DATABASE_REPLICA_URL is set without DATABASE_URL. Set both, or remove it.')
  }
  const masterKey = keyOf32Bytes(env, 'MASTER_KEY')
  const masterKeyPrevious = keyOf32Bytes(env, 'MASTER_KEY_PREVIOUS')
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
  const host = text(env, 'HOST') ?? '127.0.0.1'
  const tsaUrl = webAddress(env, 'TSA_URL')
  const tsaCa = pemFile(env, 'TSA_CA')
  if (tsaUrl !== undefined && tsaCa === undefined) {
    throw new ConfigError(
      'TSA_URL is set without TSA_CA. Set TSA_CA to the PEM file of the trust anchor of the timestamp authority.',
    )
  }
  const config: Config = {
    port,
    host,
    baseUrl: baseUrl(text(env, 'BASE_URL') ?? `http://localhost:${port}`),
    databaseUrl,
    databaseReplicaUrl,
    redisUrl: redisUrl(text(env, 'REDIS_URL')),
    dataDir: resolve(text(env, 'DATA_DIR') ?? '.data'),
    masterKey,
    masterKeyPrevious,
    signer: text(env, 'SIGNER') ?? 'local',
    signerOptions: Object.fromEntries(
      Object.entries(env)
        .filter(([name, value]) => name.startsWith('SIGNER_') && value)
        .map(([name, value]) => [name.slice('SIGNER_'.length).toLowerCase(), value as string]),
    ),
    plugins: pluginEntries(text(env, 'PLUGINS')),
    // The demo key has every permission: off by default if other machines can connect.
    demo: onOff(env, 'DEMO', databaseUrl === undefined && isLoopback(host)),
    trustProxy: trustProxy(text(env, 'TRUST_PROXY')),
    workspaceHostSuffix: text(env, 'WORKSPACE_HOST_SUFFIX')?.toLowerCase(),
    rateLimits: onOff(env, 'RATE_LIMITS', true),
    sharedMaxAge: integer(env, 'CDN_MAX_AGE', 3, 0, 31_536_000),
    corsOrigins: corsOrigins(text(env, 'CORS_ORIGINS')),
    drainSeconds: integer(env, 'DRAIN_SECONDS', 0, 0, 600),
    resolverRedirects: onOff(env, 'RESOLVER_REDIRECTS', false),
    bounds: BOUNDS,
    retentionYears: integer(env, 'RETENTION_YEARS', 10, 1, 100),
    retentionGuard: oneOf(env, 'RETENTION_GUARD', 'inForce', ['inForce', 'on', 'off']),
    unitEventRetentionMonths: integer(env, 'UNIT_EVENT_RETENTION_MONTHS', 0, 1, 1200) || undefined,
    eoriCheckUrl: webAddress(env, 'EORI_CHECK_URL'),
    tsaUrl,
    tsaCa,
    registry: registry(env),
    mail: mail(env),
    mediaStore: mediaStore(env),
    webhookAllowPrivate: onOff(env, 'WEBHOOK_ALLOW_PRIVATE', false),
    metrics: metrics(env),
    tracing: tracing(env),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    commit: text(env, 'COMMIT') ?? 'unknown',
    builtAt: text(env, 'BUILT_AT') ?? 'unknown',
  }
  return Object.freeze(config)
}

/** RFC 6890, 2.2.2; RFC 4291, 2.5.3; RFC 6761, 6.3. */
function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/i.test(host)
}

function text(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? undefined : value
}

// Secret: not in the message.
function keyOf32Bytes(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = text(env, name)
  if (value !== undefined && Buffer.from(value, 'base64').length !== 32) {
    throw new ConfigError(`Invalid ${name}: set 32 bytes in Base64, for example from: openssl rand -base64 32`)
  }
  return value
}

function integer(env: NodeJS.ProcessEnv, name: string, fallback: number, low: number, high: number): number {
  const value = text(env, name)
  if (value === undefined) return fallback
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < low || number > high) {
    throw new ConfigError(`Invalid ${name} "${value}": set an integer from ${low} to ${high}.`)
  }
  return number
}

function oneOf<Value extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: NoInfer<Value>,
  allowed: readonly Value[],
): Value {
  const value = text(env, name)
  if (value === undefined) return fallback
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new ConfigError(`Invalid ${name} "${value}": set one of ${allowed.join(', ')}.`)
  return found
}

function onOff(env: NodeJS.ProcessEnv, name: string, fallback: boolean): boolean {
  return oneOf(env, name, fallback ? 'on' : 'off', ['on', 'off']) === 'on'
}

function webAddress(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new ConfigError(`Invalid ${name}${shownValue(value)}: set an http or https address without credentials.`)
  }
  return url.href
}

/** Omits values with a possible password before `@`. */
const shownValue = (value: string) => (value.includes('@') ? '' : ` "${value}"`)

function metrics(env: NodeJS.ProcessEnv): Config['metrics'] {
  if (text(env, 'METRICS_PORT') === undefined) return undefined
  return { host: text(env, 'METRICS_HOST') ?? '127.0.0.1', port: integer(env, 'METRICS_PORT', 0, 0, 65535) }
}

function tracing(env: NodeJS.ProcessEnv): TracingConfig | undefined {
  const endpoint = webAddress(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === undefined || text(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined
  const { 'service.name': named, ...attributes } = pairs(env, 'OTEL_RESOURCE_ATTRIBUTES')
  const ratio = text(env, 'OTEL_TRACES_SAMPLER_ARG') ?? '1'
  if (!/^(?:0(?:\.\d{1,12})?|1(?:\.0{1,12})?)$/.test(ratio)) {
    throw new ConfigError(`Invalid OTEL_TRACES_SAMPLER_ARG "${ratio}": set a number from 0 to 1, such as 0.1.`)
  }
  return {
    url: `${withoutFinalSlashes(endpoint)}/v1/traces`,
    headers: pairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: text(env, 'OTEL_SERVICE_NAME') ?? named ?? 'dpp-gateway',
    attributes,
    sampler: { name: oneOf(env, 'OTEL_TRACES_SAMPLER', 'parentbased_always_on', SAMPLERS), ratio: Number(ratio) },
  }
}

/** Parses `name=value,name=value`, percent-encoded (W3C Baggage, 3.3.1, as in OpenTelemetry). */
function pairs(env: NodeJS.ProcessEnv, name: string): Record<string, string> {
  const found: Record<string, string> = Object.create(null)
  for (const pair of (text(env, name) ?? '').split(',')) {
    if (pair.trim() === '') continue
    const [, key, value = ''] = /^([\w.*/-]{1,200})[ \t]*=(.*)$/.exec(pair.trim()) ?? []
    // Possibly secret: not in the message.
    const wrong = new ConfigError(`Invalid ${name}: set comma-separated, percent-encoded name=value pairs.`)
    if (key === undefined) throw wrong
    try {
      found[key] = decodeURIComponent(value.trim())
    } catch {
      throw wrong
    }
    // Invalid in a header (RFC 9110, 5.5).
    if (!/^[\t -~]*$/.test(found[key])) throw wrong
  }
  return found
}

function registry(env: NodeJS.ProcessEnv): Config['registry'] {
  const url = webAddress(env, 'REGISTRY_URL')
  const token = text(env, 'REGISTRY_TOKEN')
  // Secret: not in the message.
  if (token !== undefined && !/^[!-~]{1,4096}$/.test(token)) {
    throw new ConfigError('Invalid REGISTRY_TOKEN: set 1 to 4096 ASCII characters without spaces.')
  }
  return url === undefined ? undefined : { url: withoutFinalSlashes(url), token }
}

// May contain a password: not in the message.
function databaseAddress(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = text(env, name)
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

function mail(env: NodeJS.ProcessEnv): MailConfig | undefined {
  const value = text(env, 'SMTP_URL')
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  // May contain a password: not in the message.
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.search || url.hash) {
    throw new ConfigError('Invalid SMTP_URL: set smtps://user:password@host or smtp://host:port, without a query.')
  }
  const from = parseMailbox(text(env, 'MAIL_FROM') ?? '')
  if (from === undefined) {
    throw new ConfigError(
      'SMTP_URL is set, but MAIL_FROM is missing or invalid. Set it to an address, or "Name <address>".',
    )
  }
  const isSecure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    server: {
      host,
      port: Number(url.port) || (isSecure ? 465 : 587),
      isSecure,
      user: decoded(url.username),
      password: decoded(url.password),
      isLoopback: isLoopback(host),
    },
    from,
  }
}

function mediaStore(env: NodeJS.ProcessEnv): S3Store | undefined {
  const endpoint = webAddress(env, 'MEDIA_S3_ENDPOINT')
  if (endpoint === undefined) return undefined
  const needed = (name: string, form: RegExp) => {
    const value = text(env, name)
    if (value !== undefined && form.test(value)) return value
    // Possibly secret: not in the message.
    throw new ConfigError(`MEDIA_S3_ENDPOINT is set, but ${name} is missing or does not match ${form.source}.`)
  }
  const { origin, pathname } = new URL(endpoint)
  const prefix = text(env, 'MEDIA_S3_PREFIX') ?? ''
  if (!/^(?:[A-Za-z0-9._-]{1,100}\/){0,8}$/.test(prefix) || !/^[A-Za-z0-9/._-]*$/.test(pathname)) {
    throw new ConfigError(
      'Invalid MEDIA_S3_PREFIX: set folders of letters, digits, dots, hyphens and underscores, each with a final slash.',
    )
  }
  return {
    endpoint: withoutFinalSlashes(`${origin}${pathname}`),
    bucket: needed('MEDIA_S3_BUCKET', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
    region: text(env, 'MEDIA_S3_REGION') ?? 'us-east-1',
    prefix,
    accessKey: needed('MEDIA_S3_ACCESS_KEY', /^[!-~]{1,200}$/),
    secretKey: needed('MEDIA_S3_SECRET_KEY', /^[!-~]{1,200}$/),
  }
}

function decoded(part: string): string | undefined {
  try {
    return part === '' ? undefined : decodeURIComponent(part)
  } catch {
    throw new ConfigError('Invalid SMTP_URL: percent-encode user and password.')
  }
}

function pemFile(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = text(env, name)
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

function withoutFinalSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end -= 1
  return address.slice(0, end)
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
