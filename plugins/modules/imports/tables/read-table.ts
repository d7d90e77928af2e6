import { type Headings, headingsOf, MAX_ROWS_ABOVE } from './columns.ts'
import { readCsv } from './csv.ts'
import { readJsonLines } from './json-lines.ts'
import { type Charset, type Format, type Line, type Remark, type Row, type Shell, TableError } from './table.ts'

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

/** Loads readers of packages on first use. @throws TableError as its readers */
export async function openTable(bytes: Buffer, format: Format, charset?: Charset): Promise<Table> {
  if (format === 'jsonl') return { sheet: undefined, remarks: [], records: () => linesOf(bytes) }
  if (format === 'csv') {
    return { sheet: undefined, remarks: [], records: () => belowHeadings(readCsv(bytes, charset)) }
  }
  if (format === 'aasx') {
    const { openAasx } = await import('./aasx-reader.ts')
    const { remarks, shells } = await openAasx(bytes)
    return { sheet: undefined, remarks, records: () => recordsOf(shells()) }
  }
  const { openXlsx } = await import('./xlsx-reader.ts')
  const { sheet, remarks, rows } = await openXlsx(bytes)
  return { sheet, remarks, records: () => belowHeadings(rows()) }
}

async function* linesOf(bytes: Buffer): AsyncGenerator<TableRecord> {
  for await (const line of readJsonLines(bytes)) yield { line }
}

async function* recordsOf(shells: AsyncGenerator<Shell>): AsyncGenerator<TableRecord> {
  for await (const shell of shells) yield { shell }
}

export const HELP_PREFIX = '# '

async function* belowHeadings(rows: AsyncGenerator<Row>): AsyncGenerator<TableRecord> {
  let headings: Headings | undefined
  let above = 0
  let below = 0
  for await (const row of rows) {
    if (headings === undefined) {
      headings = headingsOf(row)
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
