import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonRecord } from '../domain/record.ts'
import { ROOT } from '../root.ts'

/** The JSON Schema of the keys that any category may carry; every category's own stands on it. */
export const COMMON_SCHEMA: JsonRecord = JSON.parse(readFileSync(join(ROOT, 'schemas/common.json'), 'utf8'))
