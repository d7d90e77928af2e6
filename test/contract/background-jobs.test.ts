import { afterAll, expect, test, vi } from 'vitest'
import type { Cradle } from '../../plugins/modules/imports/cradle.ts'
import importsModule from '../../plugins/modules/imports/index.ts'
import { startBackgroundJobs } from '../../src/jobs/background-job.ts'
import type { BackgroundQueue } from '../../src/plugin/contracts.ts'
import { connected } from '../support/databases.ts'
import { createWorkspace, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { wake } from '../support/jobs.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway()
const { boss, outbox } = gateway.container.cradle
const imports = gateway.container.resolve<Cradle['imports']>('imports')
const QUEUE = importsModule.queues[0] as BackgroundQueue
const IMPORTS = QUEUE.name

type Of = Awaited<ReturnType<typeof createWorkspace>>

const file = (productId: string) => Buffer.from(`productId,category,originCountry\r\n${productId},textiles,PT\r\n`)

async function send({ as }: Of, productId: string, at: TestGateway = gateway): Promise<string> {
  const { status, body } = await at.request('POST', '/api/v1/imports', {
    headers: as,
    file: { type: 'text/csv', bytes: file(productId) },
  })
  expect(status).toBe(202)
  return body.import.id
}
const importOf = async ({ as }: Of, id: string, at: TestGateway = gateway) =>
  (await at.request('GET', `/api/v1/imports/${id}`, { headers: as })).body.import
const ended = (of: Of, id: string) =>
  vi.waitFor(
    async () => {
      wake(gateway, IMPORTS)
      const found = await importOf(of, id)
      expect(['done', 'failed']).toContain(found.status)
      return found
    },
    { timeout: 30_000, interval: 20 },
  )
const begun = async ({ id: tenantId }: Of, id: string) =>
  (await gateway.sqlAs<{ begun: number }>(tenantId, 'select begun from import where id = $1', [id]))[0]?.begun

test('review-3-security S5: an import does not wait for one of another workspace', async () => {
  const [slow, quick] = [await createWorkspace(gateway), await createWorkspace(gateway)]
  await boss.offWork(IMPORTS)
  const held = await send(slow, 'SLOW-1')
  const second = await send(slow, 'SLOW-2')
  const [own] = [await send(quick, 'QUICK-1')]
  await connected(gateway.inspectorUrl, async (holder) => {
    await holder.query('begin')
    await holder.query(`select set_config('app.tenant', $1, true)`, [slow.id])
    await holder.query('select from import where id in ($1, $2) for update', [held, second])
    outbox.onAdded(IMPORTS, (await startBackgroundJobs(QUEUE, imports, gateway.container.cradle)).wake)
    expect(await ended(quick, own)).toMatchObject({ status: 'done', rows: { created: 1 } })
    // The second job of the workspace waits for the first.
    const active = () =>
      gateway.sql(`select from pgboss.job where name = $1 and state = 'active' and data ->> 'tenantId' = $2`, [
        IMPORTS,
        slow.id,
      ])
    await expect.poll(async () => (await active()).length).toBe(1)
    expect([(await importOf(slow, held)).status, (await importOf(slow, second)).status]).toEqual(['waiting', 'waiting'])
    await holder.query('rollback')
  })
  expect(await ended(slow, held)).toMatchObject({ status: 'done' })
  expect(await ended(slow, second)).toMatchObject({ status: 'done' })
})

test('review-3-security S3: an import that has ended its process twice is failed, with a message', async () => {
  const of = await createWorkspace(gateway)
  await boss.offWork(IMPORTS)
  const [once, twice] = [await send(of, 'ONCE'), await send(of, 'TWICE')]
  const update = 'update import set begun = case id when $1::uuid then 1 else 2 end where id in ($1, $2)'
  await gateway.sqlAs(of.id, update, [once, twice])
  outbox.onAdded(IMPORTS, (await startBackgroundJobs(QUEUE, imports, gateway.container.cradle)).wake)
  expect(await ended(of, once)).toMatchObject({ status: 'done', rows: { created: 1 } })
  const given = await ended(of, twice)
  expect(given).toMatchObject({ status: 'failed', failure: expect.stringContaining('crashed the process twice') })
  await expect.poll(() => begun(of, once)).toBe(0)
})

test('a process that ends in order counts for nothing', async () => {
  const other = await startTestGateway({ DATABASE_URL: gateway.databaseUrl })
  afterAll(() => other.close())
  const of = await createWorkspace(gateway)
  await boss.offWork(IMPORTS)
  await other.container.cradle.boss.offWork(IMPORTS)
  const id = await send(of, 'ORDERLY')
  const working = {
    ...imports,
    work: () => new Promise<void>(() => {}),
  }
  const { release } = await startBackgroundJobs(QUEUE, working, gateway.container.cradle)
  await expect.poll(() => begun(of, id)).toBe(1)
  await release()
  expect(await begun(of, id)).toBe(0)
})
