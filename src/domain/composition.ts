import type { Json, Metadata } from './metadata.ts'
import { dictionary, isRecord } from './record.ts'

/** One part of what a product is made of. */
export interface Part {
  readonly name: string
  /** Of the product by mass, as far as it is stated. */
  readonly percentage: number | undefined
  readonly countryOfOrigin: string | undefined
  /** Of the part itself. */
  readonly recycledPercentage: number | undefined
  /** What is stated of it beside its name and its share. */
  readonly details: Metadata
}

/** The lists that say what a product is made of, with the member that names a part (specification 2.1). */
const NAMES = dictionary<string>({ materialComposition: 'material', fiberComposition: 'fiber' })

/** The keys of the lists that {@link compositionOf} reads. */
export const COMPOSITIONS: readonly string[] = Object.keys(NAMES)

/**
 * The list under one of {@link COMPOSITIONS} in its order; an entry without a name is left out, which only a draft may
 * hold. Undefined if it is not such a list.
 */
export function compositionOf(value: Json | undefined, key: string): readonly Part[] | undefined {
  const member = NAMES[key]
  if (member === undefined || !Array.isArray(value)) return undefined
  return value.filter(isRecord).flatMap((entry) => {
    const { [member]: name, percentage, ...details } = entry as Metadata
    if (typeof name !== 'string' || name === '') return []
    const { countryOfOrigin, recycledPercentage } = details
    return {
      name,
      percentage: typeof percentage === 'number' ? percentage : undefined,
      countryOfOrigin: typeof countryOfOrigin === 'string' && countryOfOrigin !== '' ? countryOfOrigin : undefined,
      recycledPercentage: typeof recycledPercentage === 'number' ? recycledPercentage : undefined,
      details,
    }
  })
}
