import type { Cradle } from '../cradle.ts'
import { byCodeUnit } from '../domain/merkle.ts'
import { textIn } from '../domain/metadata.ts'
import { assertMatch, type IfMatch } from '../domain/precondition.ts'
import { assertMayPublish, type Principal } from '../domain/principal.ts'
import { conflict, forbidden } from '../domain/problem.ts'
import { yearsAfter } from '../domain/transitions.ts'
import type { PassportEvent } from '../domain/webhooks.ts'
import type { Transaction } from '../storage/transaction.ts'
import { assertLevel, assertStays } from './market-rules.ts'
import type { PassportRow } from './passport-columns.ts'
import {
  deletePassport,
  insertPassports,
  keepSealedVersion,
  type NewPassport,
  sealPassport,
  storeVersion,
  updatePassport,
} from './passport-writes.ts'
import { announce, type Changed, isPublished, type PublicDocument, publishState, renderState } from './publish-state.ts'

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

declare module '../cradle.ts' {
  interface Cradle {
    passportChange: ReturnType<typeof passportChange>
  }
}

/** Performs every change of passports. The database counts versions. */
export default function passportChange(services: Cradle) {
  const { categoryValidator, config, moduleHooks, passportLocks, passportViews, publicCache } = services

  return { add, addAll, apply, seal, sealAll, removeDraft }

  /** Inserts and renders new passports, without history. Fails on a duplicate or claim, see `insertPassports`. */
  async function add(
    tx: Transaction,
    rows: readonly NewPassport[],
    event: PassportEvent | undefined,
  ): Promise<PublicDocument[]> {
    await addAll(tx, rows, event)
    return Promise.all(rows.map((row) => renderState(services, tx, row)))
  }

  /** Like {@link add}; the passports are rendered on request. */
  async function addAll(tx: Transaction, rows: readonly NewPassport[], event?: PassportEvent): Promise<void> {
    // A common order prevents deadlocks between concurrent requests.
    const sorted = rows.toSorted(
      (a, b) => byCodeUnit(a.productId, b.productId) || byCodeUnit(a.operatorId, b.operatorId),
    )
    insertPassports(tx, sorted.map(versioned))
    await moduleHooks.changed(tx, { subject: 'passport', kind: 'created', ids: rows.map(({ id }) => id) })
    if (event !== undefined) await announce(services, tx, rows.filter(isPublished), [event])
    passportLocks.evictIdentifiers(tx, rows)
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
    assertMayPublish(principal, before.status, to.status ?? before.status)
    const updatedAt = at.toISOString()
    const isReplaced = to.metadata !== undefined && JSON.stringify(before.metadata) !== JSON.stringify(to.metadata)
    keepSealed(tx, before, { isEnriched: to.enrichment !== undefined, at: updatedAt })
    storeVersion(tx, before.id, { isReplaced, changedBy: principal.actor, changeReason: reason, at: updatedAt })
    const isOpened = before.status === 'DRAFT' && to.status === 'ACTIVE'
    const moved = { ...before, ...to, ...(isOpened ? { archivedAt: null, retentionUntil: null } : {}), updatedAt }
    await assertStays(services, tx, before, moved)
    await assertLevel(tx, before, moved)
    const after = moved.status === 'RECALLED' ? moved : { ...moved, recall: null }
    updatePassport(tx, after, {
      metadata: isReplaced,
      enrichment: to.enrichment !== undefined,
      schemaVersion: schemaVersionOf(after),
    })
    const next = { ...after, version: before.version + 1 }
    return publishState(services, tx, seal === undefined ? next : sealed(tx, next, seal, updatedAt), events)
  }

  /** Stores the public document of a sealed passport before a change. */
  function keepSealed(tx: Transaction, before: PassportRow, change: { isEnriched: boolean; at: string }): void {
    if (before.seal === null || !isPublished(before)) return
    keepSealedVersion(tx, before.id, { ...change, masked: passportViews.maskedKeys(before, 'public') })
  }

  /** Seals a new or locked passport without event. Fails if it has changed, see `sealPassport`. */
  function seal(tx: Transaction, before: PassportRow, newSeal: NewSeal, at: string): Promise<Changed> {
    keepSealed(tx, before, { isEnriched: false, at })
    return publishState(services, tx, sealed(tx, before, newSeal, at), [])
  }

  /** Seals unlocked passports, with an event. */
  async function sealAll(
    tx: Transaction,
    made: readonly { readonly row: PassportRow; readonly newSeal: NewSeal }[],
  ): Promise<Changed[]> {
    // All before the first seal, which locks the storage of the workspace.
    passportLocks.hold(tx, ...made.map(({ row }) => row))
    const changed: Changed[] = []
    for (const { row, newSeal } of made) changed.push(await seal(tx, row, newSeal, newSeal.seal.createdAt))
    const rows = changed.map(({ row }) => row)
    await announce(services, tx, rows, ['passport.sealed'])
    return changed
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
    const before = await passportLocks.lock(tx, principal, id, 'owned')
    if (before.status !== 'DRAFT') throw conflict('Only drafts can be deleted.', 'PASSPORT_PUBLISHED')
    await assertStays(services, tx, before, undefined)
    assertMatch(ifMatch, before.version)
    deletePassport(tx, id, yearsAfter(new Date(), config.retentionYears))
    await moduleHooks.changed(tx, { subject: 'passport', kind: 'deleted', ids: [before.id] })
    publicCache.evictAfter(tx, [id.toLowerCase()])
  }

  function versioned(row: NewPassport) {
    return { ...row, schemaVersion: schemaVersionOf(row) }
  }

  /** Null if the category has no schema version. */
  function schemaVersionOf({ metadata }: Pick<PassportRow, 'metadata'>): string | null {
    return categoryValidator.schemaVersion(textIn(metadata, 'category')) ?? null
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
