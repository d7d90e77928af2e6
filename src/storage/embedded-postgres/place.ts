import { randomBytes } from 'node:crypto'
import { access, chmod, chown, constants, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readPrivateFile } from './private-file.ts'
import { binaries, type Identity, type Programs } from './programs.ts'
import { identityFor } from './system-user.ts'

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  readonly log: (message: string) => void
  /** Applied only if this call starts the server. */
  readonly settings?: Readonly<Record<string, string>>
  /** For tests: disables fsync. Killing the server or a power cut may lose data. */
  readonly fast?: boolean
}

export interface Place {
  readonly dataDir: string
  readonly cluster: string
  readonly logFile: string
  readonly passwordFile: string
  readonly password: string
  /** Empty for the user of this process. */
  readonly identity: Identity
  readonly bin: Programs
  readonly options: EmbeddedPostgresOptions
}

export const lockFile = (dataDir: string): string => join(dataDir, 'postgres.lock')

/** @throws Error naming the variable to change */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    const first = await mkdir(dataDir, { recursive: true })
    // Other users may traverse the folders, but not list them: see `identityFor`.
    for (let made = dataDir; first !== undefined && made.length >= first.length; made = dirname(made)) {
      await chmod(made, 0o711)
    }
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(
      `DATA_DIR: ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}). Set DATABASE_URL and MASTER_KEY to ` +
        'use a PostgreSQL server, or set DATA_DIR to a folder that is writable for this user.',
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
  // The file may belong to the user of the server.
  const existing = (await readPrivateFile(file, [process.getuid?.(), uid]))?.trim() ?? ''
  if (existing !== '') return existing
  if ((await stat(cluster).catch(() => undefined)) !== undefined) {
    throw new Error(`${file} is missing: it has the password of the cluster ${cluster}. Restore it.`)
  }
  const password = randomBytes(32).toString('base64url')
  await writeDurably(file, `${password}\n`)
  return password
}

/** Writes all or nothing, even in a power cut. */
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
