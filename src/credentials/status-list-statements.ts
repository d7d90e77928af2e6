import type { Session, Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import type { StatusPlace } from './credential.ts'

export interface StatusSubject {
  readonly kind: 'passport' | 'unit'
  readonly id: string
}

/** W3C Bitstring Status List 1.0, section 2.2: at least 131,072, so that a lookup does not reveal the subject. */
export const LIST_PLACES = 131_072

const PLACE: Statement = {
  name: 'status-place-list-and-floor',
  text: `select e.index, e.list, w.status_floor as floor from workspace w left join status_entry e on e.subject_id = $1
    where w.id = app_tenant()`,
}

/** `floor`: the original of a restored copy may have allotted lower free places. */
export async function statusPlace(
  session: Session,
  { id }: StatusSubject,
): Promise<{ readonly place: StatusPlace | undefined; readonly floor: number }> {
  const [entry] = await session.run<{ index: number | null; list: number; floor: number }>(PLACE, [id])
  const { index = null, list = 0, floor = 0 } = entry ?? {}
  return { place: index === null ? undefined : { list, index: placeIn(list, index) }, floor }
}

export const placeIn = (list: number, index: number) => index - list * LIST_PLACES

// The lock waits for a concurrent status change; a later one finds the entry.
const allot = (kind: StatusSubject['kind'], table: string, isRevoked: string): Statement => ({
  name: `allot-${kind}-place-of-list`,
  text: `insert into status_entry (tenant_id, index, subject_id, revoked)
    select s.tenant_id, $1, s.id, ${isRevoked} from ${table} s where s.id = $2 for share
    on conflict do nothing`,
})
const ALLOT = {
  passport: allot('passport', 'passport', `s.status <> 'ACTIVE'`),
  unit: allot('unit', 'battery_unit', 'battery_unit_is_revoked(s.status)'),
} as const

/** Allots a place, unless it is taken or the subject has another. */
export async function allotStatusPlace(session: Session, { kind, id }: StatusSubject, index: number): Promise<void> {
  await session.run(ALLOT[kind], [index, id])
}

interface ListName {
  readonly tenantId: string
  readonly list: number
  readonly form: string
}

/** `state` identifies the key and name of the signature. */
export interface StoredList {
  readonly state: string
  readonly etag: string
  readonly body: string
}

const FIND: Statement = {
  name: 'find-signed-status-list',
  text: `select l.state, l.etag, l.body,
      ($2 = 0 or exists (select from status_entry e where e.tenant_id = $1 and e.list = $2)) as "isThere",
      l.signed_at > now() - $4 * interval '1 millisecond'
        and not exists (select from status_change c where c.tenant_id = $1 and c.list = $2) as "isCurrent"
    from (select 1) as one
      left join signed_status_list l on l.tenant_id = $1 and l.list = $2 and l.form = $3`,
}
type Found = Partial<StoredList> & { readonly isThere: boolean; readonly isCurrent: boolean | null }

/**
 * Takes the same time for any number of revoked places.
 * @param maxAge milliseconds
 * @returns undefined if the list does not exist; `current` is undefined if it must be signed again
 */
export async function findStatusList(
  session: Session,
  { tenantId, list, form }: ListName,
  maxAge: number,
): Promise<{ readonly current: StoredList | undefined } | undefined> {
  const [found] = await session.run<Found>(FIND, [tenantId, list, form, maxAge])
  if (found?.isThere !== true) return undefined
  const { state, etag, body, isCurrent } = found
  const isWhole = isCurrent === true && state !== undefined && etag !== undefined && body !== undefined
  return { current: isWhole ? { state, etag, body } : undefined }
}

const HOLD: Statement = {
  name: 'hold-status-list',
  text: `select pg_advisory_xact_lock(7038, hashtext(app_tenant()::text || ' ' || $1::text))`,
}
// A single statement sees one table state: no change is deleted whose bit is not read.
const TAKE: Statement = {
  name: 'take-status-changes',
  text: `with told as (delete from status_change where tenant_id = app_tenant() and list = $1 returning id),
      outdated as (
        delete from signed_status_list where tenant_id = app_tenant() and list = $1 and exists (select from told)
      )
    select array(select index from status_entry where tenant_id = app_tenant() and list = $1 and revoked order by index)
        as revoked`,
}

export async function holdStatusList(tx: Transaction, list: number): Promise<void> {
  await tx.run(HOLD, [list])
}

/**
 * Deletes outdated signed lists of every format.
 * @returns revoked places in order
 */
export async function takeStatusChanges(tx: Transaction, list: number): Promise<readonly number[]> {
  const [entries] = await tx.run<{ revoked: number[] }>(TAKE, [list])
  return (entries?.revoked ?? []).map((index) => placeIn(list, index))
}

const KEEP: Statement = {
  name: 'keep-signed-status-list',
  text: `insert into signed_status_list (tenant_id, list, form, state, etag, body, signed_at)
    values (app_tenant(), $1, $2, $3, $4, $5, $6)
    on conflict (tenant_id, list, form) do update set
      state = excluded.state, etag = excluded.etag, body = excluded.body, signed_at = excluded.signed_at`,
}

export function keepStatusList(
  tx: Transaction,
  { list, form, state, etag, body }: Omit<ListName, 'tenantId'> & StoredList,
  signedAt: Date,
): void {
  tx.write(KEEP, [list, form, state, etag, body, signedAt.toISOString()])
}
