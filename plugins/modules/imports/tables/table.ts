export const FORMATS = ['csv', 'xlsx', 'jsonl', 'aasx'] as const
export type Format = (typeof FORMATS)[number]

export const CHARSETS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Charset = (typeof CHARSETS)[number]

/** Undefined if empty; dates are ISO 8601 text. */
export type Cell = string | number | boolean | undefined

export interface CellNote {
  /** Displayed text, if different; used by text columns. */
  readonly shown?: string | undefined
  readonly fault?: string | undefined
  /** Reason to reject the cell as a number: it shows another one. */
  readonly misleads?: string | undefined
}

export interface Row {
  /** From 1, as in spreadsheets. */
  readonly number: number
  readonly cells: readonly Cell[]
  /** By cell index from 0. */
  readonly notes?: ReadonlyMap<number, CellNote> | undefined
  /** Rejects the row. */
  readonly fault?: string | undefined
  /** Conversions to report. */
  readonly remarks?: readonly Remark[]
}

export interface Line {
  readonly number: number
  readonly document?: unknown
  readonly fault?: string
}

/** AASX shell with submodels as own environment, or error. */
export interface Shell {
  /** From 1, in package order. */
  readonly number: number
  /** Part, and idShort or ID. */
  readonly place: string
  readonly characters: number
  readonly environment?: unknown
  readonly fault?: string
}

/** Unexpected conversion or omission, with location. */
export interface Remark {
  readonly code: 'FILES_IGNORED' | 'FORMULA_VALUE_TAKEN' | 'GTIN_PADDED' | 'MACROS_IGNORED'
  readonly place?: string
}

/** Unreadable file. The message states location and remedy. */
export class TableError extends Error {}

const MAX_ROWS = 100_000
export const MAX_COLUMNS = 512
/** UTF-16 code units; the limit of spreadsheets. */
export const MAX_CELL_CHARACTERS = 32_767
/** UTF-16 code units per row; bytes per line. */
export const MAX_ROW_CHARACTERS = 262_144

/** @throws TableError */
export function assertRowCount(count: number): void {
  if (count > MAX_ROWS + 10) throw new TableError(`The file has more than ${MAX_ROWS} rows. Send it in parts.`)
}

export function columnLetters(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/** Awaits the first piece, so that early errors occur before the response starts. */
export async function awaitFirst<T>(pieces: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
}
