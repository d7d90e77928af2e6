import type { Cradle } from '../cradle.ts'
import { noPassport } from '../domain/absent.ts'
import { keptBy, type Retention } from '../domain/availability.ts'
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
import type { RegistrationJob } from '../jobs/registrations.ts'
import type { WireRendition } from '../publication/rendition.ts'
import { loadPassport, type PassportRow } from '../storage/passport-rows.ts'
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
  rememberPassport,
  restorePassports,
  sealPassport,
  updatePassport,
} from '../storage/passport-writes.ts'
import type { Transaction } from '../storage/transaction.ts'

/** The public document as it is served: writes answer it even to the owner (trap 17). */
type PublicDocument = Schema<'Passport'>

/** Whose passports a caller may change: those of its own workspace, or of operators for which the workspace may act. */
export type Scope = 'owned' | 'bound'

/** What a locked passport is to be. What is left out of `to` stays; the reason is for the history. */
interface Change {
  readonly to: Partial<
    Pick<PassportRow, 'status' | 'metadata' | 'enrichment' | 'facility' | 'archivedAt' | 'retentionUntil' | 'recall'>
  >
  readonly reason: string
  readonly at?: Date
  /** A seal that comes along with the metadata that it covers. */
  readonly seal?: NewSeal | undefined
  /** What it is told as; absent: nobody is told. */
  readonly events?: readonly PassportEvent[]
}

/** A seal, and the key that has made it. */
export interface NewSeal {
  readonly keyId: string
  readonly seal: NonNullable<PassportRow['seal']>
}

/** A passport after a change, and the document that the world reads of it from now on. */
export interface Changed {
  readonly row: PassportRow
  readonly document: PublicDocument
}

declare module '../cradle.ts' {
  interface Cradle {
    passportChange: ReturnType<typeof passportChange>
  }
}

/**
 * The one way in which passports change. Each change is decided on rows that were read, and is then written with its
 * history, its rendition and its event in the transaction that it is given; what memory holds of it is forgotten after
 * the commit. Versions are counted by the database.
 */
