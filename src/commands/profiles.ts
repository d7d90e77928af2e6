import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { isRecord } from '../domain/record.ts'
import { Unreadable } from '../outside/files.ts'
import { UsageError } from './command.ts'

interface Profile {
  readonly url: string
  readonly key: string
}

interface Profiles {
  readonly current: string | undefined
  readonly profiles: ReadonlyMap<string, Profile>
}

/** XDG Base Directory Specification. */
export function profilesFile(env: NodeJS.ProcessEnv): string {
  const folder = env.XDG_CONFIG_HOME
  // The specification ignores relative paths.
  return join(folder !== undefined && isAbsolute(folder) ? folder : join(homedir(), '.config'), 'dpp', 'profiles.json')
}

/** @throws UsageError if others may read the file; Unreadable if it is not JSON */
export function readProfiles(env: NodeJS.ProcessEnv): Profiles {
  const file = profilesFile(env)
  if (!existsSync(file)) return { current: undefined, profiles: new Map() }
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new UsageError(`${file} contains keys and is readable by other users. Run: chmod 600 ${file}`)
  }
  let stored: unknown
  try {
    stored = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Unreadable(`${file} cannot be read: ${(error as Error).message}`)
  }
  const { current, profiles } = isRecord(stored) ? stored : {}
  const entries = Object.entries(isRecord(profiles) ? profiles : {})
  return {
    current: typeof current === 'string' ? current : undefined,
    profiles: new Map(entries.filter((entry): entry is [string, Profile] => isProfile(entry[1]))),
  }
}

const isProfile = (value: unknown): value is Profile =>
  isRecord(value) && typeof value.url === 'string' && typeof value.key === 'string'
