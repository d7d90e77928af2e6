import type { Json, Metadata } from './metadata.ts'
import { dictionary, isRecord } from './record.ts'

export interface Part {
  readonly name: string
  /** Mass percentage of the product. */
  readonly percentage: number | undefined
  readonly countryOfOrigin: string | undefined
  /** Percentage of the part. */
  readonly recycledPercentage: number | undefined
  readonly details: Metadata
}

/** Lists with the member that names a part (specification 2.1). */
const NAMES = dictionary<string>({ materialComposition: 'material', fiberComposition: 'fiber' })

export const COMPOSITIONS: readonly string[] = Object.keys(NAMES)

/** Undefined for keys outside {@link COMPOSITIONS} and values other than lists. Skips entries without a name. */
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
