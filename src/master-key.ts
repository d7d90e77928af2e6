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
  const file = join(dataDir, 'master.key')
  const read = () =>
    readPrivateFile(file).catch(({ message }: Error) => {
      throw new ConfigError(message)
    })
  await makeDataDir(dataDir)
  const existing = await read()
  if (existing === undefined) {
    await writeFile(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' }).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  const key = (existing ?? (await read()) ?? '').trim()
  if (Buffer.from(key, 'base64').length !== 32) {
    throw new ConfigError(
      `${file} does not hold the base64 form of 32 bytes. Without the right key no seal can be made.`,
    )
  }
  return key
}
