// A cluster on one machine, from Debian packages: `node deploy/cluster/cluster.mjs --help`.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { drill } from './drill.mjs'
import {
  createDatabase,
  leaderOf,
  members,
  missingPackages,
  partsOf,
  pgbackrest,
  portNames,
  postgresPrograms,
  psql,
  variablesIn,
} from './parts.mjs'
import { end, freePorts, identify, isRunning, lastLines, launch, run, signal, until } from './processes.mjs'

const ROOT = join(import.meta.dirname, '../..')
const DEFAULT_FOLDER = '/var/tmp/dpp-cluster'
const ROLES = { leader: 'leader', sync_standby: 'synchronous standby', replica: 'standby' }
const HELP = `Usage: node deploy/cluster/cluster.mjs COMMAND [--folder FOLDER]

  packages           List the Debian packages that are missing
  start              Start every part that does not run
  status [--json]    Show the parts and their addresses
  dpp WORDS…         Run dpp with the variables of the first gateway
  kill leader|NAME   Kill a part as a power failure does (SIGKILL); start brings it back
  backup             Back up the database (pgBackRest, next to the archive of every write)
  drill              Restore the backup up to now into a copy, verify it, and remove the copy
  stop [--delete]    Stop all parts; --delete also removes the folder

FOLDER has configuration, data and logs (default: ${DEFAULT_FOLDER}). Options of the first start:

  --gateways N       Gateways (default: 3)
  --ttl SECONDS      Time after which a dead leader is replaced (default: 20)
  --env FILE         More variables of the gateways, such as MEDIA_S3_ENDPOINT of an object store`

