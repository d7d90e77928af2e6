import { ConfigError } from '../start/config.ts'
import { RoleClient } from './role-client.ts'

/**
 * Two open sessions with one server process share it: a pooler assigns it for each transaction. LISTEN and the lock of migrations then
 * have no effect.
 * @throws ConfigError naming the user
 */
export async function assertSessions(url: string): Promise<void> {
  const clients = [1, 2].map(() => new RoleClient({ connectionString: url, connectionTimeoutMillis: 5000 }))
  try {
    for (const client of clients) await client.connect()
    const processes: number[] = []
    for (const client of clients) {
      const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id')
      processes.push(...rows.map(({ id }) => id))
    }
    if (processes[0] !== processes[1]) return
    throw new ConfigError(
      `DATABASE_URL: a pooler shares connections of the user ${clients[0]?.user} between sessions, which migrations and the job ` +
        `queue need. In PgBouncer set pool_mode = session for this user, in the section [users].`,
    )
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}
