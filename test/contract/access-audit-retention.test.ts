import pg from 'pg'
import { expect, test } from 'vitest'
import { ACCESS_AUDIT_DAYS, ACCESS_AUDIT_RETENTION } from '../../src/jobs/access-audit-retention.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const { id: passportId } = await passports.given()

/** Entries so many days old, as the look-up role writes them. */
async function entries(days: number, count = 1): Promise<void> {
  const lookup = new pg.Client({ connectionString: gateway.urlOf('lookup') })
  await lookup.connect()
  await lookup.query(
    `insert into access_audit (passport_id, representation, tier, network, accessed_at, accesses)
     select $1, 'jsonld', 'public', '127.0.0.0/24', now() - $2 * interval '1 day', 1 from generate_series(1, $3)`,
    [passportId, days, count],
  )
  await lookup.end()
}
const ages = async () => {
  const rows = await gateway.sqlAs<{ days: number; count: number }>(
    workspace.id,
    `select extract(day from now() - accessed_at)::int as days, count(*)::int from access_audit
     where passport_id = $1 group by 1 order by 1`,
    [passportId],
  )
  return rows.map(({ days, count }) => [days, count])
}

test('entries of the access audit are deleted when they are too old, in batches, and younger ones stay', async () => {
  await entries(0)
  await entries(ACCESS_AUDIT_DAYS - 1)
  await entries(ACCESS_AUDIT_DAYS + 1, 10_001)
  await entries(2000)
  expect((await ages()).map(([, count]) => count)).toEqual([1, 1, 10_001, 1])
  await gateway.container.cradle.boss.send(ACCESS_AUDIT_RETENTION)
  await expect.poll(ages, { timeout: 25_000 }).toEqual([
    [0, 1],
    [ACCESS_AUDIT_DAYS - 1, 1],
  ])
})

test('the job is due every night', async () => {
  const rows = await gateway.sql(`select name, cron from pgboss.schedule where name = $1`, [ACCESS_AUDIT_RETENTION])
  expect(rows).toEqual([{ name: ACCESS_AUDIT_RETENTION, cron: '17 3 * * *' }])
})

test('whoever deletes them cannot delete younger ones, nor see them', async () => {
  const jobs = new pg.Client({ connectionString: gateway.urlOf('jobs') })
  await jobs.connect()
  await entries(ACCESS_AUDIT_DAYS - 1)
  expect((await jobs.query('select 1 from access_audit')).rowCount).toBe(0)
  expect((await jobs.query('delete from access_audit')).rowCount).toBe(0)
  await jobs.end()
})
