import type { EntityManager } from '@mikro-orm/postgresql'
import { type Database, executeWithParameters } from './database.ts'

/** A statement with parameters `$1` …, by a name of its own: whoever keeps its plan keeps it under that name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

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
