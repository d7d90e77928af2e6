import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { gs1KeysOf } from '../domain/identifiers.ts'
import type { PassportStatus } from '../domain/view.ts'
import { boundTo } from './bindings.ts'
import { pack } from './database.ts'
import type { PassportRow } from './passport-rows.ts'
import { run, type Statement } from './statement.ts'

// The statements that write passports, their history and their seals. What they do together is `passport-change`'s affair.

/** What is known of a passport once it is locked: whose it is never changes. */
export interface LockedPassport {
  readonly tenantId: string
  readonly operatorId: string
  readonly status: PassportStatus
  /** The workspace of the transaction may act for its operator. */
  readonly isBound: boolean
}

/** Ids of rows that were inserted, and of those that were refused for a claim. The others were there already. */
export interface Insertion {
  readonly inserted: ReadonlySet<string>
  readonly claimed: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

const LOCK: Statement = {
  name: 'lock-passport',
  text: `select p.tenant_id as "tenantId", p.operator_id as "operatorId", p.status,
      ${boundTo('p.operator_id', 'app_tenant()')} as "isBound"
    from passport p where p.id = $1 for update of p`,
}

/** Locks a passport until the transaction ends; undefined where the workspace sees none. */
export async function lockPassport(tx: EntityManager, id: string): Promise<LockedPassport | undefined> {
  const [locked] = await run<LockedPassport>(tx, LOCK, [id])
  return locked
}

/** Whose name or address many passports show. */
export interface Master {
  readonly kind: 'facility' | 'operator'
  readonly id: string
}

// Whoever merely refers to the master data need not wait.
const lockMaster = (kind: Master['kind']): Statement => ({
  name: `lock-${kind}`,
  text: `select 1 from ${kind} where id = $1 for no key update`,
})
const lockAllOf = (kind: Master['kind']): Statement => ({
  name: `lock-passports-of-${kind}`,
  text: `select count(*) from (select 1 from passport where ${kind}_id = $1 order by id for no key update) as locked`,
})
const LOCK_ALL = {
  facility: [lockMaster('facility'), lockAllOf('facility')],
  operator: [lockMaster('operator'), lockAllOf('operator')],
} as const

/** Locks a facility or an operator, and then the passports that show it, in one order for everybody. */
export async function lockPassportsOf(tx: EntityManager, { kind, id }: Master): Promise<void> {
  for (const statement of LOCK_ALL[kind]) await run(tx, statement, [id])
}

const INSERT: Statement = {
  name: 'insert-passports',
  text: `insert into passport (id, tenant_id, operator_id, facility_id, product_id, status, metadata, enrichment, created_at, updated_at)
    select r.id, app_tenant(), r.operator_id, r.facility_id, r.product_id, r.status,
      convert_from(substr($1::bytea, r.start, r.length), 'UTF8')::json, r.enrichment, r.created_at, r.created_at
    from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::int[], $9::json[], $10::timestamptz[])
      as r (id, operator_id, facility_id, product_id, status, start, length, enrichment, created_at)
    where r.id <> all ((select company_prefix_refuses($11::text[], $12::uuid[], $13::uuid[]))::uuid[])
    on conflict (product_id, operator_id) do nothing returning id`,
}

/** Inserts the rows that are new and under no claim of another workspace; @returns the ids of those that were inserted */
export async function insertPassports(tx: EntityManager, rows: readonly PassportRow[]): Promise<ReadonlySet<string>> {
  const { bytes, starts, lengths } = pack(rows.map(({ metadata }) => JSON.stringify(metadata)))
  const inserted = await run<{ id: string }>(tx, INSERT, [
    bytes,
    rows.map(({ id }) => id),
    rows.map(({ operatorId }) => operatorId),
    rows.map(({ facility }) => facility?.id ?? null),
    rows.map(({ productId }) => productId),
    rows.map(({ status }) => status),
    starts,
    lengths,
    rows.map(({ enrichment }) => jsonOrNull(enrichment)),
    rows.map(({ createdAt }) => createdAt),
    ...keysOf(rows),
  ])
  return idsOf(inserted)
}

const CLAIMED: Statement = {
  name: 'claimed-passports',
  text: 'select unnest(company_prefix_refuses($1::text[], $2::uuid[], $3::uuid[])) as id',
}

/** The ids of `rows` with a GS1 key under a prefix that another workspace has claimed. */
export async function claimedIds(tx: EntityManager, rows: readonly PassportRow[]): Promise<ReadonlySet<string>> {
  return idsOf(await run<{ id: string }>(tx, CLAIMED, keysOf(rows)))
}

const FORESEE: Statement = {
  name: 'foresee-passports',
  text: `select r.id from unnest($1::uuid[], $2::uuid[], $3::text[]) as r (id, operator_id, product_id)
    where not exists (select 1 from passport p where p.product_id = r.product_id and p.operator_id = r.operator_id)`,
}

/** What inserting `rows` would do. */
export async function foreseeInsertion(tx: EntityManager, rows: readonly PassportRow[]): Promise<Insertion> {
  if (rows.length === 0) return { inserted: NONE, claimed: NONE }
  const found = await run<{ id: string }>(tx, FORESEE, [
    rows.map(({ id }) => id),
    rows.map(({ operatorId }) => operatorId),
    rows.map(({ productId }) => productId),
  ])
  const claimed = await claimedIds(tx, rows)
  return { inserted: idsOf(found.filter(({ id }) => !claimed.has(id))), claimed }
}

const REMEMBER: Statement = {
  name: 'remember-passport',
  text: `insert into passport_history (passport_id, tenant_id, version, metadata, changed_by, change_reason, created_at)
    select p.id, p.tenant_id, coalesce((select max(h.version) from passport_history h where h.passport_id = p.id), 0) + 1,
      case when $2::boolean then p.metadata end, $3, $4, $5
    from passport p where p.id = $1`,
}

/**
 * Writes what a locked passport is before a change into its history; the lock keeps numbers without gaps. Its metadata is
 * kept only where the change brings other: until then it is the passport's own, see the view `passport_version`.
 */
export async function rememberPassport(
  tx: EntityManager,
  id: string,
  version: {
    readonly isReplaced: boolean
    readonly changedBy: string
    readonly changeReason: string
    readonly at: string
  },
): Promise<void> {
  await run(tx, REMEMBER, [id, version.isReplaced, version.changedBy, version.changeReason, version.at])
}

const UPDATE: Statement = {
  name: 'update-passport',
  text: `update passport set status = $2, facility_id = $3, metadata = coalesce($4::json, metadata),
      enrichment = case when $5::boolean then $6::json else enrichment end,
      archived_at = $7, retention_until = $8, updated_at = $9
    where id = $1 returning version`,
}

/**
 * Writes a locked passport as it is to be. Large columns are written only where they are new.
 * @returns its version from now on
 */
export async function updatePassport(
  tx: EntityManager,
  passport: PassportRow,
  isNew: { readonly metadata: boolean; readonly enrichment: boolean },
): Promise<number> {
  const [updated] = await run<{ version: number }>(tx, UPDATE, [
    passport.id,
    passport.status,
    passport.facility?.id ?? null,
    isNew.metadata ? JSON.stringify(passport.metadata) : null,
    isNew.enrichment,
    jsonOrNull(passport.enrichment),
    passport.archivedAt,
    passport.retentionUntil,
    passport.updatedAt,
  ])
  if (updated === undefined) throw new Error(`Passport ${passport.id} is gone while it is locked.`)
  return updated.version
}

const SEAL: Statement = {
  name: 'seal-passport',
  text: `with moved as (
      update passport set seal_id = $1, updated_at = $2 where id = $3 and version = $4
      returning id, tenant_id, operator_id, version
    ), stored as (
      insert into seal (id, passport_id, tenant_id, operator_id, key_id, passport_version, merkle_root, signature,
        public_key_pem, leaves, x5c, rfc3161, subject, created_at)
      select $1, id, tenant_id, operator_id, $5, $4, $6, $7, $8, $9, $10, $11, $12, $13 from moved
    )
    select version from moved`,
}

/**
 * Puts a seal on the passport if it still has the version of `row`. The statement waits for whoever is changing the
 * passport, and then compares: the version moves with everything that a reader can see, so that an equal one means that
 * nothing has to be read again.
 * @returns its version from now on, or undefined where it was changed meanwhile
 */
export async function sealPassport(
  tx: EntityManager,
  { id, version }: PassportRow,
  { keyId, seal, at }: { keyId: string; seal: NonNullable<PassportRow['seal']>; at: string },
): Promise<number | undefined> {
  const [moved] = await run<{ version: number }>(tx, SEAL, [
    randomUUID(),
    at,
    id,
    version,
    keyId,
    seal.merkleRoot,
    seal.signature,
    seal.publicKeyPem,
    ...[seal.leaves, seal.x5c, seal.rfc3161, seal.subject].map(jsonOrNull),
    seal.createdAt,
  ])
  return moved?.version
}

const FORGET_ACCESS: Statement = {
  name: 'forget-access',
  text: 'delete from access_audit where passport_id = $1',
}
const DELETE: Statement = { name: 'delete-passport', text: 'delete from passport where id = $1' }

/** Deletes a passport with everything that hangs on it. */
export async function deletePassport(tx: EntityManager, id: string): Promise<void> {
  await run(tx, FORGET_ACCESS, [id])
  await run(tx, DELETE, [id])
}

const ARCHIVE: Statement = {
  name: 'archive-passports',
  text: `update passport set archived_at = $2, retention_until = coalesce(retention_until, $3)
    where operator_id = $1 and archived_at is null and status <> 'DRAFT' returning id`,
}

/** Archives an operator's published passports; @returns how many */
export async function archivePassports(
  tx: EntityManager,
  operatorId: string,
  { at, until }: { at: Date; until: Date },
): Promise<number> {
  return (await run(tx, ARCHIVE, [operatorId, at.toISOString(), until.toISOString()])).length
}

const RESTORE: Statement = {
  name: 'restore-passports',
  // A passport that was decommissioned on its own stays archived (trap 81).
  text: `update passport set archived_at = null, retention_until = null
    where operator_id = $1 and archived_at is not null and status <> 'DECOMMISSIONED' returning tenant_id as "tenantId"`,
}

/** Un-archives an operator's passports; @returns the workspace of each */
export async function restorePassports(tx: EntityManager, operatorId: string): Promise<string[]> {
  const rows = await run<{ tenantId: string }>(tx, RESTORE, [operatorId])
  return rows.map(({ tenantId }) => tenantId)
}

/** The GS1 keys at which rows would be found once they are published, with the id and the operator of their row. */
function keysOf(rows: readonly PassportRow[]): [string[], string[], string[]] {
  const found = rows
    .filter(({ status }) => status !== 'DRAFT')
    .flatMap((row) => gs1KeysOf(row.productId, row.metadata).map((key) => ({ key, row })))
  return [found.map(({ key }) => key), found.map(({ row }) => row.id), found.map(({ row }) => row.operatorId)]
}

const idsOf = (rows: readonly { readonly id: string }[]): ReadonlySet<string> => new Set(rows.map(({ id }) => id))

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))
