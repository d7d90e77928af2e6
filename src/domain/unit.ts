import type { Audience } from './audience.ts'
import type { BatchReference } from './batch.ts'
import type { Json, Metadata } from './metadata.ts'
import type { PassportView } from './view.ts'

/**
 * Whether a unit of a passport with this metadata is a battery: for batteries alone there is a legal status, a condition, and who
 * may read them (Regulation (EU) 2023/1542, Annex XIII, point 4).
 */
export const isBattery = ({ category }: { readonly category?: Json | undefined }): boolean => category === 'batteries'

/** What has become of a unit (specification 2.5). */
export const UNIT_STATUSES = [
  'IN_SERVICE',
  'DECOMMISSIONED',
  'RECALLED',
  'REPURPOSED',
  'REMANUFACTURED',
  'REUSED',
  'WASTE',
  'RECYCLED',
] as const
export type UnitStatus = (typeof UNIT_STATUSES)[number]

/** What is recorded of a unit (specification 2.6). */
export const UNIT_EVENT_TYPES = ['SOH_MEASUREMENT', 'CHARGE_CYCLE', 'STATUS_CHANGE', 'NEGATIVE_EVENT', 'OTHER'] as const
export type UnitEventType = (typeof UNIT_EVENT_TYPES)[number]

/** The four measures; null where it was not taken. */
export interface UnitMeasures {
  /** Per cent. */
  readonly stateOfHealth: number | null
  readonly cycleCount: number | null
  readonly remainingCapacityAh: number | null
  readonly temperatureC: number | null
}

/** What was measured last, and when: ISO 8601 in UTC. */
export interface UnitState extends UnitMeasures {
  readonly recordedAt: string
}

/** The words that Regulation (EU) 2023/1542, Annex XIII, point 4(c) has for the status of a battery. */
export const LEGAL_STATUSES = ['original', 'repurposed', 're-used', 'remanufactured', 'waste'] as const
export type LegalStatus = (typeof LEGAL_STATUSES)[number]

/** A value of a unit's condition, and when it was so: ISO 8601 in UTC. */
export interface ConditionValue {
  readonly value: Json
  readonly recordedAt: string
}

/** What is known last of each value of the condition. */
export type Condition = Readonly<Record<string, ConditionValue>>

/** The values of point 4(a) as they were when the status changed, or when the battery was placed on the market. */
export interface StatusChange {
  readonly batteryStatus: LegalStatus
  readonly recordedAt: string
  readonly values: Metadata
}

/** What is kept beside a unit, so that nothing reads its record through. */
export interface KeptCondition {
  readonly condition: Condition
  readonly batteryStatus: LegalStatus
  /** In the order in which they were recorded, {@link MAX_STATUS_CHANGES} at most. */
  readonly statusChanges: readonly StatusChange[]
}

/** Changes of status that are kept: the first, and the last of them. */
export const MAX_STATUS_CHANGES = 20

/** One entry of a unit's record, as a reader sees it. */
export interface UnitRecord extends UnitState {
  readonly eventType: UnitEventType
  readonly payload: Json
}

/** A unit that another was made of, or has become. */
export interface UnitReference {
  readonly unitId: string
  readonly serialNumber: string
  readonly digitalLinkUri: string
}

/** What every reader may see of a unit, without the product that it is one of. Timestamps are ISO 8601 in UTC. */
export interface UnitOutline {
  readonly baseUrl: string
  readonly id: string
  readonly serialNumber: string
  readonly batchNumber: string | null
  readonly digitalLinkUri: string
  readonly status: UnitStatus
  readonly manufacturedAt: string | null
  readonly placedOnMarketAt: string | null
  /** Once set, only a tombstone is public (specification 3.2). */
  readonly ceasedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Moves with everything of the unit itself that the public can see. */
  readonly version: number
}

/** One unit as one caller may see it: what may not be seen is absent already, so that no representation can leak it. */
export interface UnitView extends UnitOutline {
  readonly audience: Audience
  /** The product, as the same caller may see it. */
  readonly ofModel: PassportView
  /** Null also where the view does not resolve it (specification 4.4). */
  readonly repurposedFrom: UnitReference | null
  readonly successorUnits: readonly UnitReference[]
  /** The record of the batch that it names; undefined where there is none. */
  readonly ofBatch?: BatchReference | undefined
  /** Absent for whom it is not. */
  readonly telemetry?: {
    /** Null before anything was measured. */
    readonly currentState: UnitState | null
    /** Newest first, {@link MAX_SHOWN_RECORDS} at most. */
    readonly dynamicData: readonly UnitRecord[]
    /** What is known last of each value of its condition, and the values at each change of its status. */
    readonly kept: KeptCondition
  }
}

/** What is left of a unit whose material has been recycled. */
export interface CeasedUnitView
  extends Pick<UnitOutline, 'baseUrl' | 'id' | 'serialNumber' | 'digitalLinkUri' | 'status'> {
  readonly ceasedAt: string
  readonly passportId: string
  readonly isBattery: boolean
}

/** Records of a unit that a document shows (specification 8). */
export const MAX_SHOWN_RECORDS = 500
