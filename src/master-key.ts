import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { makeDataDir } from './storage/embedded-postgres/place.ts'
import { readPrivateFile } from './storage/embedded-postgres/private-file.ts'

/**
 * The master key of the embedded mode, Base64 of 32 bytes, made on first use.
 * @throws ConfigError where the folder cannot be written, or the file cannot be read or holds something else
 */
export async function masterKeyOf(dataDir: string): Promise<string> {
  const key = (await keptSecret(dataDir, 'master.key', () => `${randomBytes(32).toString('base64')}\n`)).trim()
  if (Buffer.from(key, 'base64').length !== 32) {
    throw new ConfigError(
      `${join(dataDir, 'master.key')} does not hold the base64 form of 32 bytes. Without the right key no seal can be made.`,
    )
  }
  return key
}

/**
 * The text of a file of `dataDir` that holds a secret, made on first use; of processes that make it at once the first wins.
 * @throws ConfigError where it cannot be read or made
 */
export async function keptSecret(dataDir: string, name: string, make: () => string | Promise<string>): Promise<string> {
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
