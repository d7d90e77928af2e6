import { randomUUID } from 'node:crypto'
import { answersOf, type Bench, type Case } from '../bench.ts'
import { textile } from '../data.ts'
import { type WireRequest, wireRequest } from '../http.ts'
import { median } from '../pair.ts'
import { asWorkspace, makePassportTable } from '../pg.ts'
import type { Server } from '../processes.ts'

const ROWS = 200
const ROUNDS = 15
const WARM_UP = 10
const REQUESTS = 20
const [FEW, MORE, MANY] = [1_000, 50_000, 100_000]
const RARE = 'toys'

const rowsOf = (batch: string) =>
  Array.from({ length: ROWS }, (_, index) => ({ productId: `${batch}-${index}`, metadata: textile }))

/** Milliseconds that `work` takes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** A whole request of 200 rows by one plain set-based insert of the same rows, in turn. */
async function bulkByInsert({ database, data }: Bench, gateway: Server): Promise<number> {
  await makePassportTable(database)
  const insert = async (batch: string) => {
    const rows = rowsOf(batch)
    const client = await database.pool.connect()
    try {
      await asWorkspace(database, client, data.tenantId)
      const { rowCount } = await client.query({
        name: 'plain-insert',
        text: `insert into bench.passport (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
          select r.id, $1, $2, r.product_id, 'ACTIVE', r.metadata, now(), now()
          from unnest($3::uuid[], $4::text[], $5::json[]) as r (id, product_id, metadata)
          on conflict (product_id, operator_id) do nothing`,
        values: [
          data.tenantId,
          data.operatorId,
          rows.map(() => randomUUID()),
          rows.map(({ productId }) => productId),
          rows.map(({ metadata }) => JSON.stringify(metadata)),
        ],
      })
      await client.query('commit')
      if (rowCount !== ROWS) throw new Error(`The plain insert has ${rowCount} rows.`)
    } finally {
      client.release()
    }
  }
  const ratios: number[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const ours = () => ingest(gateway, [bulk(data.authorization, `R${round}`)])
    const theirs = () => insert(`R${round}`)
    const [first, second] = round % 2 === 0 ? [ours, theirs] : [theirs, ours]
    const times = [await timed(first), await timed(second)] as const
    if (round >= WARM_UP) ratios.push(round % 2 === 0 ? times[0] / times[1] : times[1] / times[0])
  }
  return median(ratios)
}

const bulk = (authorization: string, batch: string): WireRequest =>
  wireRequest(
    'POST',
    '/api/v1/passports/bulk',
    { Authorization: authorization, 'Content-Type': 'application/json' },
    JSON.stringify({ passports: rowsOf(batch) }),
  )

async function ingest(gateway: Server, requests: readonly WireRequest[]): Promise<void> {
  for (const { body } of await answersOf(gateway, requests, 201)) {
    const { insertedCount } = JSON.parse(body.toString())
    if (insertedCount !== ROWS) throw new Error(`${insertedCount} rows are ingested.`)
  }
}

/** Brings the workspace to `count` passports, copies of one that are made by the database; the ten oldest are of a rare category. */
async function grow({ database, data }: Bench, count: number): Promise<void> {
  const client = await database.pool.connect()
  try {
    await asWorkspace(database, client, data.tenantId)
    await client.query(
      `insert into passport (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'GROWN-' || $3 || '-' || n, 'ACTIVE', case when old.are and n <= 10 then $5 else $4 end::json,
         now() - n * interval '1 second' - case when old.are and n <= 10 then interval '1 year' else '0' end, now()
       from (select count(*)::int as count, count(*) = 0 as are from passport where tenant_id = $1) as old,
         generate_series(1, $3 - old.count) as n`,
      [data.tenantId, data.operatorId, count, JSON.stringify(textile), JSON.stringify({ ...textile, category: RARE })],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
  await database.pool.query('vacuum analyze passport')
}

/** The median time of one answer, in milliseconds. */
async function answerTime(gateway: Server, { authorization }: Bench['data'], path: string): Promise<number> {
  const request = wireRequest('GET', path, { Authorization: authorization })
  const times: number[] = []
  for (let count = 0; count < REQUESTS + 5; count += 1) {
    const time = await timed(() => answersOf(gateway, [request], 200))
    if (count >= 5) times.push(time)
  }
  return median(times)
}

const catalogue: Case = {
  name: 'catalogue',
  figures: [
    { name: 'bulk-200-by-one-insert', unit: 'x' },
    { name: 'bulk-10000', unit: 's' },
    { name: 'list-100k-by-1k', unit: 'x' },
    { name: 'list-rare-50k-by-1k', unit: 'x' },
    { name: 'vc-readiness-100k-by-1k', unit: 'x' },
    { name: 'vc-readiness-100k', unit: 'ms' },
  ],
  async run(bench) {
    const gateway = await bench.startGateway()
    const byInsert = await bulkByInsert(bench, gateway)
    const batches = Array.from({ length: 10_000 / ROWS }, (_, index) => bulk(bench.data.authorization, `T${index}`))
    const seconds = (await timed(() => ingest(gateway, batches))) / 1000
    // This case is the last that needs passports.
    await bench.database.pool.query('truncate passport cascade')
    await bench.database.pool.query('truncate passport_count')
    const measured: { list: number; rare: number; readiness: number }[] = []
    for (const count of [FEW, MORE, MANY]) {
      await grow(bench, count)
      measured.push({
        list: await answerTime(gateway, bench.data, '/api/v1/passports?limit=100'),
        rare: await answerTime(gateway, bench.data, `/api/v1/passports?category=${RARE}`),
        readiness: await answerTime(gateway, bench.data, '/api/v1/passports/vc-readiness'),
      })
    }
    const [few, more, many] = measured as [(typeof measured)[0], (typeof measured)[0], (typeof measured)[0]]
    return [
      byInsert,
      seconds,
      many.list / few.list,
      more.rare / few.rare,
      many.readiness / few.readiness,
      many.readiness,
    ]
  },
}

export default [catalogue]
