import { createHash, randomUUID } from 'node:crypto'
import { notFound } from '../../../../src/plugin/index.ts'
import {
  assertOperatorScope,
  badRequest,
  COMMON_SCHEMA,
  conflict,
  csvLine,
  isUuid,
  type ModuleCradle,
  ofChoice,
  type Principal,
} from '../../../../src/plugin/module.ts'
import type { components } from '../generated.ts'
import {
  addImport,
  endImport,
  errorsOfImport,
  fileOfImport,
  findImport,
  hasFile,
  headingsOfImport,
  holdImports,
  type ImportOptions,
  type ImportRow,
  listImports,
} from '../import-jobs.ts'
import { type ImportResult, importResult } from '../import-result.ts'
import { runImport } from '../run-import.ts'
import { ERROR, kindsByCategory } from '../tables/columns.ts'
import { namedValues } from '../tables/named-values.ts'
import { previewTable, type TablePreview } from '../tables/read-table.ts'
import { CHARSETS, type Format, TableError } from '../tables/table.ts'

const MAX_OPEN_IMPORTS = 2
const RETENTION_DAYS = 7
const FAILED_OFTEN = 'The import failed repeatedly and was cancelled.'
const DEADLY =
  'The import crashed the process twice and was cancelled. Save the file again, or send it in parts or as CSV.'

interface ImportRequest {
  readonly format: Format
  readonly file: Buffer
  readonly dryRun?: boolean | undefined
  readonly draft?: boolean | undefined
  readonly category?: string | undefined
  readonly operatorId?: string | undefined
  readonly charset?: string | undefined
  /** Keys by heading of the table. */
  readonly columns?: Readonly<Record<string, string>> | undefined
  readonly acceptsNames?: boolean | undefined
  /** Import whose rejected rows the file corrects, or a check of such a file. */
  readonly corrects?: string | undefined
  readonly lang: string
  readonly isForced?: boolean | undefined
}

interface MatchedPreview extends TablePreview {
  readonly key: string | undefined
}

type Schemas = components['schemas']

