import { setTimeout as sleep } from 'node:timers/promises'
import { answersOf, type Bench, type Case, type PairedCase, pairOf } from '../bench.ts'
import { COUNTER, numbered, type WireRequest, wireRequest } from '../http.ts'
import type { UnitInsertOptions } from '../limits/unit-inserts.ts'
import { median } from '../pair.ts'
import { inTransaction, makeTable } from '../pg.ts'
import { residentMegabytes, type Server } from '../processes.ts'

const WARM_UP = 10
const REQUESTS = 60
const PAGE = 200
const FULL_RECORD = 500
const BATCH = 1000
const UNITS_AT_ONCE = 200
/** So many batches are of other units than each other: measurements of one unit wait for each other. */
const GROUPS = 8
/** Labels of a request, and those beyond which they are a job. */
const MAX_LABELS = 10_000
const MAX_AT_ONCE = 500
const POLL_MS = 200
/** How many units there are of one product and of the other, and events of each unit. */
const SIZES = { few: 1_000, many: 1_000_000, events: 5 }
const QUICK_SIZES = { few: 100, many: 2_000, events: 2 }

/** A product with units whose serial numbers are U1, U2 and so on. */
interface Product {
  readonly passportId: string
  readonly gtin: string
  readonly count: number
}

/** The product of one of the run's passports, with so many units of so many events each; the database makes them. */
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
    // What follows from a row is left out, but for the count: a million charges of storage are not what is measured.
    await client.query('alter table battery_unit disable trigger user')
    await client.query('alter table battery_unit_event disable trigger user')
    await client.query(
      `insert into battery_unit (id, tenant_id, passport_id, operator_id, serial_number, status, created_at, updated_at)
       select gen_random_uuid(), $1, $2, $3, 'U' || n, 'IN_SERVICE', now() - n * interval '1 second', now()
       from generate_series(1, $4::int) as n`,
      [data.tenantId, passportId, data.operatorId, count],
    )
    // Cases before may have counted units of this product, in a slot that their connection chose.
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

const authorised = ({ data }: Bench, method: string, path: string): WireRequest =>
  wireRequest(method, path, { Authorization: data.authorization })

/** Milliseconds until the answer to `request` is there. */
async function answerTime(gateway: Server, request: WireRequest, status: number): Promise<number> {
  const start = performance.now()
  await answersOf(gateway, [request], status)
  return performance.now() - start
}

