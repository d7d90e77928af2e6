import type pg from 'pg'
import { type NamedMigration, sqlOf } from './migrate.ts'

/** First line of a migration that builds indexes while other processes write. */
const MARK = '-- concurrently'
const INDEX = /^create (?:unique )?index concurrently (\w+) on \w/

interface Index {
  readonly name: string
  readonly sql: string
}

/**
 * Returns the indexes of a marked migration, undefined for others.
 * @throws Error for other statements, which could not be repeated after an interruption
 */
export async function concurrentIndexes({ name, class: migration }: NamedMigration): Promise<Index[] | undefined> {
  const text = (await sqlOf(migration)).join(';\n')
  if (text.split(/\r?\n/, 1)[0] !== MARK) return undefined
  const statements = text
    .slice(MARK.length)
    .replaceAll(/^--.*$/gm, '')
    .split(';')
  return statements.flatMap((statement) => {
    const sql = statement.trim()
    const [, index] = INDEX.exec(sql) ?? []
    if (index === undefined && sql !== '') {
      throw new Error(
        `${name}: after ${MARK}, write only statements "create index concurrently NAME on …", not: ${sql}`,
      )
    }
    return index === undefined ? [] : [{ name: index, sql }]
  })
}

/** Builds the missing indexes outside a transaction; one left invalid by an interruption is dropped first. */
export async function buildConcurrently(
  client: pg.Client,
  migration: string,
  indexes: readonly Index[],
): Promise<void> {
  for (const { name, sql } of indexes) {
    const {
      rows: [known],
    } = await client.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [name],
    )
    if (known?.valid === false) await client.query(`drop index concurrently ${name}`)
    if (known?.valid !== true) await client.query(sql)
  }
  await client.query('insert into dpp_migration (name) values ($1)', [migration])
}
