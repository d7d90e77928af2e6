import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRecord } from '../../../src/plugin/index.ts'
import {
  ANYWHERE,
  type Config,
  type LoadedPlugins,
  loadPlugins,
  Outgoing,
  settingsOf,
  whyNotReached,
} from '../../../src/plugin/installation.ts'
import { databaseOf } from './database.ts'
import { type Finding, messageOf, ok, skipped, warning, wrong } from './finding.ts'

const WITHIN_MS = 5000
const LEAST_FREE_BYTES = 1024 ** 3
const MAX_BYTES = 16_384

/** Service outside the gateway. */
type Service = readonly [check: string, variable: string, address: string | undefined]

/** @param read throws ConfigError for an invalid variable */
export async function examine(read: () => Promise<Config>): Promise<Finding[]> {
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
  const plugins = await loadPlugins(config.plugins).catch((error: unknown) => wrong('plugins', messageOf(error)))
  if ('state' in plugins) return { config, plugins, services }
  const parsed = settingsOf(config, plugins)
  for (const { name, settings } of plugins.modules) {
    const found = parsed.get(name)
    // Settings without an address are not of a service.
    if (settings === undefined || (found !== undefined && found.address === undefined)) continue
    services.push([name, settings.variables[0], found?.address])
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
