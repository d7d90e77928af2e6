import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { profilesFile, type readProfiles } from '../../../src/plugin/command.ts'

/** Replaces the file, owner-only from its first byte; deletes it without profiles. */
export function writeProfiles(env: NodeJS.ProcessEnv, { current, profiles }: ReturnType<typeof readProfiles>): void {
  const file = profilesFile(env)
  if (profiles.size === 0) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${process.pid}`
  rmSync(unfinished, { force: true })
  const stored = { current, profiles: Object.fromEntries(profiles) }
  writeFileSync(unfinished, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(unfinished, file)
}
