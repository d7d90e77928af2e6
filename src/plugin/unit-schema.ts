import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Field, fieldsOf, propertiesOf } from '../domain/field.ts'
import type { JsonRecord } from '../domain/record.ts'
import { ROOT } from '../root.ts'
import { COMMON_SCHEMA } from './common-schema.ts'

/** Schema of the condition in a unit event's payload. */
export const UNIT_SCHEMA: JsonRecord = JSON.parse(readFileSync(join(ROOT, 'schemas/battery-unit.json'), 'utf8'))

const FIELDS = fieldsOf(UNIT_SCHEMA, COMMON_SCHEMA)

/** Fields in schema order; `isGiven`: not stated by payloads. */
export const CONDITION_FIELDS: ReadonlyMap<string, Field & { readonly isGiven: boolean }> = new Map(
  [...propertiesOf(UNIT_SCHEMA, COMMON_SCHEMA)].flatMap(([key, { readOnly }, trail]) =>
    trail.length === 1 ? [[key, { ...FIELDS.get(key), isGiven: readOnly === true }]] : [],
  ),
)

/** Values stored at status changes (Regulation (EU) 2023/1542, Annex XIII, point 4(a)). */
export const STATUS_CHANGE_KEYS: ReadonlySet<string> = new Set(
  [...propertiesOf(UNIT_SCHEMA, COMMON_SCHEMA)].flatMap(([key, property]) =>
    property['x-annex'] === 'XIII 4(a)' ? [key] : [],
  ),
)
