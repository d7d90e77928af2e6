import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import {
  assertRowCount,
  type Cell,
  type Charset,
  MAX_CELL_CHARACTERS,
  MAX_COLUMNS,
  MAX_ROW_CHARACTERS,
  type Row,
  TableError,
} from './table.ts'

/** Bytes that are looked at in one go: about a millisecond. */
const GO_BYTES = 16_384
/** Characters in which the heading line is looked for. */
const MAX_HEADING_CHARACTERS = 65_536
const DELIMITERS = [',', ';', '\t', '|'] as const
/** Characters of a cell such as `="00012"`, which spreadsheet programs write to protect zeros. */
const MAX_PROTECTED_CHARACTERS = 100

/**
 * The rows of comma-separated values (RFC 4180), whatever separates them: a comma, a semicolon, a tab or a bar, which the first
 * line tells. A byte order mark says UTF-8 or UTF-16; without one the text is UTF-8 unless another name is given.
 * @throws TableError where the bytes are not such a text
 */
export async function* readCsv(bytes: Uint8Array, charset?: Charset): AsyncGenerator<Row> {
  const { separator, skipped } = separatorOf(bytes, charset)
  const options = {
    delimiter: separator,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    info: true as const,
    max_record_size: MAX_ROW_CHARACTERS,
    from_line: 1 + skipped,
  }
  const parser = parse(options)
  // What fails in either is thrown where the records are read.
  pipeline(Readable.from(withQuotes(textsOf(bytes, charset), separator)), parser, () => {})
  let count = 0
  try {
    for await (const { record, info } of parser as unknown as AsyncIterable<CsvRecord>) {
      const cells = record.map((cell) => (cell === '' ? undefined : (protectedText(cell) ?? rearmed(cell))))
      if (cells.every((cell) => cell === undefined)) continue
      count += 1
      assertRowCount(count)
      const number = info.records + info.empty_lines + skipped
      if (cells.length > MAX_COLUMNS) throw new TableError(`Row ${number} has more than ${MAX_COLUMNS} columns.`)
      const long = cells.findIndex((cell) => cell !== undefined && cell.length > MAX_CELL_CHARACTERS)
      if (long !== -1) {
        throw new TableError(`Row ${number}, column ${long + 1} has more than ${MAX_CELL_CHARACTERS} characters.`)
      }
      yield { number, cells }
    }
  } catch (error) {
    throw error instanceof CsvError ? refusalOf(error) : error
  }
}

interface CsvRecord {
  readonly record: readonly string[]
  readonly info: { readonly records: number; readonly empty_lines: number }
}

function refusalOf(error: CsvError): TableError {
  const line = Number(error.lines ?? 0)
  const at = `line ${line}`
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new TableError(
      `The row at ${at} has more than ${MAX_ROW_CHARACTERS} characters. Perhaps a quotation mark is not closed.`,
    )
  }
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new TableError(`A quotation mark is opened at ${at} and never closed; the file may be cut off.`)
  }
  return new TableError(
    `The text at ${at} has a quotation mark where none may be. Put the whole cell between quotation marks, and write each one inside twice.`,
  )
}

/** What separates the cells: what stands most often in the first line outside of quotation marks, or what Excel's own first line says. */
function separatorOf(bytes: Uint8Array, charset: Charset | undefined): { separator: string; skipped: number } {
  const head = headOf(bytes, charset)
  const [, said] = /^"?sep=(.)"?\r?\n/.exec(head) ?? []
  if (said !== undefined) return { separator: said, skipped: 1 }
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  let hasBegun = false
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '\n' || character === '\r') {
      if (hasBegun) break
      continue
    } else {
      const count = counts.get(character)
      if (count !== undefined) counts.set(character, count + 1)
    }
    hasBegun = true
  }
  const [separator] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [',']
  return { separator, skipped: 0 }
}

function headOf(bytes: Uint8Array, charset: Charset | undefined): string {
  const { name, start } = encodingOf(bytes, charset)
  return new TextDecoder(name).decode(bytes.subarray(start, start + MAX_HEADING_CHARACTERS))
}

function encodingOf(bytes: Uint8Array, charset: Charset | undefined): { name: Charset; start: number } {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return { name: 'utf-8', start: 3 }
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', start: 2 }
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', start: 2 }
  return { name: charset ?? 'utf-8', start: 0 }
}

