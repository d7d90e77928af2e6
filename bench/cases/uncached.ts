import { setTimeout as sleep } from 'node:timers/promises'
import { answersOf, assertEqual, type Bench, type Case } from '../bench.ts'
import type { Size } from '../data.ts'
import { type WireRequest, wireRequest, without } from '../http.ts'
import type { PreparedReadOptions } from '../limits/prepared-read.ts'
import { asWorkspace } from '../pg.ts'

/** More than the gateway keeps in mind, so that a walk always comes back too late for its cache. */
const PASSPORTS_TO_WALK = 12_000
/** How many answers are compared; the others are copies of these. */
const COMPARED = 500

const uncached = (size: Size): Case => ({
  name: `uncached-${size}`,
  ours: `public resolve of ${size}B JSON-LD that the cache does not hold`,
  against: 'one prepared read of the same bytes, over node:http',
  async prepare(bench) {
    const { database, startGateway, startLimit } = bench
    const requests = (await copyPassports(bench, size)).map((id) =>
      wireRequest('GET', `/passport/${id}`, { Accept: 'application/ld+json' }),
    )
    await assertPassesCache(bench, requests)
    const gateway = await startGateway()
    const compared = requests.slice(0, COMPARED)
    const answers = await answersOf(gateway, compared, 200)
    const limit = await startLimit('prepared-read', {
      databaseUrl: database.url,
      headers: without(answers[0]?.rawHeaders ?? [], 'etag', 'content-length'),
    } satisfies PreparedReadOptions)
    assertEqual(answers.map(inOneOrder), (await answersOf(limit, compared, 200)).map(inOneOrder))

    return { baseline: { server: limit, requests, status: 200 }, ours: { server: gateway, requests, status: 200 } }
  },
})

// The order of headers is free.
const inOneOrder = <T extends { headers: Readonly<Record<string, string>> }>(answer: T): T => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).sort(([a], [b]) => (a < b ? -1 : 1))),
})

/** Two walks must look every passport up twice: otherwise the cache has answered. */
async function assertPassesCache({ database, load, startGateway }: Bench, requests: readonly WireRequest[]) {
  const lookUps = async () => {
    const { rows } = await database.pool.query<{ count: string }>(
      `select idx_scan as count from pg_stat_user_tables where schemaname = 'public' and relname = 'rendition'`,
    )
    return Number(rows[0]?.count)
  }
  const before = await lookUps()
  const gateway = await startGateway()
  const walk = { port: gateway.port, requests, status: 200, connections: 16, seconds: 60, count: requests.length }
  for (let walks = 0; walks < 2; walks += 1) await load.run(walk)
  // PostgreSQL adds up what a connection did when the connection ends.
  await gateway.stop()
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if ((await lookUps()) - before >= requests.length * 2) return
    await sleep(100)
  }
  throw new Error(`Fewer than ${requests.length * 2} look-ups for as many requests: the cache has answered some.`)
}

/** Copies sealed passports and their stored JSON-LD by SQL until a walk is long enough, and the bytes for the limit. */
async function copyPassports({ database, data }: Bench, size: Size): Promise<string[]> {
  const client = await database.pool.connect()
  try {
    await client.query(`
      create schema if not exists bench;
      create table if not exists bench.body (id uuid primary key, body text not null, etag text not null);
      grant usage on schema bench to ${database.appRole};
      grant insert on bench.body to ${database.appRole}`)
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
      [data.passports[size], PASSPORTS_TO_WALK],
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
