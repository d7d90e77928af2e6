import { setTimeout as sleep } from 'node:timers/promises'
import { answersOf, type Bench, type Case, type PairedCase, pairOf } from '../bench.ts'
import { type BenchRequest, COUNTER, makeRequest, numbered } from '../http.ts'
import type { UnitInsertOptions } from '../limits/unit-inserts.ts'
import { median } from '../pair.ts'
import { inTransaction, makeTable } from '../pg.ts'
import { residentMegabytes, type Server } from '../processes.ts'

const REQUESTS = { warmUp: 10, measured: 60 }
const QUICK_REQUESTS = { warmUp: 1, measured: 2 }
const PAGE = 200
const FULL_RECORD = 500
const BATCH = 1000
const UNITS_AT_ONCE = 200
/** Batches of distinct units, because measurements of the same unit wait for each other. */
const GROUPS = 8
/** Limit of labels per request; above `MAX_AT_ONCE` they are a job. */
const MAX_LABELS = 10_000
const MAX_AT_ONCE = 500
const POLL_MS = 200
/** Units of the two products, and events per unit. */
const SIZES = { few: 1_000, many: 1_000_000, events: 5 }
const QUICK_SIZES = { few: 100, many: 600, events: 2 }

/** Product with units of the serial numbers U1, U2 and so on. */
interface Product {
  readonly passportId: string
  readonly gtin: string
  readonly count: number
}

/** Creates `count` units with `events` each of a passport of the run, by SQL. */
async function productWith(
  bench: Bench,
  index: number,
  gateway: Server,
  count: number,
  events: number,
): Promise<Product> {
  const { database, data } = bench
  const passportId = data.passports['6k'][index] as string
  const [answer] = await answersOf(gateway, [authorised(bench, 'GET', `/api/v1/passports/${passportId}`)], 200)
  const gtin: string = JSON.parse(String(answer?.body)).productId
  await inTransaction(database, async (client) => {
    // Without triggers, which would charge storage for a million rows; the count is set below.
    await client.query('alter table battery_unit disable trigger user')
    await client.query('alter table battery_unit_event disable trigger user')
    await client.query(
      `insert into battery_unit (id, tenant_id, passport_id, operator_id, serial_number, status, created_at, updated_at)
       select gen_random_uuid(), $1, $2, $3, 'U' || n, 'IN_SERVICE', now() - n * interval '1 second', now()
       from generate_series(1, $4::int) as n`,
      [data.tenantId, passportId, data.operatorId, count],
    )
    // Earlier cases may have counted units of this product in any slot.
    await client.query(
      `insert into battery_unit_count as c (passport_id, slot, total) values ($1, 0, $2)
       on conflict (passport_id, slot) do update set total = c.total + excluded.total`,
      [passportId, count],
    )
    await client.query(
      `insert into battery_unit_event (id, unit_id, tenant_id, operator_id, event_type, state_of_health, cycle_count,
         remaining_capacity_ah, temperature_c, recorded_at, created_at)
       select gen_random_uuid(), u.id, u.tenant_id, u.operator_id, 'SOH_MEASUREMENT', 99.5, n, 74.2, 21.5,
         now() - n * interval '12 hours', now()
       from battery_unit u, generate_series(1, case when u.serial_number = 'U1' then ${FULL_RECORD} else $2::int end) as n
       where u.passport_id = $1`,
      [passportId, events],
    )
    await client.query('alter table battery_unit enable trigger user')
    await client.query('alter table battery_unit_event enable trigger user')
  })
  return { passportId, gtin, count }
}

const authorised = ({ data }: Bench, method: BenchRequest['method'], path: string): BenchRequest =>
  makeRequest(method, path, { Authorization: data.authorization })

/** Returns the time to the complete response in milliseconds. */
async function answerTime(gateway: Server, request: BenchRequest, status: number): Promise<number> {
  const start = performance.now()
  await answersOf(gateway, [request], status)
  return performance.now() - start
}

/** Sends newly made requests alternately. @returns the median times in milliseconds */
async function timesInTurn(
  { isQuick }: Bench,
  gateway: Server,
  status: number,
  requests: readonly (() => BenchRequest)[],
): Promise<readonly number[]> {
  const times: number[][] = requests.map(() => [])
  const { warmUp, measured } = isQuick ? QUICK_REQUESTS : REQUESTS
  for (let count = 0; count < measured + warmUp; count += 1) {
    for (const [index, request] of requests.entries()) {
      const time = await answerTime(gateway, request(), status)
      if (count >= warmUp) times[index]?.push(time)
    }
  }
  return times.map(median)
}

