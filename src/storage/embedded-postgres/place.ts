import { randomBytes } from 'node:crypto'
import { access, chmod, chown, constants, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readPrivateFile } from './private-file.ts'
import { binaries, type Identity, type Programs } from './programs.ts'
import { identityFor } from './system-user.ts'

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

/** One cluster: its files, who runs its server, and with which programs. */
export interface Place {
  readonly dataDir: string
  readonly cluster: string
  readonly logFile: string
  readonly passwordFile: string
  readonly password: string
  /** Who runs the server; empty for "as this process". */
  readonly identity: Identity
  readonly bin: Programs
  readonly options: EmbeddedPostgresOptions
}

export const lockFile = (dataDir: string): string => join(dataDir, 'postgres.lock')

/** @throws Error with the variable to mend, where this user may not write there */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    const first = await mkdir(dataDir, { recursive: true })
    // Others may pass through the folders made here, whatever the umask, but not look into them: see `identityFor`.
    for (let made = dataDir; first !== undefined && made.length >= first.length; made = dirname(made)) {
      await chmod(made, 0o711)
    }
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(
      `DATA_DIR: ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}). Set DATABASE_URL and MASTER_KEY to ` +
        'use a PostgreSQL server, as in a container, or DATA_DIR to a folder that this user may write.',
      { cause: error },
    )
  }
}

export async function prepare(dataDir: string, options: EmbeddedPostgresOptions): Promise<Place> {
  const cluster = join(dataDir, 'postgres')
  const logFile = join(dataDir, 'postgres.log')
  const bin = await binaries()
  const identity = await identityFor(dataDir, cluster, dirname(bin.initdb))
  const passwordFile = join(dataDir, 'postgres.password')
  const password = await readPassword(passwordFile, cluster, identity)
  await rotateLog(logFile)
  if (identity.uid !== undefined && identity.gid !== undefined) {
    for (const file of [passwordFile, logFile, lockFile(dataDir)]) {
      await chown(file, identity.uid, identity.gid)
    }
  }
  return { dataDir, cluster, logFile, passwordFile, password, identity, bin, options }
}

async function readPassword(file: string, cluster: string, { uid }: Identity): Promise<string> {
  // Where the server runs as another user, the file is that user's.
  const existing = (await readPrivateFile(file, [process.getuid?.(), uid]))?.trim() ?? ''
  if (existing !== '') return existing
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

async function rotateLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (size > 16 * 1024 * 1024) await rename(logFile, `${logFile}.1`)
  await createPrivately(logFile)
}

export async function createPrivately(file: string): Promise<void> {
  await (await open(file, 'a', 0o600)).close()
}