export default function imports({
  config: { baseUrl },
  database,
  outbox,
  identity,
  passportImport,
  passportIntake,
  passportRules,
  descriptions,
  plugins,
  translator,
}: ModuleCradle) {
  const kindsFor = kindsByCategory(plugins.categories, COMMON_SCHEMA)
  const named = namedValues(plugins.categories, COMMON_SCHEMA, (name, lang) => descriptions.of(name, lang).name)
  const deps = {
    baseUrl,
    database,
    identity,
    passportImport,
    passportIntake,
    passportRules,
    translator,
    kindsFor,
    named,
  }

  return { add, list, toCorrect, find, preview, repeat, errorsFile, work, abandon }

  /**
   * Finds an earlier import of the same file.
   * @param isQueued false if the caller runs it
   * @throws Problem 400; 409 if too many imports are unfinished
   */
  async function add(
    principal: Principal,
    request: ImportRequest,
    isQueued = true,
  ): Promise<{ readonly import: ImportResult; readonly isRepeated: boolean }> {
    assertValid(request)
    const { format, file, isForced = false, dryRun = false, draft = false, ...more } = request
    const { tenantId } = principal
    const corrects = more.corrects === undefined ? undefined : await originOf(principal, more.corrects)
    const options: ImportOptions = { ...more, dryRun, draft, corrects }
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
    return { import: importResult(baseUrl, await findRow(principal, same ?? id)), isRepeated: same !== undefined }
  }

  function assertValid({ file, category, charset, columns, format }: ImportRequest): void {
    if (columns !== undefined && format !== 'csv' && format !== 'xlsx') {
      throw badRequest('columns is allowed only for tables. Remove it.')
    }
    if (file.length === 0) throw badRequest('The file is empty.')
    if (category !== undefined && !plugins.categories.has(category)) {
      throw badRequest(`category: ${ofChoice([...plugins.categories.keys()], category).message}`)
    }
    if (charset !== undefined && format !== 'csv') throw badRequest('charset is allowed only for text/csv. Remove it.')
  }

  async function list(principal: Principal): Promise<Omit<Schemas['ImportList'], 'success'>> {
    const rows = await listImports(database.forTenant(principal.tenantId), principal)
    return { imports: rows.map((row) => importResult(baseUrl, row)) }
  }

  /** Imports with rejected rows that no later import corrects; of a key only the newest, because programs send such rows again. */
  async function toCorrect(principal: Principal): Promise<ImportResult[]> {
    const stored = await listImports(database.forTenant(principal.tenantId), principal)
    const rows = stored.filter(({ status, options }) => status === 'done' && !options.dryRun)
    const corrected = new Set(rows.map(({ options }) => options.corrects))
    const isNewest = (row: ImportRow) => rows.find(({ actor }) => actor === row.actor) === row
    return rows
      .filter((row) => row.refused > 0 && !corrected.has(row.id) && (row.actor.startsWith('person:') || isNewest(row)))
      .map((row) => importResult(baseUrl, row))
  }

  /** Import whose rejected rows are corrected, also if the file was only checked meanwhile. */
  async function originOf(principal: Principal, id: string): Promise<string | undefined> {
    const rows = await listImports(database.forTenant(principal.tenantId), principal)
    const found = rows.find((row) => row.id === id)
    return found?.options.dryRun ? found.options.corrects : found?.id
  }

  /** @throws Problem 403, 404 */
  async function find(principal: Principal, id: string): Promise<Omit<Schemas['OneImport'], 'success'>> {
    return { import: importResult(baseUrl, await findRow(principal, id)) }
  }

  /** Headings with their keys, if chosen, and first rows of a checked table; undefined if its file is no longer stored. @throws Problem 403, 404 */
  async function preview(principal: Principal, id: string): Promise<readonly MatchedPreview[] | undefined> {
    const found = await findRow(principal, id)
    const session = database.forTenant(principal.tenantId)
    const { format } = found
    if ((format !== 'csv' && format !== 'xlsx') || !(await hasFile(session, principal.tenantId, found.id)))
      return undefined
    const file = await fileOfImport(session, principal.tenantId, found.id, found.bytes)
    const charset = CHARSETS.find((name) => name === found.options.charset)
    try {
      const columns = new Map(Object.entries(found.options.columns ?? {}))
      const headings = await previewTable(file, format, charset)
      return headings.map((one) => ({ ...one, key: columns.get(one.heading) }))
    } catch (error) {
      if (error instanceof TableError) return undefined
      throw error
    }
  }

  /**
   * Imports or checks a checked file again.
   * @throws Problem 403, 404, also if its file is no longer stored; 400, 409 as {@link add}
   */
  async function repeat(
    principal: Principal,
    id: string,
    changes: Pick<ImportRequest, 'columns' | 'dryRun' | 'draft' | 'lang'>,
  ): Promise<{ readonly import: ImportResult }> {
    const { format, bytes, options, ...found } = await findRow(principal, id)
    const session = database.forTenant(principal.tenantId)
    if (!(await hasFile(session, principal.tenantId, found.id))) {
      throw notFound('The file of this import is no longer stored. Send it again.')
    }
    const file = await fileOfImport(session, principal.tenantId, found.id, bytes)
    const columns = changes.columns ?? options.columns
    return add(principal, { ...options, format, file, ...changes, columns, isForced: columns !== undefined })
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

  function work(tenantId: string, id: string, signal: AbortSignal, onBatch?: () => void): Promise<void> {
    return runImport(deps, tenantId, id, signal, onBatch)
  }

  function abandon(tenantId: string, id: string, isDeadly: boolean): Promise<void> {
    return endImport(database.forTenant(tenantId), { id }, isDeadly ? DEADLY : FAILED_OFTEN)
  }

  async function findRow(principal: Principal, id: string): Promise<ImportRow> {
    const { tenantId } = principal
    const found = isUuid(id) ? await findImport(database.forTenant(tenantId), tenantId, id) : undefined
    if (found === undefined) throw notFound('Import not found in your workspace.')
    assertOperatorScope(principal, found.operatorId)
    return found
  }
}
