import type { Cradle } from '../cradle.ts'
import { computeRetention, type Retention } from '../domain/availability.ts'
import { isUuid } from '../domain/identifiers.ts'
import { byCodeUnit } from '../domain/merkle.ts'
import { type Metadata, textIn } from '../domain/metadata.ts'
import { passportDocument } from '../domain/passport-document.ts'
import { assertMatch, type IfMatch } from '../domain/precondition.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { conflict, forbidden } from '../domain/problem.ts'
import type { Schema } from '../domain/schema.ts'
import { yearsAfter } from '../domain/transitions.ts'
import type { PassportEvent } from '../domain/webhooks.ts'
import type { WireRendition } from '../renditions/rendition.ts'
import type { Transaction } from '../storage/transaction.ts'
import { noPassport } from './absent.ts'
import type { PassportRow } from './passport-columns.ts'
import {
  archivePassports,
  deletePassport,
  holdPassport,
  insertPassports,
  keepSealedVersion,
  type LockedPassport,
  lockPassport,
  lockPassportsOf,
  type Master,
  type NewPassport,
  outcomeOf,
  restorePassports,
  sealPassport,
  storeVersion,
  updatePassport,
} from './passport-writes.ts'

/** Public document, which writes return even to the owner (trap 17). */
type PublicDocument = Schema<'Passport'>

/** Own passports, or also those of bound operators. */
export type Scope = 'owned' | 'bound'

/** Changes to a locked passport; absent fields stay. */
interface Change {
  readonly to: Partial<
    Pick<PassportRow, 'status' | 'metadata' | 'enrichment' | 'facility' | 'archivedAt' | 'retentionUntil' | 'recall'>
  >
  readonly reason: string
  readonly at?: Date
  readonly seal?: NewSeal | undefined
  readonly events?: readonly PassportEvent[]
}

export interface NewSeal {
  readonly keyId: string
  readonly seal: NonNullable<PassportRow['seal']>
}

export interface Changed {
  readonly row: PassportRow
  readonly document: PublicDocument
}

declare module '../cradle.ts' {
  interface Cradle {
    passportChange: ReturnType<typeof passportChange>
  }
}

