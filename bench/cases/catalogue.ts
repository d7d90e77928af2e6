import { answersOf, type Bench, type Case } from '../bench.ts'
import { makeWorkspace, textile, type Workspace } from '../data.ts'
import { type BenchRequest, makeRequest } from '../http.ts'
import { median } from '../pair.ts'
import { asWorkspace } from '../pg.ts'
import type { Server } from '../processes.ts'

const ROWS = 200
const REQUESTS = { warmUp: 10, measured: 60 }
const QUICK_REQUESTS = { warmUp: 0, measured: 1 }
/** Passports of the bulk requests, and of three workspaces. */
const SIZES = { bulk: 10_000, few: 1_000, more: 50_000, many: 100_000 }
const QUICK_SIZES = { bulk: 200, few: 50, more: 100, many: 200 }
const RARE = 'toys'

const rowsOf = (batch: string) =>
  Array.from({ length: ROWS }, (_, index) => ({ productId: `${batch}-${index}`, metadata: textile }))

/** Returns the duration of `work` in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const bulk = (authorization: string, batch: string): BenchRequest =>
  makeRequest(
    'POST',
    '/api/v1/passports/bulk',
    { Authorization: authorization, 'Content-Type': 'application/json' },
    JSON.stringify({ passports: rowsOf(batch) }),
  )

async function ingest(gateway: Server, requests: readonly BenchRequest[]): Promise<void> {
  for (const { body } of await answersOf(gateway, requests, 201)) {
    const { insertedCount } = JSON.parse(body.toString())
    if (insertedCount !== ROWS) throw new Error(`${insertedCount} rows are ingested.`)
  }
}

/** Creates a workspace with `count` passports by SQL; the ten oldest have a rare category. */
async function workspaceWith(count: number, { database }: Bench, gateway: Server): Promise<Workspace> {
  const workspace = await makeWorkspace(database.url)
  const operator = makeRequest(
    'POST',
    '/api/v1/operators',
    { Authorization: workspace.authorization, 'Content-Type': 'application/json' },
    JSON.stringify({ name: 'Bench Mills GmbH', regId: `HRB ${count}` }),
  )
  const [answer] = await answersOf(gateway, [operator], 201)
  const client = await database.pool.connect()
  try {
    await asWorkspace(database, client, workspace.tenantId)
    await client.query(
      `insert into passport (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
       select gen_random_uuid(), $1, $2, 'GROWN-' || n, 'ACTIVE', case when n <= 10 then $5 else $4 end::json,
         now() - n * interval '1 second' - case when n <= 10 then interval '1 year' else '0' end, now()
       from generate_series(1, $3::int) as n`,
      [
        workspace.tenantId,
        JSON.parse(String(answer?.body)).operator.id,
        count,
        JSON.stringify(textile),
        JSON.stringify({ ...textile, category: RARE }),
      ],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
  return workspace
}

/** Requests `path` alternately in two workspaces. @returns the median times in milliseconds */
async function answerTimes(
  { isQuick }: Bench,
  gateway: Server,
  path: string,
  few: Workspace,
  many: Workspace,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  const ask = ({ authorization }: Workspace) =>
    timed(() => answersOf(gateway, [makeRequest('GET', path, { Authorization: authorization })], 200))
  const { warmUp, measured } = isQuick ? QUICK_REQUESTS : REQUESTS
  for (let count = 0; count < measured + warmUp; count += 1) {
    const [ofFew, ofMany] = [await ask(few), await ask(many)]
    if (count < warmUp) continue
    times[0].push(ofFew)
    times[1].push(ofMany)
  }
  return [median(times[0]), median(times[1])]
}

const catalogue: Case = {
  name: 'catalogue',
  figures: [
    { name: 'bulk-10000', unit: 's' },
    { name: 'list-100k-by-1k', unit: 'x' },
    { name: 'list-rare-50k-by-1k', unit: 'x' },
    { name: 'vc-readiness-100k-by-1k', unit: 'x' },
    { name: 'vc-readiness-100k', unit: 'ms' },
  ],
  async run(bench) {
    const sizes = bench.isQuick ? QUICK_SIZES : SIZES
    const gateway = await bench.startGateway()
    const batches = Array.from({ length: sizes.bulk / ROWS }, (_, index) => bulk(bench.data.authorization, `T${index}`))
    const seconds = (await timed(() => ingest(gateway, batches))) / 1000
    const few = await workspaceWith(sizes.few, bench, gateway)
    const more = await workspaceWith(sizes.more, bench, gateway)
    const many = await workspaceWith(sizes.many, bench, gateway)
    await bench.database.pool.query('vacuum analyze passport')
    const times = (path: string, fewer: Workspace, larger: Workspace) =>
      answerTimes(bench, gateway, path, fewer, larger)
    const list = await times('/api/v1/passports?limit=100', few, many)
    const rare = await times(`/api/v1/passports?category=${RARE}`, few, more)
    const readiness = await times('/api/v1/passports/vc-readiness', few, many)
    return [seconds, ratio(list), ratio(rare), ratio(readiness), readiness[1]]
  },
}

const ratio = ([few, many]: readonly [number, number]) => many / few

export default [catalogue]
