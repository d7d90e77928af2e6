import { randomUUID } from 'node:crypto'
import { gs1KeysOf } from '../domain/identifiers.ts'
import type { PublishedJourney } from '../domain/journey.ts'
import { isRepeatable } from '../domain/passport-document.ts'
import type { PassportStatus } from '../domain/view.ts'
import { boundTo } from '../operators/bindings.ts'
import type { Session, Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import { CLAIMED } from '../workspaces/company-prefix-statements.ts'
import { pack } from './pack.ts'
import type { PassportRow } from './passport-columns.ts'

type LockedPassport = Pick<PassportRow, 'tenantId' | 'operatorId'> & { readonly isBound: boolean }

/** SQLSTATE: the passport has changed since it was read. */
export const CHANGED = 'DP412'

export interface NewPassport extends PassportRow {
  readonly metadataText: string
}

type Versioned<T> = T & { readonly schemaVersion: string | null }

type Keyed = Pick<PassportRow, 'id' | 'productId' | 'metadata'> & { readonly operatorId: string | null }

const LOCK: Statement = {
  name: 'lock-passport',
  text: `select p.tenant_id as "tenantId", p.operator_id as "operatorId", ${boundTo('p.operator_id', 'app_tenant()')} as "isBound"
    from passport p where p.id = $1 for update of p`,
}

/** Undefined if not visible to the workspace. */
export async function lockPassport(tx: Transaction, id: string): Promise<LockedPassport | undefined> {
  const [locked] = await tx.run<LockedPassport>(LOCK, [id])
  return locked
}

const HOLD: Statement = {
  name: 'hold-passports',
  text: 'select 1 from passport where id = any($1::uuid[]) order by id for update',
}

/** Locks passports read before, in a fixed order; later writes fail with {@link CHANGED} if one has changed. */
export function holdPassports(tx: Transaction, ...rows: readonly PassportRow[]): void {
  const ids = rows.map(({ id }) => id)
  tx.write(HOLD, [ids])
}

export interface Master {
  readonly kind: 'facility' | 'operator' | 'workspace'
  readonly id: string
}

// Does not block rows that only reference the master data.
const lockMaster = (kind: Master['kind']): Statement => ({
  name: `lock-${kind}`,
  text: `select 1 from ${kind} where id = $1 for no key update`,
})
const COLUMN_OF = { facility: 'facility_id', operator: 'operator_id', workspace: 'tenant_id' } as const
const lockAllOf = (kind: Master['kind']): Statement => ({
  name: `lock-passports-of-${kind}`,
  text: `select count(*) from (select 1 from passport where ${COLUMN_OF[kind]} = $1 order by id for no key update) as locked`,
})
const LOCK_ALL = {
  facility: [lockMaster('facility'), lockAllOf('facility')],
  operator: [lockMaster('operator'), lockAllOf('operator')],
  workspace: [lockMaster('workspace'), lockAllOf('workspace')],
} as const

/** Locks in a fixed order. */
export function lockPassportsOf(tx: Transaction, { kind, id }: Master): void {
  for (const statement of LOCK_ALL[kind]) tx.write(statement, [id])
}

const INSERT: Statement = {
  name: 'insert-passports',
  text: `insert into passport (id, tenant_id, operator_id, facility_id, product_id, status, metadata, is_repeatable,
      enrichment, created_at, updated_at, schema_version)
    select r.id, app_tenant(), r.operator_id, r.facility_id, r.product_id, r.status,
      convert_from(substr($1::bytea, r.start, r.length), 'UTF8')::json, r.is_repeatable, r.enrichment, r.created_at, r.created_at,
      r.schema_version
    from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::int[], $8::int[], $9::json[],
        $10::timestamptz[], $11::boolean[], $12::text[])
      as r (id, operator_id, facility_id, product_id, status, start, length, enrichment, created_at, is_repeatable,
        schema_version)`,
}
const EXPECT_UNCLAIMED: Statement = {
  name: 'expect-unclaimed',
  text: `select expect(company_prefix_refuses($1::text[], $2::uuid[], $3::uuid[]) = '{}', '${CLAIMED}')`,
}

/** Fails with `23505`, see {@link isTaken}, or with {@link CLAIMED}. */
export function insertPassports(tx: Transaction, rows: readonly Versioned<NewPassport>[]): void {
  if (rows.length === 0) return
  const { bytes, starts, lengths } = pack(rows.map(({ metadataText }) => metadataText))
  const keys = keysOf(rows)
  if (keys[0].length > 0) tx.write(EXPECT_UNCLAIMED, keys)
  tx.write(INSERT, [
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
    rows.map(({ metadata }) => isRepeatable(metadata)),
    rows.map(({ schemaVersion }) => schemaVersion),
  ])
}

export const isTaken = (error: unknown, by: 'product' | 'id'): boolean => {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code === '23505' && constraint === (by === 'id' ? 'passport_pkey' : 'passport_product_id_operator_id_key')
}

const THERE: Statement = {
  name: 'passports-of-products',
  text: 'select product_id as "productId", operator_id as "operatorId" from passport where product_id = any($1::text[])',
}
const REFUSED: Statement = {
  name: 'claimed-passports',
  text: `select unnest(company_prefix_refuses($1::text[], $2::uuid[], array(
      select coalesce(o.id, (
        select operator_id from operator_binding where tenant_id = app_tenant() order by bound_at, operator_id limit 1
      )) from unnest($3::uuid[]) with ordinality as o (id, place) order by o.place
    ))) as id`,
}

interface Obstacles {
  isThere(passport: Pick<PassportRow, 'productId' | 'operatorId'>): boolean
  isClaimed(id: string): boolean
}

/** Without an operator the first bound one counts. */
export async function readObstacles(session: Session, rows: readonly Keyed[]): Promise<Obstacles> {
  const [there, refused] = await Promise.all([
    session.run<Pick<PassportRow, 'productId' | 'operatorId'>>(THERE, [rows.map(({ productId }) => productId)]),
    session.run<{ id: string }>(REFUSED, keysOf(rows)),
  ])
  const pairs = new Set(there.map(pairOf))
  const claimed = new Set(refused.map(({ id }) => id))
  return { isThere: (passport) => pairs.has(pairOf(passport)), isClaimed: (id) => claimed.has(id) }
}

const pairOf = ({ operatorId, productId }: Pick<PassportRow, 'productId' | 'operatorId'>) =>
  `${operatorId} ${productId}`

const KEEP_SEALED: Statement = {
  name: 'keep-sealed-version',
  text: `insert into sealed_version (passport_id, passport_version, tenant_id, version, seal_id, status, operator, facility,
      masked, enrichment, archived_at, retention_until, shown_from, shown_until, recall)
    select p.id, p.version, p.tenant_id,
      coalesce((select max(h.version) from passport_history h where h.passport_id = p.id), 0) + 1, p.seal_id, p.status,
      json_build_object('id', o.id, 'name', o.name, 'regId', o.reg_id, 'role', o.role, 'contact', o.contact),
      case when f.id is not null then json_build_object('id', f.id, 'gln', f.gln, 'name', f.name, 'activity', f.activity,
        'country', f.country) end,
      $2, case when $3::boolean then coalesce(p.enrichment, 'null') end, p.archived_at, p.retention_until, p.updated_at, $4, p.recall
    from passport p join operator o on o.id = p.operator_id left join facility f on f.id = p.facility_id
    where p.id = $1 and p.seal_id is not null and p.status <> 'DRAFT'`,
}

/**
 * Stores the public view of a sealed, published passport. Call before the change and the history.
 * @param masked metadata keys hidden from the public
 * @param isEnriched true if the change replaces the enrichment; otherwise the next version holds it
 */
export function keepSealedVersion(
  tx: Transaction,
  id: string,
  { masked, isEnriched, at }: { readonly masked: readonly string[]; readonly isEnriched: boolean; readonly at: string },
): void {
  tx.write(KEEP_SEALED, [id, masked, isEnriched, at])
}

const STORE_VERSION: Statement = {
  name: 'remember-passport',
  text: `insert into passport_history (passport_id, tenant_id, version, metadata, changed_by, change_reason, created_at,
      status, seal_id, recall, archived_at, retention_until, schema_version)
    select p.id, p.tenant_id, coalesce((select max(h.version) from passport_history h where h.passport_id = p.id), 0) + 1,
      case when $2::boolean then p.metadata end, $3, $4, $5, p.status, p.seal_id, p.recall, p.archived_at, p.retention_until,
      p.schema_version
    from passport p where p.id = $1`,
}

/** Requires the lock, which keeps numbers gapless. Metadata is stored only if the change replaces it, see the view `passport_version`. */
export function storeVersion(
  tx: Transaction,
  id: string,
  version: {
    readonly isReplaced: boolean
    readonly changedBy: string
    readonly changeReason: string
    readonly at: string
  },
): void {
  tx.write(STORE_VERSION, [id, version.isReplaced, version.changedBy, version.changeReason, version.at])
}

const UPDATE: Statement = {
  name: 'update-passport',
  text: `with moved as (
      update passport set status = $3, facility_id = $4, metadata = coalesce($5::json, metadata),
        is_repeatable = coalesce($11, is_repeatable), enrichment = case when $6::boolean then $7::json else enrichment end,
        archived_at = $8, retention_until = $9, updated_at = $10, recall = $12,
        schema_version = case when $5::json is null then schema_version else $13 end
      where id = $1 and version = $2 returning id
    )
    select expect(exists (select from moved), '${CHANGED}')`,
}

/**
 * Increments the version. Writes large columns only if new, and the schema version with the metadata. Fails with {@link CHANGED} if the
 * version differs.
 */
export function updatePassport(
  tx: Transaction,
  passport: PassportRow,
  isNew: Versioned<{ readonly metadata: boolean; readonly enrichment: boolean }>,
): void {
  tx.write(UPDATE, [
    passport.id,
    passport.version,
    passport.status,
    passport.facility?.id ?? null,
    isNew.metadata ? JSON.stringify(passport.metadata) : null,
    isNew.enrichment,
    jsonOrNull(passport.enrichment),
    passport.archivedAt,
    passport.retentionUntil,
    passport.updatedAt,
    isNew.metadata ? isRepeatable(passport.metadata) : null,
    jsonOrNull(passport.recall),
    isNew.schemaVersion,
  ])
}

const PUBLISH_JOURNEY: Statement = {
  name: 'publish-journey',
  text: 'update passport set journey = $2::json where id = $1 and tenant_id = app_tenant()',
}

export function publishJourney(tx: Transaction, id: string, journey: PublishedJourney | null): void {
  tx.write(PUBLISH_JOURNEY, [id, jsonOrNull(journey)])
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
    select expect(exists (select from moved), '${CHANGED}')`,
}

/**
 * Increments the version. Waits for concurrent changes and compares versions, which move with everything a reader can see. Fails with
 * {@link CHANGED} if they differ.
 */
export function sealPassport(
  tx: Transaction,
  { id, version }: PassportRow,
  { keyId, seal, at }: { keyId: string; seal: NonNullable<PassportRow['seal']>; at: string },
): void {
  tx.write(SEAL, [
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
}

const OUTCOME: Statement = {
  name: 'outcome-of-passport',
  text: `select exists (
      select from passport_history h where h.passport_id = $1 and h.status is distinct from 'DRAFT'
    ) as "wasPublished",
    exists (select from battery_unit u where u.passport_id = $1)
      and not exists (select from battery_unit u where u.passport_id = $1 and u.ceased_at is null) as "hasCeased"`,
}

/** `hasCeased` is true if all units are recycled; false without units. */
export async function outcomeOf(
  tx: Transaction,
  id: string,
): Promise<{ readonly wasPublished: boolean; readonly hasCeased: boolean }> {
  const [outcome] = await tx.run<{ wasPublished: boolean; hasCeased: boolean }>(OUTCOME, [id])
  return outcome ?? { wasPublished: false, hasCeased: false }
}

const DELETE_RESOLUTIONS: Statement = {
  name: 'forget-resolutions',
  text: `with forgotten as (delete from access_audit where passport_id = $1)
    delete from resolution_count where passport_id = $1`,
}
// The trigger `passport_archives` reads the setting.
const DELETE: Statement = {
  name: 'delete-and-archive-passport',
  text: `with retention as materialized (select set_config('app.retention_until', $2, true))
    delete from passport using retention where id = $1`,
}

// Deleting units also changes predecessors and successors. Serialization locks in the same order.
const HOLD_UNITS: Statement = {
  name: 'hold-units-of-passport',
  text: `select 1 from battery_unit u where u.passport_id = $1
      or u.id in (select d.predecessor_unit_id from battery_unit d where d.passport_id = $1)
      or u.predecessor_unit_id in (select d.id from battery_unit d where d.passport_id = $1)
    order by u.id for update`,
}

/**
 * The database archives the versions and seals of a published passport.
 * @param archivedUntil end of the archive period
 */
export function deletePassport(tx: Transaction, id: string, archivedUntil: Date): void {
  tx.write(HOLD_UNITS, [id])
  tx.write(DELETE_RESOLUTIONS, [id])
  tx.write(DELETE, [id, archivedUntil.toISOString()])
}

const ARCHIVE: Statement = {
  name: 'archive-passports',
  text: `update passport set archived_at = $2, retention_until = coalesce(retention_until, $3)
    where operator_id = $1 and archived_at is null and status <> 'DRAFT' returning id`,
}

export async function archivePassports(
  tx: Transaction,
  operatorId: string,
  { at, until }: { at: Date; until: Date },
): Promise<number> {
  return (await tx.run(ARCHIVE, [operatorId, at.toISOString(), until.toISOString()])).length
}

const RESTORE: Statement = {
  name: 'restore-passports',
  // Individually decommissioned passports stay archived (trap 81).
  text: `update passport set archived_at = null, retention_until = null
    where operator_id = $1 and archived_at is not null and status <> 'DECOMMISSIONED' returning tenant_id as "tenantId"`,
}

/** @returns the workspace of each passport */
export async function restorePassports(tx: Transaction, operatorId: string): Promise<string[]> {
  const rows = await tx.run<{ tenantId: string }>(RESTORE, [operatorId])
  return rows.map(({ tenantId }) => tenantId)
}

/** Excludes drafts. */
function keysOf(
  rows: readonly (Keyed & { readonly status?: PassportStatus })[],
): [string[], string[], (string | null)[]] {
  const found = rows
    .filter(({ status }) => status !== 'DRAFT')
    .flatMap((row) => gs1KeysOf(row.productId, row.metadata).map((key) => ({ key, row })))
  return [found.map(({ key }) => key), found.map(({ row }) => row.id), found.map(({ row }) => row.operatorId)]
}

const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))