/** The text in pieces. */
function* textsOf(bytes: Uint8Array, charset: Charset | undefined): Generator<string> {
  const { name, start } = encodingOf(bytes, charset)
  const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true })
  for (let at = start; at < bytes.length; at += GO_BYTES) {
    const end = Math.min(at + GO_BYTES, bytes.length)
    let text: string
    try {
      text = decoder.decode(bytes.subarray(at, end), { stream: end < bytes.length })
    } catch {
      throw notText(bytes, name, at, end)
    }
    // Programs of the time of DOS end a text with U+001A.
    if (end === bytes.length && text.endsWith('\u001a')) text = text.slice(0, -1)
    if (text !== '') yield text
  }
}

/**
 * A text in which cells such as `="00012"` stand in quotation marks, as RFC 4180 has it: spreadsheet programs read them without.
 * Within quotation marks nothing looks like that, since each one is written twice there.
 */
function* withQuotes(texts: Iterable<string>, separator: string): Generator<string> {
  if (!(DELIMITERS as readonly string[]).includes(separator)) return yield* texts
  const end = `[\\r\\n${separator === '|' ? '\\|' : separator}]`
  const bare = new RegExp(`(?<=^|${end})="((?:(?!${end})[^"]){1,${MAX_PROTECTED_CHARACTERS}})"(?=${end}|$)`, 'g')
  const quoted = (text: string) => (text.includes('="') ? text.replace(bare, (_, inner) => `"=""${inner}"""`) : text)
  let left = ''
  for (const text of texts) {
    const whole = left + text
    // A cell that is not at its end goes on in the next piece.
    const begin = Math.max(...['\r', '\n', separator].map((each) => whole.lastIndexOf(each)), 0)
    const cut = whole.length - begin > MAX_PROTECTED_CHARACTERS + 4 ? whole.length : begin
    left = whole.slice(cut)
    if (cut > 0) yield quoted(whole.slice(0, cut))
  }
  if (left !== '') yield quoted(left)
}

/** The text that a cell such as `="00012"` shows. */
const protectedText = (cell: string): string | undefined => /^="((?:[^"]|"")*)"$/.exec(cell)?.[1]?.replaceAll('""', '"')

/** Names the place of the first byte that is no text; everything before `from` was, but for a character that had begun there. */
function notText(bytes: Uint8Array, name: Charset, from: number, to: number): TableError {
  const begin = Math.max(0, from - 4)
  let good = name === 'utf-8' ? begin : from
  while (name === 'utf-8' && good < from && ((bytes[good] as number) & 0xc0) === 0x80) good += 1
  let bad = to
  const isText = (end: number) => {
    try {
      new TextDecoder(name, { fatal: true }).decode(bytes.subarray(good, end), { stream: true })
      return true
    } catch {
      return false
    }
  }
  let known = good
  while (bad - known > 1) {
    const middle = Math.floor((known + bad) / 2)
    if (isText(middle)) known = middle
    else bad = middle
  }
  let line = 1
  for (let at = 0; at < bad; at += 1) if (bytes[at] === 0x0a) line += 1
  const place = `Byte ${bad} (line ${line})`
  if (name !== 'utf-8') return new TableError(`${place} is not ${name.toUpperCase()}; the file may be cut off.`)
  return new TableError(
    `${place} is not UTF-8. Save the file as "CSV UTF-8", or say how it is written, such as charset=windows-1252.`,
  )
}

/** What begins a formula for one program or another, also behind blanks (OWASP ASVS 5.0, 1.2.10). */
const DANGEROUS = /^'*[\s\u00a0\ufeff]*[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]/
const PLAIN_NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/
const isDangerous = (text: string) => DANGEROUS.test(text)

/** A text as no spreadsheet takes it for a formula. */
export const disarmed = (text: string): string => (isDangerous(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text)

/** What {@link disarmed} was given. */
export const rearmed = (text: string): string => (text.startsWith("'") && isDangerous(text) ? text.slice(1) : text)

/** One line of comma-separated values (RFC 4180). */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  if (cell === undefined) return ''
  const text = typeof cell === 'string' ? disarmed(cell) : String(cell)
  return /[",\r\n;\t|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