const units: Case = {
  name: 'units',
  figures: [
    { name: 'unit-resolve-1m-by-1k', unit: 'x' },
    { name: 'unit-list-first-1m-by-1k', unit: 'x' },
    { name: 'unit-list-first', unit: 'ms' },
    { name: 'unit-list-last', unit: 'ms' },
    { name: 'unit-document-500', unit: 'ms' },
    { name: 'memory-growth-listing-units', unit: 'MB' },
    { name: 'labels-10000', unit: 's' },
    { name: 'memory-growth-printing-10000', unit: 'MB' },
  ],
  async run(bench) {
    const gateway = await bench.startGateway()
    const { few: fewCount, many: manyCount, events } = bench.isQuick ? QUICK_SIZES : SIZES
    const few = await productWith(bench, 0, gateway, fewCount, events)
    const many = await productWith(bench, 1, gateway, manyCount, events)
    await bench.database.pool.query('vacuum analyze battery_unit')
    await bench.database.pool.query('analyze battery_unit_event')

    const serial = ({ count }: Product) => `U${2 + Math.floor(Math.random() * (count - 1))}`
    const scan = (product: Product) => () => makeRequest('GET', `/01/${product.gtin}/21/${serial(product)}`)
    const [ofFew = Number.NaN, ofMany = Number.NaN] = await timesInTurn(bench, gateway, 302, [scan(few), scan(many)])

    const list = ({ passportId }: Product, page: number) =>
      authorised(bench, 'GET', `/api/v1/passports/${passportId}/units?limit=${PAGE}&page=${page}`)
    const lastPage = Math.ceil(many.count / PAGE)
    const [firstOfFew = Number.NaN, first = Number.NaN, last = Number.NaN] = await timesInTurn(bench, gateway, 200, [
      () => list(few, 1),
      () => list(many, 1),
      () => list(many, lastPage),
    ])

    const { rows } = await bench.database.pool.query<{ id: string }>(
      `select id from battery_unit where passport_id = $1 and serial_number = 'U1'`,
      [many.passportId],
    )
    const document = authorised(bench, 'GET', `/api/v1/units/${rows[0]?.id}`)
    const [shown = Number.NaN] = await timesInTurn(bench, gateway, 200, [() => document])

    const before = residentMegabytes(gateway.pid) ?? Number.NaN
    for (let page = 1; page <= Math.min(lastPage, 1000); page += 1) await answersOf(gateway, [list(many, page)], 200)
    const growth = (residentMegabytes(gateway.pid) ?? Number.NaN) - before
    // The first labels load the modules that draw them.
    if (!bench.isQuick) await print(bench, gateway, many, MAX_AT_ONCE + 1)
    const printed = await print(bench, gateway, many, bench.isQuick ? MAX_AT_ONCE + 1 : MAX_LABELS)
    return [ofMany / ofFew, first / firstOfFew, first, last, shown, growth, ...printed]
  },
}

/** Prints labels as PDF. @returns seconds to the finished file, and the growth of memory in MB */
async function print(bench: Bench, gateway: Server, { passportId }: Product, count: number): Promise<[number, number]> {
  const { rows } = await bench.database.pool.query<{ id: string }>(
    'select id from battery_unit where passport_id = $1 limit $2',
    [passportId, count],
  )
  const json = { Authorization: bench.data.authorization, 'Content-Type': 'application/json' }
  const order = JSON.stringify({ ids: rows.map(({ id }) => id), format: 'pdf' })
  const memory = () => residentMegabytes(gateway.pid) ?? Number.NaN
  const [before, start] = [memory(), performance.now()]
  let peak = before
  const [ordered] = await answersOf(gateway, [makeRequest('POST', '/api/v1/units/labels', json, order)], 202)
  let { job } = JSON.parse(String(ordered?.body))
  while (job.status === 'waiting' || job.status === 'working') {
    await sleep(POLL_MS)
    peak = Math.max(peak, memory())
    const [answer] = await answersOf(gateway, [authorised(bench, 'GET', `/api/v1/label-jobs/${job.id}`)], 200)
    job = JSON.parse(String(answer?.body)).job
  }
  const seconds = (performance.now() - start) / 1000
  if (job.status !== 'done' || job.included !== count) throw new Error(`Label job: ${JSON.stringify(job)}`)
  const file = await fetch(`http://127.0.0.1:${gateway.port}/api/v1/label-jobs/${job.id}/file`, { headers: json })
  const bytes = (await file.arrayBuffer()).byteLength
  if (bytes !== job.bytes) throw new Error(`The file has ${bytes} bytes instead of ${job.bytes}.`)
  return [seconds, Math.max(peak, memory()) - before]
}