const { values: options, positionals } = parsed({
  args: process.argv.slice(2, process.argv.indexOf('dpp') > 1 ? process.argv.indexOf('dpp') + 1 : undefined),
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: DEFAULT_FOLDER },
    gateways: { type: 'string', default: '3' },
    ttl: { type: 'string', default: '20' },
    env: { type: 'string' },
    json: { type: 'boolean', default: false },
    delete: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const [command, target] = positionals
const folder = resolve(options.folder)
const self = `node deploy/cluster/cluster.mjs${folder === DEFAULT_FOLDER ? '' : ` --folder ${folder}`}`
const stateFile = join(folder, 'cluster.json')
const commands = { packages, start, status, dpp, kill, backup, drill: () => drill(opened()), stop }

// Others may create folders in /var/tmp, and its cluster.json says which processes to end.
if (existsSync(folder) && statSync(folder).uid !== process.getuid()) {
  console.error(`${folder} belongs to another user. Set another one: --folder`)
  process.exit(1)
}
if (options.help || commands[command] === undefined) {
  console.log(HELP)
  process.exit(options.help ? 0 : 2)
}
try {
  await commands[command]()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

function parsed(config) {
  try {
    return parseArgs(config)
  } catch (error) {
    console.error(`${error.message}\n${HELP}`)
    process.exit(2)
  }
}

function packages() {
  for (const name of missingPackages()) console.log(name)
}

function opened() {
  if (!existsSync(stateFile)) throw new Error(`There is no cluster in ${folder}. Start it: ${self} start`)
  return JSON.parse(readFileSync(stateFile, 'utf8'))
}

function save(cluster) {
  writeFileSync(stateFile, `${JSON.stringify(cluster, undefined, 2)}\n`, { mode: 0o600 })
}

/** Ports and secrets of a new cluster. */
async function create() {
  const gateways = Number(options.gateways)
  if (!(gateways >= 1 && gateways <= 9)) throw new Error(`Invalid --gateways "${options.gateways}": set 1 to 9.`)
  if (!(Number(options.ttl) >= 9)) throw new Error(`Invalid --ttl "${options.ttl}": set seconds from 9.`)
  mkdirSync(join(folder, 'logs'), { recursive: true })
  // Services run as other users.
  chmodSync(folder, 0o755)
  const secret = () => randomBytes(24).toString('hex')
  const values = {
    FOLDER: folder,
    TTL: options.ttl,
    POSTGRES_PROGRAMS: postgresPrograms(),
    SUPERUSER_PASSWORD: secret(),
    REPLICATION_PASSWORD: secret(),
    GATEWAY_PASSWORD: secret(),
    MASTER_KEY: randomBytes(32).toString('base64'),
    ...Object.fromEntries(
      Object.entries(await freePorts(portNames(gateways))).map(([name, port]) => [name, String(port)]),
    ),
  }
  const env = options.env === undefined ? '' : readFileSync(options.env, 'utf8')
  return { gateways, env, values, processes: {} }
}

async function start() {
  const missing = missingPackages()
  if (missing.length > 0)
    throw new Error(`Install the missing packages: apt-get install --no-install-recommends ${missing.join(' ')}`)
  const began = Date.now()
  const cluster = existsSync(stateFile) ? opened() : await create()
  save(cluster)
  const parts = partsOf(cluster)
  /** Starts the part if it does not run, and waits until it is ready. */
  const startPart = async (part) => {
    if (isRunning(cluster.processes[part.name])) return
    await part.prepare()
    cluster.processes[part.name] = launch({ ...part, env: part.env?.(), folder, cwd: part.folder ?? folder })
    save(cluster)
    const failure = () =>
      isRunning(cluster.processes[part.name])
        ? undefined
        : `it ended. Last lines of its log:\n${lastLines(folder, part.name)}`
    console.log(`${part.title} is ready after ${await until(part.title, part.isReady, failure)} s`)
  }
  await startPart(parts.etcd)
  const [first, second] = parts.postgres
  await Promise.all([startPart(first), startPart(parts.redis), startPart(parts.haproxy)])
  const standby = startPart(second)
  // An error ends this process below.
  standby.catch(() => {})
  await createDatabase(cluster)
  await startPart(parts.pgbouncer)
  await Promise.all([...parts.gateways, parts.varnish].map(startPart))
  await standby
  const isSynchronous = async () => (await members(cluster)).some(({ role }) => role === 'sync_standby')
  await until('the synchronous standby', isSynchronous)
  console.log(`The cluster is ready after ${((Date.now() - began) / 1000).toFixed(1)} s.\n`)
  await status()
}

async function status() {
  const cluster = opened()
  const { values, processes } = cluster
  const parts = partsOf(cluster)
  const database = new Map((await members(cluster)).map((one) => [one.name, one]))
  const rows = await Promise.all(
    [parts.etcd, ...parts.postgres, parts.pgbouncer, parts.redis, parts.haproxy, parts.varnish, ...parts.gateways].map(
      async (part) => {
        const running = isRunning(processes[part.name])
        const member = running ? database.get(part.name) : undefined
        const state = !running
          ? 'stopped'
          : member === undefined
            ? (await part.isReady().catch(() => false))
              ? 'ready'
              : 'not ready'
            : describe(member)
        return { name: part.name, title: part.title, address: `127.0.0.1:${part.port}`, state }
      },
    ),
  )
  if (options.json)
    return console.log(
      JSON.stringify({
        address: `http://localhost:${values.PUBLIC}`,
        origin: `http://127.0.0.1:${values.ORIGIN}`,
        parts: rows,
      }),
    )
  const width = Math.max(...rows.map(({ title }) => title.length))
  for (const { title, address, state } of rows) console.log(`${title.padEnd(width)}  ${address.padEnd(15)}  ${state}`)
  console.log(`
Address        http://localhost:${values.PUBLIC}
Logs           ${join(folder, 'logs')}
A workspace    ${self} dpp workspace create --name Acme --country DE --plan growth --with-key
A failover     ${self} kill leader`)
}

function describe({ role, state, lag }) {
  return `${ROLES[role] ?? role}, ${state}${lag ? `, ${lag} bytes behind` : ''}`
}

async function dpp() {
  const env = variablesIn(readFileSync(join(opened().values.FOLDER, 'gateway-1.env'), 'utf8'))
  const words = process.argv.slice(process.argv.indexOf('dpp') + 1)
  await run([process.execPath, join(ROOT, 'src/dpp.js'), ...words], { env, folder: ROOT, isShown: true }).catch(
    ({ code }) => {
      process.exitCode = code
    },
  )
}

async function kill() {
  const cluster = opened()
  const name = target === 'leader' ? (await leaderOf(cluster))?.name : target
  if (cluster.processes[name] === undefined)
    throw new Error(`There is no part "${target}". Parts: leader, ${Object.keys(cluster.processes).join(', ')}`)
  for (const one of [cluster.processes[name], postmasterOf(name)]) signal(one, 'SIGKILL')
  console.log(`Killed ${name}.`)
}

/** PostgreSQL below a Patroni. */
function postmasterOf(name) {
  const data = join(folder, name, 'data')
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const [pid] = readFileSync(file, 'utf8').split('\n')
  // The file stays after a power failure, and its number may be that of another process by then.
  const commandLine = `/proc/${pid}/cmdline`
  return existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes(data) ? identify(Number(pid)) : undefined
}

async function backup() {
  const cluster = opened()
  const { name, port } = (await leaderOf(cluster)) ?? {}
  if (name === undefined) throw new Error('No PostgreSQL is the leader now. Try again.')
  const began = Date.now()
  console.log(`Backing up ${name} …`)
  await pgbackrest(cluster, name, ['backup', '--type=full'])
  const [bytes] = (await psql(cluster, port, ['-c', `select pg_database_size('dpp')`])).split('\n')
  console.log(
    `Backed up a database of ${(bytes / 1e6).toFixed(0)} MB in ${((Date.now() - began) / 1000).toFixed(1)} s.`,
  )
}

async function stop() {
  const cluster = opened()
  const { etcd, postgres, redis, pgbouncer, haproxy, gateways, varnish } = partsOf(cluster)
  for (const parts of [gateways, [varnish, haproxy, pgbouncer, redis], postgres, [etcd]]) {
    await Promise.all(parts.map(({ name }) => end(cluster.processes[name])))
  }
  // If its Patroni was killed.
  await Promise.all(postgres.map(({ name }) => end(postmasterOf(name))))
  if (options.delete) rmSync(folder, { recursive: true, force: true })
  console.log('Stopped.')
}