export default function passportChange({
  categoryValidator,
  config,
  renditions,
  renditionStore,
  passportViews,
  outbox,
  publicCache,
  plugins,
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
    forget,
    forgetAll,
  }

  /**
   * Inserts a passport. It is new, so that there is no history. The transaction fails where it is there already, or under a
   * claim of another workspace, see `insertPassports`.
   * @param event what it is announced as, if it is published
   * @returns the document that the world reads of it from now on
   */
  async function add(tx: Transaction, row: NewPassport, event: PassportEvent | undefined): Promise<PublicDocument> {
    insertPassports(tx, [versioned(row)])
    return (await publish(tx, row, event !== undefined && isPublished(row) ? [event] : [])).document
  }

  function insert(tx: Transaction, rows: readonly NewPassport[]): void {
    // One order for everybody: two requests with the same products wait for each other instead of deadlocking.
    const sorted = rows.toSorted(
      (a, b) => byCodeUnit(a.productId, b.productId) || byCodeUnit(a.operatorId, b.operatorId),
    )
    insertPassports(tx, sorted.map(versioned))
  }

  /** Inserts published passports as {@link add} does, and announces them. What the world reads of one is made when it is asked for. */
  async function addAll(tx: Transaction, rows: readonly NewPassport[]): Promise<void> {
    insert(tx, rows)
    await announce(tx, rows, ['passport.ingested'])
    forget(tx, rows)
  }

  /**
   * The passport as it is, locked until the transaction ends.
   * @throws Problem 404 for one that the caller's workspace does not see in this scope, 403 for another operator's
   */
  async function lock(tx: Transaction, principal: Principal, id: string, scope: Scope): Promise<PassportRow> {
    // Only a statement that begins after the lock sees what its last holder has written.
    const [, row] = await Promise.all([
      lockOnly(tx, principal, id, scope),
      isUuid(id) ? loadPassport(tx, id) : undefined,
    ])
    if (row === undefined) throw new Error(`Passport ${id} is not readable while it is locked.`)
    return row
  }

  /** Locks a passport that has been read, for {@link apply}, which fails with `CHANGED` where it is no longer what was read. */
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
   * Changes a locked passport, and keeps what it was in its history (specification 2.1). The transaction fails with `CLAIMED`
   * where another workspace has claimed what the passport would be found by.
   * @throws Problem 409 where it is to be kept, as {@link assertStays}
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
    rememberPassport(tx, before.id, { isReplaced, changedBy: principal.actor, changeReason: reason, at: updatedAt })
    const isOpened = before.status === 'DRAFT' && to.status === 'ACTIVE'
    const moved = { ...before, ...to, ...(isOpened ? { archivedAt: null, retentionUntil: null } : {}), updatedAt }
    await assertStays(tx, before, moved)
    await assertLevel(tx, before, moved)
    // What is not recalled any more has no reason to be.
    const after = moved.status === 'RECALLED' ? moved : { ...moved, recall: null }
    updatePassport(tx, after, {
      metadata: isReplaced,
      enrichment: to.enrichment !== undefined,
      schemaVersion: schemaVersionOf(after),
    })
    const next = { ...after, version: before.version + 1 }
    return publish(tx, seal === undefined ? next : sealed(tx, next, seal, updatedAt), events)
  }

  /** What the world reads of a sealed passport before a change, which stays readable. */
  function keepSealed(tx: Transaction, before: PassportRow, change: { isEnriched: boolean; at: string }): void {
    if (before.seal === null || !isPublished(before)) return
    keepSealedVersion(tx, before.id, { ...change, masked: passportViews.maskedKeys(before, 'public') })
  }

  /**
   * Puts a seal on a passport that is not locked. The transaction fails where it is no longer what was sealed, see
   * `sealPassport`.
   */
  function seal(
    tx: Transaction,
    before: PassportRow,
    newSeal: NewSeal,
    { at, event }: { readonly at: string; readonly event?: PassportEvent },
  ): Promise<Changed> {
    // Of two that seal again at once the second keeps what the first has made, and fails then.
    if (before.seal !== null) hold(tx, before)
    keepSealed(tx, before, { isEnriched: false, at })
    return publish(tx, sealed(tx, before, newSeal, at), event === undefined ? [] : [event])
  }

  function sealed(tx: Transaction, before: PassportRow, { keyId, seal }: NewSeal, at: string): PassportRow {
    sealPassport(tx, before, { keyId, seal, at })
    return { ...before, version: before.version + 1, updatedAt: at, seal }
  }

  /**
   * Deletes a draft of the caller's workspace, with everything that hangs on it. Versions that were published before are archived
   * for the retention period.
   * @throws Problem 404, 403 as {@link lock}; 409 if it is published, or as {@link assertStays}; 412
   */
  async function removeDraft(tx: Transaction, principal: Principal, id: string, ifMatch: IfMatch): Promise<void> {
    const before = await lock(tx, principal, id, 'owned')
    if (before.status !== 'DRAFT') throw conflict('Only drafts can be deleted.', 'PASSPORT_PUBLISHED')
    await assertStays(tx, before, undefined)
    assertMatch(ifMatch, before.version)
    deletePassport(tx, id, yearsAfter(new Date(), config.retentionYears))
    tx.afterCommit(() => publicCache.forget(id.toLowerCase()))
  }

  /**
   * A passport that is to be kept stays where the world reads it: nothing takes it back to a draft, deletes it, or ends the time
   * for which it is to be kept (Regulation (EU) 2024/1781, Articles 9(2)(i) and 11(e)).
   * @param after what it is to be; undefined: gone
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
      throw retained(`until ${retentionUntil}; until then`)
    }
    const kept = keptNow(before.metadata)
    if (kept === undefined || !(leaves || keptNow(after.metadata) === undefined)) return
    const outcome = await outcomeOf(tx, before.id)
    // What was never published may go, and what lasts as long as its units goes with the last.
    if (before.status === 'DRAFT' && !outcome.wasPublished) return
    if (kept.until === null && outcome.hasCeased) return
    const end = kept.until === null ? 'until its last unit has been recycled' : `until ${kept.until}`
    throw retained(`${end} (${kept.act}); until then the time is not cut short, and`)
  }

  /**
   * The level of a passport is fixed once its product is on the market (EN 18219): what its metadata state of it stays, also
   * where it is taken back to a draft.
   * @throws Problem 409
   */
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

  /** What keeps a passport that says this, by today and by what is guarded. */
  function keptNow(metadata: Metadata): Retention | undefined {
    const category = plugins.categories.get(textIn(metadata, 'category') ?? '')
    return keptBy(metadata, category?.availability, {
      now: new Date(),
      evenBefore: config.retentionGuard === 'on',
    })
  }

  /**
   * Archives an operator's published passports. That is an attribute and no move (specification 3.1): neither the history
   * nor an event tells it, and what is read of them is rendered when it is read.
   * @returns how many
   */
  function archive(tx: Transaction, operatorId: string, until: { at: Date; until: Date }): Promise<number> {
    lockAllOf(tx, { kind: 'operator', id: operatorId })
    return archivePassports(tx, operatorId, until)
  }

  /** Takes an operator's passports back out of the archive; @returns the workspace of each */
  function restore(tx: Transaction, operatorId: string): Promise<string[]> {
    lockAllOf(tx, { kind: 'operator', id: operatorId })
    return restorePassports(tx, operatorId)
  }

  /**
   * Before a change of master data, which shows in many passports: the database moves each of them, in an order of its
   * own. Two that are after the same passports wait for each other here instead of deadlocking there.
   */
  function lockAllOf(tx: Transaction, master: Master): void {
    lockPassportsOf(tx, master)
    forgetAll(tx)
  }

  /** After a change that may show in any passport, as a new key does. */
  function forgetAll(tx: Transaction): void {
    tx.afterCommit(() => publicCache.clear())
  }

  function versioned(row: NewPassport) {
    return { ...row, schemaVersion: schemaVersionOf(row) }
  }

  /** By which version of the schema of its category metadata that is written now was checked; null where that has none. */
  function schemaVersionOf({ metadata }: Pick<PassportRow, 'metadata'>): string | null {
    return categoryValidator.schemaVersion(textIn(metadata, 'category')) ?? null
  }

  /** The last steps of every change of one passport: what the world reads, what it is told, what memory has of it. */
  async function publish(tx: Transaction, row: PassportRow, events: readonly PassportEvent[]): Promise<Changed> {
    const rendition = isPublished(row) ? await renditions.renderDefault(row) : undefined
    if (rendition !== undefined) renditionStore.insertDefault(tx, row, rendition)
    if (row.version > 1) renditionStore.forgetEarlier(tx, row, rendition)
    await announce(tx, [row], events)
    // Whether that is news to the registry is found when it is told (Regulation (EU) 2026/1778, Article 19(2)).
    if (row.registration !== null) await outbox.register(tx, registrationJobs(row))
    forget(tx, [row])
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

  /** What memory holds of passports that change. */
  function forget(tx: Transaction, rows: readonly PassportRow[]): void {
    tx.afterCommit(() => {
      for (const { id, productId, metadata } of rows) {
        publicCache.forget(id)
        publicCache.forgetProduct({ ...metadata, productId })
      }
    })
  }

  /** What was rendered is what is answered; a draft is rendered for nobody, so that its document is made here. */
  function documentOf(row: PassportRow, rendition: WireRendition | undefined): PublicDocument {
    if (rendition !== undefined) return JSON.parse(rendition.body.toString())
    return passportDocument(passportViews.view(row, 'public')) as PublicDocument
  }
}

/** @throws Problem 403 for a sealed passport, whose seal an edit would invalidate (specification 3.1) */
export function assertUnsealed({ seal }: Pick<PassportRow, 'seal'>): void {
  if (seal === null) return
  throw forbidden(
    'A sealed passport cannot be edited: the edit would invalidate its seal. Correct it with POST /api/v1/passports/{id}/revisions.',
    'PASSPORT_SEALED_IMMUTABLE',
  )
}

const retained = (until: string) =>
  conflict(`This passport is kept on record ${until} it neither becomes a draft nor is deleted.`, 'PASSPORT_RETAINED')

const levelFixed = () =>
  conflict(
    'metadata.granularity: the level of a passport, model, batch or item, is fixed once the product is on the market (EN 18219; Regulation (EU) 2024/1781, Article 9(2)(d)). Issue a passport of its own for another level.',
    'LEVEL_FIXED',
  )

/** What a registry may have to be told once a passport has changed: of itself, and of its units. */
export const registrationJobs = ({ tenantId, id }: Pick<PassportRow, 'tenantId' | 'id'>): RegistrationJob[] => [
  { tenantId, passportId: id },
  { tenantId, unitsOf: id },
]

const isPublished = ({ status }: PassportRow) => status !== 'DRAFT'
