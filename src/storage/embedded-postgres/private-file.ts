import { open } from 'node:fs/promises'

/**
 * Checks the open file, so that it cannot be exchanged before the read.
 * @param owners allowed user ids; unchecked on systems without them
 * @throws Error with the command to run if another user owns it or others may read it
 */
export async function readPrivateFile(
  file: string,
  owners: readonly (number | undefined)[] = [process.getuid?.()],
): Promise<string | undefined> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${file} cannot be read: ${error.message}`)
  })
  if (handle === undefined) return undefined
  try {
    const { uid, mode } = await handle.stat()
    const known = owners.filter((owner) => owner !== undefined)
    if (known.length > 0 && !known.includes(uid)) {
      throw new Error(
        `${file} belongs to user ${uid} and is not trusted. If it is yours, run: chown ${known[0]} ${file}`,
      )
    }
    if (known.length > 0 && (mode & 0o077) !== 0) {
      throw new Error(`${file} contains a secret and is readable by other users. Run: chmod 600 ${file}`)
    }
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
