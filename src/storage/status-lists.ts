import type { Database } from './database.ts'
import type { Session, Statement } from './statement.ts'

// Places of passports and units in the status lists of their workspace, and the lists as they are signed.

/** Of what there are credentials, each with a bit of its own. */
export interface StatusSubject {
  readonly kind: 'passport' | 'unit'
  readonly id: string
}

const PLACE: Statement = {
  name: 'status-place-and-floor',
  text: `select e.index, w.status_floor as floor from workspace w left join status_entry e on e.subject_id = $1
    where w.id = app_tenant()`,
}

/**
 * The place of a passport or a unit in the lists of its workspace, if it has one, and the place from which on those are free
 * that nobody has: what is before it may have been given by an original of which this is a restored copy.
 */
export async function statusPlace(
  session: Session,
  { id }: StatusSubject,
): Promise<{ readonly index: number | undefined; readonly floor: number }> {
  const [entry] = await session.run<{ index: number | null; floor: number }>(PLACE, [id])
  return { index: entry?.index ?? undefined, floor: entry?.floor ?? 0 }
}

// The lock lets a change of status that is under way finish first; a later one finds the entry.
const allot = (kind: StatusSubject['kind'], table: string, isRevoked: string): Statement => ({
  name: `allot-${kind}-status-place`,
  text: `insert into status_entry (tenant_id, index, subject_id, revoked)
    select s.tenant_id, $1, s.id, ${isRevoked} from ${table} s where s.id = $2 for share
    on conflict do nothing`,
})
const ALLOT = {
  passport: allot('passport', 'passport', `s.status <> 'ACTIVE'`),
  unit: allot('unit', 'battery_unit', 'battery_unit_is_revoked(s.status)'),
} as const

/** Gives the passport or the unit this place, unless the place is taken or it has another. */
export async function allotStatusPlace(session: Session, { kind, id }: StatusSubject, index: number): Promise<void> {
  await session.run(ALLOT[kind], [index, id])
}

const ENTRIES: Statement = {
  name: 'status-entries',
  text: `select array(select index from status_entry where tenant_id = $1 and revoked order by index) as revoked,
    coalesce((select max(index) from status_entry where tenant_id = $1), 0) as highest`,
}

/** The revoked places of a workspace's lists in order, and the highest that is taken. */
export async function statusEntries(
  { lookup }: Database,
  tenantId: string,
): Promise<{ readonly revoked: readonly number[]; readonly highest: number }> {
  const [entries] = await lookup.run<{ revoked: number[]; highest: number }>(ENTRIES, [tenantId])
  return entries ?? { revoked: [], highest: 0 }
}

/** A signed list; `state` names what it says. */
interface StoredList {
  readonly tenantId: string
  readonly form: string
  readonly state: string
  readonly etag: string
  readonly body: string
}

const FIND: Statement = {
  name: 'find-status-list',
  text: `select body, etag from status_list where tenant_id = $1 and form = $2 and state = $3
    and signed_at > now() - $4 * interval '1 millisecond'`,
}

/** The signed list that says this, if it is not older than so many milliseconds. */
export async function findStatusList(
  { lookup }: Database,
  { tenantId, form, state }: Pick<StoredList, 'tenantId' | 'form' | 'state'>,
  mostAge: number,
): Promise<Pick<StoredList, 'body' | 'etag'> | undefined> {
  const [list] = await lookup.run<Pick<StoredList, 'body' | 'etag'>>(FIND, [tenantId, form, state, mostAge])
  return list
}

const KEEP: Statement = {
  name: 'keep-status-list',
  text: `insert into status_list as l (tenant_id, form, state, etag, body, signed_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (tenant_id, form) do update set
      state = excluded.state, etag = excluded.etag, body = excluded.body, signed_at = excluded.signed_at
    where l.state <> excluded.state or l.signed_at < excluded.signed_at - $7 * interval '1 millisecond'`,
}

/** Keeps a signed list, unless one that says the same was signed less than so many milliseconds before. */
export async function keepStatusList(
  session: Session,
  { tenantId, form, state, etag, body }: StoredList,
  signedAt: Date,
  mostAge: number,
): Promise<void> {
  await session.run(KEEP, [tenantId, form, state, etag, body, signedAt.toISOString(), mostAge])
}
