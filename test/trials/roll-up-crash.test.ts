import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { ACCESS_AUDIT_ROLL_UP } from '../../src/jobs/month-partitions.ts'
import { MASTER_KEY } from '../support/gateway.ts'
import { type GatewayProcess, startProcess } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'

// A process that dies while it rolls up the access audit. The gateway under test rolls up nothing itself.

const NETWORKS = 2_000
const PASSPORTS = 20
const { gateway, workspace, passports } = await useGateway()
await gateway.container.cradle.boss.offWork(ACCESS_AUDIT_ROLL_UP)

let running: GatewayProcess | undefined
afterAll(() => running?.end('SIGKILL'))

async function start(): Promise<GatewayProcess> {
  running = await startProcess({
    DATABASE_URL: gateway.databaseUrl,
    MASTER_KEY,
    BASE_URL: 'https://dpp.example.test',
    LOG_LEVEL: 'silent',
  })
  await running.printed('is ready')
  return running
}

interface State {
  readonly waiting: number
  readonly counted: number
}
// One statement has one snapshot.
async function state(): Promise<State> {
  const [row] = await gateway.sqlAs<State>(
    workspace.id,
    `select (select coalesce(sum(accesses), 0)::int from access_audit) as waiting,
      (select coalesce(sum(resolutions), 0)::int from resolution_count) as counted`,
  )
  if (row === undefined) throw new Error('There is no sum.')
  return row
}
const statistics = async (id: string) => {
  const { body } = await gateway.request('GET', `/api/v1/passports/${id}/statistics`, { headers: workspace.as })
  return body.total
}

test('kill -9 during the roll-up loses and doubles no count; the next process finishes it', {
  timeout: 120_000,
}, async () => {
  const ids: string[] = []
  for (let count = 0; count < PASSPORTS; count += 1) ids.push((await passports.given()).id)
  const lookup = new pg.Client({ connectionString: gateway.urlOf('lookup') })
  await lookup.connect()
  await lookup.query(
    `insert into access_audit (passport_id, representation, tier, network, accessed_at, accesses)
     select id, 'jsonld', 'public', '10.' || n / 250 || '.' || n % 250 || '.0/24', now() - interval '2 days', 1 + n % 3
     from generate_series(1, $2) as n, unnest($1::uuid[]) as id`,
    [ids, NETWORKS],
  )
  await lookup.end()
  const { waiting: all } = await state()
  const each = all / PASSPORTS

  // The roll-up waits at an entry behind its first transactions.
  const holder = new pg.Client({ connectionString: gateway.databaseUrl })
  await holder.connect()
  await holder.query(`begin; select 1 from access_audit where ctid = (select max(ctid) from access_audit) for update`)
  const victim = await start()
  await gateway.container.cradle.boss.send(ACCESS_AUDIT_ROLL_UP)
  await expect.poll(async () => (await state()).counted, { timeout: 60_000 }).toBeGreaterThan(0)
  const blocked = async () => {
    const { rowCount } = await holder.query(
      'select 1 from pg_locks where not granted and transactionid = pg_current_xact_id()::xid',
    )
    return rowCount
  }
  await expect.poll(blocked, { timeout: 30_000 }).toBe(1)
  await victim.end('SIGKILL')
  const killed = await state()
  expect(killed.waiting + killed.counted).toBe(all)
  expect(killed.waiting).toBeGreaterThan(0)
  await holder.query('commit')
  await holder.end()
  for (const id of ids.slice(0, 3)) expect(await statistics(id)).toBe(each)

  await gateway.sql(`delete from pgboss.job where name = $1`, [ACCESS_AUDIT_ROLL_UP])
  await start()
  await gateway.container.cradle.boss.send(ACCESS_AUDIT_ROLL_UP)
  await expect.poll(state, { timeout: 60_000 }).toEqual({ waiting: 0, counted: all })
  for (const id of ids) expect(await statistics(id)).toBe(each)
})
