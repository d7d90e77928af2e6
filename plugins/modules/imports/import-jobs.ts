import {
  iso,
  type Principal,
  type Row,
  type Session,
  type Statement,
  type Transaction,
} from '../../../src/plugin/module.ts'
import type { Import } from './entities.ts'

export interface ImportOptions {
  readonly dryRun: boolean
  readonly draft?: boolean | undefined
  /** Defaults of the rows. */
  readonly category?: string | undefined
  readonly operatorId?: string | undefined
  readonly charset?: string | undefined
  readonly columns?: Readonly<Record<string, string>> | undefined
  /** Accepts names of categories and countries, and dates with dots. */
  readonly acceptsNames?: boolean | undefined
  /** Import whose rejected rows the file corrects. */
  readonly corrects?: string | undefined
  readonly lang: string
}

export interface ImportedPassport {
  readonly id: string
  readonly productId: string
}

export interface ImportError {
  readonly row: number
  readonly productId?: string | undefined
  readonly message: string
}

export interface ImportRemark {
  readonly code: string
  readonly count: number
  readonly place?: string | undefined
  readonly path?: string | undefined
  /** In the caller's language. */
  readonly message?: string | undefined
}

export interface ImportRow
  extends Row<
    Import,
    | 'id'
    | 'operatorId'
    | 'actor'
    | 'role'
    | 'format'
    | 'bytes'
    | 'status'
    | 'rowsTotal'
    | 'rowsRead'
    | 'created'
    | 'refused'
    | 'errorBytes'
    | 'failure'
    | 'createdAt'
    | 'finishedAt'
    | 'expiresAt'
  > {
  readonly options: ImportOptions
  readonly sheet: string | null
  readonly errors: readonly ImportError[]
  readonly remarks: readonly ImportRemark[]
  readonly passports: readonly ImportedPassport[]
}

const MAX_STORED_IMPORTS = 20

const HOLD: Statement = { name: 'hold-imports', text: `select pg_advisory_xact_lock(7035, hashtext($1))` }
const COUNT_OPEN: Statement = {
  name: 'count-open-imports',
  text: `select count(*)::int as count from import
    where tenant_id = $1 and status in ('waiting', 'working') and expires_at > now()`,
}
const SAME_FILE: Statement = {
  name: 'import-of-file',
  text: `select id from import where tenant_id = $1 and file_hash = $2 and status <> 'failed' and expires_at > now()
      and not (options ->> 'dryRun')::boolean and options ->> 'category' is not distinct from $3 and operator_id is not distinct from $4::uuid
      and coalesce((options ->> 'draft')::boolean, false) = $5 and options ->> 'operatorId' is not distinct from $6
      and ($7::text is null or (options ->> 'acceptsNames' = 'true' and options ->> 'lang' = $7))
    order by created_at desc limit 1`,
}

/** Counts unfinished imports and finds that of the same file; blocks additions until the transaction ends. */
export async function holdImports(
  tx: Transaction,
  { tenantId, operatorId }: Pick<Principal, 'tenantId' | 'operatorId'>,
  { fileHash, options }: { readonly fileHash: Uint8Array; readonly options: ImportOptions },
): Promise<{ readonly open: number; readonly same: string | undefined }> {
  const [, [counted], [same]] = await Promise.all([
    tx.run(HOLD, [tenantId]),
    tx.run<{ count: number }>(COUNT_OPEN, [tenantId]),
    tx.run<{ id: string }>(SAME_FILE, [
      ...[tenantId, fileHash, options.category ?? null, operatorId],
      // Names depend on the language.
      ...[options.draft ?? false, options.operatorId ?? null, options.acceptsNames ? options.lang : null],
    ]),
  ])
  return { open: counted?.count ?? 0, same: same?.id }
}