/** Case whose baseline inserts the same rows as the gateway. */
const stores = (
  name: string,
  ours: string,
  against: string,
  connections: number,
  requestsFor: (
    unitIds: readonly string[],
    passportId: string,
  ) => readonly { readonly path: string; readonly body: object }[],
): PairedCase => ({
  name,
  ours,
  against,
  asksDatabase: true,
  connections,
  async prepare({ database, data, startGateway, startLimit }) {
    await makeTable(database, 'battery_unit', 'like public.battery_unit including all')
    await makeTable(database, 'battery_unit_event', 'like public.battery_unit_event including all')
    await database.pool.query(`grant usage on sequence battery_unit_event_place to public`)
    const { tenantId, operatorId, passports, authorization } = data
    const passportId = passports['6k'][2] as string
    const json = { Authorization: authorization, 'Content-Type': 'application/json' }
    const gateway = await startGateway()
    const groups = Array.from({ length: GROUPS }, (_, group) => {
      const serial = (index: number) => ({ serialNumber: `${name.slice(0, 12)}.${group}.${index}` })
      const body = JSON.stringify({ units: Array.from({ length: UNITS_AT_ONCE }, (_, index) => serial(index)) })
      return makeRequest('POST', `/api/v1/passports/${passportId}/units`, json, body)
    })
    const unitIds = (await answersOf(gateway, groups, 201)).flatMap(({ body }) =>
      JSON.parse(String(body)).units.map(({ id }: { id: string }) => id),
    )
    const options: UnitInsertOptions = { databaseUrl: database.url, tenantId, operatorId, passportId }
    const limit = await startLimit('unit-inserts', options)
    const requests = requestsFor(unitIds, passportId).map(({ path, body }) =>
      makeRequest('POST', path, json, JSON.stringify(body)),
    )
    const counts = []
    for (const server of [gateway, limit]) {
      const [answer] = await answersOf(server, [numbered(requests[0] as BenchRequest, CHECKED)], 201)
      counts.push(JSON.parse(String(answer?.body)).count)
    }
    if (counts[0] !== undefined && counts[0] !== counts[1])
      throw new Error(`${counts[0]} and ${counts[1]} rows are stored.`)
    return pairOf(limit, gateway, requests, 201)
  },
})

/** Higher than the numbers of the load. */
const CHECKED = 999_999_997

const measurement = { eventType: 'SOH_MEASUREMENT', stateOfHealth: 98.25, cycleCount: 412 }

export default [
  stores(
    'unit-event',
    'record one measurement of a unit: authorise, validate, lock the unit, insert, store the latest values',
    'the body parsed, and one insert of the same row, over node:http',
    16,
    (unitIds) => unitIds.map((unitId) => ({ path: `/api/v1/units/${unitId}/events`, body: measurement })),
  ),
  stores(
    'unit-events-1000',
    'record 1,000 measurements of 200 units in one request',
    'the body parsed, and one set-based insert of the same rows, over node:http',
    4,
    (unitIds) =>
      Array.from({ length: GROUPS }, (_, group) => ({
        path: '/api/v1/units/events',
        body: {
          events: Array.from({ length: BATCH }, (_, index) => ({
            unitId: unitIds[group * UNITS_AT_ONCE + (index % UNITS_AT_ONCE)],
            ...measurement,
          })),
        },
      })),
  ),
  stores(
    'unit-serialise-200',
    'serialise 200 units in one request',
    'the body parsed, and one set-based insert of the same rows, over node:http',
    4,
    (_, passportId) => [
      {
        path: `/api/v1/passports/${passportId}/units`,
        body: {
          units: Array.from({ length: UNITS_AT_ONCE }, (_, index) => ({ serialNumber: `S${COUNTER}.${index}` })),
        },
      },
    ],
  ),
  units,
]
