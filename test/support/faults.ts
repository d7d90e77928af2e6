import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestGateway } from './gateway.ts'

/** Runs `work` while a table is missing, so that its statements fail in PostgreSQL. */
export async function withoutTable<T>(gateway: TestGateway, table: string, work: () => Promise<T>): Promise<T> {
  await gateway.sql(`alter table ${table} rename to ${table}_away`)
  try {
    return await work()
  } finally {
    await gateway.sql(`alter table ${table}_away rename to ${table}`)
  }
}

/** Runs `work` while the gateway's pools cannot connect to the database. */
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

/** A proxy to the database that can drop connections or go silent like a network that lost a machine. */
export interface ProxiedDatabase {
  readonly url: string
  /** Stops forwarding without closing connections. */
  silence(): void
  /** Closes every connection; new ones work. */
  cut(): void
  close(): Promise<void>
}

/** Transforms bytes before they are forwarded. */
interface Tap {
  sent?(chunk: Buffer): Buffer
  received?(chunk: Buffer): Buffer
}

/** @param tap called per connection */
export async function openProxy(databaseUrl: string, tap: () => Tap = () => ({})): Promise<ProxiedDatabase> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isSilent = false
  // Avoids 40 ms waits for acknowledgements of small messages.
  const noDelay = true
  const server = createServer({ noDelay }, (client) => {
    const upstream = connect({ port: Number(target.port), host: target.hostname, noDelay })
    const { sent = (chunk) => chunk, received = (chunk) => chunk } = tap()
    for (const [from, to, pass] of [
      [client, upstream, sent],
      [upstream, client, received],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => isSilent || to.write(pass(chunk)))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        if (!isSilent) to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    silence: () => {
      isSilent = true
    },
    cut: () => {
      isSilent = false
      for (const socket of sockets) socket.destroy()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Failure point of a transaction: a statement that writes a table, or its commit. */
export type Fault = { readonly table: string; readonly events?: string } | 'commit'

/**
 * Places of each gateway's database that call `fault()`. A new trigger causes re-planning of every statement on its
 * table.
 */
const guarded = new WeakMap<TestGateway, Set<string>>()

/** Runs `work` while every transaction that writes this table fails, at the statement or at the commit. */
export async function withFault<T>(gateway: TestGateway, fault: Fault, work: () => Promise<T>): Promise<T> {
  const place = fault === 'commit' ? fault : fault.table
  const fail = (condition: string) =>
    gateway.sql(`create or replace function fault() returns trigger language plpgsql as $$
      begin if ${condition} then raise exception 'made to fail'; end if; return null; end $$`)
  await fail(`tg_argv[0] = '${place}'`)
  const places = guarded.get(gateway) ?? new Set()
  guarded.set(gateway, places)
  if (!places.has(place)) {
    const trigger =
      fault === 'commit'
        ? `constraint trigger fault_at_commit after insert or update or delete on passport deferrable initially deferred for each row`
        : `trigger fault before ${fault.events ?? 'insert or update or delete'} on ${place} for each statement`
    await gateway.sql(`create ${trigger} execute function fault('${place}')`)
    places.add(place)
  }
  try {
    return await work()
  } finally {
    await fail('false')
  }
}
