import canonicalize from 'canonicalize'
import type { Principal } from '../domain/principal.ts'
import { iso, type Session, type Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import { type AuditEntry, type ChainPlace, START } from './audit-chain.ts'

/** Specification section 6, access grants and other authorization decisions. */
export const AUDIT_ACTIONS = [
  ...(['facility.created', 'facility.updated', 'facility.deleted'] as const),
  ...(['operator.created', 'operator.updated', 'operator.archived'] as const),
  ...(['operator.deleted', 'operator.restored', 'operator.bound'] as const),
  ...(['batch.created', 'batch.deleted', 'batteryunit.created', 'batteryunit.deleted'] as const),
  ...(['grant.requested', 'grant.issued', 'grant.approved', 'grant.denied', 'grant.revoked', 'grant.renewed'] as const),
  ...(['key.created', 'key.revoked', 'key.narrowed', 'seal_key.rotated'] as const),
  ...(['webhook.created', 'webhook.updated', 'webhook.deleted', 'webhook.secret_rotated'] as const),
  ...(['workspace.created', 'workspace.updated', 'workspace.suspended', 'workspace.resumed'] as const),
  ...(['prefix.claimed', 'prefix.released', 'registration.requested'] as const),
  ...(['journey.published', 'journey.withdrawn', 'passport.status_explained'] as const),
  ...(['media.added', 'media.arranged', 'media.removed'] as const),
  ...(['link.added', 'link.requested', 'link.accepted', 'link.declined', 'link.removed'] as const),
  ...(['handover.offered', 'handover.withdrawn', 'handover.accepted'] as const),
  ...(['person.invited', 'person.uninvited', 'person.joined', 'person.updated'] as const),
  ...(['person.removed', 'person.passkey_added', 'person.passkey_removed'] as const),
] as const
type AuditAction = (typeof AUDIT_ACTIONS)[number]

export type Actor = Pick<Principal, 'actor'>

export const PLATFORM: Actor = { actor: 'platform' }

const RECORD: Statement = {
  name: 'record-audit',
  text: `insert into audit_inbox (action, subject_id, actor, detail)
    select $1, s.id, $2, s.detail from unnest($3::text[], $4::json[]) as s (id, detail)`,
}

/** Records an action in its transaction. The entry joins the hash chain after the commit. */
export function recordAudit(
  tx: Pick<Transaction, 'write'>,
  actor: Actor,
  action: AuditAction,
  subjectId: string,
  detail?: object,
): void {
  recordAudits(tx, actor, action, [{ id: subjectId, detail }])
}

export function recordAudits(
  tx: Pick<Transaction, 'write'>,
  { actor }: Actor,
  action: AuditAction,
  subjects: readonly { readonly id: string; readonly detail: object | undefined }[],
): void {
  tx.write(RECORD, [
    action,
    actor,
    subjects.map(({ id }) => id),
    // The chain hashes this exact text; verifiers reproduce it with RFC 8785.
    subjects.map(({ detail }) => (detail === undefined ? null : (canonicalize(detail) as string))),
  ])
}

/** Read actions, recorded by the lookup role. A policy of audit_inbox lists them. */
export const READ_ACTIONS = [
  'passport.read',
  'passport.listed',
  'batteryunit.read',
  'media.read',
  'reads.lost',
] as const

export interface ReadEntry {
  readonly tenantId: string
  readonly actor: string
  readonly action: (typeof READ_ACTIONS)[number]
  readonly subjectId: string
  readonly detail: object
}

const RECORD_READS: Statement = {
  name: 'record-reads',
  text: `insert into audit_inbox (tenant_id, action, subject_id, actor, detail)
    select r.tenant_id, r.action, r.subject_id, r.actor, r.detail
    from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::json[]) with ordinality
      as r (tenant_id, action, subject_id, actor, detail, place)
    where exists (select from workspace w where w.id = r.tenant_id) order by r.place`,
}

export async function recordReads(session: Session, entries: readonly ReadEntry[]): Promise<void> {
  await session.run(RECORD_READS, [
    entries.map(({ tenantId }) => tenantId),
    entries.map(({ action }) => action),
    entries.map(({ subjectId }) => subjectId),
    entries.map(({ actor }) => actor),
    entries.map(({ detail }) => canonicalize(detail) as string),
  ])
}

const CHAIN: Statement = { name: 'audit-chain', text: 'select audit_chain_own() as chained' }

/**
 * Chains committed entries.
 * @returns true if nothing is left to chain
 */
export async function chainAudit(session: Session): Promise<boolean> {
  const [row] = await session.run<{ chained: number }>(CHAIN)
  return row?.chained === 0
}

const HEAD: Statement = {
  name: 'audit-head',
  text: `select coalesce(h.sequence, 0)::float8 as sequence, encode(h.hash, 'hex') as hash,
      (select coalesce(max(e.sequence), 0) from audit_entry e where e.tenant_id = own.id)::float8 as beyond
    from (select app_tenant() as id) as own left join audit_head h on h.tenant_id = own.id`,
}

/** `beyond` is the highest stored entry number, independent of the head. */
export async function auditHead(session: Session): Promise<ChainPlace & { readonly beyond: number }> {
  const [row] = await session.run<{ sequence: number; hash: string | null; beyond: number }>(HEAD)
  return { sequence: row?.sequence ?? 0, hash: row?.hash ?? START.hash, beyond: row?.beyond ?? 0 }
}

const ENTRY = `select e.tenant_id as "tenantId", e.sequence::float8 as sequence, ${iso('e.created_at')} as at, e.action,
    e.subject_id as subject, e.actor, e.detail,
    case e.sequence when 1 then repeat('0', 64) else encode(p.hash, 'hex') end as "previousHash", encode(e.hash, 'hex') as hash
  from audit_entry e left join audit_entry p on p.tenant_id = e.tenant_id and p.sequence = e.sequence - 1
  where e.tenant_id = app_tenant()`

const AFTER: Statement = {
  name: 'audit-entries-after',
  text: `${ENTRY} and e.sequence > $1 and e.sequence <= $2 order by e.sequence limit $3`,
}

export const entriesAfter = (session: Session, after: number, last: number, limit: number): Promise<AuditEntry[]> =>
  session.run(AFTER, [after, last, limit])

const SPAN: Statement = {
  name: 'audit-span',
  text: `select coalesce(min(sequence), 1)::float8 as first, coalesce(max(sequence), 0)::float8 as last from audit_entry
    where tenant_id = app_tenant() and ($1::timestamptz is null or created_at >= $1)
      and ($2::timestamptz is null or created_at < $2)`,
}

/** Half-open time span; `last` is less than `first` if it is empty. */
export async function auditSpan(
  session: Session,
  { from, to }: { readonly from: Date | undefined; readonly to: Date | undefined },
): Promise<{ first: number; last: number }> {
  const [span] = await session.run<{ first: number; last: number }>(SPAN, [from ?? null, to ?? null])
  return span ?? { first: 1, last: 0 }
}

interface AuditQuery {
  /** Exclusive. */
  readonly before: number | undefined
  readonly action: string | undefined
  readonly subject: string | undefined
  readonly from: Date | undefined
  /** Exclusive. */
  readonly to: Date | undefined
}

const CONDITIONS = {
  before: (value: string) => `e.sequence < ${value}::bigint`,
  action: (value: string) => `e.action = ${value}`,
  subject: (value: string) => `e.subject_id = ${value}`,
  from: (value: string) => `e.created_at >= ${value}::timestamptz`,
  to: (value: string) => `e.created_at < ${value}::timestamptz`,
} satisfies Record<keyof AuditQuery, (value: string) => string>

export function findEntries(session: Session, query: AuditQuery, limit: number): Promise<AuditEntry[]> {
  const filters = (Object.keys(CONDITIONS) as (keyof AuditQuery)[]).filter((name) => query[name] !== undefined)
  const conditions = filters.map((name, index) => ` and ${CONDITIONS[name](`$${index + 2}`)}`).join('')
  return session.run(
    { name: ['audit-log', ...filters].join('-'), text: `${ENTRY}${conditions} order by e.sequence desc limit $1` },
    [limit, ...filters.map((name) => query[name])],
  )
}