const DROP_OLD: Statement = {
  name: 'drop-old-imports',
  text: `delete from import where tenant_id = $1 and status in ('done', 'failed') and id not in (
      select id from import where tenant_id = $1 and status in ('done', 'failed') order by created_at desc limit $2)`,
}
const ADD: Statement = {
  name: 'add-import',
  text: `insert into import (id, tenant_id, operator_id, actor, role, format, options, file_hash, bytes, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
}
const ADD_PIECE: Statement = {
  name: 'add-import-piece',
  text: `insert into import_piece (import_id, tenant_id, place, bytes) values ($1, $2, $3, $4)`,
}
const PIECE_BYTES = 1024 * 1024
/** A workspace has one checked file at most. */
const DROP_CHECKED: Statement = {
  name: 'drop-checked-file',
  text: `delete from import_piece p using import i where p.tenant_id = $1 and i.id = p.import_id and i.status in ('done', 'failed')`,
}

export function addImport(
  tx: Transaction,
  { tenantId, operatorId, actor, role }: Pick<Principal, 'tenantId' | 'operatorId' | 'actor' | 'role'>,
  {
    id,
    format,
    options,
    fileHash,
    file,
    createdAt,
    expiresAt,
  }: Pick<ImportRow, 'id' | 'format' | 'options' | 'createdAt' | 'expiresAt'> & {
    readonly fileHash: Uint8Array
    readonly file: Uint8Array
  },
): void {
  tx.write(DROP_OLD, [tenantId, MAX_STORED_IMPORTS])
  tx.write(DROP_CHECKED, [tenantId])
  tx.write(ADD, [
    ...[id, tenantId, operatorId, actor, role, format, JSON.stringify(options), fileHash, file.length],
    ...[createdAt, expiresAt],
  ])
  for (let place = 0; place * PIECE_BYTES < file.length; place += 1) {
    tx.write(ADD_PIECE, [id, tenantId, place, file.subarray(place * PIECE_BYTES, (place + 1) * PIECE_BYTES)])
  }
}

const COLUMNS = `id, operator_id as "operatorId", actor, role, format, options::text as options, bytes, status,
  rows_total as "rowsTotal", rows_read as "rowsRead", created, refused, error_bytes as "errorBytes", headings ->> 'sheet' as sheet,
  errors::text as errors, remarks::text as remarks, passports::text as passports, failure, ${iso('created_at')} as "createdAt",
  ${iso('finished_at')} as "finishedAt", ${iso('expires_at')} as "expiresAt"`

type RawImport = Omit<ImportRow, 'options' | 'errors' | 'remarks' | 'passports'> & {
  readonly options: string
  readonly errors: string
  readonly remarks: string
  readonly passports: string
}

const parsed = ({ options, errors, remarks, passports, ...row }: RawImport): ImportRow => ({
  ...row,
  options: JSON.parse(options),
  errors: JSON.parse(errors),
  remarks: JSON.parse(remarks),
  passports: JSON.parse(passports),
})

const FIND: Statement = {
  name: 'find-import',
  text: `select ${COLUMNS} from import where id = $1 and tenant_id = $2 and expires_at > now()`,
}

export async function findImport(session: Session, tenantId: string, id: string): Promise<ImportRow | undefined> {
  const [row] = await session.run<RawImport>(FIND, [id, tenantId])
  return row && parsed(row)
}

const LIST: Statement = {
  name: 'list-imports',
  text: `select ${COLUMNS} from import
    where tenant_id = $1 and ($2::uuid is null or operator_id = $2::uuid) and expires_at > now()
    order by created_at desc, id limit 50`,
}

/** Returns the newest first; only of the caller's operator if limited to one. */
export async function listImports(
  session: Session,
  { tenantId, operatorId }: Pick<Principal, 'tenantId' | 'operatorId'>,
): Promise<ImportRow[]> {
  return (await session.run<RawImport>(LIST, [tenantId, operatorId])).map(parsed)
}

const BEGIN: Statement = {
  name: 'begin-import',
  text: `update import set status = 'working', attempt = attempt + 1 where id = $1 and status in ('waiting', 'working')
    returning attempt`,
}

/**
 * Invalidates earlier attempts.
 * @returns undefined if the import is gone or finished
 */
export async function beginImport(session: Session, id: string): Promise<number | undefined> {
  const [begun] = await session.run<{ attempt: number }>(BEGIN, [id])
  return begun?.attempt
}

const FILE: Statement = {
  name: 'import-file',
  text: `select bytes from import_piece where import_id = $1 and tenant_id = $2 and place = $3`,
}

const HAS_FILE: Statement = {
  name: 'import-has-file',
  text: 'select 1 from import_piece where import_id = $1 and tenant_id = $2 limit 1',
}

export const hasFile = async (session: Session, tenantId: string, id: string): Promise<boolean> =>
  (await session.run(HAS_FILE, [id, tenantId])).length > 0

export async function fileOfImport(session: Session, tenantId: string, id: string, bytes: number): Promise<Buffer> {
  const file = Buffer.alloc(bytes)
  let at = 0
  for (let place = 0; at < bytes; place += 1) {
    const [piece] = await session.run<{ bytes: Buffer }>(FILE, [id, tenantId, place])
    if (piece === undefined) throw new Error(`The file of import ${id} is missing.`)
    at += piece.bytes.copy(file, at)
  }
  return file
}

export interface ImportAttempt {
  readonly id: string
  readonly tenantId: string
  readonly attempt: number
}

const OPENED: Statement = {
  name: 'import-opened',
  text: `update import set rows_total = $3, headings = $4 where id = $1 and attempt = $2`,
}

export async function importOpened(
  session: Session,
  { id, attempt }: ImportAttempt,
  { rows, headings, sheet }: { rows: number; headings: readonly string[]; sheet: string | undefined },
): Promise<void> {
  await session.run(OPENED, [id, attempt, rows, JSON.stringify({ headings, sheet })])
}

const LOCK: Statement = {
  name: 'lock-import',
  text: `select 1 from import where id = $1 and attempt = $2 and rows_read = $3 and status = 'working' for update`,
}

/** False if another attempt has begun. */
export const holdBatch = async (tx: Transaction, { id, attempt }: ImportAttempt, rowsRead: number): Promise<boolean> =>
  (await tx.run(LOCK, [id, attempt, rowsRead])).length > 0

interface BatchOutcome {
  readonly rowsRead: number
  readonly created: number
  readonly refused: number
  readonly errors: readonly ImportError[]
  readonly remarks: readonly ImportRemark[]
  readonly passports: readonly ImportedPassport[]
  readonly lines: string
}

const PROGRESS: Statement = {
  name: 'import-progress',
  text: `update import set rows_read = $2, created = created + $3, refused = refused + $4, errors = $5, remarks = $6,
      error_bytes = error_bytes + $7, passports = $8 where id = $1`,
}
const ADD_ERRORS: Statement = {
  name: 'add-import-errors',
  text: `insert into import_error (import_id, tenant_id, place, lines) values ($1, $2, $3, $4)`,
}

export function storeBatch(tx: Transaction, { id, tenantId }: ImportAttempt, outcome: BatchOutcome): void {
  const { rowsRead, created, refused, errors, remarks, passports, lines } = outcome
  const size = Buffer.byteLength(lines)
  const texts = [errors, remarks, passports].map((list) => JSON.stringify(list))
  tx.write(PROGRESS, [id, rowsRead, created, refused, ...texts.slice(0, 2), size, ...texts.slice(2)])
  if (size > 0) tx.write(ADD_ERRORS, [id, tenantId, rowsRead, lines])
}

const END: Statement = {
  name: 'end-import',
  text: `update import set status = case when $3::text is null then 'done' else 'failed' end, failure = $3, finished_at = now()
    where id = $1 and ($2::int is null or attempt = $2) and status in ('waiting', 'working') returning 1`,
}
const CLEAR: Statement = {
  name: 'clear-import-file',
  text: `delete from import_piece p using import i where p.import_id = $1 and i.id = p.import_id and i.status in ('done', 'failed')
    and not (i.options ->> 'dryRun')::boolean`,
}

/** Deletes the file too, unless it was only checked. Ends the latest attempt by default. */
export async function endImport(
  session: Session,
  { id, attempt }: { readonly id: string; readonly attempt?: number },
  failure: string | null = null,
): Promise<void> {
  await Promise.all([session.run(END, [id, attempt ?? null, failure]), session.run(CLEAR, [id])])
}

const HEADINGS: Statement = {
  name: 'import-headings',
  text: `select headings ->> 'headings' as headings from import where id = $1 and tenant_id = $2`,
}

export async function headingsOfImport(session: Session, tenantId: string, id: string): Promise<readonly string[]> {
  const [row] = await session.run<{ headings: string | null }>(HEADINGS, [id, tenantId])
  return JSON.parse(row?.headings ?? '[]')
}

const ERRORS: Statement = {
  name: 'import-errors',
  text: `select place, lines from import_error where import_id = $1 and tenant_id = $2 and place > $3 order by place limit 1`,
}

export async function errorsOfImport(
  session: Session,
  tenantId: string,
  id: string,
  after: number,
): Promise<{ readonly place: number; readonly lines: string } | undefined> {
  const [row] = await session.run<{ place: number; lines: string }>(ERRORS, [id, tenantId, after])
  return row
}