/** Performs every change of passports. The database counts versions. */
export default function passportChange({
  passportRows,
  categoryValidator,
  config,
  renditions,
  renditionStore,
  passportViews,
  outbox,
  publicCache,
  plugins,
  moduleHooks,
}: Cradle) {
  return {
    add,
    addAll,
    lock,
    hold,
    apply,
    seal,
    removeDraft,
    archive,
    restore,
    lockAllOf,
    evict,
    evictAll,
  }

  /** Inserts a new passport, without history. Fails on a duplicate or claim, see `insertPassports`. */
  async function add(tx: Transaction, row: NewPassport, event: PassportEvent | undefined): Promise<PublicDocument> {
    insertPassports(tx, [versioned(row)])
    return (await publish(tx, row, event !== undefined && isPublished(row) ? [event] : [])).document
  }

  function insert(tx: Transaction, rows: readonly NewPassport[]): void {
    // A common order prevents deadlocks between concurrent requests.
    const sorted = rows.toSorted(
      (a, b) => byCodeUnit(a.productId, b.productId) || byCodeUnit(a.operatorId, b.operatorId),
    )
    insertPassports(tx, sorted.map(versioned))
  }

  /** Inserts and announces published passports; rendered on request. */
  async function addAll(tx: Transaction, rows: readonly NewPassport[]): Promise<void> {
    insert(tx, rows)
    await moduleHooks.changed(tx, { subject: 'passport', kind: 'created', ids: rows.map(({ id }) => id) })
    await announce(tx, rows, ['passport.ingested'])
    evict(tx, rows)
  }

  /** Locks a passport until the transaction ends. @throws Problem 404 if not visible in this scope, 403 for another operator's */
  async function lock(tx: Transaction, principal: Principal, id: string, scope: Scope): Promise<PassportRow> {
    // Only a statement after the lock sees the last holder's writes.
    const [, row] = await Promise.all([
      lockOnly(tx, principal, id, scope),
      isUuid(id) ? passportRows.load(tx, id) : undefined,
    ])
    if (row === undefined) throw new Error(`Passport ${id} could not be read while locked.`)
    return row
  }

  /** Locks a passport read before; {@link apply} fails with `CHANGED` if it has changed. */
  function hold(tx: Transaction, { id }: PassportRow): void {
    holdPassport(tx, id)
  }

  async function lockOnly(tx: Transaction, principal: Principal, id: string, scope: Scope): Promise<LockedPassport> {
    const locked = isUuid(id) ? await lockPassport(tx, id) : undefined
    const isSeen = scope === 'owned' ? locked?.tenantId === principal.tenantId : locked?.isBound === true
    if (locked === undefined || !isSeen) throw noPassport(id)
    assertOperatorScope(principal, locked.operatorId)
    return locked
  }

  /**
   * Changes a locked passport and stores its previous state (specification 2.1). Fails with `CLAIMED` if another workspace claimed its
   * identifier.
   * @throws Problem 409 as {@link assertStays}
   */
  async function apply(
    tx: Transaction,
    principal: Principal,
    before: PassportRow,
    { to, reason, at = new Date(), seal, events = [] }: Change,
  ): Promise<Changed> {
    const updatedAt = at.toISOString()
    const isReplaced = to.metadata !== undefined && JSON.stringify(before.metadata) !== JSON.stringify(to.metadata)
    keepSealed(tx, before, { isEnriched: to.enrichment !== undefined, at: updatedAt })
    storeVersion(tx, before.id, { isReplaced, changedBy: principal.actor, changeReason: reason, at: updatedAt })
    const isOpened = before.status === 'DRAFT' && to.status === 'ACTIVE'
    const moved = { ...before, ...to, ...(isOpened ? { archivedAt: null, retentionUntil: null } : {}), updatedAt }
    await assertStays(tx, before, moved)
    await assertLevel(tx, before, moved)
    const after = moved.status === 'RECALLED' ? moved : { ...moved, recall: null }
    updatePassport(tx, after, {
      metadata: isReplaced,
      enrichment: to.enrichment !== undefined,
      schemaVersion: schemaVersionOf(after),
    })
    const next = { ...after, version: before.version + 1 }
    return publish(tx, seal === undefined ? next : sealed(tx, next, seal, updatedAt), events)
  }

  /** Stores the public document of a sealed passport before a change. */
  function keepSealed(tx: Transaction, before: PassportRow, change: { isEnriched: boolean; at: string }): void {
    if (before.seal === null || !isPublished(before)) return
    keepSealedVersion(tx, before.id, { ...change, masked: passportViews.maskedKeys(before, 'public') })
  }

  /** Seals an unlocked passport. Fails if it has changed, see `sealPassport`. */
  function seal(
    tx: Transaction,
    before: PassportRow,
    newSeal: NewSeal,
    { at, event }: { readonly at: string; readonly event?: PassportEvent },
  ): Promise<Changed> {
    // The second of two concurrent re-seals stores the first one's seal, then fails.
    if (before.seal !== null) hold(tx, before)
    keepSealed(tx, before, { isEnriched: false, at })
    return publish(tx, sealed(tx, before, newSeal, at), event === undefined ? [] : [event])
  }

  function sealed(tx: Transaction, before: PassportRow, { keyId, seal }: NewSeal, at: string): PassportRow {
    sealPassport(tx, before, { keyId, seal, at })
    return { ...before, version: before.version + 1, updatedAt: at, seal }
  }

  /**
   * Deletes a draft; archives its published versions for the retention period.
   * @throws Problem 404, 403; 409 if published or retained; 412
   */
  async function removeDraft(tx: Transaction, principal: Principal, id: string, ifMatch: IfMatch): Promise<void> {
    const before = await lock(tx, principal, id, 'owned')
    if (before.status !== 'DRAFT') throw conflict('Only drafts can be deleted.', 'PASSPORT_PUBLISHED')
    await assertStays(tx, before, undefined)
    assertMatch(ifMatch, before.version)
    deletePassport(tx, id, yearsAfter(new Date(), config.retentionYears))
    await moduleHooks.changed(tx, { subject: 'passport', kind: 'deleted', ids: [before.id] })
    tx.afterCommit(() => publicCache.evict(id.toLowerCase()))
  }

  /**
   * Rejects demoting or deleting a retained passport, or shortening its retention (Regulation (EU) 2024/1781, Articles 9(2)(i) and 11(e)).
   * @param after undefined if deleted
   * @throws Problem 409
   */
  async function assertStays(
    tx: Transaction,
    before: PassportRow,
    after: Pick<PassportRow, 'status' | 'metadata'> | undefined,
  ): Promise<void> {
    if (config.retentionGuard === 'off') return
    const leaves = after === undefined || (before.status !== 'DRAFT' && after.status === 'DRAFT')
    const { retentionUntil } = before
    if (
      leaves &&
      config.retentionGuard === 'on' &&
      retentionUntil !== null &&
      Date.parse(retentionUntil) > Date.now()
    ) {
      throw retained(`until ${retentionUntil}:`)
    }
    const retention = currentRetention(before.metadata)
    if (retention === undefined || !(leaves || currentRetention(after.metadata) === undefined)) return
    const outcome = await outcomeOf(tx, before.id)
    // Unpublished drafts may go; retention tied to units ends with the last one.
    if (before.status === 'DRAFT' && !outcome.wasPublished) return
    if (retention.until === null && outcome.hasCeased) return
    const end = retention.until === null ? 'until its last unit has been recycled' : `until ${retention.until}`
    throw retained(`${end} (${retention.act}): the period cannot be shortened, and`)
  }

  /** Fixes the level once the product is on the market, even in drafts (EN 18219). @throws Problem 409 */
  async function assertLevel(
    tx: Transaction,
    before: PassportRow,
    after: Pick<PassportRow, 'metadata'>,
  ): Promise<void> {
    const level = ({ granularity = 'model' }: Metadata) => JSON.stringify(granularity)
    if (level(before.metadata) === level(after.metadata)) return
    if (before.status === 'DRAFT' && !(await outcomeOf(tx, before.id)).wasPublished) return
    throw levelFixed()
  }

  function currentRetention(metadata: Metadata): Retention | undefined {
    const category = plugins.categories.get(textIn(metadata, 'category') ?? '')
    return computeRetention(metadata, category?.availability, {
      now: new Date(),
      evenBefore: config.retentionGuard === 'on',
    })
  }

  /** Archives an operator's published passports, without history or event (specification 3.1). @returns their number */
  function archive(tx: Transaction, operatorId: string, until: { at: Date; until: Date }): Promise<number> {
    lockAllOf(tx, { kind: 'operator', id: operatorId })
    return archivePassports(tx, operatorId, until)
  }

  /** @returns the workspace of each restored passport */
  function restore(tx: Transaction, operatorId: string): Promise<string[]> {
    lockAllOf(tx, { kind: 'operator', id: operatorId })
    return restorePassports(tx, operatorId)
  }

  /** Locks all passports of changing master data. The database updates them in any order, which could deadlock. */
  function lockAllOf(tx: Transaction, master: Master): void {
    lockPassportsOf(tx, master)
    evictAll(tx)
  }

  function evictAll(tx: Transaction): void {
    tx.afterCommit(() => publicCache.clear())
  }

  function versioned(row: NewPassport) {
    return { ...row, schemaVersion: schemaVersionOf(row) }
  }

  /** Null if the category has no schema version. */
  function schemaVersionOf({ metadata }: Pick<PassportRow, 'metadata'>): string | null {
    return categoryValidator.schemaVersion(textIn(metadata, 'category')) ?? null
  }

  async function publish(tx: Transaction, row: PassportRow, events: readonly PassportEvent[]): Promise<Changed> {
    const rendition = isPublished(row) ? await renditions.renderDefault(row) : undefined
    if (rendition !== undefined) renditionStore.insertDefault(tx, row, rendition)
    if (row.version > 1) renditionStore.deleteEarlier(tx, row, rendition)
    await moduleHooks.changed(tx, {
      subject: 'passport',
      kind: row.version === 1 ? 'created' : 'changed',
      ids: [row.id],
      parts: row.parts,
    })
    await announce(tx, [row], events)
    evict(tx, [row])
    return { row, document: documentOf(row, rendition) }
  }

  async function announce(
    tx: Transaction,
    rows: readonly PassportRow[],
    events: readonly PassportEvent[],
  ): Promise<void> {
    const named = Map.groupBy(rows, (row) => row.tenantId)
    for (const event of events) {
      for (const [tenantId, passports] of named) {
        await outbox.publish(tx, { event, tenantId, passports: passports.map(({ id, version }) => ({ id, version })) })
      }
    }
  }

  function evict(tx: Transaction, rows: readonly PassportRow[]): void {
    tx.afterCommit(() => {
      for (const { id, productId, metadata } of rows) {
        publicCache.evict(id)
        publicCache.evictProduct({ ...metadata, productId })
      }
    })
  }

  function documentOf(row: PassportRow, rendition: WireRendition | undefined): PublicDocument {
    if (rendition !== undefined) return JSON.parse(rendition.body.toString())
    return passportDocument(passportViews.view(row, 'public')) as PublicDocument
  }
}

/** @throws Problem 403 for a sealed passport: edits invalidate the seal (specification 3.1) */
export function assertUnsealed({ seal }: Pick<PassportRow, 'seal'>): void {
  if (seal === null) return
  throw forbidden(
    'A sealed passport cannot be edited: the edit would invalidate its seal. Correct it with POST /api/v1/passports/{id}/revisions.',
    'PASSPORT_SEALED_IMMUTABLE',
  )
}

const retained = (until: string) =>
  conflict(`This passport is under retention ${until} it cannot be deleted or reverted to draft.`, 'PASSPORT_RETAINED')

const levelFixed = () =>
  conflict(
    'metadata.granularity: the level of a passport, model, batch or item, is fixed once the product is on the market (EN 18219; Regulation (EU) 2024/1781, Article 9(2)(d)). Issue a separate passport for another level.',
    'LEVEL_FIXED',
  )

const isPublished = ({ status }: PassportRow) => status !== 'DRAFT'
