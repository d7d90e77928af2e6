/** Published entry `dpp-gateway/plugin/command`. */

export type { Documents } from '../client/index.ts'
export {
  type Commands,
  countsLine,
  EXIT,
  type Options,
  type Outcome,
  printable,
  readRecord,
  required,
  text,
  UsageError,
  word,
  writeWhole,
} from '../commands/command.ts'
export { REMOTE_OPTIONS, remoteOf } from '../commands/remote.ts'
export { remote, remoteList } from '../commands/remote-call.ts'
export { momentOf } from '../domain/dates.ts'
export { isUuid } from '../domain/identifiers.ts'
export { dictionary, isRecord } from '../domain/record.ts'
export { readInput, Unreadable } from '../outbound/files.ts'
