import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedPostgresOptions, Place } from './place.ts'
import { execute } from './programs.ts'

export const HOST = '127.0.0.1'
const SUPERUSER = 'postgres'
/**
 * Keeps user data out of the log: messages, statements, parameters and details quote values ("Key (gln)=(…) already exists"). The gateway
 * reports failed statements itself.
 */
const SILENT_ABOUT_CONTENT = {
  log_min_messages: 'log', // above ERROR, below the server's own messages
  log_error_verbosity: 'terse', // no DETAIL, HINT, QUERY, CONTEXT
  log_min_error_statement: 'panic',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_min_duration_sample: '-1',
  log_transaction_sample_rate: '0',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** pg documents `ref` and `unref`, but its types lack them. */
export type Client = pg.Client & { ref(): void; unref(): void }

/** Starts the server detached (pg_ctl gives it a separate session), so that it outlives this process. */
export async function startServer(place: Place): Promise<number> {
  if ((await stat(join(place.cluster, 'PG_VERSION')).catch(() => undefined)) === undefined) await createCluster(place)
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const logStart = (await stat(place.logFile)).size
    try {
      await pgCtl(place, ['start', '-w', '-t', '60', '-l', place.logFile, '-o', serverOptions(place.options, port)])
      return port
    } catch (error) {
      const tail = await logTail(place, logStart)
      // The port was taken since, or backends of a killed postmaster need some milliseconds to exit.
      if (attempt < 5 && /could not (bind|create any TCP)|pre-existing shared memory/.test(tail)) {
        await sleep(200 * attempt)
        continue
      }
      throw failure(place, 'PostgreSQL did not start', error, tail)
    }
  }
}

async function createCluster(place: Place): Promise<void> {
  const { cluster, identity, options, dataDir } = place
  options.log(`Creating a PostgreSQL cluster in ${cluster}`)
  // Deletes folders of interrupted attempts. Names are random, because the initdb of a killed process continues for a while.
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
        `--pwfile=${place.passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Same collation and case rules on every machine.
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

function serverOptions({ settings, fast }: EmbeddedPostgresOptions, port: number): string {
  const all = {
    listen_addresses: HOST,
    unix_socket_directories: '',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...SILENT_ABOUT_CONTENT,
    ...(fast ? FAST : {}),
    ...settings,
  }
  const pairs = Object.entries(all).map(([name, value]) => {
    // pg_ctl passes the options to a shell.
    if (!/^[\w.]+$/.test(name) || !/^[\w.,:%+/-]*$/.test(value)) throw new Error(`Unusable server setting: ${name}`)
    return `-c ${name}=${value}`
  })
  return [`-p ${port}`, ...pairs].join(' ')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export async function stopServer(place: Place): Promise<void> {
  try {
    await pgCtl(place, ['stop', '-m', 'fast', '-w', '-t', '60'])
  } catch (error) {
    throw failure(place, 'PostgreSQL did not stop', error, await logTail(place))
  }
}

export async function connectAsSuperuser(place: Place, port: number): Promise<Client> {
  const client = new pg.Client({
    host: HOST,
    port,
    user: SUPERUSER,
    password: place.password,
    database: 'postgres',
    ssl: false,
    application_name: 'dpp-gateway presence',
    // A failing statement would be logged, and one contains a password.
    options: '-c log_min_error_statement=panic',
    connectionTimeoutMillis: 2_000,
    query_timeout: 30_000,
  })
  // Without a listener a lost connection ends the process.
  client.on('error', () => {})
  await client.connect()
  return client as Client
}

export const pgCtl = (place: Place, [action = '', ...args]: string[]): Promise<string> =>
  execute(place.bin.pgCtl, [action, '-D', place.cluster, '-s', ...args], { ...place.identity, cwd: place.dataDir })

export async function logTail({ logFile }: Place, from = 0): Promise<string> {
  const text = await readFile(logFile).catch(() => Buffer.alloc(0))
  return text.subarray(from).toString('utf8').trimEnd().split('\n').slice(-20).join('\n')
}

export function failure(place: Place, what: string, cause: unknown, tail: string): Error {
  const printed = (cause as { stderr?: string } | undefined)?.stderr || (cause instanceof Error ? cause.message : '')
  const details = [printed.trim(), tail && `Last lines of ${place.logFile}:\n${tail}`].filter(Boolean)
  return new Error([`${what} (${place.cluster}).`, ...details].join('\n'), { cause })
}
