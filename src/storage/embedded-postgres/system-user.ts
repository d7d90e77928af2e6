import { chown, lchown, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execute, type Identity } from './programs.ts'

/** PostgreSQL refuses to run as root. */
const SYSTEM_USER = 'postgres'

/** Returns, for root, the owner of the cluster or else `postgres`. */
export async function identityFor(dataDir: string, cluster: string, binDir: string): Promise<Identity> {
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

/** Adds the capability only if the user cannot reach the folders otherwise. */
async function reaching(dataDir: string, binDir: string, user: Identity): Promise<Identity> {
  for (const identity of [user, { ...user, privileged: true }]) {
    if ((await enters(dataDir, identity)) && (await enters(binDir, identity))) return identity
  }
  const dataIsClosed = !(await enters(dataDir, user))
  const dir = dataIsClosed ? dataDir : binDir
  let closed = dir
  while (closed !== dirname(closed) && !(await enters(dirname(closed), user))) closed = dirname(closed)
  const open = 'a folder that every user can enter'
  const [consequence, remedy] = dataIsClosed
    ? [`store its data in ${dir}`, `Set DATA_DIR to ${open}, such as /var/lib/dpp-gateway`]
    : [`run the programs in ${dir}`, `Install the gateway in ${open}`]
  throw new Error(
    `PostgreSQL refuses to run as root and runs as the user ${SYSTEM_USER} instead, which may not enter ${closed}, ` +
      `so it cannot ${consequence}. ${remedy}, or allow it with "chmod o+x ${closed}", or set DATABASE_URL.`,
  )
}

/** Tries as that user, instead of evaluating modes, groups and access lists. */
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
