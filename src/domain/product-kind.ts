import { kindsOf, propertiesOf } from './field.ts'
import type { JsonRecord } from './record.ts'

export interface KindKey {
  readonly key: string
  readonly kinds: readonly string[]
  /** Kinds that require a passport. */
  readonly ofPassports: readonly string[]
}

export function kindKeyOf(schema: JsonRecord | undefined, common: JsonRecord): KindKey | undefined {
  return [...propertiesOf(schema, common)]
    .filter(([, , trail]) => trail.length === 1)
    .map(([key, property]) => {
      const kinds = kindsOf(property)
      const without = [property['x-without-passport']].flat()
      return { key, kinds, ofPassports: kinds.filter((kind) => !without.includes(kind)) }
    })
    .find(({ kinds }) => kinds.length > 0)
}

export function kindOf(kindKey: KindKey | undefined, metadata: JsonRecord): string | null {
  const stated = kindKey === undefined ? undefined : metadata[kindKey.key]
  const kind = typeof stated === 'string' ? stated.toLowerCase() : ''
  return kindKey?.kinds.includes(kind) === true ? kind : null
}
