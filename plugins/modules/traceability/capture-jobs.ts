import { iso, type Row, type Session, type Statement, type Transaction } from '../../../src/plugin/module.ts'
import type { CaptureJob } from './entities.ts'
import type { components } from './generated.ts'

type Schemas = components['schemas']

export interface CaptureRow
  extends Row<CaptureJob, 'id' | 'place' | 'eventCount' | 'judgedCount' | 'isSuccess' | 'createdAt' | 'finishedAt'> {
  readonly errors: readonly Schemas['CaptureError'][]
}

/** Ineffective once a newer attempt begins. */
export interface CaptureAttempt {
  readonly id: string
  readonly attempt: number
}

const MAX_STORED_JOBS = 100

const HOLD: Statement = { name: 'hold-captures', text: `select pg_advisory_xact_lock(7036, hashtext($1))` }
const COUNT_OPEN: Statement = {
  name: 'count-open-captures',
  text: `select count(*)::int as count from capture_job
    where tenant_id = app_tenant() and is_success is null and expires_at > now()`,
}
const DROP_OLD: Statement = {
  name: 'drop-old-captures',
  text: `delete from capture_job where tenant_id = app_tenant() and is_success is not null and id not in (
      select id from capture_job where tenant_id = app_tenant() and is_success is not null order by place desc limit $1)`,
}
const ADD: Statement = {
  name: 'add-capture',
  text: `insert into capture_job (id, tenant_id, around, event_count, created_at, expires_at)
    values ($1, app_tenant(), $2, $3, $4, $5)`,
}
const ADD_PIECES: Statement = {
  name: 'add-capture-pieces',
  text: `insert into capture_piece (job_id, tenant_id, place, events)
    select $1, app_tenant(), p.place, p.events from unnest($2::json[]) with ordinality as p (events, place)`,
}

/** Blocks additions until the transaction ends. */
export async function holdOpenCaptures(tx: Transaction, tenantId: string): Promise<number> {
  const [, [row]] = await Promise.all([tx.run(HOLD, [tenantId]), tx.run<{ count: number }>(COUNT_OPEN)])
  return row?.count ?? 0
}

/** `pieces` are JSON lists of events, in order. */
export function addCapture(
  tx: Transaction,
  job: {
    readonly id: string
    readonly around: string
    readonly pieces: readonly string[]
    readonly eventCount: number
    readonly createdAt: string
    readonly expiresAt: string
  },
): void {
  tx.write(DROP_OLD, [MAX_STORED_JOBS])
  tx.write(ADD, [job.id, job.around, job.eventCount, job.createdAt, job.expiresAt])
  tx.write(ADD_PIECES, [job.id, job.pieces])
}

const COLUMNS = `id, place::float8 as place, event_count as "eventCount", judged_count as "judgedCount",
  is_success as "isSuccess", errors::text as errors, ${iso('created_at')} as "createdAt", ${iso('finished_at')} as "finishedAt"`
type RawCapture = Omit<CaptureRow, 'errors'> & { readonly errors: string }
const toCapture = (row: RawCapture): CaptureRow => ({ ...row, errors: JSON.parse(row.errors) })

const FIND: Statement = {
  name: 'find-capture',
  text: `select ${COLUMNS} from capture_job where tenant_id = app_tenant() and id = $1 and expires_at > now()`,
}

export async function findCapture(session: Session, id: string): Promise<CaptureRow | undefined> {
  const [row] = await session.run<RawCapture>(FIND, [id])
  return row && toCapture(row)
}

const LIST: Statement = {
  name: 'list-captures',
  text: `select ${COLUMNS} from capture_job
    where tenant_id = app_tenant() and expires_at > now() and ($1::bigint is null or place < $1) order by place desc limit $2`,
}

export async function listCaptures(session: Session, before: string | null, pageSize: number): Promise<CaptureRow[]> {
  return (await session.run<RawCapture>(LIST, [before, pageSize])).map(toCapture)
}

const BEGIN: Statement = {
  name: 'begin-capture',
  text: `update capture_job set attempt = attempt + 1, judged_count = 0
    where tenant_id = app_tenant() and id = $1 and is_success is null returning attempt, around::text as around`,
}

/** @returns undefined if the job is gone or finished */
export async function beginCapture(
  session: Session,
  id: string,
): Promise<(CaptureAttempt & { readonly around: string }) | undefined> {
  const [begun] = await session.run<{ attempt: number; around: string }>(BEGIN, [id])
  return begun && { id, ...begun }
}

const PIECE: Statement = {
  name: 'capture-piece',
  text: `select events::text as events from capture_piece where tenant_id = app_tenant() and job_id = $1 and place = $2`,
}

/** Returns a JSON list of events; `place` starts at 1. */
export async function capturePiece(session: Session, id: string, place: number): Promise<string | undefined> {
  const [piece] = await session.run<{ events: string }>(PIECE, [id, place])
  return piece?.events
}

const REPORT: Statement = {
  name: 'report-capture',
  text: `update capture_job set judged_count = $3 where tenant_id = app_tenant() and id = $1 and attempt = $2`,
}

export async function reportCapture(
  session: Session,
  { id, attempt }: CaptureAttempt,
  validatedCount: number,
): Promise<void> {
  await session.run(REPORT, [id, attempt, validatedCount])
}

const FINISH: Statement = {
  name: 'finish-capture',
  text: `with finished as (
      update capture_job set is_success = $3, errors = $4, finished_at = $5
      where tenant_id = app_tenant() and id = $1 and attempt = $2 and is_success is null returning id
    ), cleared as (
      delete from capture_piece where tenant_id = app_tenant() and job_id in (select id from finished)
    )
    select id from finished`,
}

/** @throws Error without any change if another attempt has begun */
export async function finishCapture(
  session: Session,
  { id, attempt }: CaptureAttempt,
  { errors, at }: { readonly errors: readonly Schemas['CaptureError'][]; readonly at: Date },
): Promise<void> {
  const finished = await session.run(FINISH, [id, attempt, errors.length === 0, JSON.stringify(errors), at])
  if (finished.length === 0) throw new Error('Another attempt at this capture has begun.')
}

const ABANDON: Statement = {
  name: 'abandon-capture',
  text: `update capture_job set attempt = attempt + 1 where tenant_id = app_tenant() and id = $1 and is_success is null
    returning attempt`,
}

/** @returns an attempt that can only finish the job; undefined if it is gone or finished */
export async function endCaptureAttempts(session: Session, id: string): Promise<CaptureAttempt | undefined> {
  const [ended] = await session.run<{ attempt: number }>(ABANDON, [id])
  return ended && { id, attempt: ended.attempt }
}
