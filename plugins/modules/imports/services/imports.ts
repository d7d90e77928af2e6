import { createHash, randomUUID } from 'node:crypto'
import { beginningOf, isRecord, mapYielding, notFound, type ParsedSeal, Problem } from '../../../../src/plugin/index.ts'
import {
  assertNotSuspended,
  assertOperatorScope,
  badRequest,
  COMMON_SCHEMA,
  conflict,
  csvLine,
  INGEST_RACES,
  inAttempts,
  isGood,
  isUuid,
  lacksPermission,
  type ModuleCradle,
  ofChoice,
  type Principal,
  storageRefusal,
  type ValidatedRow,
} from '../../../../src/plugin/module.ts'
import type { components } from '../generated.ts'
import {
  addImport,
  beginImport,
  endImport,
  errorsOfImport,
  fileOfImport,
  findImport,
  headingsOfImport,
  holdBatch,
  holdImports,
  type ImportAttempt,
  type ImportError,
  type ImportOptions,
  type ImportRemark,
  type ImportRow,
  importOpened,
  listImports,
  storeBatch,
} from '../import-jobs.ts'
import {
  counted,
  errorLine,
  type FoundRemark,
  inCells,
  isWithin,
  lineRecord,
  placeOf,
  productIdOf,
  type ReadRecord,
  rowOf,
  withCategory,
} from '../import-rows.ts'
import { ERROR, kindsByCategory, readingOf } from '../tables/columns.ts'
import { openTable, type TableRecord } from '../tables/read-table.ts'
import { CHARSETS, type Format, type Remark, TableError } from '../tables/table.ts'

/** Limits of one transaction, as for a bulk. */
const BATCH_ROWS = 200
const BATCH_CHARACTERS = 1024 * 1024
const MAX_OPEN_IMPORTS = 2
const RETENTION_DAYS = 7
const SHOWN_ERRORS = 20
/** Stored bytes of rejected rows; only reasons are stored beyond. */
const MAX_ERROR_BYTES = 16 * 1024 * 1024
const MAX_MESSAGE_CHARACTERS = 2000
const FAILED_OFTEN = 'The import failed repeatedly and was cancelled.'
const DEADLY =
  'The import crashed the process twice and was cancelled. Save the file again, or send it in parts or as CSV.'

interface ImportRequest {
  readonly format: Format
  readonly file: Buffer
  readonly dryRun?: boolean | undefined
  readonly category?: string | undefined
  readonly charset?: string | undefined
  readonly lang: string
  readonly isForced?: boolean | undefined
}

type Schemas = components['schemas']
type Shown = Schemas['OneImport']['import']
type Verdict = Awaited<ReturnType<ModuleCradle['passportIntake']['validateAll']>>[number]

