import { MikroORM } from '@mikro-orm/postgresql'
import type pg from 'pg'
import { ENTITIES, type EntityDescription, type NamedMigration, sqlOf } from '../../../../src/plugin/installation.ts'

interface Schema {
  /** Column types (`text not null`) by name, by table. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly indexes: ReadonlySet<string>
}

/** Compares tables and columns with the entities of the gateway and its modules, indexes with the migrations. Skips columns of plugin tables. */
export async function schemaDrift(
  client: pg.ClientBase,
  migrations: readonly NamedMigration[],
  entitiesOfModules: readonly EntityDescription[],
): Promise<string[]> {
  const statements = (await Promise.all(migrations.map((migration) => sqlOf(migration.class)))).flat().join(';\n')
  const described = describedSchema(statements, [...ENTITIES, ...entitiesOfModules])
  const actual = await actualSchema(client)
  const created = new Set(namesIn(statements, /\bcreate table (\w+)/g))
  const isOfPlugin = (table: string) => created.has(table) && !described.tables.has(table)
  const drift: string[] = []
  for (const [table, columns] of described.tables) {
    const found = actual.tables.get(table)
    if (found === undefined) drift.push(`Table ${table} is missing.`)
    for (const [name, type] of found === undefined ? [] : columns) {
      const is = found?.get(name)
      if (is === undefined) drift.push(`Column ${table}.${name} is missing.`)
      else if (is !== type) drift.push(`Column ${table}.${name} is ${is}, not ${type}.`)
    }
    for (const name of found?.keys() ?? []) if (!columns.has(name)) drift.push(`Column ${table}.${name} is unknown.`)
  }
  for (const table of actual.tables.keys()) {
    if (!described.tables.has(table) && !isOfPlugin(table)) drift.push(`Table ${table} is unknown.`)
  }
  for (const name of described.indexes) if (!actual.indexes.has(name)) drift.push(`Index ${name} is missing.`)
  for (const name of actual.indexes) {
    if (!described.indexes.has(name) && !isOfPlugin(name.replace(/_pkey$/, ''))) drift.push(`Index ${name} is unknown.`)
  }
  return drift
}

const namesIn = (statements: string, pattern: RegExp) => [...statements.matchAll(pattern)].map(([, name = '']) => name)

/** Names indexes of primary keys and unique columns as PostgreSQL does. */
function describedSchema(statements: string, entities: readonly EntityDescription[]): Schema {
  const tables = new Map<string, ReadonlyMap<string, string>>()
  const indexes = new Set([
    ...namesIn(statements, /\bcreate (?:unique )?index (\w+)/g),
    ...namesIn(statements, /\bconstraint (\w+) exclude/g),
    ...namesIn(statements, /\bcreate table (\w+) \([^;]*\bprimary key\b/g).map((table) => `${table}_pkey`),
  ])
  const orm = new MikroORM({ entities: [...entities], dbName: 'none', discovery: { checkDuplicateFieldNames: false } })
  for (const { tableName, props, uniques } of orm.getMetadata().getAll().values()) {
    const fields = new Map(props.map(({ name, fieldNames: [field = ''] }) => [String(name), field]))
    tables.set(
      tableName,
      new Map(
        props.map(({ fieldNames: [field = ''], columnTypes: [type = ''], nullable }) => [
          field,
          nullable === true ? type : `${type} not null`,
        ]),
      ),
    )
    const unique = [
      ...props.filter((prop) => prop.unique === true).map(({ name }) => [String(name)]),
      ...uniques.map(({ properties = [] }) => [properties].flat().map(String)),
    ]
    for (const names of unique) indexes.add(`${tableName}_${names.map((name) => fields.get(name)).join('_')}_key`)
  }
  return { tables, indexes }
}

async function actualSchema(client: pg.ClientBase): Promise<Schema> {
  const { rows: columns } = await client.query<{ table: string; name: string; type: string }>(`
    select c.relname as table, a.attname as name,
      regexp_replace(replace(format_type(a.atttypid, a.atttypmod), 'integer', 'int'),
        '^timestamp(\\(\\d\\))? with time zone$', 'timestamptz\\1') || case when a.attnotnull then ' not null' else '' end as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'dpp_migration'
    order by c.relname, a.attnum`)
  const { rows: indexes } = await client.query<{ name: string }>(`
    select i.relname as name from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace = current_schema()::regnamespace and not t.relispartition and t.relname <> 'dpp_migration'`)
  const tables = Map.groupBy(columns, ({ table }) => table)
  return {
    tables: new Map([...tables].map(([table, each]) => [table, new Map(each.map(({ name, type }) => [name, type]))])),
    indexes: new Set(indexes.map(({ name }) => name)),
  }
}
