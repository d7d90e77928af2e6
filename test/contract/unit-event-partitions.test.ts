import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { UNIT_EVENT_PARTITIONS } from '../../src/jobs/month-partitions.ts'
import { READ_IN_ORDER } from '../../src/units/unit-event-statements.ts'
import { runJob } from '../support/jobs.ts'
import { battery } from '../support/passport-client.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway({ UNIT_EVENT_RETENTION_MONTHS: '6' })
const units = unitClient(gateway, workspace.as)

const partitions = async () => {
  const rows = await gateway.sql<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'battery_unit_event'::regclass order by 1`,
  )
  return rows.map(({ name }) => name.replace('battery_unit_event_', ''))
}
/** Month suffixes of partitions, relative to this month. */
const months = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const now = new Date()
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + from + index, 1))
    return month.toISOString().slice(0, 7).replace('-', '_')
  })
const monthsAway = (count: number, day = 2) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, day)).toISOString()
}
async function asOwner<T>(work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: gateway.databaseUrl })
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}
/** Charged bytes of a workspace for events: recounted, and as stored. */
async function charged() {
  const [row] = await gateway.sqlAs<{ kept: string; counted: string }>(
    workspace.id,
    `select (select sum(bytes) from workspace_usage)::bigint
        - (select coalesce(sum(stored_bytes), 0) from passport)
        - (select coalesce(sum(octet_length(serial_number)), 0) from battery_unit)
        - (select coalesce(sum(octet_length(reg_id)), 0) from operator) as kept,
      (select coalesce(sum(128 + coalesce(octet_length(payload::text), 0)), 0) from battery_unit_event) as counted`,
  )
  return row
}

test('each month has a partition, from a year ago to three months ahead, and time itself has two more', async () => {
  expect(await partitions()).toEqual([...months(-12, 3), 'earlier', 'later'])
})

test('the newest of a unit are read from the partitions of their time alone', async () => {
  const unit = await units.given((await passports.given({ metadata: battery() })).id)
  const rows = Array.from({ length: 600 }, (_, n) => ({
    unitId: unit.id,
    eventType: 'OTHER',
    recordedAt: new Date(Date.parse(monthsAway(0)) - n * 3_600_000).toISOString(),
  }))
  expect((await units.recordAll(rows)).status).toBe(201)
  const app = new pg.Client({ connectionString: gateway.urlOf('app') })
  await app.connect()
  await app.query('begin')
  await app.query(`select set_config('app.tenant', $1, true)`, [workspace.id])
  await app.query(READ_IN_ORDER.text)
  const { rows: plan } = await app.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, costs off) select id from battery_unit_event where unit_id = '${unit.id}'
     order by recorded_at desc, place desc limit 500`,
  )
  await app.end()
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).not.toMatch(/Sort|Seq Scan|Bitmap/)
  const read = [...text.matchAll(/using battery_unit_event_\w+ on battery_unit_event_(\w+) \S+ \((actual|never)/g)].map(
    ([, name, how]) => [name, how],
  )
  expect(read.filter(([, how]) => how === 'actual').map(([name]) => name)).toEqual([
    'later',
    ...months(-1, 3).toReversed(),
  ])
})

