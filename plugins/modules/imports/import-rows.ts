import { beginningOf, isRecord, type ParsedSeal } from '../../../src/plugin/index.ts'
import { type Remark as Advice, csvLine, type IssueText } from '../../../src/plugin/module.ts'
import type { ImportOptions, ImportRemark } from './import-jobs.ts'
import { cellAt, ERROR, headingAt } from './tables/columns.ts'
import type { TableRecord } from './tables/read-table.ts'
import type { Cell, Remark } from './tables/table.ts'

const MAX_FINDINGS = 20
/** Distinct remarks; others are counted by code. */
const MAX_REMARKS = 50

export interface ReadRecord {
  readonly record: TableRecord
  readonly document: unknown
  readonly fault?: string | undefined
  readonly faults?: readonly string[]
  /** Document members with unreadable cells. */
  readonly unread?: ReadonlySet<string>
  readonly cells?: readonly Cell[]
  readonly remarks: readonly Remark[]
  readonly seal?: ParsedSeal | undefined
}

export const rowOf = (record: TableRecord): number =>
  ('shell' in record ? record.shell : 'line' in record ? record.line : record.row).number

/** Columns that the table lacks because the import has an option for them. */
export function addedColumns(options: ImportOptions, headings: readonly string[]) {
  return (['category', 'operatorId'] as const).filter((key) => options[key] !== undefined && !headings.includes(key))
}

/** Formats a rejected row as CSV with the headings of the file and {@link addedColumns}, so that it can be imported without options. */
export function errorLine(
  read: ReadRecord,
  message: string,
  { options, isWhole }: { readonly options: ImportOptions; readonly isWhole: boolean },
): string {
  const cells = cellsOf(read, options)
  return csvLine([...(isWhole ? cells : cells.map(() => undefined)), message, rowOf(read.record)])
}

function cellsOf({ record, document, cells }: ReadRecord, options: ImportOptions): Cell[] {
  if ('shell' in record) return [record.shell.place, productIdOf(document)]
  if ('line' in record) return [JSON.stringify(isRecord(document) ? document : record.line.document)]
  const all = record.headings.columns.map((heading, index) => {
    const key = heading?.key ?? ''
    const cell = (cells ?? record.row.cells)[index]
    return { key, cell: cell ?? (key === 'category' || key === 'operatorId' ? options[key] : undefined) }
  })
  const added = addedColumns(
    options,
    all.map(({ key }) => key),
  )
  return [
    ...all.filter(({ key }) => key !== ERROR && key !== '#row').map(({ cell }) => cell),
    ...added.map((key) => options[key]),
  ]
}

export function inCells(record: TableRecord, findings: readonly IssueText[]): string {
  const texts = findings.slice(0, MAX_FINDINGS).map(({ path, message, friendlyMessage }) => {
    const cell = 'headings' in record ? cellAt(record.headings, record.row, path) : undefined
    const text = friendlyMessage ?? `${path}: ${message}`
    return cell === undefined ? text : `${cell}: ${text}`
  })
  return [...texts, ...(findings.length > MAX_FINDINGS ? [`(+${findings.length - MAX_FINDINGS})`] : [])].join(' ')
}

export const isWithin = (paths: ReadonlySet<string>, path: string): boolean =>
  [...paths].some((each) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[`))

export function productIdOf(document: unknown): string | undefined {
  const productId = isRecord(document) ? document.productId : undefined
  return typeof productId === 'string' ? beginningOf(productId, 200) : undefined
}

/** Names the operator that the import chose, unless the record names one. */
export function withOperator(read: ReadRecord, operatorId: string | undefined): ReadRecord {
  const { document } = read
  if (operatorId === undefined || !isRecord(document) || (document.operatorId ?? null) !== null) return read
  return { ...read, document: { ...document, operatorId } }
}

export function withCategory(document: unknown, category: string | undefined): unknown {
  if (category === undefined || !isRecord(document) || !isRecord(document.metadata)) return document
  return document.metadata.category === undefined
    ? { ...document, metadata: { ...document.metadata, category } }
    : document
}

export function lineRecord(record: Extract<TableRecord, { line: unknown }>, category: string | undefined): ReadRecord {
  const { document, fault } = record.line
  const isObject = isRecord(document)
  return {
    ...{ record, document: withCategory(document, category), remarks: [] },
    fault: fault ?? (isObject ? undefined : 'The line is not a JSON object.'),
  }
}

/** Returns the cell, line or shell; the heading for an unknown key. */
export function placeOf(record: TableRecord, { code, path = '' }: Advice): string | undefined {
  if ('shell' in record) return record.shell.place
  if ('line' in record) return `line ${record.line.number}`
  const heading = headingAt(record.headings, path)
  return code === 'UNKNOWN_KEY' && heading !== undefined
    ? heading
    : (cellAt(record.headings, record.row, path) ?? `row ${record.row.number}`)
}

export type FoundRemark = (Remark | Advice) & { readonly place?: string | undefined }

/**
 * Counts repeats for the same member, ignoring list indexes.
 * @param textOf renders the first of a kind
 */
export function counted(
  before: readonly ImportRemark[],
  found: readonly FoundRemark[],
  textOf: (remark: Advice) => string,
): ImportRemark[] {
  const counts = new Map(before.map((remark) => [keyOf(remark), remark]))
  for (const remark of found) {
    const isKnown = counts.has(keyOf(remark))
    const { code, place } = remark
    const key = isKnown || counts.size < MAX_REMARKS ? keyOf(remark) : code
    const known = counts.get(key)
    if (known !== undefined) counts.set(key, { ...known, count: known.count + 1 })
    else if (key === code || !('path' in remark)) counts.set(key, { code, count: 1, place })
    else counts.set(key, { code, count: 1, place, path: remark.path, message: textOf(remark) })
  }
  return [...counts.values()]
}

const keyOf = ({ code, path }: { readonly code: string; readonly path?: string | undefined }): string =>
  path === undefined ? code : `${code} ${path.replace(/\[\d+\]/g, '[]')}`
