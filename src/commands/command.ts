import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import type { Cradle } from '../cradle.ts'

/** The options that a command was given, by name without dashes. */
export type Options = Record<string, string | boolean | undefined>

/** What a command answers: an object for `--json`, and lines for people. */
interface Outcome {
  readonly json: object
  readonly lines: readonly string[]
  /** 0 unless said otherwise. */
  readonly exitCode?: number
}

interface CommandInput {
  readonly words: readonly string[]
  readonly options: Options
  readonly config: Config
  /** Prints at once what does not wait for the end: the line for people, or the object with `--json`. */
  print(json: object, line: string): void
  /** Opens the gateway's database, which brings its schema up to date; commands that need none do not ask. */
  open(): Promise<{ cradle: Cradle; migrated: readonly string[] }>
}

/** A command, as its help shows it and as it runs. */
export interface Command {
  readonly usage: string
  readonly summary: string
  /** Options with a value, and flags. */
  readonly options?: readonly string[]
  readonly flags?: readonly string[]
  /** Number of words after the command's name. */
  readonly words?: number
  /** @returns undefined where all has been printed */
  run(input: CommandInput): Promise<Outcome | undefined>
}

/** Commands by their name, which may be of two words. */
export type Commands = Readonly<Record<string, Command>>

/** A wrong use of a command: its usage is shown with the message. */
export class UsageError extends Error {}

/** How a command ends where it neither did what was asked nor says no, which is 1. */
export const EXIT = { usage: 2, unreadable: 3 } as const

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

/** The value of an option, if it was given. */
export const text = (options: Options, name: string) =>
  typeof options[name] === 'string' ? (options[name] as string) : undefined

/** What a stranger wrote, without what a terminal would obey, or would turn round. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')

/** A time of the database as ISO 8601. */
export const toIso = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

/**
 * Writes the file of `--out`, which has its name only once it is whole.
 * @returns its size in bytes
 * @throws UsageError where it cannot be written
 */
export async function writeWhole(file: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const unfinished = `${file}.part`
  try {
    const stream = createWriteStream(unfinished)
    await pipeline(pieces, stream)
    renameSync(unfinished, file)
    return stream.bytesWritten
  } catch (error) {
    rmSync(unfinished, { force: true })
    if ((error as NodeJS.ErrnoException).path !== unfinished) throw error
    throw new UsageError(`--out: ${(error as Error).message}`)
  }
}
