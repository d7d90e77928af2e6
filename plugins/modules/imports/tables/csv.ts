import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { rearmed } from '../../../../src/plugin/module.ts'
import {
  assertRowCount,
  type Charset,
  MAX_CELL_CHARACTERS,
  MAX_COLUMNS,
  MAX_ROW_CHARACTERS,
  type Row,
  TableError,
} from './table.ts'

/** Bytes per tick: about 1 ms. */
const GO_BYTES = 16_384
const MAX_HEADING_CHARACTERS = 65_536
const DELIMITERS = [',', ';', '\t', '|'] as const
/** Limit of zero-protected cells such as `="00012"`. */
const MAX_PROTECTED_CHARACTERS = 100

/**
 * Reads CSV (RFC 4180), separated by comma, semicolon, tab or bar. A byte order mark overrides `charset`; the default is UTF-8.
 * @throws TableError for invalid text
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
      `The row at ${at} has more than ${MAX_ROW_CHARACTERS} characters. Check for an unclosed quotation mark.`,
    )
  }
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new TableError(`The quotation mark at ${at} is not closed; the file may be truncated.`)
  }
  return new TableError(
    `The text at ${at} has a misplaced quotation mark. Put the whole cell in quotation marks and double each quotation mark inside it.`,
  )
}

/** Returns Excel's `sep=` separator, or the most frequent one in the first line outside quotes. */
function separatorOf(bytes: Uint8Array, charset: Charset | undefined): { separator: string; skipped: number } {
  const head = headOf(bytes, charset)
  const [, declared] = /^"?sep=(.)"?\r?\n/.exec(head) ?? []
  if (declared !== undefined) return { separator: declared, skipped: 1 }
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
    // DOS programs end text with U+001A.
    if (end === bytes.length && text.endsWith('\u001a')) text = text.slice(0, -1)
    if (text !== '') yield text
  }
}

/** Quotes cells such as `="00012"` for RFC 4180. Quoted text cannot match, since its quotes are doubled. */
function* withQuotes(texts: Iterable<string>, separator: string): Generator<string> {
  if (!(DELIMITERS as readonly string[]).includes(separator)) return yield* texts
  const end = `[\\r\\n${separator === '|' ? '\\|' : separator}]`
  const bare = new RegExp(`(?<=^|${end})="((?:(?!${end})[^"]){1,${MAX_PROTECTED_CHARACTERS}})"(?=${end}|$)`, 'g')
  const quoted = (text: string) => (text.includes('="') ? text.replace(bare, (_, inner) => `"=""${inner}"""`) : text)
  let left = ''
  for (const text of texts) {
    const whole = left + text
    const begin = Math.max(...['\r', '\n', separator].map((each) => whole.lastIndexOf(each)), 0)
    const cut = whole.length - begin > MAX_PROTECTED_CHARACTERS + 4 ? whole.length : begin
    left = whole.slice(cut)
    if (cut > 0) yield quoted(whole.slice(0, cut))
  }
  if (left !== '') yield quoted(left)
}

const protectedText = (cell: string): string | undefined => /^="((?:[^"]|"")*)"$/.exec(cell)?.[1]?.replaceAll('""', '"')

/** Locates the first invalid byte; bytes before `from` are valid except for a started character. */
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
  if (name !== 'utf-8') return new TableError(`${place} is not ${name.toUpperCase()}; the file may be truncated.`)
  return new TableError(
    `${place} is not UTF-8. Save the file as "CSV UTF-8", or set its encoding, such as charset=windows-1252.`,
  )
}
