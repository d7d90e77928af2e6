import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Cradle } from '../cradle.ts'
import { isRecord } from '../domain/record.ts'
import { fileFault, Unreadable, utf8 } from '../outside/files.ts'
import type { Config } from '../start/config.ts'

export type Options = Record<string, string | boolean | undefined>

/** Tab-separated cells without headings in a pipe. */
export interface Table {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Object for `--json`, lines or table for people. */
export interface Outcome {
  readonly json: object
  readonly lines?: readonly string[]
  readonly table?: Table
  readonly exitCode?: number
}

export interface Option {
  /** Placeholder in capitals; flags have none. */
  readonly value?: string
  readonly meaning: string
  readonly values?: readonly string[]
  readonly default?: string
  readonly needed?: boolean
}

export interface CommandInput {
  readonly words: readonly string[]
  readonly options: Options
  readonly env: NodeJS.ProcessEnv
  config(): Promise<Config>
  /** Prints immediately: the line, or the object with `--json`. */
  print(json: object, line: string): void
  tell(message: string): void
  readonly isTerminal: boolean
  /** Opens and migrates the gateway's database. */
  open<Services = Cradle>(): Promise<{ cradle: Services; migrated: readonly string[] }>
}

/** Command; imports the gateway's code only in `run`, for a fast start. */
export interface Command {
  readonly summary: string
  readonly words?: readonly string[]
  readonly anyWords?: boolean
  readonly options?: Readonly<Record<string, Option>>
  readonly notes?: readonly string[]
  /** @returns undefined if everything is already printed */
  run(input: CommandInput): Promise<Outcome | undefined>
}

export type Commands = Readonly<Record<string, Command>>

export class UsageError extends Error {
  override name = 'UsageError'
}

export const EXIT = { no: 1, usage: 2, unreadable: 3, undecided: 4 } as const

/**
 * Reads a JSON object from a file, address or standard input (`-`).
 * @throws Unreadable
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

/** @throws UsageError */
export function required(options: Options, name: string): string {
  const value = text(options, name)
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`)
  return value
}

export function word(words: readonly string[], name: string): string {
  const [value] = words
  if (value === undefined) throw new UsageError(`${name} is missing.`)
  return value
}

/** @throws UsageError if missing or unsafe */
export function segment(words: readonly string[], name: string, index = 0): string {
  const value = word(words.slice(index), name)
  if (/^\.{0,2}$/.test(value)) throw new UsageError(`"${value}" is not a valid ${name}.`)
  return value
}

export const text = (options: Options, name: string) =>
  typeof options[name] === 'string' ? (options[name] as string) : undefined

/** Removes control and bidirectional characters from untrusted text. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')

/** Formats counts, such as `3 of 5 mandatory`. */
export const countsLine = (counts: Readonly<Record<string, { readonly due: number; readonly met: number }>>): string =>
  Object.entries(counts)
    .map(([name, { due, met }]) => `${met} of ${due} ${name}`)
    .join(', ')

export const toIso = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

/**
 * Writes an output file atomically.
 * @param option that names the file, such as `--out`
 * @returns size in bytes
 * @throws UsageError if it cannot be written
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

export function notWritten(option: string, file: string, error: unknown): UsageError {
  const fault = error as NodeJS.ErrnoException
  const isFolderMissing = fault.code === 'ENOENT' || fault.code === 'ENOTDIR'
  const reason = isFolderMissing
    ? `Folder ${dirname(file)} not found. Create it first.`
    : (fileFault(fault, file) ?? fault.message)
  return new UsageError(`${option}: ${reason}`)
}
