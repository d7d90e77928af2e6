import { setTimeout as sleep } from 'node:timers/promises'
import { answersOf, assertEqual, type Bench, type Case, pairOf } from '../bench.ts'
import type { Size } from '../data.ts'
import { type BenchRequest, makeRequest, without } from '../http.ts'
import type { PreparedReadOptions } from '../limits/prepared-read.ts'
import { asWorkspace, makeBodyTable } from '../pg.ts'
import { startGatewayProcess } from '../processes.ts'

/** More than the gateway caches, so that entries are evicted before the walk repeats. */
const PASSPORTS_TO_WALK = 12_000
const QUICK_PASSPORTS = 100
/** Compared responses; the others are copies of these. */
const COMPARED = 500

const uncached = (size: Size): Case => ({
  name: `uncached-${size}`,
  ours: `uncached public resolve of ${size}B JSON-LD`,
  against: 'one prepared read of the same bytes, over node:http',
  async prepare(bench) {
    const { database, startGateway, startLimit } = bench
    const requests = (await copyPassports(bench, size)).map((id) =>
      makeRequest('GET', `/passport/${id}`, { Accept: 'application/ld+json' }),
    )
    // Sizes differ in bytes only.
    if (!bench.isQuick || size === '6k') await assertPassesCache(bench, requests)
    const gateway = await startGateway()
    const compared = requests.slice(0, COMPARED)
    const answers = await answersOf(gateway, compared, 200)
    const limit = await startLimit('prepared-read', {
      databaseUrl: database.url,
      path: '/passport/',
      headers: without(answers[0]?.rawHeaders ?? [], 'etag', 'content-length', 'surrogate-key', 'cache-tag'),
      isTagged: true,
    } satisfies PreparedReadOptions)
    assertEqual(answers, await answersOf(limit, compared, 200))
    return pairOf(limit, gateway, requests)
  },
})

/** @throws Error unless every request of a walk reads its rendition from the database */
async function assertPassesCache({ database, load, isQuick }: Bench, requests: readonly BenchRequest[]) {
  const walks = isQuick ? 1 : 2
  const countReads = async () => {
    const { rows } = await database.pool.query<{ count: string }>(
      `select idx_scan as count from pg_stat_user_tables where schemaname = 'public' and relname = 'rendition'`,
    )
    return Number(rows[0]?.count)
  }
  const before = await countReads()
  const gateway = await startGatewayProcess(database.url)
  const walk = { port: gateway.port, requests, status: 200, connections: 16, limit: { count: requests.length } }
  try {
    for (let walked = 0; walked < walks; walked += 1) await load.run(walk)
  } finally {
    // PostgreSQL adds the statistics of a connection when it ends.
    await gateway.stop()
  }
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if ((await countReads()) - before >= requests.length * walks) return
    await sleep(100)
  }
  throw new Error(`Fewer than ${requests.length * walks} reads for as many requests: some were cached.`)
}

/** Copies sealed passports, their stored JSON-LD, and the bytes for the baseline. @returns ids of the copies */
async function copyPassports({ database, data, isQuick }: Bench, size: Size): Promise<string[]> {
  await makeBodyTable(database)
  const client = await database.pool.connect()
  try {
    await asWorkspace(database, client, data.tenantId)
    await client.query(
      `create temporary table copies on commit drop as
       with chosen as (
         select p.*, r.version as rendered, r.generation, r.etag, r.content_type, r.body, count(*) over () as passports
         from passport p join rendition r
           on r.passport_id = p.id and r.version = p.version and r.representation = 'jsonld'
         where p.id = any($1::uuid[])
       )
       select chosen.*, gen_random_uuid() as copy, turn
       from chosen, lateral generate_series(1, ceil($2::float8 / passports)::int) as turn`,
      [data.passports[size], isQuick ? QUICK_PASSPORTS : PASSPORTS_TO_WALK],
    )
    await client.query(`
      insert into passport (id, tenant_id, operator_id, product_id, status, metadata, version, seal_id, created_at,
        updated_at)
      select copy, tenant_id, operator_id, product_id || '-' || turn, status, metadata, version, seal_id,
        created_at - interval '1 day', updated_at
      from copies;
      insert into rendition (passport_id, representation, variant, version, generation, etag, content_type, body)
      select copy, 'jsonld', '', rendered, generation, etag, content_type, replace(body, id::text, copy::text)
      from copies;
      insert into bench.body select copy, replace(body, id::text, copy::text), etag from copies`)
    const { rows: ids } = await client.query<{ id: string }>('select copy as id from copies order by turn, id')
    await client.query('commit')
    await client.query('vacuum analyze public.passport, public.rendition, bench.body')
    await client.query('select pg_stat_force_next_flush()')
    return ids.map(({ id }) => id)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

export default [uncached('6k'), uncached('25k')]
