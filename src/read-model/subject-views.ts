import type { Cradle } from '../cradle.ts'
import { MEASURED, opensTo, type Reader } from '../domain/audience.ts'
import type { BatchView } from '../domain/batch.ts'
import { MAX_SHOWN_RECORDS, type UnitReference, type UnitView } from '../domain/unit.ts'
import type { PassportView } from '../domain/view.ts'
import { yieldTurn } from '../domain/yielding.ts'
import type { Candidate } from '../storage/candidates.ts'
import { loadVersionNumbers } from '../storage/passport-versions.ts'
import { loadBatch, loadBatchOfUnit } from '../storage/product-batches.ts'
import type { Subject } from '../storage/renditions.ts'
import type { Session } from '../storage/statement.ts'
import { newestUnitEvents } from '../storage/unit-events.ts'
import { loadUnitReferences, type UnitReferenceRow } from '../storage/unit-references.ts'
import { loadUnit } from '../storage/units.ts'

export type SubjectView = { readonly subject: Subject } & (
  | { readonly passport: PassportView; readonly unit?: undefined; readonly batch?: undefined }
  | { readonly unit: UnitView; readonly batch?: undefined }
  | { readonly batch: BatchView; readonly unit?: undefined }
)

interface ViewOptions {
  readonly reader: Reader
  /** Reader of the format, who may see less. */
  readonly shownTo: Reader
  /** True if measured data is included; must be false for stored renditions. */
  readonly isLive: boolean
}

declare module '../cradle.ts' {
  interface Cradle {
    subjectViews: ReturnType<typeof subjectViews>
  }
}

export default function subjectViews({ passportRows, passportViews, unitViews, batchViews }: Cradle) {
  return { load }

  /**
   * Loads the current version in one round trip.
   * @returns undefined if the caller may see nothing
   */
  async function load(
    session: Session,
    candidate: Candidate,
    { reader, shownTo, isLive }: ViewOptions,
  ): Promise<SubjectView | undefined> {
    const { id, unit: requested } = candidate
    const [passport, unit, references, records, batchOfUnit, batch, versions] = await Promise.all([
      passportRows.load(session, id),
      // Before its references: content may be newer than its stored version, never older.
      requested && loadUnit(session, requested.id),
      requested && loadUnitReferences(session, requested.id),
      requested && isLive && opensTo(MEASURED, shownTo)
        ? newestUnitEvents(session, requested.id, MAX_SHOWN_RECORDS)
        : undefined,
      requested && loadBatchOfUnit(session, requested.id),
      candidate.batch && loadBatch(session, candidate.batch.id),
      requested === undefined && candidate.batch === undefined ? loadVersionNumbers(session, id) : undefined,
    ])
    if (passport === undefined || (passport.status === 'DRAFT' && reader !== 'owner')) return undefined
    await yieldTurn()
    const { version } = passport
    if (candidate.batch !== undefined) {
      if (batch === undefined) return undefined
      return { subject: { id, version, batch: candidate.batch }, batch: batchViews.view(batch, passport, shownTo) }
    }
    if (requested === undefined)
      return { subject: { id, version }, passport: { ...passportViews.view(passport, shownTo), versions } }
    if (unit === undefined || unit.ceasedAt !== null) return undefined
    const view = unitViews.view(unit, passport, shownTo, {
      repurposedFrom: references?.predecessor === undefined ? null : reference(references.predecessor),
      successorUnits: references?.successors.map(reference) ?? [],
      batch: batchOfUnit,
      records,
    })
    return { subject: { id, version, unit: { id: unit.id, version: unit.version } }, unit: view }
  }

  function reference({ id: unitId, serialNumber, productId }: UnitReferenceRow): UnitReference {
    return { unitId, serialNumber, digitalLinkUri: unitViews.link(productId, serialNumber) }
  }
}
