import pg from 'pg'
import { expect, test } from 'vitest'
import { ACCESS_AUDIT_MONTHS, ACCESS_AUDIT_RETENTION } from '../../src/jobs/month-partitions.ts'
import { runJob } from '../support/jobs.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const { id: passportId } = await passports.given()

/** A day of the month `count` months from now. */
const monthsAway = (count: number, day = 2) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, day)).toISOString()
}

/** Entries of that time, written as the lookup role. */
async function entries(at: string, count = 1): Promise<void> {
  const lookup = new pg.Client({ connectionString: gateway.urlOf('lookup') })
  await lookup.connect()
  await lookup.query(
    `insert into access_audit (passport_id, representation, tier, network, accessed_at, accesses)
     select $1, 'jsonld', 'public', '127.0.0.0/24', $2, 1 from generate_series(1, $3)`,
    [passportId, at, count],
  )
  await lookup.end()
}
const times = async () => {
  const rows = await gateway.sqlAs<{ at: Date; count: number }>(
    workspace.id,
    `select accessed_at as at, count(*)::int from access_audit where passport_id = $1 group by 1 order by 1`,
    [passportId],
  )
  return rows.map(({ at, count }) => [at.toISOString(), count])
}
const months = async () => {
  const rows = await gateway.sql<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'access_audit'::regclass order by 1`,
  )
  return rows.map(({ name }) => name.replace('access_audit_', ''))
}
const namesOf = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    monthsAway(from + index)
      .slice(0, 7)
      .replace('-', '_'),
  )

test('each month has a partition, from the oldest that is kept to three months ahead', async () => {
  expect(await months()).toEqual([...namesOf(-ACCESS_AUDIT_MONTHS, 3), 'earlier', 'later'])
})

test('expired entries are dropped, younger ones stay, and resolution counts stay', async () => {
  // State after three months without the job: the oldest two have expired, the newest three are missing.
  const owner = new pg.Client({ connectionString: gateway.databaseUrl })
  await owner.connect()
  await owner.query(`
    drop table access_audit_earlier;
    alter table access_audit detach partition access_audit_later;
    drop table ${namesOf(1, 3)
      .map((month) => `access_audit_${month}`)
      .join()};
    select month_partition('access_audit', 'access_audit_${namesOf(-15, -15)[0]}', '${monthsAway(-15, 1)}', '${monthsAway(-14, 1)}'),
      month_partition('access_audit', 'access_audit_${namesOf(-14, -14)[0]}', '${monthsAway(-14, 1)}', '${monthsAway(-13, 1)}'),
      month_partition('access_audit', 'access_audit_earlier', null, '${monthsAway(-15, 1)}');
    alter table access_audit attach partition access_audit_later for values from ('${monthsAway(1, 1)}') to (maxvalue)`)
  await owner.end()
  const retained = [-13, -12, 0, 1, 2, 7].map((count) => monthsAway(count).replace(/\.\d+/, '.000'))
  for (const count of [-40, -15, -14]) await entries(monthsAway(count), 3)
  for (const at of retained) await entries(at)
  expect((await times()).length).toBe(9)
  await runJob(gateway, ACCESS_AUDIT_RETENTION)
  await expect.poll(months, { timeout: 25_000 }).toEqual([...namesOf(-ACCESS_AUDIT_MONTHS, 3), 'earlier', 'later'])
  expect(await times()).toEqual(retained.map((at) => [at, 1]))
  // Moved entries are counted once.
  const counted = await gateway.sqlAs<{ count: number }>(
    workspace.id,
    'select sum(resolutions)::int as count from resolution_count where passport_id = $1',
    [passportId],
  )
  expect(counted).toEqual([{ count: 15 }])
  const jobs = new pg.Client({ connectionString: gateway.urlOf('jobs') })
  await jobs.connect()
  const { rows } = await jobs.query('select access_audit_turns($1) as dropped', [ACCESS_AUDIT_MONTHS])
  await jobs.end()
  expect(rows).toEqual([{ dropped: 0 }])
  expect(await times()).toEqual(retained.map((at) => [at, 1]))
})

test('the job is due every night, and is for the role of the jobs alone, which sees no entry', async () => {
  const rows = await gateway.sql(`select name, cron from pgboss.schedule where name = $1`, [ACCESS_AUDIT_RETENTION])
  expect(rows).toEqual([{ name: ACCESS_AUDIT_RETENTION, cron: '17 3 * * *' }])
  const refusal = async (role: 'app' | 'lookup' | 'jobs', text: string) => {
    const client = new pg.Client({ connectionString: gateway.urlOf(role) })
    await client.connect()
    const code = await client.query(text).catch((error) => error.code)
    await client.end()
    return code
  }
  expect(await refusal('app', 'select access_audit_turns(1)')).toBe('42501')
  expect(await refusal('lookup', 'select access_audit_turns(1)')).toBe('42501')
  for (const text of ['select 1 from access_audit', 'delete from access_audit', 'select 1 from access_audit_later']) {
    expect([text, await refusal('jobs', text)]).toEqual([text, '42501'])
  }
})
