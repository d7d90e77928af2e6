/** Published entry `dpp-gateway/plugin/command`. */

export type { Documents } from '../client/index.ts'
export {
  type Commands,
  EXIT,
  type Options,
  type Outcome,
  printable,
  required,
  text,
  UsageError,
  word,
  writeWhole,
} from '../commands/command.ts'
export { REMOTE_OPTIONS, remoteOf } from '../commands/remote.ts'
export { remoteList } from '../commands/remote-call.ts'
export { momentOf } from '../domain/dates.ts'
export { isUuid } from '../domain/identifiers.ts'
export { dictionary } from '../domain/record.ts'
export { readInput } from '../outbound/files.ts'
