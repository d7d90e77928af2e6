import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'
import { newGln, superuserUrl } from '../support/gateway.ts'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { dppProcess, type GatewayProcess, startProcess } from '../support/process.ts'

let dataDir: string
let gateway: GatewayProcess
let postgres: EmbeddedPostgres
let env: Record<string, string>

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dpp-embedded-log-'))
  await preparedDataDir(dataDir)
  env = { DATA_DIR: dataDir, DEMO: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
  gateway = await startProcess(env)
  await gateway.printed('is ready')
  postgres = await openEmbeddedPostgres({ dataDir, log: () => {} })
})
afterAll(async () => {
  await gateway.end('SIGTERM')
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('entered values are not in the log of the embedded PostgreSQL, for any failure', async () => {
  const workspace = JSON.parse(
    (await dppProcess(['workspace', 'create', '--name', 'W', '--plan', 'enterprise', '--json'], env)).stdout,
  )
  const { key } = JSON.parse(
    (await dppProcess(['key', 'create', '--workspace', workspace.id, '--role', 'BRAND_OPERATOR', '--json'], env))
      .stdout,
  )
  const gln = newGln()
  const register = () =>
    fetch(`${gateway.url}/api/v1/facilities`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ gln, name: 'canary-name', country: 'PT', streetAddress: 'canary-lane 7' }),
    }).then(({ status }) => status)
  expect([await register(), await register()]).toEqual([201, 409])

  const superuser = new pg.Client({ connectionString: await superuserUrl(postgres.url, dataDir) })
  await superuser.connect()
  const client = async () => {
    const one = new pg.Client({ connectionString: postgres.url })
    one.on('error', () => {})
    await one.connect()
    const { rows } = await one.query('select pg_backend_pid() as pid')
    return { one, pid: rows[0].pid as number }
  }
  const fails = async (text: string, values: unknown[]) => {
    const { one } = await client()
    await expect(one.query(text, values)).rejects.toThrow()
    await one.end().catch(() => {})
  }
  await fails('select $1::text::uuid', ['canary-cast'])
  await fails(`select 'canary-literal'::int`, [])
  await fails(`select $1::text::json`, ['{"canary-json": }'])
  await fails(`do $$ begin raise exception 'canary-raised'; end $$`, [])
  // A connection terminated during a statement, and one whose server process is killed.
  for (const end of [
    (pid: number) => superuser.query('select pg_terminate_backend($1)', [pid]),
    (pid: number) => superuser.query('select pg_cancel_backend($1)', [pid]),
    async (pid: number) => process.kill(pid, 'SIGKILL'),
  ]) {
    const { one, pid } = await client()
    const lost = expect(one.query('select pg_sleep(60), $1::text', ['canary-lost'])).rejects.toThrow()
    const literal = one.query(`select pg_sleep(60), 'canary-queued'`).catch(() => {})
    await expect
      .poll(
        async () => (await superuser.query('select state from pg_stat_activity where pid = $1', [pid])).rows[0]?.state,
      )
      .toBe('active')
    await end(pid)
    await lost
    if (end.length > 0) await one.end().catch(() => {})
    await literal
  }
  await superuser.end().catch(() => {})

  const log = () => readFile(join(dataDir, 'postgres.log'), 'utf8')
  await expect.poll(log).toContain('terminated by signal 9')
  const text = await log()
  expect(text).not.toContain('canary')
  expect(text).not.toContain(gln)
  // Start-up messages stay available for diagnosing a failed start.
  expect(text).toContain('database system is ready to accept connections')
})
