/** The formats of catalogues that are read and written. */
export const FORMATS = ['csv', 'xlsx', 'jsonl', 'aasx'] as const
export type Format = (typeof FORMATS)[number]

/** How the characters of a text are written, as far as a caller may say so. */
export const CHARSETS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Charset = (typeof CHARSETS)[number]

/** What a cell holds; undefined: nothing. A date is a text, as ISO 8601 writes it. */
export type Cell = string | number | boolean | undefined

/** Extra knowledge about a cell whose content is not all. */
export interface CellNote {
  /** The text that the cell shows, if it is another than that of its number; columns of texts take it. */
  readonly shown?: string | undefined
  /** Reason why the cell cannot be read; the row is refused with it. */
  readonly fault?: string | undefined
  /** Reason why the cell must not be read as a number, since it shows another one. */
  readonly misleads?: string | undefined
}

/** A row as it stands in a file. */
export interface Row {
  /** As spreadsheets count, from 1. */
  readonly number: number
  readonly cells: readonly Cell[]
  /** By the place of the cell, from 0. */
  readonly notes?: ReadonlyMap<number, CellNote> | undefined
  /** What makes it unreadable; the row is refused with it. */
  readonly fault?: string | undefined
  /** What was done with a cell that its reader may want to know of. */
  readonly remarks?: readonly Remark[]
}

/** A line of JSON Lines: an object, or what is wrong with it. */
export interface Line {
  readonly number: number
  readonly document?: unknown
  readonly fault?: string
}

/** A shell of an AASX package with its submodels as an environment of its own, or what is wrong with it. */
export interface Shell {
  /** In the order of the package, from 1. */
  readonly number: number
  /** Where it stands: the part, and its idShort or id. */
  readonly place: string
  /** Of its JSON. */
  readonly characters: number
  readonly environment?: unknown
  readonly fault?: string
}

/** What a reader has done that its caller may not expect, and where. */
export interface Remark {
  readonly code: 'FILES_IGNORED' | 'FORMULA_VALUE_TAKEN' | 'GTIN_PADDED' | 'MACROS_IGNORED'
  readonly place?: string
}

/** A file that cannot be read as what it is said to be. The message names the place and says what to do. */
export class TableError extends Error {}

/** Rows with content, beside those above the first product. */
const MAX_ROWS = 100_000
export const MAX_COLUMNS = 512
/** UTF-16 code units of a cell, which is what spreadsheets hold. */
export const MAX_CELL_CHARACTERS = 32_767
/** UTF-16 code units of a row, and bytes of a line. */
export const MAX_ROW_CHARACTERS = 262_144

/** @throws TableError */
export function assertRowCount(count: number): void {
  if (count > MAX_ROWS + 10) throw new TableError(`The file has more than ${MAX_ROWS} rows. Send it in parts.`)
}

/** The letters of a column, the first is 0: A … Z, AA … */
export function columnLetters(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/** The same pieces, the first of which is there: what fails until then fails here, and not in the midst of an answer. */
export async function begun<T>(pieces: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
}
