import pg from 'pg'
import { expect, test } from 'vitest'
import {
  ACCESS_AUDIT_ROLL_UP,
  RESOLUTION_COUNT_MONTHS,
  RESOLUTION_COUNT_RETENTION,
} from '../../src/jobs/month-partitions.ts'
import { createWorkspace, type TestWorkspace } from '../support/gateway.ts'
import { runJob } from '../support/jobs.ts'
import { passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const { id: passportId } = await passports.given()

const today = new Date().toISOString().slice(0, 10)
const dayAway = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
/** A day of the month `count` months from now. */
const monthsAway = (count: number, day = 2) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, day)).toISOString()
}

async function connect(role?: 'app' | 'lookup' | 'jobs'): Promise<pg.Client> {
  const connectionString = role === undefined ? gateway.databaseUrl : gateway.urlOf(role)
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

/** Adds entries of one access each, from as many networks. */
async function entries(id: string, at: string, count = 1, representation = 'jsonld'): Promise<void> {
  const lookup = await connect('lookup')
  await lookup.query(
    `insert into access_audit (passport_id, representation, tier, network, accessed_at, accesses)
     select $1, $4, 'public', '10.0.' || n || '.0/24', $2, 1 from generate_series(1, $3) as n`,
    [id, at, count, representation],
  )
  await lookup.end()
}
const counts = (of: Pick<TestWorkspace, 'id'>, id: string) =>
  gateway.sqlAs(
    of.id,
    `select to_char(day, 'YYYY-MM-DD') as day, representation, tier, resolutions from resolution_count
     where passport_id = $1 order by day, representation`,
    [id],
  )
const waiting = async (of: Pick<TestWorkspace, 'id'>, id: string) => {
  const [row] = await gateway.sqlAs<{ count: number }>(
    of.id,
    'select coalesce(sum(accesses), 0)::int as count from access_audit where passport_id = $1',
    [id],
  )
  return row?.count
}
const statistics = async (id: string, as = workspace.as) => {
  const { body } = await gateway.request('GET', `/api/v1/passports/${id}/statistics?from=${dayAway(-365)}`, {
    headers: as,
  })
  return body
}
async function rollUp(): Promise<void> {
  const jobs = await connect('jobs')
  for (let block = 0; ; block += 1) {
    const { rows } = await jobs.query(
      `select access_audit_roll_up(date_trunc('day', now(), 'utc'), $1, 1) is null as last`,
      [block],
    )
    if (rows[0]?.last) break
  }
  await jobs.end()
}

test('days that have ended are added up and their entries deleted; the statistics stay as they are', async () => {
  for (const [at, count] of [
    [`${dayAway(-3)}T00:00:00Z`, 40],
    [`${dayAway(-3)}T23:59:59Z`, 60],
    [`${dayAway(-1)}T23:59:59Z`, 1],
    [`${dayAway(0)}T00:00:00Z`, 7],
  ] as const) {
    await entries(passportId, at, count)
  }
  await entries(passportId, `${dayAway(-3)}T12:00:00Z`, 5, 'html')
  const before = await statistics(passportId)
  expect(before).toMatchObject({ total: 113, days: [{ total: 105 }, { total: 1 }, { total: 7 }] })
  await runJob(gateway, ACCESS_AUDIT_ROLL_UP)
  await expect.poll(() => waiting(workspace, passportId), { timeout: 25_000 }).toBe(7)
  const rolled = [
    { day: dayAway(-3), representation: 'html', tier: 'public', resolutions: 5 },
    { day: dayAway(-3), representation: 'jsonld', tier: 'public', resolutions: 100 },
    { day: dayAway(-1), representation: 'jsonld', tier: 'public', resolutions: 1 },
  ]
  expect(await counts(workspace, passportId)).toEqual(rolled)
  expect(await statistics(passportId)).toEqual(before)
  // Late entries of a day are added to it.
  await entries(passportId, `${dayAway(-3)}T12:00:00Z`, 3, 'html')
  await rollUp()
  await rollUp()
  expect(await counts(workspace, passportId)).toEqual([{ ...rolled[0], resolutions: 8 }, ...rolled.slice(1)])
  expect(await statistics(passportId)).toMatchObject({ total: 116 })
})

test('a roll-up that has not committed delays no reader, no scan and no deletion of another workspace', async () => {
  const other = await createWorkspace(gateway)
  const otherPassports = passportClient(gateway, other.as)
  const { id } = await otherPassports.given({ metadata: { category: 'textiles', originCountry: 'PT' } })
  await entries(id, `${dayAway(-2)}T12:00:00Z`, 3)
  const { id: slow } = await passports.given()
  await entries(slow, `${dayAway(-2)}T12:00:00Z`, 2000)
  const owner = await connect()
  try {
    await owner.query('begin')
    const { rows } = await owner.query(
      `select access_audit_roll_up(date_trunc('day', now(), 'utc'), 0, 1000000)::int as rolled`,
    )
    expect(rows[0].rolled).toBeGreaterThanOrEqual(2003)
    expect((await gateway.request('GET', `/passport/${id}`)).status).toBe(200)
    await gateway.container.cradle.accessAudit.flush()
    expect(await statistics(id, other.as)).toMatchObject({ total: 4 })
    const { rows: blocked } = await owner.query(
      `select count(*)::int as count from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
    )
    expect(blocked).toEqual([{ count: 0 }])
  } finally {
    await owner.query('rollback')
    await owner.end()
  }
  expect(await waiting(other, id)).toBe(4)
})

test('entries and counts of many days go once through the roll-up, however often it is interrupted', async () => {
  const { id } = await passports.given()
  for (let day = 1; day <= 5; day += 1) await entries(id, `${dayAway(-day)}T08:00:00Z`, 500)
  const monitor = await connect('jobs')
  for (const block of [0, 3, 8]) {
    const jobs = await connect('jobs')
    const { rows } = await jobs.query('select pg_backend_pid() as pid')
    const lost = new Promise((resolve) => jobs.on('error', resolve))
    await jobs.query('begin')
    await jobs.query(`select access_audit_roll_up(date_trunc('day', now(), 'utc'), $1, 4)`, [block])
    await monitor.query('select pg_terminate_backend($1)', [rows[0].pid])
    await lost
    await monitor.query(`select access_audit_roll_up(date_trunc('day', now(), 'utc'), $1, 2)`, [block])
    expect(await statistics(id)).toMatchObject({ total: 2500 })
  }
  await monitor.end()
  await rollUp()
  expect(await waiting(workspace, id)).toBe(0)
  expect((await counts(workspace, id)).map(({ resolutions }) => resolutions)).toEqual([500, 500, 500, 500, 500])
})

const namesOf = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    monthsAway(from + index)
      .slice(0, 7)
      .replace('-', '_'),
  )
const months = async () => {
  const rows = await gateway.sql<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'resolution_count'::regclass order by 1`,
  )
  return rows.map(({ name }) => name.replace('resolution_count_', ''))
}

test('counts have a partition per month; expired months are dropped, younger ones stay', async () => {
  expect(await months()).toEqual([...namesOf(-RESOLUTION_COUNT_MONTHS, 3), 'earlier', 'later'])
  const { id } = await passports.given()
  // State after three months without the job: the oldest two have expired, the newest three are missing.
  const oldest = -RESOLUTION_COUNT_MONTHS
  const table = (name: string | undefined) => `'resolution_count', 'resolution_count_${name}'`
  const owner = await connect()
  await owner.query(`
    drop table resolution_count_earlier;
    alter table resolution_count detach partition resolution_count_later;
    drop table ${namesOf(1, 3)
      .map((month) => `resolution_count_${month}`)
      .join()};
    select month_partition(${table(namesOf(oldest - 2, oldest - 2)[0])}, '${monthsAway(oldest - 2, 1)}', '${monthsAway(oldest - 1, 1)}'),
      month_partition(${table(namesOf(oldest - 1, oldest - 1)[0])}, '${monthsAway(oldest - 1, 1)}', '${monthsAway(oldest, 1)}'),
      month_partition(${table('earlier')}, null, '${monthsAway(oldest - 2, 1)}');
    alter table resolution_count attach partition resolution_count_later for values from ('${monthsAway(1, 1)}') to (maxvalue)`)
  await owner.end()
  const retained = [oldest, oldest + 1, 0, 1, 2, 7].map((count) => monthsAway(count))
  for (const at of [-60, oldest - 2, oldest - 1].map((count) => monthsAway(count))) await entries(id, at, 3)
  for (const at of retained) await entries(id, at)
  const jobs = await connect('jobs')
  await jobs.query(`select access_audit_roll_up('infinity', 0, 1000000)`)
  expect(await counts(workspace, id)).toHaveLength(9)
  await runJob(gateway, RESOLUTION_COUNT_RETENTION)
  await expect.poll(months, { timeout: 25_000 }).toEqual([...namesOf(oldest, 3), 'earlier', 'later'])
  const left = retained.map((at) => ({
    day: at.slice(0, 10),
    representation: 'jsonld',
    tier: 'public',
    resolutions: 1,
  }))
  expect(await counts(workspace, id)).toEqual(left)
  const { rows } = await jobs.query('select resolution_count_turns($1) as dropped', [RESOLUTION_COUNT_MONTHS])
  await jobs.end()
  expect(rows).toEqual([{ dropped: 0 }])
  expect(await counts(workspace, id)).toEqual(left)
})

test('both jobs are due every night, and are for the role of the jobs alone, which sees no entry', async () => {
  const rows = await gateway.sql(`select name, cron from pgboss.schedule where name = any($1) order by name`, [
    [ACCESS_AUDIT_ROLL_UP, RESOLUTION_COUNT_RETENTION],
  ])
  expect(rows).toEqual([
    { name: ACCESS_AUDIT_ROLL_UP, cron: '7 0 * * *' },
    { name: RESOLUTION_COUNT_RETENTION, cron: '17 3 * * *' },
  ])
  const refusal = async (role: 'app' | 'lookup' | 'jobs', text: string) => {
    const client = await connect(role)
    const code = await client.query(text).catch((error) => error.code)
    await client.end()
    return code
  }
  for (const role of ['app', 'lookup'] as const) {
    expect(await refusal(role, 'select resolution_count_turns(1)')).toBe('42501')
    expect(await refusal(role, 'select access_audit_roll_up(now(), 0, 1)')).toBe('42501')
  }
  const hidden = ['access_audit', 'resolution_count', 'resolution_count_later']
  for (const text of hidden.flatMap((table) => [`select 1 from ${table}`, `delete from ${table}`])) {
    expect([text, await refusal('jobs', text)]).toEqual([text, '42501'])
  }
})
