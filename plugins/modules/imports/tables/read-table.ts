import { type Headings, headingsOf, MAX_ROWS_ABOVE } from './columns.ts'
import { readCsv } from './csv.ts'
import { readJsonLines } from './json-lines.ts'
import {
  type Cell,
  type Charset,
  type Format,
  type Line,
  type Remark,
  type Row,
  type Shell,
  TableError,
} from './table.ts'

/** Keys by heading, for tables with other headings; an empty key ignores the column. */
type ColumnMap = Readonly<Record<string, string>>

export type TableRecord =
  | { readonly headings: Headings; readonly row: Row }
  | { readonly line: Line }
  | { readonly shell: Shell }

/** File with repeatable iteration: merged cells, stored after the rows, are known in the second pass. */
interface Table {
  readonly sheet: string | undefined
  readonly remarks: readonly Remark[]
  records(): AsyncGenerator<TableRecord>
}

interface ReadOptions {
  readonly charset?: Charset | undefined
  readonly columns?: ColumnMap | undefined
}

/** Loads readers of packages on first use. @throws TableError as its readers */
export async function openTable(
  bytes: Buffer,
  format: Format,
  { charset, columns = {} }: ReadOptions = {},
): Promise<Table> {
  if (format === 'jsonl') return { sheet: undefined, remarks: [], records: () => linesOf(bytes) }
  if (format === 'csv') {
    return { sheet: undefined, remarks: [], records: () => belowHeadings(readCsv(bytes, charset), columns) }
  }
  if (format === 'aasx') {
    const { openAasx } = await import('./aasx-reader.ts')
    const { remarks, shells } = await openAasx(bytes)
    return { sheet: undefined, remarks, records: () => recordsOf(shells()) }
  }
  const { openXlsx } = await import('./xlsx-reader.ts')
  const { sheet, remarks, rows } = await openXlsx(bytes)
  return { sheet, remarks, records: () => belowHeadings(rows(), columns) }
}

function renamed(row: Row, columns: ColumnMap): Row {
  const cells = row.cells.map((cell, place): Cell => {
    const heading = typeof cell === 'string' ? cell.trim() : ''
    if (!Object.hasOwn(columns, heading)) return cell
    return columns[heading] === '' ? `#${place + 1} ${heading}` : columns[heading]
  })
  return { ...row, cells }
}

const SAMPLES = 3

/** Headings of a table with the texts below them. */
export interface TablePreview {
  readonly heading: string
  readonly samples: readonly string[]
}

/**
 * Reads the first rows of a table whose headings may be unknown: the headings are the row with `productId`, else the first of the rows with
 * the most texts.
 */
export async function previewTable(
  bytes: Buffer,
  format: 'csv' | 'xlsx',
  charset?: Charset,
): Promise<readonly TablePreview[]> {
  const rows: Row[] = []
  const all =
    format === 'csv' ? readCsv(bytes, charset) : (await (await import('./xlsx-reader.ts')).openXlsx(bytes)).rows()
  for await (const row of all) {
    rows.push(row)
    if (rows.length === MAX_ROWS_ABOVE + SAMPLES) break
  }
  const textsOf = ({ cells }: Row) => cells.filter((cell) => typeof cell === 'string' && cell.trim() !== '').length
  const above = rows.slice(0, MAX_ROWS_ABOVE)
  const most = Math.max(0, ...above.map(textsOf))
  const known = above.findIndex(({ cells }) => cells.some((cell) => String(cell).trim() === 'productId'))
  const place = known < 0 ? above.findIndex((row) => textsOf(row) === most) : known
  const below = rows.slice(place + 1, place + 1 + SAMPLES)
  const cells = above[place]?.cells ?? []
  return cells.flatMap((cell, column) => {
    const heading = String(cell ?? '').trim()
    const samples = below.map((row) => String(row.cells[column] ?? '')).filter((text) => text !== '')
    return heading === '' ? [] : [{ heading, samples }]
  })
}

async function* linesOf(bytes: Buffer): AsyncGenerator<TableRecord> {
  for await (const line of readJsonLines(bytes)) yield { line }
}

async function* recordsOf(shells: AsyncGenerator<Shell>): AsyncGenerator<TableRecord> {
  for await (const shell of shells) yield { shell }
}

export const HELP_PREFIX = '# '

async function* belowHeadings(rows: AsyncGenerator<Row>, columns: ColumnMap): AsyncGenerator<TableRecord> {
  let headings: Headings | undefined
  let above = 0
  let below = 0
  for await (const row of rows) {
    if (headings === undefined) {
      headings = headingsOf(renamed(row, columns))
      if (headings !== undefined) continue
      above += 1
      if (above === MAX_ROWS_ABOVE) break
      continue
    }
    below += 1
    if (below === 1 && above > 0 && String(row.cells[0] ?? '').startsWith(HELP_PREFIX)) continue
    yield { headings, row }
  }
  if (headings === undefined) {
    throw new TableError(
      `The heading productId is missing in the first ${MAX_ROWS_ABOVE} rows. Headings are keys, such as productId, category or recycledContent.cobalt; a template has all of them.`,
    )
  }
}
