// The parts of the cluster in the order of their start: a configuration file of etc/, a program, and a check.
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, run, until, writeFor } from './processes.mjs'

const HERE = import.meta.dirname
const ROOT = join(HERE, '../..')
const NODES = [1, 2]

/** Programs with their Debian packages. */
const PROGRAMS = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  pgbouncer: 'pgbouncer',
  haproxy: 'haproxy',
  varnishd: 'varnish',
  pgbackrest: 'pgbackrest',
}

/** Folder of the newest PostgreSQL of Debian. */
export const postgresPrograms = () =>
  globSync('/usr/lib/postgresql/*/bin')
    .filter((folder) => spawnSync(join(folder, 'postgres'), ['--version']).status === 0)
    .toSorted((a, b) => Number(a.split('/')[4]) - Number(b.split('/')[4]))
    .at(-1)

const isInstalled = (program) => spawnSync('/bin/sh', ['-c', `command -v ${program}`]).status === 0
export const redisServer = () => ['valkey-server', 'redis-server'].find(isInstalled)

/** Packages that are missing. */
export const missingPackages = () => [
  ...Object.entries(PROGRAMS).flatMap(([program, name]) => (isInstalled(program) ? [] : [name])),
  ...(postgresPrograms() === undefined ? ['postgresql'] : []),
  ...(redisServer() === undefined ? ['redis-server'] : []),
]

/** PostgreSQL and PgBouncer do not run as root. */
export const serviceUser = () => {
  if (process.getuid() !== 0) return {}
  const [, , uid, gid] = /^(postgres):x:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(uid), gid: Number(gid) }
}

export const portNames = (gateways) => [
  ...['PUBLIC', 'ORIGIN', 'VARNISH', 'REDIS', 'ETCD', 'ETCD_PEER', 'PGBOUNCER', 'DATABASE_WRITES', 'DATABASE_READS'],
  ...NODES.flatMap((node) => [`POSTGRES_${node}`, `PATRONI_${node}`]),
  ...Array.from({ length: gateways }, (_, index) => `GATEWAY_${index + 1}`),
]

/** Fills the places of a template. @throws for a place without a value */
export const filled = (file, values) =>
  readFileSync(join(HERE, 'etc', file), 'utf8').replaceAll(/\$\{(\w+)\}/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`deploy/cluster/etc/${file}: ${name} has no value.`)
    return values[name]
  })

export const variablesIn = (text) =>
  Object.fromEntries(text.split('\n').flatMap((line) => (/^\w+=/.test(line) ? [line.split(/=(.*)/s).slice(0, 2)] : [])))

export const answers = (port, path) =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2000) }).then(
    async (answer) => ({ status: answer.status, text: await answer.text() }),
    () => ({ status: 0, text: '' }),
  )

export const members = async ({ values }) => {
  for (const node of NODES) {
    const { status, text } = await answers(values[`PATRONI_${node}`], '/cluster')
    if (status === 200) return JSON.parse(text).members
  }
  return []
}

