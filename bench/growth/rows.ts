import { ROLL_UP_BLOCKS } from '../../src/jobs/month-partitions.ts'
import { asWorkspace, type BenchDatabase } from '../pg.ts'

const ROWS_PER_TRANSACTION = 10_000
/** Tables with rows of passports; their partitions, indexes and large values are included. */
const TABLES = ['passport', 'seal', 'rendition', 'passport_count', 'passport_history', 'workspace_usage']
const SCAN_TABLES = ['access_audit', 'resolution_count']

/** Adds copies of sealed passports with seals and stored renditions, until the workspace has `count`. Returns some new ids. */
export async function growTo(database: BenchDatabase, tenantId: string, from: readonly string[], count: number) {
  const ids: string[] = []
  for (;;) {
    const client = await database.pool.connect()
    try {
      await asWorkspace(database, client, tenantId)
      const { rows } = await client.query<{ count: number }>('select count(*)::int as count from passport')
      const missing = Math.min(ROWS_PER_TRANSACTION, count - (rows[0]?.count ?? 0))
      if (missing > 0) {
        await client.query(
          `create temporary table copies on commit drop as
           select id as original, gen_random_uuid() as copy, gen_random_uuid() as seal
           from unnest($1::uuid[]) as id, generate_series(1, ceil($2::float8 / $3)::int) as turn order by turn limit $2`,
          [from, missing, from.length],
        )
        // Without statistics of many new rows PostgreSQL joins them in nested loops.
        await client.query('analyze copies')
        await client.query(`
          insert into passport (id, tenant_id, operator_id, product_id, status, metadata, version, seal_id, created_at, updated_at)
          select c.copy, tenant_id, operator_id, c.copy::text, status, metadata, version, c.seal, created_at - interval '1 day',
            updated_at
          from copies c join passport p on p.id = c.original;
          insert into seal (id, passport_id, tenant_id, operator_id, key_id, passport_version, merkle_root, signature,
            public_key_pem, leaves, created_at, x5c, rfc3161, subject)
          select c.seal, c.copy, s.tenant_id, s.operator_id, key_id, passport_version,
            encode(sha256(c.copy::text::bytea), 'hex'), signature, public_key_pem, leaves, s.created_at, x5c, rfc3161, subject
          from copies c join passport p on p.id = c.original join seal s on s.id = p.seal_id;
          insert into rendition (passport_id, representation, variant, version, generation, etag, content_type, body, bytes)
          select c.copy, representation, variant, r.version, generation, etag, content_type,
            replace(body, c.original::text, c.copy::text), bytes
          from copies c join rendition r on r.passport_id = c.original join passport p on p.id = c.original
          where r.version = p.version and r.tier = 'public'`)
        const copied = await client.query<{ id: string }>('select copy as id from copies limit 500')
        ids.push(...copied.rows.map(({ id }) => id))
      }
      await client.query('commit')
      if (missing <= 0) break
      await database.pool.query('analyze passport, seal, rendition')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    } finally {
      client.release()
    }
  }
  await database.pool.query(`vacuum analyze ${TABLES.join()}`)
  return ids
}

const sizeOf = async ({ pool }: BenchDatabase, tables: readonly string[]): Promise<number> => {
  const { rows } = await pool.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
     where oid = any ($1::regclass[]) or oid in (select inhrelid from pg_inherits where inhparent = any ($1::regclass[]))`,
    [tables],
  )
  return rows[0]?.bytes ?? Number.NaN
}

export const bytesOfPassports = (database: BenchDatabase): Promise<number> => sizeOf(database, TABLES)

/** Returns the bytes of each table per row of `passport`. */
export async function bytesByTable(database: BenchDatabase, passports: number): Promise<Record<string, number>> {
  const sizes = await Promise.all(TABLES.map((table) => sizeOf(database, [table])))
  return Object.fromEntries(TABLES.map((table, index) => [table, Math.round((sizes[index] as number) / passports)]))
}

/**
 * Inserts scans of yesterday, one row each as a gateway writes it, of passports with a Zipf distribution (exponent 1), two thirds as page;
 * then rolls them up.
 * @returns bytes per scan before and after, and bytes per count: those of a scan without others of its passport, day and format
 */
export async function bytesPerScan(database: BenchDatabase, tenantId: string, scans: number) {
  const { pool } = database
  await pool.query(`truncate ${SCAN_TABLES.join()}`)
  const empty = await sizeOf(database, SCAN_TABLES)
  const client = await pool.connect()
  try {
    await asWorkspace(database, client, tenantId)
    await client.query(
      `create temporary table ranked as select id, row_number() over (order by md5(id::text)) as rank from passport`,
    )
    await client.query('commit')
    await client.query('select setseed(0.5)')
    // The rank of a share of all scans: the inverse of H(rank) / H(passports), with H(n) near ln(n) + 0.5772.
    await client.query(
      `insert into access_audit (passport_id, representation, tier, network, accessed_at, accesses)
       select id, case when random() < 0.67 then 'html' else 'jsonld' end, 'public',
         (random() * 255)::int || '.' || (random() * 255)::int || '.' || (random() * 255)::int || '.0/24', at, 1
       from (select date_trunc('day', now(), 'utc') - interval '1 day' + n * interval '1 day' / ($1::float8 + 1) as at,
           greatest(1, least(total, exp(random() * (ln(total) + 0.5772) - 0.5772)))::bigint as rank
         from generate_series(1, $1) as n, (select count(*)::float8 as total from ranked) as t) as scan
       join ranked using (rank)`,
      [scans],
    )
  } finally {
    client.release(true)
  }
  const before = (await sizeOf(database, SCAN_TABLES)) - empty
  for (let block = 0, isLast = false; !isLast; block += ROLL_UP_BLOCKS) {
    const { rows } = await pool.query<{ last: boolean }>(
      `select access_audit_roll_up(date_trunc('day', now(), 'utc'), $1, $2) is null as last`,
      [block, ROLL_UP_BLOCKS],
    )
    isLast = rows[0]?.last !== false
  }
  await pool.query(`vacuum ${SCAN_TABLES.join()}`)
  const after = (await sizeOf(database, SCAN_TABLES)) - empty
  const { rows } = await pool.query<{ counts: number }>('select count(*)::float8 as counts from resolution_count')
  return { before: before / scans, after: after / scans, perCount: after / (rows[0]?.counts ?? Number.NaN) }
}
