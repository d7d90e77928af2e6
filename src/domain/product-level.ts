import type { BatchView } from './batch.ts'

/** Views of records by level, which representations render. */
export interface LevelViews {
  readonly batch: BatchView
}

export type LevelName = keyof LevelViews

/**
 * Level of granularity between model and item (EN 18219), recorded by a module. Its records have public documents at `/<name>/{id}`, which
 * are stored in the table `<name>_rendition` with the key columns `<name>_id` and `passport_version`; GS1 Digital Links lead to them.
 */
export interface ProductLevel {
  readonly name: LevelName
  /** Table of the records, readable for `dpp_lookup`, with the columns `id` and `passport_id`. Records never change. */
  readonly table: string
  /** GS1 application identifier that follows a GTIN. */
  readonly ai: '10' | '22'
  /** Column with its value. */
  readonly column: string
  /** Name of the service that reads the records, a `LevelRecords`. */
  readonly records: string
}

/** One record of a level. */
export interface LevelRecord {
  readonly level: LevelName
  readonly id: string
}
