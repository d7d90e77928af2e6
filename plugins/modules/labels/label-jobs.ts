import { iso, type Row, type Session, type Statement, type Transaction } from '../../../src/plugin/module.ts'
import type { LabelJob, SkippedLabel } from './entities.ts'
import type { Printer } from './label-rows.ts'

export interface LabelJobRow
  extends Row<
    LabelJob,
    'id' | 'operatorId' | 'subject' | 'status' | 'bytes' | 'included' | 'skipped' | 'createdAt' | 'expiresAt'
  > {
  /** JSON text. */
  readonly request: string
}

const MAX_STORED_JOBS = 3

const HOLD: Statement = {
  name: 'hold-label-jobs',
  text: `select pg_advisory_xact_lock(7034, hashtext($1))`,
}
const COUNT_OPEN: Statement = {
  name: 'count-open-label-jobs',
  text: `select count(*)::int as count from label_job
    where tenant_id = $1 and status in ('waiting', 'working') and expires_at > now()`,
}
const DROP_OLD: Statement = {
  name: 'drop-old-label-jobs',
  text: `delete from label_job where tenant_id = $1 and status in ('done', 'failed') and id not in (
      select id from label_job where tenant_id = $1 and status in ('done', 'failed') order by created_at desc limit $2)`,
}
const ADD: Statement = {
  name: 'add-label-job',
  text: `insert into label_job (id, tenant_id, operator_id, subject, request, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,
}

/** Blocks additions until the transaction ends. */
export async function holdOpenJobs(tx: Transaction, tenantId: string): Promise<number> {
  const [, [row]] = await Promise.all([tx.run(HOLD, [tenantId]), tx.run<{ count: number }>(COUNT_OPEN, [tenantId])])
  return row?.count ?? 0
}

export function addLabelJob(
  tx: Transaction,
  { tenantId, operatorId }: Printer,
  {
    id,
    subject,
    request,
    createdAt,
    expiresAt,
  }: Pick<LabelJobRow, 'id' | 'subject' | 'request' | 'createdAt' | 'expiresAt'>,
): void {
  tx.write(DROP_OLD, [tenantId, MAX_STORED_JOBS])
  tx.write(ADD, [id, tenantId, operatorId, subject, request, createdAt, expiresAt])
}

const FIND: Statement = {
  name: 'find-label-job',
  text: `select id, operator_id as "operatorId", subject, request::text as request, status, bytes::float8 as bytes, included,
      skipped::text as skipped, ${iso('created_at')} as "createdAt", ${iso('expires_at')} as "expiresAt"
    from label_job where id = $1 and tenant_id = $2 and expires_at > now()`,
}

export async function findLabelJob(session: Session, tenantId: string, id: string): Promise<LabelJobRow | undefined> {
  const [row] = await session.run<Omit<LabelJobRow, 'skipped'> & { skipped: string | null }>(FIND, [id, tenantId])
  return row && { ...row, skipped: row.skipped === null ? null : JSON.parse(row.skipped) }
}

const BEGIN: Statement = {
  name: 'begin-label-job',
  text: `update label_job set status = 'working', attempt = attempt + 1 where id = $1 and status <> 'done'
    returning attempt`,
}
const CLEAR: Statement = { name: 'clear-label-pieces', text: `delete from label_piece where job_id = $1` }

/**
 * Invalidates earlier attempts and deletes their pieces.
 * @returns attempt number; undefined if the job is gone or done
 */
export async function beginLabelJob(session: Session, id: string): Promise<number | undefined> {
  const [[begun]] = await Promise.all([session.run<{ attempt: number }>(BEGIN, [id]), session.run(CLEAR, [id])])
  return begun?.attempt
}

const FAIL: Statement = {
  name: 'fail-label-job',
  text: `update label_job set status = 'failed', attempt = attempt + 1 where id = $1 and status <> 'done'`,
}

export async function failLabelJob(session: Session, id: string): Promise<void> {
  await Promise.all([session.run(FAIL, [id]), session.run(CLEAR, [id])])
}

// The lock makes a new attempt wait, so that it deletes this piece too.
const ADD_PIECE: Statement = {
  name: 'add-label-piece',
  text: `insert into label_piece (job_id, tenant_id, place, bytes)
    select id, tenant_id, $3, $4 from label_job where id = $1 and attempt = $2 for share returning place`,
}

/** @throws Error if a newer attempt has begun */
export async function addLabelPiece(
  session: Session,
  { id, attempt }: { readonly id: string; readonly attempt: number },
  place: number,
  bytes: Uint8Array,
): Promise<void> {
  const added = await session.run(ADD_PIECE, [id, attempt, place, bytes])
  if (added.length === 0) throw new Error('Another attempt at these labels has begun.')
}

const FINISH: Statement = {
  name: 'finish-label-job',
  text: `update label_job set status = 'done', bytes = $3, included = $4, skipped = $5 where id = $1 and attempt = $2`,
}

/** No effect if a newer attempt has begun. */
export async function finishLabelJob(
  session: Session,
  { id, attempt }: { readonly id: string; readonly attempt: number },
  { bytes, included, skipped }: { bytes: number; included: number; skipped: readonly SkippedLabel[] },
): Promise<void> {
  await session.run(FINISH, [id, attempt, bytes, included, JSON.stringify(skipped)])
}

const PIECE: Statement = {
  name: 'label-piece',
  text: `select bytes from label_piece where job_id = $1 and tenant_id = $2 and place = $3`,
}

export async function labelPiece(
  session: Session,
  tenantId: string,
  jobId: string,
  place: number,
): Promise<Uint8Array | undefined> {
  const [row] = await session.run<{ bytes: Uint8Array }>(PIECE, [jobId, tenantId, place])
  return row?.bytes
}
