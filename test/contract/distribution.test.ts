import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'
import { connected, createPreparedDatabase } from '../support/databases.ts'
import { MASTER_KEY } from '../support/gateway.ts'

// review-3-scale 4: what prevents an engine that distributes rows by workspace (Citus, YugabyteDB). The numbers may only fall:
// lower them here and in docs/guides/scale.md with the change that removes an obstacle.

const OBSTACLES = {
  'unique keys without `tenant_id`': 77,
  'foreign keys without `tenant_id`': 43,
  'tables of a workspace without `tenant_id`': 11,
  'triggers with transition tables': 40,
  'exclusion constraints': 1,
  'deferrable foreign keys': 1,
  'statements and functions with advisory locks': 15,
} as const

const TABLES = `pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
const COLUMN = (columns: string) =>
  `exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnum = any (${columns}))`

const QUERIES: Readonly<
  Record<Exclude<keyof typeof OBSTACLES, 'statements and functions with advisory locks'>, string>
> = {
  'unique keys without `tenant_id`': `select i.indexrelid::regclass::text as name from pg_index i, ${TABLES}
    and i.indrelid = c.oid and i.indisunique and not ${COLUMN('i.indkey')}`,
  'foreign keys without `tenant_id`': `select f.conname as name from pg_constraint f, ${TABLES}
    and f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> 'workspace'::regclass and not ${COLUMN('f.conkey')}`,
  'tables of a workspace without `tenant_id`': `select c.relname as name from ${TABLES} and c.relrowsecurity
    and c.relname <> 'workspace' and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')`,
  'triggers with transition tables': `select t.tgname as name from pg_trigger t, ${TABLES}
    and t.tgrelid = c.oid and not t.tgisinternal and coalesce(t.tgnewtable, t.tgoldtable) is not null`,
  'exclusion constraints': `select f.conname as name from pg_constraint f, ${TABLES} and f.conrelid = c.oid and f.contype = 'x'`,
  'deferrable foreign keys': `select f.conname as name from pg_constraint f, ${TABLES}
    and f.conrelid = c.oid and f.contype = 'f' and f.condeferrable`,
}

const ADVISORY = /pg_(?:try_)?advisory_\w*lock/g
const inFunctions = `select proname as name from pg_proc where pronamespace = 'public'::regnamespace
  and prosrc ~ 'pg_(try_)?advisory_'`

async function found(): Promise<Record<string, string[]>> {
  const url = await createPreparedDatabase(MASTER_KEY)
  return connected(url, async (owner) => {
    const names = async (text: string) =>
      (await owner.query(`${text} order by 1`)).rows.map(({ name }) => name as string)
    const result: Record<string, string[]> = {}
    for (const [obstacle, text] of Object.entries(QUERIES)) result[obstacle] = await names(text)
    const inSource = globSync(['src/**/*.ts', 'plugins/**/*.ts'], { cwd: ROOT })
      .filter((file) => !/\.test\.ts$/.test(file))
      .sort()
      .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(ADVISORY)].map(() => file))
    result['statements and functions with advisory locks'] = [...(await names(inFunctions)), ...inSource]
    return result
  })
}

test('no more prevents distribution by workspace than before, and the guide names each number', async () => {
  const obstacles = await found()
  const counts = Object.fromEntries(Object.entries(obstacles).map(([name, list]) => [name, list.length]))
  expect(counts, JSON.stringify(obstacles, null, 1)).toEqual(OBSTACLES)
  const guide = readFileSync(join(ROOT, 'docs/guides/scale.md'), 'utf8')
  for (const [name, count] of Object.entries(OBSTACLES))
    expect(guide).toMatch(new RegExp(`\\| ${name} +\\| +${count} \\|`))
})
