import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Field, fieldsOf, propertiesOf } from '../domain/field.ts'
import type { JsonRecord } from '../domain/record.ts'
import { ROOT } from '../root.ts'
import { COMMON_SCHEMA } from './common-schema.ts'

/** The JSON Schema of what the payload of a unit's event may state of its condition. */
export const UNIT_SCHEMA: JsonRecord = JSON.parse(readFileSync(join(ROOT, 'schemas/battery-unit.json'), 'utf8'))

const FIELDS = fieldsOf(UNIT_SCHEMA, COMMON_SCHEMA)

/** What the schema says of each value of a unit's condition, in its order; `isGiven`: no payload states it. */
export const CONDITION_FIELDS: ReadonlyMap<string, Field & { readonly isGiven: boolean }> = new Map(
  [...propertiesOf(UNIT_SCHEMA, COMMON_SCHEMA)].flatMap(([key, { readOnly }, trail]) =>
    trail.length === 1 ? [[key, { ...FIELDS.get(key), isGiven: readOnly === true }]] : [],
  ),
)

/** Values that are kept at every change of status (Regulation (EU) 2023/1542, Annex XIII, point 4(a)). */
export const KEPT_AT_STATUS_CHANGE: ReadonlySet<string> = new Set(
  [...propertiesOf(UNIT_SCHEMA, COMMON_SCHEMA)].flatMap(([key, property]) =>
    property['x-annex'] === 'XIII 4(a)' ? [key] : [],
  ),
)