describe('the record of a unit', () => {
  test('cannot be changed, and can be removed only by its owner', async () => {
    const unit = await units.given((await passports.given({ metadata: battery() })).id)
    await units.record(unit.id, { eventType: 'OTHER' })
    const app = new pg.Client({ connectionString: gateway.urlOf('app') })
    await app.connect()
    await app.query(`select set_config('app.tenant', $1, false)`, [workspace.id])
    const refusal = (client: pg.Client, text: string) =>
      client.query(text).then(
        ({ rowCount }) => rowCount,
        (error) => error.code,
      )
    for (const text of [
      `update battery_unit_event set event_type = 'OTHER'`,
      `delete from battery_unit_event`,
      `truncate battery_unit_event`,
      `update battery_unit set serial_number = 'X'`,
      `update battery_unit set passport_id = passport_id`,
      `select 1 from battery_unit_event_later`,
    ]) {
      expect([text, await refusal(app, text)]).toEqual([text, '42501'])
    }
    expect((await app.query('select 1 from battery_unit_event where unit_id = $1', [unit.id])).rowCount).toBe(1)
    await app.end()
    // SQLSTATE restrict_violation, even for the table owner.
    expect(await asOwner((owner) => refusal(owner, `update battery_unit_event set event_type = 'OTHER'`))).toBe('23001')
  })

  test('is not for the role that looks things up, and neither is what was measured', async () => {
    const lookup = new pg.Client({ connectionString: gateway.urlOf('lookup') })
    await lookup.connect()
    for (const text of [
      'select 1 from battery_unit_event',
      'select state_of_health from battery_unit',
      'select measured_at from battery_unit',
      'delete from battery_unit',
    ]) {
      expect([text, await lookup.query(text).catch((error) => error.code)]).toEqual([text, '42501'])
    }
    expect((await lookup.query('select id, status, ceased_at, version from battery_unit')).rowCount).toBeGreaterThan(0)
    await lookup.end()
  })
})

test('the job drops what is too old, makes what is missing, moves what has come for later, and counts it', async () => {
  const unit = await units.given((await passports.given({ metadata: battery() })).id)
  // Simulates two months without new partitions.
  await asOwner((owner) =>
    owner.query(`drop table ${months(2, 3).map((month) => `battery_unit_event_${month}`)};
      alter table battery_unit_event detach partition battery_unit_event_later;
      alter table battery_unit_event attach partition battery_unit_event_later
        for values from ('${monthsAway(2, 1)}') to (maxvalue)`),
  )
  const away = [-30, -12, -7, -6, -1, 0, 1, 2, 3, 4, 40]
  const payload = { text: 'ä' }
  const answer = await units.recordAll(
    away.map((count) => ({ unitId: unit.id, eventType: 'OTHER', payload, recordedAt: monthsAway(count) })),
  )
  expect(answer.body.count).toBe(away.length)
  const before = await charged()
  expect(before?.kept).toBe(before?.counted)
  await runJob(gateway, UNIT_EVENT_PARTITIONS)
  await expect.poll(partitions, { timeout: 25_000 }).toEqual([...months(-6, 3), 'earlier', 'later'])
  const stored = (await units.events(unit.id)).body.events.map(({ recordedAt }: { recordedAt: string }) => recordedAt)
  expect(stored).toEqual(
    away
      .filter((count) => count >= -6)
      .map((count) => monthsAway(count))
      .toReversed(),
  )
  const after = await charged()
  expect(after?.kept).toBe(after?.counted)
  expect(Number(before?.counted) - Number(after?.counted)).toBeGreaterThan(3 * 128)
  const later = await asOwner((owner) => owner.query('select recorded_at from battery_unit_event_later'))
  expect(later.rowCount).toBe(2)
  // Late entries are accepted until the next night.
  expect((await units.record(unit.id, { eventType: 'OTHER', recordedAt: monthsAway(-9) })).status).toBe(201)
})

test('the job is due every night, and is for the role of the jobs alone', async () => {
  const rows = await gateway.sql(`select name, cron from pgboss.schedule where name = $1`, [UNIT_EVENT_PARTITIONS])
  expect(rows).toEqual([{ name: UNIT_EVENT_PARTITIONS, cron: '37 2 * * *' }])
  for (const role of ['app', 'lookup'] as const) {
    const client = new pg.Client({ connectionString: gateway.urlOf(role) })
    await client.connect()
    const code = await client.query('select battery_unit_event_turns(1)').catch((error) => error.code)
    expect([role, code]).toEqual([role, '42501'])
    await client.end()
  }
})
