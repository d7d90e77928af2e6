/** Published entry `dpp-gateway/plugin/command`. */

export type { Documents } from '../client/index.ts'
export { DppError, type DppIssue, type Parameters } from '../client/index.ts'
export {
  type CommandInput,
  type Commands,
  countsLine,
  EXIT,
  notWritten,
  type Options,
  type Outcome,
  printable,
  readRecord,
  required,
  segment,
  text,
  UsageError,
  word,
  writeWhole,
} from '../commands/command.ts'
export { profilesFile, readProfiles } from '../commands/profiles.ts'
export { clientOf, lineOfIssue, REMOTE_OPTIONS, remoteOf } from '../commands/remote.ts'
export { fieldsOf, remote, remoteList } from '../commands/remote-call.ts'
export { momentOf } from '../domain/dates.ts'
export { isUuid } from '../domain/identifiers.ts'
export { dictionary, isRecord } from '../domain/record.ts'
export { UNIT_STATUSES } from '../domain/unit.ts'
export { readInput, Unreadable } from '../outside/files.ts'
