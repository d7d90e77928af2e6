import type { TestGateway } from './gateway.ts'

/** Runs `work` while a table is not there, so that every statement that needs it fails in PostgreSQL. */
export async function withoutTable<T>(gateway: TestGateway, table: string, work: () => Promise<T>): Promise<T> {
  await gateway.sql(`alter table ${table} rename to ${table}_away`)
  try {
    return await work()
  } finally {
    await gateway.sql(`alter table ${table}_away rename to ${table}`)
  }
}

/** Runs `work` while the gateway's pools are cut off from the database and cannot come back. */
export async function cutOff<T>(gateway: TestGateway, work: () => Promise<T>): Promise<T> {
  const [row] = await gateway.sql<{ name: string }>('select current_database() as name')
  await gateway.sql(`alter database ${row?.name} connection limit 0`)
  try {
    await gateway.sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'dpp-gateway%'`)
    return await work()
  } finally {
    await gateway.sql(`alter database ${row?.name} connection limit -1`)
  }
}
