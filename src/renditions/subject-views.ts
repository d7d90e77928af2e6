import type { Cradle } from '../cradle.ts'
import { MEASURED, opensTo, type Reader } from '../domain/audience.ts'
import type { BatchReference } from '../domain/batch.ts'
import type { LevelName, LevelViews } from '../domain/product-level.ts'
import { MAX_SHOWN_RECORDS, type UnitReference, type UnitView } from '../domain/unit.ts'
import type { PassportView } from '../domain/view.ts'
import { yieldTurn } from '../domain/yielding.ts'
import type { PassportRow } from '../passports/passport-columns.ts'
import { loadVersionNumbers } from '../passports/passport-versions.ts'
import type { Candidate } from '../resolution/candidates.ts'
import type { Session } from '../storage/statement.ts'
import { newestUnitEvents } from '../units/unit-event-statements.ts'
import { loadUnitReferences, type UnitReferenceRow } from '../units/unit-references.ts'
import { loadUnit } from '../units/unit-statements.ts'
import type { Subject } from './rendition-statements.ts'

export type SubjectView = { readonly subject: Subject } & (
  | { readonly passport: PassportView; readonly unit?: undefined; readonly record?: undefined }
  | { readonly unit: UnitView; readonly record?: undefined }
  | { readonly record: RecordView; readonly unit?: undefined }
)

interface RecordView {
  readonly level: LevelName
  readonly view: LevelViews[LevelName]
}

/** Service of a module that reads the records of a level. */
export interface LevelRecords<Name extends LevelName = LevelName> {
  /**
   * Loads a record, in the round trip of its passport.
   * @returns function that makes the view of a reader, redacted by `passportViews`; undefined if absent
   */
  load(session: Session, id: string): Promise<((passport: PassportRow, reader: Reader) => LevelViews[Name]) | undefined>
  /** Finds the batch that a unit names; only for the level `batch`. */
  ofUnit?(session: Session, unitId: string): Promise<BatchReference | undefined>
}

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

export default function subjectViews(cradle: Cradle) {
  const { passportRows, passportViews, unitViews, plugins } = cradle

  return { load, batchOf }

  /**
   * Loads the current version in one round trip.
   * @returns undefined if the caller may see nothing
   */
  async function load(
    session: Session,
    candidate: Candidate,
    { reader, shownTo, isLive }: ViewOptions,
  ): Promise<SubjectView | undefined> {
    const { id, unit: requested, record } = candidate
    const [passport, unit, references, records, ofBatch, viewOf, versions] = await Promise.all([
      passportRows.load(session, id),
      // Before its references: content may be newer than its stored version, never older.
      requested && loadUnit(session, requested.id),
      requested && loadUnitReferences(session, requested.id),
      requested && isLive && opensTo(MEASURED, shownTo)
        ? newestUnitEvents(session, requested.id, MAX_SHOWN_RECORDS)
        : undefined,
      requested && batchOf(session, requested.id),
      record && recordsAt(record.level)?.load(session, record.id),
      requested === undefined && record === undefined ? loadVersionNumbers(session, id) : undefined,
    ])
    if (passport === undefined || (passport.status === 'DRAFT' && reader !== 'owner')) return undefined
    await yieldTurn()
    const { version } = passport
    if (record !== undefined) {
      if (viewOf === undefined) return undefined
      return { subject: { id, version, record }, record: { level: record.level, view: viewOf(passport, shownTo) } }
    }
    if (requested === undefined)
      return { subject: { id, version }, passport: { ...passportViews.view(passport, shownTo), versions } }
    if (unit === undefined || unit.ceasedAt !== null) return undefined
    const view = unitViews.view(unit, passport, shownTo, {
      repurposedFrom: references?.predecessor === undefined ? null : reference(references.predecessor),
      successorUnits: references?.successors.map(reference) ?? [],
      ofBatch,
      records,
    })
    return { subject: { id, version, unit: { id: unit.id, version: unit.version } }, unit: view }
  }

  /** Finds the record of the batch that a unit names; undefined if no module records batches. */
  async function batchOf(session: Session, unitId: string): Promise<BatchReference | undefined> {
    return recordsAt('batch')?.ofUnit?.(session, unitId)
  }

  /** Resolved on use: services of modules inject those of the gateway. */
  function recordsAt(name: LevelName): LevelRecords | undefined {
    const level = plugins.levels.find((level) => level.name === name)
    return level && Reflect.get(cradle, level.records)
  }

  function reference({ id: unitId, serialNumber, productId }: UnitReferenceRow): UnitReference {
    return { unitId, serialNumber, digitalLinkUri: unitViews.link(productId, serialNumber) }
  }
}