export const psql = ({ values }, port, words, input) =>
  run([join(values.POSTGRES_PROGRAMS, 'psql'), '-XqAt', '-v', 'ON_ERROR_STOP=1', ...words], {
    env: { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres', PGPASSWORD: values.SUPERUSER_PASSWORD },
    input,
  })

/** The parts, each with its files, command and check. */
export function partsOf({ values, gateways, env: more }) {
  const { FOLDER } = values
  const user = serviceUser()
  const inFolder = (name) => join(FOLDER, name)
  const file = (name, template, more = {}, owner = user) =>
    writeFor(inFolder(name), filled(template, { ...values, ...more }), owner)
  const opens = (port, path) => async () => (await answers(port, path)).status === 200
  const isMember = (name) => async () =>
    (await members({ values })).some((one) => one.name === name && ['running', 'streaming'].includes(one.state))

  const etcd = {
    name: 'etcd',
    title: 'etcd',
    port: values.ETCD,
    user,
    prepare() {
      makeFolder(inFolder('etcd'), user)
      file('etcd.yaml', 'etcd.yaml')
    },
    command: ['etcd', '--config-file', inFolder('etcd.yaml')],
    isReady: opens(values.ETCD, '/health'),
  }
  const postgres = NODES.map((node) => ({
    name: `postgres-${node}`,
    title: `PostgreSQL ${node}, under Patroni`,
    port: values[`POSTGRES_${node}`],
    user,
    prepare() {
      const own = {
        NAME: `postgres-${node}`,
        POSTGRES: values[`POSTGRES_${node}`],
        PATRONI: values[`PATRONI_${node}`],
      }
      makeFolder(inFolder(own.NAME), user)
      makeFolder(inFolder('backup'), user)
      file(`${own.NAME}/patroni.yaml`, 'patroni.yaml', own)
      file(`${own.NAME}/pgbackrest.conf`, 'pgbackrest.conf', own)
    },
    command: ['patroni', inFolder(`postgres-${node}/patroni.yaml`)],
    isReady: isMember(`postgres-${node}`),
  }))
  const redis = {
    name: 'redis',
    title: 'Valkey or Redis',
    port: values.REDIS,
    user,
    prepare() {
      makeFolder(inFolder('redis'), user)
      file('redis/redis.conf', 'redis.conf')
    },
    command: [redisServer(), inFolder('redis/redis.conf')],
    isReady: async () => (await run(['redis-cli', '-p', values.REDIS, 'ping']).catch(() => 'PONG')) === 'PONG',
  }
  const pgbouncer = {
    name: 'pgbouncer',
    title: 'PgBouncer',
    port: values.PGBOUNCER,
    user,
    async prepare() {
      makeFolder(inFolder('pgbouncer'), user)
      const { port } = await leaderOf({ values })
      const users = await psql({ values }, port, [], readFileSync(join(HERE, 'etc/pgbouncer-users.sql'), 'utf8'))
      writeFor(inFolder('pgbouncer/users.txt'), `${users}\n`, user)
      file('pgbouncer/pgbouncer.ini', 'pgbouncer.ini')
    },
    command: ['pgbouncer', '-q', inFolder('pgbouncer/pgbouncer.ini')],
    isReady: async () => true,
  }
  const haproxy = {
    name: 'haproxy',
    title: 'HAProxy',
    port: values.PUBLIC,
    user: {},
    prepare() {
      const GATEWAYS = Array.from(
        { length: gateways },
        (_, index) => `  server gateway-${index + 1} 127.0.0.1:${values[`GATEWAY_${index + 1}`]} check`,
      ).join('\n')
      file('haproxy.cfg', 'haproxy.cfg', { GATEWAYS }, {})
    },
    command: ['haproxy', '-db', '-q', '-f', inFolder('haproxy.cfg')],
    // It serves itself while no gateway does.
    isReady: async () => (await answers(values.PUBLIC, '/health')).status > 0,
  }
  const nodes = Array.from({ length: gateways }, (_, index) => {
    const port = values[`GATEWAY_${index + 1}`]
    const name = `gateway-${index + 1}`
    return {
      name,
      title: `Gateway ${index + 1}`,
      port,
      user: {},
      folder: ROOT,
      prepare() {
        writeFor(inFolder(`${name}.env`), `${filled('gateway.env', { ...values, GATEWAY: port })}${more}`)
      },
      command: [process.execPath, '--expose-gc', '--max-semi-space-size=16', join(ROOT, 'src/main.js')],
      env: () => variablesIn(readFileSync(inFolder(`${name}.env`), 'utf8')),
      isReady: opens(port, '/ready'),
    }
  })
  const varnish = {
    name: 'varnish',
    title: 'Varnish',
    port: values.VARNISH,
    user: {},
    prepare() {
      file('varnish.vcl', 'varnish.vcl', {}, {})
      // Varnish reads it as another user.
      chmodSync(inFolder('varnish.vcl'), 0o644)
      mkdirSync(inFolder('varnish'), { recursive: true, mode: 0o755 })
    },
    command: [
      'varnishd',
      '-F',
      '-n',
      inFolder('varnish'),
      '-a',
      `127.0.0.1:${values.VARNISH}`,
      '-f',
      inFolder('varnish.vcl'),
      '-s',
      'malloc,64m',
    ],
    isReady: opens(values.VARNISH, '/health'),
  }
  return { etcd, postgres, redis, pgbouncer, haproxy, gateways: nodes, varnish }
}

/** Creates the database on a new leader, its tables and roles, and the place of its backups. */
export async function createDatabase(cluster) {
  const { values } = cluster
  await until('the leader', async () => (await leaderOf(cluster)) !== undefined)
  const leader = await leaderOf(cluster)
  if ((await psql(cluster, leader.port, ['-c', `select 1 from pg_database where datname = 'dpp'`])) === '1') return
  const password = ['-v', `gateway_password=${values.GATEWAY_PASSWORD}`]
  await psql(cluster, leader.port, password, readFileSync(join(HERE, 'etc/database.sql'), 'utf8'))
  await pgbackrest(cluster, leader.name, ['stanza-create'])
  console.log('Creating the tables …')
  await dppOn(values, leader.port, ['migrate'])
}

/** Runs dpp on a server, without the pooler. */
export const dppOn = ({ GATEWAY_PASSWORD, MASTER_KEY, PUBLIC }, port, words) =>
  run([process.execPath, join(ROOT, 'src/dpp.js'), ...words], {
    env: {
      MASTER_KEY,
      BASE_URL: `http://localhost:${PUBLIC}`,
      DATABASE_URL: `postgres://gateway:${GATEWAY_PASSWORD}@127.0.0.1:${port}/dpp`,
    },
    folder: ROOT,
  })

export const leaderOf = async (cluster) =>
  (await members(cluster)).find(({ role, state }) => role === 'leader' && state === 'running')

export const pgbackrest = ({ values }, node, words) =>
  run(['pgbackrest', `--config=${values.FOLDER}/${node}/pgbackrest.conf`, '--stanza=dpp', ...words], {
    env: { PGPASSWORD: values.SUPERUSER_PASSWORD },
    user: serviceUser(),
    folder: values.FOLDER,
  })
