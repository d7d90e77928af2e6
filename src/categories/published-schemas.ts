import { hash } from 'node:crypto'
import { AVAILABILITY } from '../domain/availability.ts'
import { ANNOTATIONS } from '../domain/field.ts'
import { COMMON_SCHEMA } from '../plugin/common-schema.ts'
import { UNIT_SCHEMA } from '../plugin/unit-schema.ts'

/** Own keywords of category schemas. */
export const KEYWORDS: ReadonlySet<string> = new Set([...ANNOTATIONS, AVAILABILITY])

/** Embeds the common schema by its `$id` (JSON Schema 2020-12, 9.3). Removes annotations, which strict validators reject. */
export const selfContained = (schema: { readonly $defs?: object }): object =>
  JSON.parse(
    JSON.stringify({ ...schema, $defs: { ...schema.$defs, common: COMMON_SCHEMA } }, (key, value) =>
      KEYWORDS.has(key) ? undefined : value,
    ),
  )

export const versionOf = (schema: object): string => hash('sha256', JSON.stringify(schema)).slice(0, 12)

export const UNIT = 'battery-unit'
export const PUBLISHED_UNIT_SCHEMA = selfContained(UNIT_SCHEMA)
export const UNIT_SCHEMA_VERSION = versionOf(PUBLISHED_UNIT_SCHEMA)
