import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import type { Cradle } from '../cradle.ts'
import { isRecord } from '../domain/record.ts'
import { fileFault, Unreadable, utf8 } from '../outside/files.ts'

/** The options that a command was given, by name without dashes. */
export type Options = Record<string, string | boolean | undefined>

/** Rows under headings, as a terminal shows them; a pipe gets the cells alone, with tabs between them. */
export interface Table {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What a command answers: an object for `--json`, and lines or a table for people. */
export interface Outcome {
  readonly json: object
  readonly lines?: readonly string[]
  readonly table?: Table
  /** 0 unless said otherwise. */
  readonly exitCode?: number
}

/** An option, as its help shows it. */
export interface Option {
  /** What its value is, in capitals; a flag has none. */
  readonly value?: string
  readonly meaning: string
  /** Every value that there is; anything else is refused. */
  readonly values?: readonly string[]
  /** What holds where it is not given. */
  readonly default?: string
  /** The command cannot do without. */
  readonly needed?: boolean
}

export interface CommandInput {
  readonly words: readonly string[]
  readonly options: Options
  /** The environment: what `config` reads, and which gateway is meant. */
  readonly env: NodeJS.ProcessEnv
  /** The gateway's own settings. */
  config(): Promise<Config>
  /** Prints at once what does not wait for the end: the line for people, or the object with `--json`. */
  print(json: object, line: string): void
  /** Says at once what goes beside the output, such as how far it is. */
  tell(message: string): void
  /** A person reads what is printed, and no program. */
  readonly isTerminal: boolean
  /** Opens the gateway's database, which brings its schema up to date; commands that need none do not ask. */
  open(): Promise<{ cradle: Cradle; migrated: readonly string[] }>
}

/**
 * A command, as its help shows it and as it runs. What it needs of the gateway it imports when it runs: the help of all of them,
 * and what another machine answers, waits for nothing.
 */
export interface Command {
  readonly summary: string
  /** What may be given beside options, each in capitals. */
  readonly words?: readonly string[]
  /** Any number of words may be given. */
  readonly anyWords?: boolean
  readonly options?: Readonly<Record<string, Option>>
  /** What else its help says. */
  readonly notes?: readonly string[]
  /** @returns undefined where all has been printed */
  run(input: CommandInput): Promise<Outcome | undefined>
}

/** Commands by their name, which may be of two words. */
export type Commands = Readonly<Record<string, Command>>

/** A wrong use of a command: its usage is shown with the message. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** How a command ends where it has not done what was asked. */
export const EXIT = { no: 1, usage: 2, unreadable: 3, undecided: 4 } as const

/**
 * The object of JSON that a file, an address or standard input (`-`) has.
 * @throws Unreadable where it cannot be had, or is none
 */
export async function readRecord(subject: string): Promise<Record<string, unknown>> {
  const { readSubject } = await import('../outside/documents.ts')
  const document = utf8(await readSubject(subject), subject)
  let parsed: unknown
  try {
    parsed = JSON.parse(document)
  } catch (error) {
    throw new Unreadable(`${subject} is not JSON: ${(error as Error).message}`)
  }
  if (!isRecord(parsed)) throw new Unreadable(`${subject} is not a JSON object.`)
  return parsed
}

/** The value of an option. @throws UsageError where it is missing */
export function required(options: Options, name: string): string {
  const value = text(options, name)
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`)
  return value
}

/** The word after the name of a command. @throws UsageError where it is missing */
export function word(words: readonly string[], name: string): string {
  const [value] = words
  if (value === undefined) throw new UsageError(`${name} is missing.`)
  return value
}

/**
 * The word at a place, which becomes a segment of an address.
 * @throws UsageError if it is missing, or would lead to another address
 */
export function segment(words: readonly string[], name: string, index = 0): string {
  const value = word(words.slice(index), name)
  if (/^\.{0,2}$/.test(value)) throw new UsageError(`"${value}" is not a valid ${name}.`)
  return value
}

/** The value of an option, if it was given. */
export const text = (options: Options, name: string) =>
  typeof options[name] === 'string' ? (options[name] as string) : undefined

/** What a stranger wrote, without what a terminal would obey, or would turn round. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')

/** A time of the database as ISO 8601. */
export const toIso = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

/**
 * Writes the file of `--out`, or of another `option`, which has its name only once it is whole.
 * @returns its size in bytes
 * @throws UsageError where it cannot be written
 */
export async function writeWhole(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  { option = '--out', mode = 0o666 }: { readonly option?: string; readonly mode?: number } = {},
): Promise<number> {
  const unfinished = `${file}.part`
  try {
    rmSync(unfinished, { force: true })
    const stream = createWriteStream(unfinished, { mode, flush: true })
    await pipeline(pieces, stream)
    renameSync(unfinished, file)
    return stream.bytesWritten
  } catch (error) {
    rmSync(unfinished, { force: true })
    const { path, syscall } = error as NodeJS.ErrnoException
    if (path !== unfinished && syscall !== 'write') throw error
    throw notWritten(option, file, error)
  }
}

/** The error for an output file that cannot be written. @param option that names the file, such as `--out` */
export function notWritten(option: string, file: string, error: unknown): UsageError {
  const fault = error as NodeJS.ErrnoException
  const isFolderMissing = fault.code === 'ENOENT' || fault.code === 'ENOTDIR'
  const reason = isFolderMissing ? `There is no folder ${dirname(file)}.` : (fileFault(fault, file) ?? fault.message)
  return new UsageError(`${option}: ${reason}`)
}