export default function imports({
  config: { baseUrl },
  database,
  outbox,
  identity,
  passportImport,
  passportIntake,
  passportRules,
  plugins,
  translator,
}: ModuleCradle) {
  const kindsFor = kindsByCategory(plugins.categories, COMMON_SCHEMA)

  return { add, list, find, errorsFile, work, abandon }

  /**
   * Finds an earlier import of the same file.
   * @param isQueued false if the caller runs it
   * @throws Problem 400; 409 if too many imports are unfinished
   */
  async function add(
    principal: Principal,
    { format, file, isForced = false, dryRun = false, category, charset, lang }: ImportRequest,
    isQueued = true,
  ): Promise<{ readonly import: Shown; readonly isRepeated: boolean }> {
    if (file.length === 0) throw badRequest('The file is empty.')
    if (category !== undefined && !plugins.categories.has(category)) {
      throw badRequest(`category: ${ofChoice([...plugins.categories.keys()], category).message}`)
    }
    if (charset !== undefined && format !== 'csv') throw badRequest('charset is allowed only for text/csv. Remove it.')
    const { tenantId } = principal
    const options: ImportOptions = { dryRun, category, charset, lang }
    const fileHash = createHash('sha256').update(file).digest()
    const id = randomUUID()
    const now = Date.now()
    const createdAt = new Date(now).toISOString()
    const expiresAt = new Date(now + RETENTION_DAYS * 86_400_000).toISOString()
    const same = await database.transaction(tenantId, async (tx) => {
      const held = await holdImports(tx, principal, { fileHash, options })
      if (held.same !== undefined && !isForced && !dryRun) return held.same
      if (held.open >= MAX_OPEN_IMPORTS)
        throw conflict(`${MAX_OPEN_IMPORTS} imports are not finished yet. Retry later.`, 'IMPORT_LIMIT_REACHED')
      addImport(tx, principal, { id, format, options, fileHash, file, createdAt, expiresAt })
      if (isQueued) await outbox.work(tx, 'imports', { tenantId, jobId: id })
      return undefined
    })
    return { import: shown(await findRow(principal, same ?? id)), isRepeated: same !== undefined }
  }

  async function list(principal: Principal): Promise<Omit<Schemas['ImportList'], 'success'>> {
    const rows = await listImports(database.forTenant(principal.tenantId), principal)
    return { imports: rows.map(shown) }
  }

  /** @throws Problem 403, 404 */
  async function find(principal: Principal, id: string): Promise<Omit<Schemas['OneImport'], 'success'>> {
    return { import: shown(await findRow(principal, id)) }
  }

  /** Streams rejected rows as CSV with reasons, to correct and resend. @throws Problem 403, 404 */
  async function errorsFile(principal: Principal, id: string): Promise<AsyncGenerator<Uint8Array>> {
    const found = await findRow(principal, id)
    const session = database.forTenant(principal.tenantId)
    return (async function* () {
      // Spreadsheet programs detect UTF-8 by the byte order mark.
      const headings = await headingsOfImport(session, principal.tenantId, found.id)
      yield Buffer.from(`\ufeff${csvLine([...headings, ERROR, '#row'])}`)
      for (let after = 0; ; ) {
        const piece = await errorsOfImport(session, principal.tenantId, found.id, after)
        if (piece === undefined) return
        after = piece.place
        yield Buffer.from(piece.lines)
      }
    })()
  }

  /** Resumes after the last batch; rows and progress are stored together. The signal aborts between batches. */
  async function work(
    tenantId: string,
    id: string,
    signal: AbortSignal,
    onProgress: (progress: Shown) => void = () => {},
  ): Promise<void> {
    const session = database.forTenant(tenantId)
    const attempt = isUuid(id) ? await beginImport(session, id) : undefined
    const found = attempt === undefined ? undefined : await findImport(session, tenantId, id)
    if (attempt === undefined || found === undefined) return
    const job = { id, tenantId, attempt }
    try {
      const file = await fileOfImport(session, tenantId, id, found.bytes)
      const charset = CHARSETS.find((name) => name === found.options.charset)
      const table = await openTable(file, found.format, charset)
      // Reads the whole file before the first row is stored: a truncated file stores nothing.
      let rows = 0
      let headings: readonly string[] = found.format === 'aasx' ? ['shell', 'productId'] : ['document']
      for await (const record of table.records()) {
        rows += 1
        if (rows === 1 && 'headings' in record) headings = headingTexts(record)
        signal.throwIfAborted()
      }
      if (rows === 0) throw new TableError('The file has no rows after its headings.')
      await importOpened(session, job, { rows, headings, sheet: table.sheet })
      const state = newState(found, table.remarks)
      for await (const batch of batchesOf(table.records(), found.rowsRead)) {
        signal.throwIfAborted()
        await takeBatch(job, found, batch, state)
        onProgress(shown({ ...found, ...state.counts, status: 'working', rowsTotal: rows }))
      }
      await endImport(session, job)
    } catch (error) {
      if (!(error instanceof TableError)) throw error
      await endImport(session, job, beginningOf(error.message, MAX_MESSAGE_CHARACTERS))
    }
  }

  function abandon(tenantId: string, id: string, isDeadly: boolean): Promise<void> {
    return endImport(database.forTenant(tenantId), { id }, isDeadly ? DEADLY : FAILED_OFTEN)
  }

  async function takeBatch(job: ImportAttempt, found: ImportRow, batch: readonly TableRecord[], state: State) {
    const principal = await callerOf(job.tenantId, found)
    const { dryRun, category, lang } = found.options
    const read = await mapYielding(batch, (record): ReadRecord => {
      if ('shell' in record) return shellRecord(record, found.options)
      if ('line' in record) return lineRecord(record, category)
      return { record, ...readingOf(record.headings, record.row, kindsFor, category) }
    })
    const readable = read.filter(({ fault }) => fault === undefined)
    const validated = await passportIntake.validateAll(
      readable.map(({ document }) => document),
      lang,
    )
    for (const [index, row] of validated.entries()) {
      const seal = readable[index]?.seal
      if (seal !== undefined && isGood(row)) validated[index] = await withSeal(principal, row, seal)
    }
    const verdicts = new Map(readable.map((each, index) => [each, validated[index]]))
    const rows = await mapYielding(read, (each) => {
      const verdict = verdicts.get(each)
      return { each, verdict, refusal: refusalText(each, verdict, lang), remarks: remarksOn(each, lang) }
    })
    const remarks = counted(
      state.remarks,
      rows.flatMap((row) => row.remarks),
      (remark) => translator.advisory(remark, lang).friendlyMessage,
    )
    const inputs = rows.flatMap(({ verdict, refusal }) =>
      refusal === undefined && verdict !== undefined && isGood(verdict) ? [verdict] : [],
    )
    const from = state.counts.rowsRead
    const store = (refusalOf: (row: ValidatedRow) => string | undefined) => {
      const refused: ImportError[] = []
      const lines: string[] = []
      let { errorBytes } = state.counts
      for (const { each, verdict, refusal } of rows) {
        const message = refusal ?? (verdict !== undefined && isGood(verdict) ? refusalOf(verdict) : undefined)
        if (message === undefined) continue
        const place = 'shell' in each.record ? `${each.record.shell.place}: ` : ''
        const text = beginningOf(place + message, MAX_MESSAGE_CHARACTERS)
        refused.push({ row: rowOf(each.record), productId: productIdOf(each.document), message: text })
        const line = errorLine(each, text, errorBytes < MAX_ERROR_BYTES)
        errorBytes += Buffer.byteLength(line)
        lines.push(line)
      }
      return {
        rowsRead: from + batch.length,
        created: batch.length - refused.length,
        refused: refused.length,
        errors: [...state.errors, ...refused].slice(0, SHOWN_ERRORS),
        remarks,
        lines: lines.join(''),
        errorBytes,
      }
    }
    const inBatch = (
      work: (tx: Parameters<typeof storeBatch>[0]) => Promise<(row: ValidatedRow) => string | undefined>,
    ) =>
      database.transaction(job.tenantId, async (tx) => {
        const [isOurs, refusalOf] = await Promise.all([holdBatch(tx, job, from), work(tx)])
        if (!isOurs) throw new Error('Another attempt at this import has begun.')
        const outcome = store(refusalOf)
        storeBatch(tx, job, outcome)
        return outcome
      })
    const outcome = await inAttempts(INGEST_RACES, () =>
      inBatch(async (tx) => {
        const { refusals } = await passportIntake.admit(tx, principal, inputs, {
          preview: dryRun,
          // Rows of a dry run count against the quota of the next batch.
          promised: dryRun ? state.counts.created : 0,
        })
        return (row) => refusals.get(row)
      }),
    ).catch((error: unknown) => {
      // Rejects these rows instead of retrying; stores nothing.
      const full = storageRefusal(error, baseUrl)
      if (full === undefined) throw error
      return inBatch(async () => () => full.message)
    })
    state.counts = {
      rowsRead: outcome.rowsRead,
      created: state.counts.created + outcome.created,
      refused: state.counts.refused + outcome.refused,
      errorBytes: outcome.errorBytes,
    }
    state.errors = outcome.errors
    state.remarks = outcome.remarks
  }

  function refusalText(each: ReadRecord, verdict: Verdict | undefined, lang: string): string | undefined {
    const { record, document, fault, faults = [], unread = new Set() } = each
    if (fault !== undefined || verdict === undefined) return fault
    if (isGood(verdict)) return faults.length === 0 ? undefined : faults.join(' ')
    const found = isRecord(document) ? passportRules.review(document, lang) : []
    const cellTexts = inCells(
      record,
      found.filter(({ path }) => !isWithin(unread, path)),
    )
    return [...faults, cellTexts].join(' ').trim() || verdict.refusal
  }

  function remarksOn({ record, document, fault, remarks }: ReadRecord, lang: string): FoundRemark[] {
    if (fault !== undefined || !isRecord(document)) return [...remarks]
    const found = passportRules.remarks(document, lang).map((remark) => ({ ...remark, place: placeOf(record, remark) }))
    return [...remarks, ...found]
  }

  function shellRecord(
    record: Extract<TableRecord, { shell: unknown }>,
    { category, lang }: ImportOptions,
  ): ReadRecord {
    const { environment, fault } = record.shell
    if (fault !== undefined) return { record, document: undefined, fault, remarks: [] }
    try {
      const { seal, ...document } = passportImport.read('aas', environment, lang)
      return { record, document: withCategory(document, category), remarks: [], seal }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { issues } = error.fields
      const text = issues === undefined ? error.message : inCells(record, issues)
      return { record, document: undefined, fault: text, remarks: [] }
    }
  }

  async function withSeal(principal: Principal, row: ValidatedRow, seal: ParsedSeal) {
    try {
      return await passportImport.attested(principal, row, seal)
    } catch (error) {
      if (error instanceof Problem) return { productId: row.productId, refusal: error.message }
      throw error
    }
  }

  /** Revocation or suspension ends the import between batches. @throws TableError */
  async function callerOf(tenantId: string, { actor, role, operatorId }: ImportRow): Promise<Principal> {
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

  async function findRow(principal: Principal, id: string): Promise<ImportRow> {
    const { tenantId } = principal
    const found = isUuid(id) ? await findImport(database.forTenant(tenantId), tenantId, id) : undefined
    if (found === undefined) throw notFound('Import not found in your workspace.')
    assertOperatorScope(principal, found.operatorId)
    return found
  }

  function shown(row: ImportRow): Shown {
    const { id, status, format, options, bytes, rowsTotal, rowsRead, created, refused, sheet } = row
    const url = `${baseUrl}/api/v1/imports/${id}`
    return {
      ...{ id, status, format, dryRun: options.dryRun, category: options.category, bytes },
      ...{ sheet: sheet ?? undefined, rows: { total: rowsTotal, read: rowsRead, created, refused } },
      progress: status === 'done' ? 1 : rowsTotal === null || rowsTotal === 0 ? 0 : rowsRead / rowsTotal,
      errors: row.errors.map((error) => ({ ...error })),
      remarks: row.remarks.map((remark) => ({ ...remark })) as Shown['remarks'],
      failure: row.failure ?? undefined,
      ...{ createdAt: row.createdAt, finishedAt: row.finishedAt ?? undefined, expiresAt: row.expiresAt },
      url,
      errorsUrl: refused === 0 ? undefined : `${url}/errors`,
    }
  }
}

interface State {
  counts: Pick<ImportRow, 'rowsRead' | 'created' | 'refused' | 'errorBytes'>
  errors: readonly ImportError[]
  remarks: readonly ImportRemark[]
}

function newState(
  { rowsRead, created, refused, errorBytes, errors, remarks }: ImportRow,
  ofFile: readonly Remark[],
): State {
  return {
    counts: { rowsRead, created, refused, errorBytes },
    errors,
    remarks: rowsRead === 0 ? counted([], ofFile, () => '') : remarks,
  }
}

async function* batchesOf(records: AsyncIterable<TableRecord>, taken: number): AsyncGenerator<TableRecord[]> {
  let batch: TableRecord[] = []
  let characters = 0
  let count = 0
  for await (const record of records) {
    count += 1
    if (count <= taken) continue
    const length = lengthOf(record)
    if (batch.length > 0 && characters + length > BATCH_CHARACTERS) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(record)
    characters += length
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

const lengthOf = (record: TableRecord): number =>
  'shell' in record
    ? record.shell.characters
    : 'line' in record
      ? JSON.stringify(record.line.document ?? null).length
      : record.row.cells.reduce((sum: number, cell) => sum + (cell === undefined ? 1 : String(cell).length), 0)

const headingTexts = (record: Extract<TableRecord, { headings: unknown }>): string[] =>
  record.headings.columns.map((heading) => heading?.key ?? '').filter((key) => key !== ERROR && key !== '#row')
