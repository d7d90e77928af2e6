import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { pgCtl } from '../../src/storage/embedded-postgres/cluster.ts'
import { openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'
import { prepare } from '../../src/storage/embedded-postgres/place.ts'
import { createPreparedDatabase } from '../support/databases.ts'
import { openProxy } from '../support/faults.ts'
import { createWorkspace, MASTER_KEY, startTestGateway } from '../support/gateway.ts'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { startProcess } from '../support/process.ts'
import { givenSubjects, sampleCalls } from '../support/sample-calls.ts'

/** The process ends itself after 9 s. */
const ENDED_WITHIN_MS = 20_000
const tooLate = () => new Promise((resolve) => setTimeout(resolve, ENDED_WITHIN_MS, 'still running').unref())

// PostgreSQL does not respond for a while.
const SLOW = { timeout: 120_000 }

async function clusterFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), 'dpp-outage-'))
  await chmod(dataDir, 0o711)
  await preparedDataDir(dataDir)
  return dataDir
}

test(
  'while PostgreSQL is stopped every operation that needs it answers 503 with Retry-After, and none 500',
  SLOW,
  async () => {
    const dataDir = await clusterFolder()
    const options = { dataDir, log: () => {} }
    const postgres = await openEmbeddedPostgres({ ...options, fast: true })
    const place = await prepare(dataDir, options)
    try {
      const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' }
      const gateway = await startTestGateway(env, { clusterDir: dataDir })
      const workspace = await createWorkspace(gateway)
      const subjects = await givenSubjects(gateway, workspace)
      const { operations } = gateway.container.cradle.contract
      const statusOf = async (operationId: string, headers: Record<string, string>) => {
        const call = sampleCalls(subjects)[operationId]
        if (call === undefined) throw new Error(`There is no call of ${operationId}.`)
        const { method, path, ...content } = call
        const { status, headers: answered } = await gateway.request(method, path, { headers, ...content })
        return { status, retryAfter: answered['retry-after'] }
      }
      const answers = async () => {
        const all = [...operations].flatMap(([id, { isPublic }]) =>
          (isPublic ? [workspace.as, {}] : [workspace.as]).map(async (headers) => ({
            id,
            ...(await statusOf(id, headers)),
          })),
        )
        return Promise.all(all)
      }
      await pgCtl(place, ['stop', '-m', 'immediate', '-w'])
      for (let round = 0; round < 2; round += 1) {
        for (const { id, status, retryAfter } of await answers()) {
          // 501 needs no database.
          expect([id, status]).not.toEqual([id, 500])
          if (status > 500) expect([501, 503], id).toContain(status)
          if (status === 503 && id !== 'getHealth')
            expect([id, retryAfter]).toEqual([id, expect.stringMatching(/^\d+$/)])
          if (operations.get(id)?.isPublic === false) expect([id, status]).toEqual([id, 503])
        }
      }
      await pgCtl(place, ['restart', '-m', 'immediate', '-w', '-l', place.logFile])
      await expect
        .poll(async () => (await statusOf('getPassport', workspace.as)).status, { timeout: 10_000, interval: 50 })
        .toBe(200)
      await gateway.close()
    } finally {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
)

test.concurrent('a database that has gone silent does not keep a process from ending', async () => {
  const proxy = await openProxy(await createPreparedDatabase(MASTER_KEY))
  const running = await startProcess({ DATABASE_URL: proxy.url, MASTER_KEY, LOG_LEVEL: 'silent' })
  await running.printed('is ready')
  proxy.silence()
  const waiting = fetch(`${running.url}/passport/00000000-0000-4000-8000-000000000000`).catch(() => {})
  expect(await Promise.race([running.end('SIGTERM'), tooLate()])).not.toBe('still running')
  await waiting
  await proxy.close()
})

test.concurrent('nor does its own PostgreSQL that is silent, which the next process finds again', SLOW, async () => {
  const dataDir = await clusterFolder()
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', DEMO: 'off' }
  const running = await startProcess(env)
  await running.printed('is ready')
  const [pid = ''] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', pid])
  const processes = [Number(pid), ...stdout.trim().split(/\s+/).map(Number)]
  for (const each of processes) process.kill(each, 'SIGSTOP')
  try {
    expect(await Promise.race([running.end('SIGTERM'), tooLate()])).not.toBe('still running')
  } finally {
    for (const each of processes) process.kill(each, 'SIGCONT')
  }
  const next = await startProcess(env)
  await next.printed('is ready')
  expect(await next.end('SIGTERM')).toBe(0)
  await rm(dataDir, { recursive: true, force: true })
})
