import type pg from 'pg'
import type { JsonRecord } from '../../src/domain/record.ts'

/** What a database holds: of each table its columns that can be written, and its rows as the JSON that PostgreSQL makes of them. */
export type Rows = ReadonlyMap<string, { readonly columns: readonly string[]; readonly rows: readonly string[] }>

/** Everything in our tables, but which migrations have run. */
export async function rowsOf(client: pg.Client): Promise<Rows> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'dpp_migration'
     group by relname order by relname`,
  )
  const read = tables.map(({ name }) => `select '${name}' as name, row_to_json(t)::text as row from "${name}" t`)
  const { rows } = await client.query<{ name: string; row: string }>(read.join(' union all '))
  const found = Map.groupBy(rows, ({ name }) => name)
  return new Map(
    tables.map(({ name, columns }) => [name, { columns, rows: (found.get(name) ?? []).map(({ row }) => row) }]),
  )
}

/** The names of the tables that hold nothing. */
export const emptyTables = (of: Rows): string[] =>
  [...of].filter(([, { rows }]) => rows.length === 0).map(([name]) => name)

/** What `later` has beyond `earlier`. */
export function rowsSince(earlier: Rows, later: Rows): Rows {
  return new Map(
    [...later].map(([name, { columns, rows }]) => {
      const known = new Set(earlier.get(name)?.rows)
      return [name, { columns, rows: rows.filter((row) => !known.has(row)) }]
    }),
  )
}

/** How many rows of `earlier` are not in `later`, in the columns that both have, by table; one that is gone has lost all of its rows. */
export function lostRows(earlier: Rows, later: Rows): Readonly<Record<string, number>> {
  const lost: Record<string, number> = {}
  for (const [name, { columns, rows }] of earlier) {
    const now = later.get(name)
    const common = columns.filter((column) => now?.columns.includes(column))
    const told = (row: string) => JSON.stringify(common.map((column) => (JSON.parse(row) as JsonRecord)[column]))
    const left = Map.groupBy(now?.rows ?? [], told)
    const gone = rows.filter((row) => now === undefined || left.get(told(row))?.pop() === undefined)
    if (gone.length > 0) lost[name] = gone.length
  }
  return lost
}

/**
 * Writes rows of these tables, in whatever order the database takes them; what is there already stays. Columns that the database
 * does not have are left out.
 * @param asThen by table: what else a row is given in a database with these columns
 */
export async function addRows(
  client: pg.Client,
  rows: Rows,
  tables: readonly string[],
  asThen: Readonly<Record<string, (row: JsonRecord, columns: readonly string[]) => object>> = {},
): Promise<void> {
  const there = await rowsOf(client)
  let waiting = tables.filter((name) => there.has(name) && rows.has(name))
  await client.query('begin')
  while (waiting.length > 0) {
    const refused = new Map<string, unknown>()
    for (const name of waiting) {
      const { columns } = there.get(name) as { columns: readonly string[] }
      await client.query('savepoint before_table')
      try {
        for (const text of rows.get(name)?.rows ?? []) {
          const row: JsonRecord = JSON.parse(text)
          const more = asThen[name]?.(row, columns) ?? {}
          const whole = { ...row, ...more }
          const written = columns.filter((column) => column in whole).map((column) => `"${column}"`)
          await client.query(`select set_config('app.tenant', $1, true)`, [row.tenant_id ?? ''])
          // What PostgreSQL wrote is given back as it is: JSON keeps its order and its spelling.
          await client.query(
            `insert into "${name}" (${written}) overriding system value
             select ${written} from json_populate_record(null::"${name}", $1) on conflict do nothing`,
            [Object.keys(more).length === 0 ? text : JSON.stringify(whole)],
          )
        }
      } catch (error) {
        await client.query('rollback to before_table')
        refused.set(name, error)
      }
    }
    if (refused.size === waiting.length) {
      throw new AggregateError(refused.values(), [...refused].map(([name, error]) => `${name}: ${error}`).join('\n'))
    }
    waiting = [...refused.keys()]
  }
  await client.query('commit')
}
