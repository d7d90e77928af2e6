import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonRecord } from '../domain/record.ts'
import { ROOT } from '../root.ts'

/** JSON Schema of the keys common to all categories. */
export const COMMON_SCHEMA: JsonRecord = JSON.parse(readFileSync(join(ROOT, 'schemas/common.json'), 'utf8'))
