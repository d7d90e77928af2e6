import { beginningOf, Problem } from '../../../src/plugin/index.ts'
import {
  assertNotSuspended,
  isUuid,
  lacksPermission,
  type ModuleCradle,
  type Principal,
  type Session,
} from '../../../src/plugin/module.ts'
import { type BatchDeps, beginState, importBatch, MAX_MESSAGE_CHARACTERS } from './import-batch.ts'
import {
  beginImport,
  endImport,
  fileOfImport,
  findImport,
  type ImportAttempt,
  type ImportOptions,
  type ImportRow,
  importOpened,
} from './import-jobs.ts'
import { addedColumns } from './import-rows.ts'
import { ERROR } from './tables/columns.ts'
import { openTable, type TableRecord } from './tables/read-table.ts'
import { CHARSETS, TableError } from './tables/table.ts'

/** Limits of one transaction, as for a bulk. */
const BATCH_ROWS = 200
const BATCH_CHARACTERS = 1024 * 1024

interface ImportDeps extends BatchDeps, Pick<ModuleCradle, 'identity'> {}

/** Resumes after the last batch; rows and progress are stored together. The signal aborts between batches. */
export async function runImport(
  deps: ImportDeps,
  tenantId: string,
  id: string,
  signal: AbortSignal,
  onBatch: () => void = () => {},
): Promise<void> {
  const session = deps.database.forTenant(tenantId)
  const attempt = isUuid(id) ? await beginImport(session, id) : undefined
  const found = attempt === undefined ? undefined : await findImport(session, tenantId, id)
  if (attempt === undefined || found === undefined) return
  const job = { id, tenantId, attempt }
  try {
    const table = await openFile(session, job, found, signal)
    let state = beginState(found, table.remarks)
    for await (const batch of batchesOf(table.records(), found.rowsRead)) {
      signal.throwIfAborted()
      const principal = await callerOf(deps, tenantId, found)
      state = await importBatch(deps, principal, job, found.options, batch, state)
      onBatch()
    }
    await endImport(session, job)
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    await endImport(session, job, beginningOf(error.message, MAX_MESSAGE_CHARACTERS))
  }
}

/**
 * Reads the whole file before the first row is stored: a truncated file stores nothing.
 * @throws TableError
 */
async function openFile(session: Session, job: ImportAttempt, found: ImportRow, signal: AbortSignal) {
  const file = await fileOfImport(session, job.tenantId, job.id, found.bytes)
  const charset = CHARSETS.find((name) => name === found.options.charset)
  const table = await openTable(file, found.format, { charset, columns: found.options.columns })
  let rows = 0
  let headings: readonly string[] = found.format === 'aasx' ? ['shell', 'productId'] : ['document']
  for await (const record of table.records()) {
    rows += 1
    if (rows === 1 && 'headings' in record) headings = headingTexts(record, found.options)
    signal.throwIfAborted()
  }
  if (rows === 0) throw new TableError('The file has no rows after its headings.')
  await importOpened(session, job, { rows, headings, sheet: table.sheet })
  return table
}

function headingTexts({ headings }: Extract<TableRecord, { headings: unknown }>, options: ImportOptions): string[] {
  const keys = headings.columns.map((heading) => heading?.key ?? '')
  return [...keys.filter((key) => key !== ERROR && key !== '#row'), ...addedColumns(options, keys)]
}

async function* batchesOf(records: AsyncIterable<TableRecord>, taken: number): AsyncGenerator<TableRecord[]> {
  let batch: TableRecord[] = []
  let characters = 0
  let count = 0
  for await (const record of records) {
    count += 1
    if (count <= taken) continue
    const length = lengthOf(record)
    if (batch.length === BATCH_ROWS || (batch.length > 0 && characters + length > BATCH_CHARACTERS)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(record)
    characters += length
  }
  if (batch.length > 0) yield batch
}

const lengthOf = (record: TableRecord): number =>
  'shell' in record
    ? record.shell.characters
    : 'line' in record
      ? JSON.stringify(record.line.document ?? null).length
      : record.row.cells.reduce((sum: number, cell) => sum + (cell === undefined ? 1 : String(cell).length), 0)

/** Revocation or suspension ends the import between batches. @throws TableError */
async function callerOf(
  { identity }: ImportDeps,
  tenantId: string,
  { actor, role, operatorId }: ImportRow,
): Promise<Principal> {
  const caller = await identity.stillOf({ tenantId, actor, role })
  if (caller === undefined) throw new TableError('The credential of this import is no longer valid.')
  try {
    assertNotSuspended(caller)
    if (!caller.permissions.has('passport:create')) throw lacksPermission('passport:create')
  } catch (error) {
    throw error instanceof Problem ? new TableError(error.message) : error
  }
  return { ...caller, operatorId: operatorId ?? caller.operatorId }
}
