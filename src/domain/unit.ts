import type { Audience } from './audience.ts'
import type { BatchReference } from './batch.ts'
import type { Json, Metadata } from './metadata.ts'
import type { PassportView } from './view.ts'

/** True for batteries: only they have a legal status and a condition (Regulation (EU) 2023/1542, Annex XIII, point 4). */
export const isBattery = ({ category }: { readonly category?: Json | undefined }): boolean => category === 'batteries'

/** Specification 2.5. */
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

/** Specification 2.6. */
export const UNIT_EVENT_TYPES = ['SOH_MEASUREMENT', 'CHARGE_CYCLE', 'STATUS_CHANGE', 'NEGATIVE_EVENT', 'OTHER'] as const
export type UnitEventType = (typeof UNIT_EVENT_TYPES)[number]

export interface UnitMeasures {
  /** Percent. */
  readonly stateOfHealth: number | null
  readonly cycleCount: number | null
  readonly remainingCapacityAh: number | null
  readonly temperatureC: number | null
}

/** ISO 8601 in UTC. */
export interface UnitState extends UnitMeasures {
  readonly recordedAt: string
}

/** Regulation (EU) 2023/1542, Annex XIII, point 4(c). */
export const LEGAL_STATUSES = ['original', 'repurposed', 're-used', 'remanufactured', 'waste'] as const
export type LegalStatus = (typeof LEGAL_STATUSES)[number]

/** ISO 8601 in UTC. */
export interface ConditionValue {
  readonly value: Json
  readonly recordedAt: string
}

export type Condition = Readonly<Record<string, ConditionValue>>

/** Values of Annex XIII, point 4(a), at a status change or placing on the market. */
export interface StatusChange {
  readonly batteryStatus: LegalStatus
  readonly recordedAt: string
  readonly values: Metadata
}

/** Condition stored to avoid reading the records. */
export interface KeptCondition {
  readonly condition: Condition
  readonly batteryStatus: LegalStatus
  /** In recorded order, at most {@link MAX_STATUS_CHANGES}. */
  readonly statusChanges: readonly StatusChange[]
}

/** Maximum: the first and the most recent. */
export const MAX_STATUS_CHANGES = 20

export interface UnitRecord extends UnitState {
  readonly eventType: UnitEventType
  readonly payload: Json
}

export interface UnitReference {
  readonly unitId: string
  readonly serialNumber: string
  readonly digitalLinkUri: string
}

/** Public data of a unit. Timestamps are ISO 8601 in UTC. */
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
  /** Changes with the unit's public data. */
  readonly version: number
}

/** Unit as one caller may see it; hidden data is absent, so no representation can leak it. */
export interface UnitView extends UnitOutline {
  readonly audience: Audience
  readonly ofModel: PassportView
  /** Null also if not resolved (specification 4.4). */
  readonly repurposedFrom: UnitReference | null
  readonly successorUnits: readonly UnitReference[]
  readonly ofBatch?: BatchReference | undefined
  readonly telemetry?: {
    /** Null before the first measurement. */
    readonly currentState: UnitState | null
    /** Newest first, at most {@link MAX_SHOWN_RECORDS}. */
    readonly dynamicData: readonly UnitRecord[]
    readonly kept: KeptCondition
  }
}

export interface CeasedUnitView
  extends Pick<UnitOutline, 'baseUrl' | 'id' | 'serialNumber' | 'digitalLinkUri' | 'status'> {
  readonly ceasedAt: string
  readonly passportId: string
  readonly isBattery: boolean
}

/** Records in a document (specification 8). */
export const MAX_SHOWN_RECORDS = 500
