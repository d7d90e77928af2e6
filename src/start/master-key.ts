import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MasterKeys } from '../storage/database-roles.ts'
import { makeDataDir } from '../storage/embedded-postgres/place.ts'
import { readPrivateFile } from '../storage/embedded-postgres/private-file.ts'
import { type Config, ConfigError } from './config.ts'

const FILE = 'master.key'
const FORMER_FILE = 'master.key.previous'

type Given = Pick<Config, 'masterKey' | 'masterKeyPrevious' | 'dataDir'>

/**
 * Returns the keys from variables, else from `dataDir`, created if absent.
 * @throws ConfigError if folder or file are inaccessible or invalid
 */
export async function masterKeysOf(given: Given): Promise<MasterKeys> {
  return keysOf(given, () => loadOrCreateSecret(given.dataDir, FILE, () => `${randomBytes(32).toString('base64')}\n`))
}

/**
 * Returns existing keys; a new one could not decrypt anything.
 * @throws ConfigError as {@link masterKeysOf}, or if there is no key
 */
export async function existingMasterKeysOf(given: Given): Promise<MasterKeys> {
  return keysOf(given, async () => {
    const file = join(given.dataDir, FILE)
    const stored = await readStored(file)
    if (stored !== undefined) return stored
    throw new ConfigError(`${file} is missing. Restore it from the installation, or set MASTER_KEY.`)
  })
}

async function keysOf(
  { masterKey, masterKeyPrevious, dataDir }: Given,
  ofFolder: () => Promise<string>,
): Promise<MasterKeys> {
  if (masterKey !== undefined) return { masterKey, formerKey: masterKeyPrevious }
  const file = join(dataDir, FORMER_FILE)
  const key = keyIn(await ofFolder(), join(dataDir, FILE))
  const former = await readStored(file)
  return { masterKey: key, formerKey: former === undefined ? undefined : keyIn(former, file) }
}

function keyIn(text: string, file: string): string {
  const key = text.trim()
  if (Buffer.from(key, 'base64').length === 32) return key
  throw new ConfigError(`Invalid ${file}: it must contain 32 bytes in Base64. Restore the key of this installation.`)
}

const readStored = (file: string): Promise<string | undefined> =>
  readPrivateFile(file).catch((error) => Promise.reject(new ConfigError((error as Error).message)))

/**
 * Reads a secret file, created on first use; with concurrent processes the first wins.
 * @throws ConfigError
 */
export async function loadOrCreateSecret(
  dataDir: string,
  name: string,
  make: () => string | Promise<string>,
): Promise<string> {
  const file = join(dataDir, name)
  try {
    await makeDataDir(dataDir)
    const existing = await readPrivateFile(file)
    if (existing !== undefined) return existing
    await writeFile(file, await make(), { mode: 0o600, flag: 'wx' }).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
    return (await readPrivateFile(file)) ?? ''
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}
