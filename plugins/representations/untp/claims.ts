import {
  type CategoryDescription,
  type Claim,
  footprintFiguresOf,
  isRecord,
  type Json,
  type Metadata,
  type PassportView,
} from '../../../src/plugin/index.ts'

/** A figure of the metadata that a credential states as a claim of performance. */
export interface ClaimedFigure {
  /** The top-level key that it stands under, and the member that it is, if any. */
  readonly key: string
  readonly member?: string
  /** What is measured, in English. */
  readonly name: string
  readonly value: number
  readonly claim: Claim
}

/** The figures that the passport's category declares as claims (`x-claim` of its schema). A masked value is left out. */
export function claimsIn({ metadata }: PassportView, category: CategoryDescription): ClaimedFigure[] {
  return Object.entries(metadata).flatMap(([key, value]) =>
    key === 'carbonFootprint' ? footprintClaims(value, category) : claimsUnder(key, value, category),
  )
}

function claimsUnder(key: string, value: Json, category: CategoryDescription): ClaimedFigure[] {
  if (!isRecord(value)) return claimed(value, category, key)
  return Object.entries(value as Metadata).flatMap(([member, inner]) => claimed(inner, category, key, member))
}

function claimed(value: Json, category: CategoryDescription, key: string, member?: string): ClaimedFigure[] {
  if (typeof value !== 'number') return []
  const { claim, description } = (member === undefined ? category.field(key) : category.field(member, key)) ?? {}
  return claim === undefined ? [] : [{ key, member, name: (description ?? key).replace(/\.$/, ''), value, claim }]
}

/** A footprint in kilograms is a claim, whatever it is per; a footprint in another unit stays a characteristic. */
function footprintClaims(value: Json, category: CategoryDescription): ClaimedFigure[] {
  const key = 'carbonFootprint'
  const { claim, unit } = category.field(key) ?? {}
  return footprintFiguresOf(value, unit).flatMap(({ member, value: amount, per }) => {
    if (claim === undefined || per === undefined) return []
    return { key, member, name: `Product carbon footprint, in kg CO2 equivalent per ${per}`, value: amount, claim }
  })
}
