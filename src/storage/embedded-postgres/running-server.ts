import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectAsSuperuser, failure, logTail, pgCtl } from './cluster.ts'
import type { Place } from './place.ts'
import { execute } from './programs.ts'

/** Waits for a server in recovery or shutdown; stops an unresponsive one. */
export async function findRunningServer(place: Place): Promise<number | undefined> {
  let lastSign = performance.now()
  for (const deadline = lastSign + 30_000; ; await sleep(100)) {
    const postmaster = await readPidFile(place)
    if (postmaster === undefined || !isAlive(postmaster.pid)) return undefined
    const answer = (await isPostmaster(postmaster.pid, place.cluster)) ? await ask(place, postmaster.port) : 'other'
    if (answer === 'ours') return postmaster.port
    if (answer === 'other') {
      // PostgreSQL would not start next to a process of its user with this id, even an unreaped one, as in a container without an init
      // process.
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

export async function seemsToRun(dataDir: string): Promise<boolean> {
  const postmaster = await readPidFile({ cluster: join(dataDir, 'postgres') })
  return postmaster !== undefined && isAlive(postmaster.pid)
}

async function readPidFile(place: Pick<Place, 'cluster'>): Promise<{ pid: number; port: number } | undefined> {
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

/** Outside Linux only the process name can be checked. */
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

/** `other`: a server of another cluster, by a copied pid file. `busy`: responds with an error. */
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
    throw failure(place, 'The running PostgreSQL rejects the password in postgres.password', error, '')
  }
}

async function stopHung(place: Place, pid: number): Promise<void> {
  place.options.log(`PostgreSQL (process ${pid}) does not respond; replacing it`)
  await pgCtl(place, ['stop', '-m', 'immediate', '-w', '-t', '3']).catch(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
}
