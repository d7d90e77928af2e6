import pg from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createWorkspace, MASTER_KEY } from '../support/gateway.ts'
import { expireHeartbeats } from '../support/jobs.ts'
import { type GatewayProcess, startProcess } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'

// Processes that die during a capture. The gateway under test captures nothing itself.

const EVENTS = 2_000
const { gateway } = await useGateway()
await gateway.container.cradle.boss.offWork('captures')

let running: GatewayProcess | undefined
const holders: pg.Client[] = []
afterEach(() => Promise.all(holders.splice(0).map((holder) => holder.end())))
afterAll(() => running?.end('SIGKILL'))

async function start(): Promise<GatewayProcess> {
  running = await startProcess({
    DATABASE_URL: gateway.databaseUrl,
    MASTER_KEY,
    BASE_URL: 'https://dpp.example.test',
    LOG_LEVEL: 'silent',
  })
  await running.printed('is ready')
  return running
}

/** Blocks the commit of everything charged to a workspace until the returned function is called. */
async function holdCharges(): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: gateway.databaseUrl })
  await holder.connect()
  await holder.query('begin; lock table workspace_usage in share mode')
  holders.push(holder)
  return () => holder.end()
}

const document = () => ({
  '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-02-01T00:00:00Z',
  epcisBody: {
    eventList: Array.from({ length: EVENTS }, (_, index) => ({
      type: 'ObjectEvent',
      action: 'ADD',
      eventTime: new Date(Date.UTC(2026, 0, 1) + 1000 * index).toISOString(),
      eventTimeZoneOffset: '+00:00',
      epcList: [`https://example.com/items/crashed-${index}`],
    })),
  },
})

test.each([
  ['judged', async ({ judged }: { judged: number }) => judged],
  [
    'stored',
    async () => {
      const [row] = await gateway.sql<{ count: number }>(
        `select count(*)::int as count from pg_locks where relation = 'workspace_usage'::regclass and not granted`,
      )
      return row?.count ?? 0
    },
  ],
])(
  'a capture whose process was killed while its events were being %s is done by the next one, each event once',
  { timeout: 150_000 },
  async (_, progress) => {
    const { id, as } = await createWorkspace(gateway)
    const letGo = await holdCharges()
    // One statement has one snapshot: stored events and the state of the capture.
    const state = async () => {
      const [row] = await gateway.sqlAs<{
        judged: number
        attempt: number
        success: boolean | null
        events: number
        items: number
        hashes: number
        pieces: number
      }>(
        id,
        `select judged_count as judged, attempt, is_success as success,
          (select count(*)::int from trace_event where tenant_id = $1) as events,
          (select count(*)::int from trace_item where tenant_id = $1) as items,
          (select count(distinct hash)::int from trace_event where tenant_id = $1) as hashes,
          (select count(*)::int from capture_piece where tenant_id = $1) as pieces
         from capture_job where tenant_id = $1`,
        [id],
      )
      if (row === undefined) throw new Error('There is no capture.')
      return row
    }
    // The process that finished the previous test's capture starts this one.
    const victim = running ?? (await start())
    const { status, body } = await gateway.request('POST', '/api/v1/capture', { headers: as, json: document() })
    expect(status).toBe(202)
    await expect.poll(async () => progress(await state()), { timeout: 60_000, interval: 10 }).toBeGreaterThan(0)
    await victim.end('SIGKILL')
    const killed = await state()
    expect(killed).toMatchObject({ attempt: 1, success: null, events: 0, items: 0 })
    expect(killed.judged).toBeGreaterThan(0)
    expect(killed.pieces).toBeGreaterThan(0)
    await letGo()
    await expireHeartbeats(gateway, 'captures')

    await start()
    const seenBefore = new Set<number>()
    const success = async () => {
      const now = await state()
      if (now.success === null) seenBefore.add(now.events)
      return now.success
    }
    await expect.poll(success, { timeout: 60_000, interval: 50 }).toBe(true)
    expect([...seenBefore]).toEqual([0])
    expect(await state()).toEqual({
      judged: expect.any(Number),
      attempt: 2,
      success: true,
      events: EVENTS,
      items: EVENTS,
      hashes: EVENTS,
      pieces: 0,
    })
    const finished = await gateway.request('GET', `/api/v1/capture/${body.captureID}`, { headers: as })
    expect(finished.body).toMatchObject({ running: false, success: true, errors: [], judgedCount: EVENTS })
  },
)
