import type { Audiences } from './audience.ts'

export type Stage =
  | 'origin'
  | 'processing'
  | 'making'
  | 'packing'
  | 'transport'
  | 'inspection'
  | 'sale'
  | 'repair'
  | 'other'

export interface JourneyPlace {
  readonly name: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
  readonly uri: string | null
}

export interface JourneyStep {
  readonly stage: Stage
  /** ISO 8601 in UTC. */
  readonly time: string
  readonly place: JourneyPlace
  /** Positions of the preceding steps in the list. */
  readonly from: readonly number[]
}

export interface Journey {
  readonly steps: readonly JourneyStep[]
  /** True if steps are missing or the lineage is truncated. */
  readonly isCut: boolean
}

/** `publishedAt` is ISO 8601 in UTC. */
export interface PublishedJourney extends Journey {
  /** Empty: public. */
  readonly audience: Audiences
  readonly publishedAt: string
}
