import type { Issue } from '../domain/issue.ts'
import type { Metadata } from '../domain/metadata.ts'
import type { JsonRecord } from '../domain/record.ts'

/** Metadata rules of a category; optional with a JSON Schema. */
export interface CategoryPlugin {
  readonly kind: 'category'
  readonly name: string
  /** Hidden keys that both token kinds open, besides `x-audience` in the schema and `facilityDetails`. */
  readonly restrictedKeys?: readonly string[]
  /** True if the law forbids recording readers; reads are then not audited. */
  readonly isUntracked?: boolean
  /** Address (https) to report dangerous products, if the law requires a link. */
  readonly reportUrl?: string
  /** Unpublished JSON Schema (2020-12); `schemas/<category>.json` in the plugin folder is published at `/api/v1/schemas/<category>`. */
  readonly schema?: JsonRecord
  /** Pure; rules beyond JSON Schema. Receives only keys valid by the schema, including all required ones except `originCountry`. */
  check?(metadata: Metadata): Iterable<Issue>
}
