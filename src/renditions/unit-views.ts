import type { Cradle } from '../cradle.ts'
import { audienceOf, MEASURED, opensTo, type Reader } from '../domain/audience.ts'
import type { BatchReference } from '../domain/batch.ts'
import { unitLinkUri } from '../domain/identifiers.ts'
import {
  type CeasedUnitView,
  isBattery,
  type UnitOutline,
  type UnitRecord,
  type UnitReference,
  type UnitView,
} from '../domain/unit.ts'
import type { PassportRow } from '../passports/passport-columns.ts'
import type { UnitRow } from '../units/unit-statements.ts'

declare module '../cradle.ts' {
  interface Cradle {
    unitViews: ReturnType<typeof unitViews>
  }
}

interface Surroundings {
  readonly repurposedFrom: UnitReference | null
  readonly successorUnits: readonly UnitReference[]
  readonly ofBatch: BatchReference | undefined
  /** Newest first; undefined if measured data is hidden. */
  readonly records: readonly UnitRecord[] | undefined
}

type Ceasing = Pick<UnitRow, 'id' | 'serialNumber' | 'status' | 'ceasedAt'>

/** Builds the view of a unit for one reader. Only this module redacts units. */
export default function unitViews({ config, passportViews }: Pick<Cradle, 'config' | 'passportViews'>) {
  const baseUrl = config.baseUrl

  return { link, outline, view, ceased }

  /** Returns the link of a unit code (specification 2.5). */
  function link(productId: string, serialNumber: string): string {
    return unitLinkUri(passportViews.digitalLink(productId), serialNumber)
  }

  function outline(unit: UnitRow, productId: string): UnitOutline {
    return {
      baseUrl,
      id: unit.id,
      serialNumber: unit.serialNumber,
      batchNumber: unit.batchNumber,
      digitalLinkUri: link(productId, unit.serialNumber),
      status: unit.status,
      manufacturedAt: unit.manufacturedAt,
      placedOnMarketAt: unit.placedOnMarketAt,
      ceasedAt: unit.ceasedAt,
      createdAt: unit.createdAt,
      updatedAt: unit.updatedAt,
      version: unit.version,
    }
  }

  function view(
    unit: UnitRow,
    passport: PassportRow,
    reader: Reader,
    { repurposedFrom, successorUnits, ofBatch, records }: Surroundings,
  ): UnitView {
    return {
      ...outline(unit, passport.productId),
      audience: audienceOf(reader),
      ofModel: passportViews.view(passport, reader),
      repurposedFrom,
      successorUnits,
      ofBatch,
      ...(records === undefined || !opensTo(MEASURED, reader)
        ? {}
        : { telemetry: { currentState: unit.measured, dynamicData: records, kept: unit.kept } }),
    }
  }

  /** Returns the remainder of a ceased unit; undefined if it has not ceased. */
  function ceased(
    { id, serialNumber, status, ceasedAt }: Ceasing,
    passport: Pick<PassportRow, 'id' | 'productId'> & { readonly category: string | null },
  ): CeasedUnitView | undefined {
    if (ceasedAt === null) return undefined
    const digitalLinkUri = link(passport.productId, serialNumber)
    return {
      baseUrl,
      id,
      serialNumber,
      digitalLinkUri,
      status,
      ceasedAt,
      passportId: passport.id,
      isBattery: isBattery(passport),
    }
  }
}
