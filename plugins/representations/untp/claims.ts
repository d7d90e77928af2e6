import {
  type CategoryDescription,
  type Claim,
  footprintFiguresOf,
  isRecord,
  type Json,
  type Metadata,
  type PassportView,
} from '../../../src/plugin/index.ts'

export interface ClaimedFigure {
  /** Top-level metadata key, and the member below it, if any. */
  readonly key: string
  readonly member?: string
  readonly name: string
  readonly value: number
  readonly claim: Claim
}

/** Returns the unmasked figures declared as claims by the category (`x-claim` in its schema). */
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

/** Only footprints in kilograms are claims; other units stay characteristics. */
function footprintClaims(value: Json, category: CategoryDescription): ClaimedFigure[] {
  const key = 'carbonFootprint'
  const { claim, unit } = category.field(key) ?? {}
  return footprintFiguresOf(value, unit).flatMap(({ member, value: amount, per }) => {
    if (claim === undefined || per === undefined) return []
    return { key, member, name: `Product carbon footprint, in kg CO2 equivalent per ${per}`, value: amount, claim }
  })
}
