import type { EntityManager } from '@mikro-orm/postgresql'
import { type Database, executeWithParameters } from './database.ts'

/** A statement with parameters `$1` …, by a name of its own: whoever keeps its plan keeps it under that name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** A timestamp as ISO 8601 in UTC, as SQL; the column is our own and never input. */
export const iso = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Runs a statement in the transaction of `em`, or in one of its own. */
export async function run<Row>(
  em: EntityManager,
  { text }: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  if (em.isInTransaction()) return executeWithParameters<Row>(em, text, values)
  return em.transactional((tx) => executeWithParameters<Row>(tx, text, values))
}

/** Runs a statement for what must be known before a workspace is known. */
export async function lookUp<Row extends object>(
  { lookup }: Pick<Database, 'lookup'>,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await lookup.query<Row>({ ...statement, values: [...values] })
  return rows
}