/** The median times of two requests that are asked in turn, each anew every time, in milliseconds. */
async function timesInTurn(
  gateway: Server,
  status: number,
  requests: readonly (() => WireRequest)[],
): Promise<readonly number[]> {
  const times: number[][] = requests.map(() => [])
  for (let count = 0; count < REQUESTS + WARM_UP; count += 1) {
    for (const [index, request] of requests.entries()) {
      const time = await answerTime(gateway, request(), status)
      if (count >= WARM_UP) times[index]?.push(time)
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
    const scan = (product: Product) => () => wireRequest('GET', `/01/${product.gtin}/21/${serial(product)}`)
    const [ofFew = Number.NaN, ofMany = Number.NaN] = await timesInTurn(gateway, 302, [scan(few), scan(many)])

    const list = ({ passportId }: Product, page: number) =>
      authorised(bench, 'GET', `/api/v1/passports/${passportId}/units?limit=${PAGE}&page=${page}`)
    const lastPage = Math.ceil(many.count / PAGE)
    const [firstOfFew = Number.NaN, first = Number.NaN, last = Number.NaN] = await timesInTurn(gateway, 200, [
      () => list(few, 1),
      () => list(many, 1),
      () => list(many, lastPage),
    ])

    const { rows } = await bench.database.pool.query<{ id: string }>(
      `select id from battery_unit where passport_id = $1 and serial_number = 'U1'`,
      [many.passportId],
    )
    const document = authorised(bench, 'GET', `/api/v1/units/${rows[0]?.id}`)
    const [shown = Number.NaN] = await timesInTurn(gateway, 200, [() => document])

    const before = residentMegabytes(gateway.pid) ?? Number.NaN
    for (let page = 1; page <= Math.min(lastPage, 1000); page += 1) await answersOf(gateway, [list(many, page)], 200)
    const growth = (residentMegabytes(gateway.pid) ?? Number.NaN) - before
    // The first labels load what draws them.
    await print(bench, gateway, many, MAX_AT_ONCE + 1)
    const printed = await print(bench, gateway, many, bench.isQuick ? MAX_AT_ONCE + 1 : MAX_LABELS)
    return [ofMany / ofFew, first / firstOfFew, first, last, shown, growth, ...printed]
  },
}

/** Prints labels of so many units as PDF. @returns the seconds until the file is there, and by how many MB memory grew meanwhile */
async function print(bench: Bench, gateway: Server, { passportId }: Product, count: number): Promise<[number, number]> {
  const { rows } = await bench.database.pool.query<{ id: string }>(
    'select id from battery_unit where passport_id = $1 limit $2',
    [passportId, count],
  )
  const json = { Authorization: bench.data.authorization, 'Content-Type': 'application/json' }
  const order = JSON.stringify({ ids: rows.map(({ id }) => id), format: 'pdf' })
  const memory = () => residentMegabytes(gateway.pid) ?? Number.NaN
  const [before, start] = [memory(), performance.now()]
  let most = before
  const [ordered] = await answersOf(gateway, [wireRequest('POST', '/api/v1/units/labels', json, order)], 202)
  let { job } = JSON.parse(String(ordered?.body))
  while (job.status === 'waiting' || job.status === 'working') {
    await sleep(POLL_MS)
    most = Math.max(most, memory())
    const [answer] = await answersOf(gateway, [authorised(bench, 'GET', `/api/v1/label-jobs/${job.id}`)], 200)
    job = JSON.parse(String(answer?.body)).job
  }
  const seconds = (performance.now() - start) / 1000
  if (job.status !== 'done' || job.included !== count) throw new Error(`The labels are ${JSON.stringify(job)}.`)
  const file = await fetch(`http://127.0.0.1:${gateway.port}/api/v1/label-jobs/${job.id}/file`, { headers: json })
  const bytes = (await file.arrayBuffer()).byteLength
  if (bytes !== job.bytes) throw new Error(`The file has ${bytes} bytes instead of ${job.bytes}.`)
  return [seconds, Math.max(most, memory()) - before]
}

/** A case whose baseline inserts what the gateway stores; `ask` says the requests that both are sent in turn. */
const stores = (
  name: string,
  ours: string,
  against: string,
  connections: number,
  ask: (unitIds: readonly string[], passportId: string) => readonly { readonly path: string; readonly body: object }[],
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
      return wireRequest('POST', `/api/v1/passports/${passportId}/units`, json, body)
    })
    const unitIds = (await answersOf(gateway, groups, 201)).flatMap(({ body }) =>
      JSON.parse(String(body)).units.map(({ id }: { id: string }) => id),
    )
    const options: UnitInsertOptions = { databaseUrl: database.url, tenantId, operatorId, passportId }
    const limit = await startLimit('unit-inserts', options)
    const requests = ask(unitIds, passportId).map(({ path, body }) =>
      wireRequest('POST', path, json, JSON.stringify(body)),
    )
    const counts = []
    for (const server of [gateway, limit]) {
      const [answer] = await answersOf(server, [numbered(requests[0] as string, CHECKED)], 201)
      counts.push(JSON.parse(String(answer?.body)).count)
    }
    if (counts[0] !== undefined && counts[0] !== counts[1])
      throw new Error(`${counts[0]} and ${counts[1]} rows are stored.`)
    return pairOf(limit, gateway, requests, 201)
  },
})

/** A number that the counter does not reach. */
const CHECKED = 999_999_997

const measurement = { eventType: 'SOH_MEASUREMENT', stateOfHealth: 98.25, cycleCount: 412 }

export default [
  stores(
    'unit-event',
    'record one measurement of a unit: authorise, judge, hold the unit, insert, keep the latest',
    'the body parsed, and one insert of the same row, over node:http',
    16,
    (unitIds) => unitIds.map((unitId) => ({ path: `/api/v1/units/${unitId}/events`, body: measurement })),
  ),
  stores(
    'unit-events-1000',
    'record 1,000 measurements of 200 units at once',
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
    'serialise 200 units at once',
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
